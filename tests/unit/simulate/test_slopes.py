"""Local coordinates and the slope of their rates, against differences."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.drives import drive
from loopwright.simulate.motion import begun, in_loops, on_tree

CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Coordinates:
    """The local coordinates of a problem about a state."""

    def __init__(self, problem, y):
        self.problem, self.local, self.y = problem, problem.local, y
        assert CALL(self.local.chart)(0.3, y.ctypes.data, 0, problem.context.ctypes.data) in (0, 1)

    def ask(self, function, x, out):
        assert CALL(function)(0.3, x.ctypes.data, out.ctypes.data, self.problem.context.ctypes.data) == 0
        return out

    def lifted(self, x):
        return self.ask(self.local.lift, x, np.zeros(self.problem.size))

    def rates(self, x):
        return self.ask(self.local.rates, x, np.zeros(self.local.size))

    def slope(self):
        x = np.zeros(self.local.size)
        self.rates(x)
        return self.ask(self.local.slope, x, np.zeros((self.local.size, 2 * self.local.acting)))

    def flow(self, y):
        return self.ask(self.problem.flow, y, np.zeros(self.problem.size))


def carried():
    """A free body with a sprung arm on a ball and a damped tail, pushed by a law of everything."""
    b = lw.Builder("carried")
    b.body("body", 2.0, com=(0.1, 0.05, 0.3), inertia=(1.0, 2.0, 2.5))
    b.body("arm", 1.0, com=(0.2, 0.1, 0), inertia=(0.1, 0.3, 0.2))
    b.body("tail", 0.5, com=(0.2, 0, 0), inertia=(0.02, 0.03, 0.04))
    b.free("float", "ground", "body")
    b.spherical("shoulder", "body", "arm", xyz=(0.2, 0, 0), damping=0.1)
    b.revolute("hip", "body", "tail", xyz=(-0.2, 0, 0), axis=(0, 1, 0), damping=0.2, stiffness=3.0, actuated=True)
    b.spring("rope", "ground", "arm", child_xyz=(0.3, 0, 0), stiffness=20.0, damping=1.0, length=0.1)
    m = b.build()
    v = np.array([0.1, 0.2, 0.3, 0.5, 2.0, -1.0, 1.0, 2.0, -1.5, 0.7])
    return m, None, m.integrate(m.neutral(), np.linspace(0.2, 0.9, m.nv)), v


def linkage():
    m = lw.zoo.four_bar()
    start = lw.assemble(m, {"crank_joint": 0.7}, v={"crank_joint": 2.0})[0]
    return m, None, start.q, start.v


def in_space():
    m = lw.zoo.rssr()
    q = lw.State.of(m, lw.zoo.start("rssr")).q
    return m, None, q, np.linalg.svd(lw.Dynamics(m).closure_jacobian(q))[2][-2:].sum(axis=0)


def on_springs():
    m, _, q, v = linkage()
    return m, {"formulation": "springs", "stiffness": 1e4, "damping": 30.0}, q + 0.01, v


SUBJECTS = {"tree": carried, "loop": linkage, "loop with a ball": in_space, "springs": on_springs}


@cache
def coordinates(name):
    mechanism, options, q, v = SUBJECTS[name]()
    dynamics = lw.Dynamics(mechanism, **(options or {}))

    def law(t, q, v):
        return np.full(mechanism.nu, np.sin(q[-1]) * v[-1] - v[0] + t)

    drives = drive(mechanism, law)
    if dynamics.formulation is None:
        problem = on_tree(dynamics, drives, implicit=True)
    else:
        problem = in_loops(dynamics, drives, "project", 0.0, implicit=True)
        begun(problem, q)
    return Coordinates(problem, np.concatenate([q, v, np.zeros(problem.size - len(q) - len(v))]))


@pytest.mark.parametrize("name", SUBJECTS)
def test_slopes_are_those_of_the_rates(name):
    at = coordinates(name)
    n, step = 2 * at.local.acting, 1e-5
    found = at.slope()
    by = np.zeros_like(found)
    for j in range(n):
        x = np.zeros(at.local.size)
        x[j] = step
        by[:, j] = (at.rates(x) - at.rates(-x)) / (2 * step)
    size = np.abs(by).max(axis=1, keepdims=True) + 1.0
    assert (np.abs(found - by) / size).max() < 3e-7
    assert np.abs(by).max() > 1.0


@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_depends_on_what_follows(name):
    at = coordinates(name)
    for j in range(2 * at.local.acting, at.local.size):
        x, step = np.zeros(at.local.size), 1e-5
        x[j] = step
        assert np.abs(at.rates(x) - at.rates(-x)).max() / (2 * step) < 1e-4


@pytest.mark.parametrize("name", SUBJECTS)
def test_rates_are_the_flow_as_seen_in_local_coordinates(name):
    at = coordinates(name)
    # on from a point near the base along x', the state moves as the flow says
    rates = at.rates(np.zeros(at.local.size))
    for share in (0.0, 0.05):
        x = share * rates
        if at.local.following:
            x = 0.0 * x  # only the base is a closed position
        ahead, behind = (at.lifted(x + h * at.rates(x)) for h in (1e-6, -1e-6))
        assert np.abs((ahead - behind) / 2e-6 - at.flow(at.lifted(x))).max() < 1e-7 * (1.0 + np.abs(rates).max())


def test_the_exponential_of_a_free_joint_bends_nothing_at_the_base():
    # d'' = dv/dt and s'' = dw/dt there
    at = coordinates("tree")
    x0, h = np.zeros(at.local.size), 1e-5
    rates = at.rates(x0)
    bend = (at.rates(h * rates) - at.rates(-h * rates)) / (2 * h)
    k = at.local.acting
    assert np.abs(bend[:k] - rates[k : 2 * k]).max() < 1e-7 * np.abs(rates).max()
