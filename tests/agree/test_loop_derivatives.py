"""Derivatives of mechanisms with loops against differences between closed positions, and plain differentiation."""

from __future__ import annotations

from functools import cache

import casadi
import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import close as closed
from loopwright.testing import random_loops
from loopwright.zoo.n_four_bar import n_four_bar
from tests.mechanisms import FULL, close

NAMES = ["four_bar", "five_bar", "slider_crank", "spring_four_bar", "three_rrr", "andrews", "rssr"]
SEEDS = range(12 if FULL else 1)


def over_actuated():
    """A four-bar with a motor at three joints, one of them the joint that is cut, and a spring and damper there."""
    b = lw.Builder("three_motors", gravity=(0, -9.81, 0))
    b.rod("crank", 1.0, to=(0.3, 0, 0))
    b.rod("coupler", 2.0, to=(0.8, 0, 0))
    b.rod("rocker", 1.5, to=(0.6, 0, 0))
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("rocker_joint", "ground", "rocker", xyz=(0.9, 0, 0), actuated=True)
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    pin = {"xyz": (0.8, 0, 0), "child_xyz": (0.6, 0, 0), "stiffness": 3.0, "damping": 0.4, "rest": 0.3}
    b.prismatic("slider", "coupler", "block", axis=(1, 0, 0))
    b.body("block", 0.3, inertia=(0.01, 0.01, 0.01))
    b.revolute("rocker_pin", "block", "rocker", actuated=True, **pin)
    return b.build()


def under_actuated():
    """Four bars in a ring with one motor: two freedoms."""
    b = lw.Builder("loose", gravity=(0, -9.81, 0))
    for k, (body, inner) in enumerate((("a", "ground"), ("b", "a"), ("c", "b"), ("d", "c"))):
        b.rod(body, 1.0, to=(0.5, 0, 0))
        b.revolute(f"j{k}", inner, body, xyz=(0.5, 0, 0) if k else (0, 0, 0), actuated=k == 0)
    b.revolute("close", "d", "ground", xyz=(0.5, 0, 0), child_xyz=(0.9, 0, 0))
    return b.build()


@cache
def subjects():
    found = {}
    for name in NAMES:
        mechanism, start = lw.zoo.MECHANISMS[name](), lw.zoo.start(name)
        found[name] = mechanism, np.array([start[c] for c in mechanism.coordinates])
    for make in (over_actuated, under_actuated):
        mechanism = make()
        found[mechanism.name] = mechanism, lw.Dynamics(mechanism).loops.positions[0]
    for planar in (True, False):
        for seed in SEEDS:
            found[f"{'planar' if planar else 'spatial'} {seed}"] = random_loops(seed, loops=2, planar=planar)
    return found


class Case:
    """A state with its derivatives, evaluated by CasADi, which takes less time than compiling."""

    def __init__(self, label):
        self.mechanism, q = subjects()[label]
        self.dyn = lw.Dynamics(self.mechanism, compiled=False)
        self.u = [self.mechanism.velocities.index(name) for name in self.dyn.independent]
        self.k = len(self.u)
        rng = np.random.default_rng(len(label))
        self.q = self.moved(q, rng.uniform(-0.02, 0.02, self.k))
        self.rates, self.tau = rng.normal(size=self.k), rng.normal(size=self.mechanism.nu)
        self.v = self.velocity(self.q, self.rates)

    def moved(self, q, du):
        """The independent coordinates moved by du, the loops closed again."""
        ended = self.mechanism.integrate(q, self.dyn.embedding(q) @ du)
        exact = np.zeros(self.mechanism.nv)
        exact[self.u] = du - self.mechanism.difference(q, ended)[self.u]
        ended = closed(self.dyn.loops.closing, self.mechanism.integrate(ended, exact), np.array(self.u), 0.0)
        assert ended.left < 1e-12
        return ended.q

    def velocity(self, q, rates):
        return self.dyn.embedding(q) @ rates

    def acceleration(self, q, v, own):
        """The one that the loops allow, with these accelerations of the independent coordinates."""
        any_one = self.dyn.forward(q, v)
        return any_one + self.dyn.embedding(q) @ (own - any_one[self.u])

    def derivatives(self, name, third):
        program = self.dyn.casadi(name)
        flat = program(self.q, self.v, third)
        rows = self.mechanism.nv if name.startswith("forward") else self.mechanism.nu
        return np.array(flat).reshape(rows, -1)


def differences(of, count, h):
    """Differences of of(x) about zero: errors h^4 times fifth derivatives, and rounding by h."""

    def slope(unit):
        near, far = (of(s * h * unit) - of(-s * h * unit) for s in (1, 2))
        return (8 * near - far) / (12 * h)

    return np.stack([slope(unit) for unit in np.eye(count)], axis=-1)


@pytest.mark.parametrize("label", subjects())
def test_forward_derivatives_against_closed_differences(label):
    case = Case(label)
    dyn, q, v, tau, k = case.dyn, case.q, case.v, case.tau, case.k
    D = case.derivatives("forward_derivatives", tau)

    def position(du):
        there = case.moved(q, du)
        return dyn.forward(there, case.velocity(there, case.rates), tau)

    size = np.abs(D).max()
    close(D[:, :k], differences(position, k, 1e-4), 1e-7, scale=size)
    close(
        D[:, k : 2 * k],
        differences(lambda dr: dyn.forward(q, case.velocity(q, case.rates + dr), tau), k, 1e-2),
        1e-9,
        scale=size,
    )
    close(D[:, 2 * k :], differences(lambda dt: dyn.forward(q, v, tau + dt), len(tau), 1.0), 1e-9, scale=size)


@pytest.mark.parametrize("label", subjects())
def test_inverse_derivatives_against_closed_differences(label):
    case = Case(label)
    dyn, q, v, k = case.dyn, case.q, case.v, case.k
    own = np.random.default_rng(3).normal(size=k)
    a = case.acceleration(q, v, own)
    D = case.derivatives("inverse_derivatives", a)

    def forces(q, v, a):
        return dyn.inverse(q, v, a, details=True).tau

    def position(du):
        there = case.moved(q, du)
        v = case.velocity(there, case.rates)
        return forces(there, v, case.acceleration(there, v, own))

    def rate(dr):
        v = case.velocity(q, case.rates + dr)
        return forces(q, v, case.acceleration(q, v, own))

    size = np.abs(D).max()
    close(D[:, :k], differences(position, k, 1e-4), 1e-7, scale=size)
    close(D[:, k : 2 * k], differences(rate, k, 1e-2), 1e-8, scale=size)
    close(
        D[:, 2 * k :], differences(lambda da: forces(q, v, case.acceleration(q, v, own + da)), k, 1.0), 1e-8, scale=size
    )


@pytest.mark.parametrize("label", ["four_bar", "three_rrr", "andrews", "three_motors", "planar 0"])
def test_forward_derivatives_against_differentiating_the_whole_program(label):
    """da/du = (da/dq) N + (da/dv) d(N v_u)/dq N, by CasADi from the recorded a(q, v, tau) and N(q)."""
    case = Case(label)
    dyn, k, nv = case.dyn, case.k, case.mechanism.nv
    q, v, tau, rates = (casadi.SX.sym(n, size) for n, size in (("q", nv), ("v", nv), ("tau", len(case.tau)), ("r", k)))
    a = dyn.casadi("forward")(q, v, tau)
    N = casadi.reshape(dyn.casadi("embedding")(q), k, nv).T
    by_u = casadi.jacobian(a, q) @ N + casadi.jacobian(a, v) @ casadi.jacobian(N @ rates, q) @ N
    whole = casadi.Function("D", [q, v, tau, rates], [by_u, casadi.jacobian(a, v) @ N, casadi.jacobian(a, tau)])
    expected = np.hstack([np.array(part) for part in whole(case.q, case.v, case.tau, case.rates)])
    close(case.derivatives("forward_derivatives", case.tau), expected, 1e-10)


def test_compiled_and_batched():
    case = Case("four_bar")
    dyn, q, v = case.dyn, case.q, case.v
    states = np.stack([case.moved(q, [s]) for s in np.linspace(-0.2, 0.2, 9)])
    v = np.stack([case.velocity(at, case.rates) for at in states])
    D = dyn.forward_derivatives(states, v, case.tau)
    assert D.by_position.shape == (9, 3, 1)
    assert D.by_force.shape == (9, 3, 1)
    for k in (0, 4, 8):
        one = np.array(dyn.casadi("forward_derivatives")(states[k], v[k], case.tau)).reshape(3, -1)
        close(np.concatenate([D.by_position[k], D.by_velocity[k], D.by_force[k]], axis=1), one, 1e-12)


def test_linearisation_of_the_four_bar_with_a_diagonal_spring():
    """Eigenvalues published with the mechanism, to eight digits."""
    mechanism, q = subjects()["spring_four_bar"]
    L = lw.Dynamics(mechanism).linearize(q, np.zeros(mechanism.nv))
    assert L.A.shape == (2, 2)
    found = sorted(np.linalg.eigvals(L.A), key=lambda x: x.imag)
    close(np.array([found[1].real, abs(found[1].imag), found[0].real]), [-0.24238581, 2.13395503, -0.24238581], 3e-9)


def test_linearised_balls_carry_their_displacement_along():
    """Small motions beside a motion, integrated as dx/dt = A x, stay beside it: the drift of quaternions is in A."""
    case = Case("rssr")
    dyn, mechanism, u = case.dyn, case.mechanism, case.u
    assert any("." in name for name in dyn.independent)
    L = dyn.linearize(case.q, case.v, case.tau)
    h, eps = 1e-4, 1e-3
    for unit in np.eye(2 * case.k):
        ends = []
        for s in (-eps, eps):
            q = case.moved(case.q, s * unit[: case.k])
            v = case.velocity(q, case.rates + s * unit[case.k :])
            pair = []
            for dt in (h, -h):
                there = case.moved(q, case.dyn.mechanism.difference(q, mechanism.integrate(q, v * dt))[u])
                rates = v[u] + dt * dyn.forward(q, v, case.tau)[u]
                pair.append((there, rates))
            ends.append(pair)
        # (x at +h) - (x at -h) of the difference between the two motions, over 2 h: errors of h and of eps squared
        s = [mechanism.difference(ends[0][k][0], ends[1][k][0])[u] for k in (0, 1)]
        r = [ends[1][k][1] - ends[0][k][1] for k in (0, 1)]
        found = np.concatenate([s[0] - s[1], r[0] - r[1]]) / (4 * h * eps)
        close(found, L.A @ unit, 1e-4, scale=np.abs(L.A).max())


def with_lengths():
    b = lw.Builder("lengths", gravity=(0, -9.81, 0))
    b.parameter("l1", 0.3)
    b.parameter("l2", 1.0)
    b.parameter("m2", 5.0)
    b.parameter("k", 2.0)
    b.body("crank", 1.5, com=(0.5 * b["l1"], 0, 0), inertia=(0, 0.01, 0.01))
    b.body("coupler", b["m2"], com=(0.5 * b["l2"], 0, 0), inertia=(0, 0.4, 0.4))
    b.body("rocker", 3.0, com=(0.3, 0, 0), inertia=(0, 0.09, 0.09))
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("crank_pin", "crank", "coupler", xyz=(b["l1"], 0, 0))
    b.revolute("rocker_joint", "ground", "rocker", xyz=(1, 0, 0), stiffness=b["k"])
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(b["l2"], 0, 0), child_xyz=(0.6, 0, 0), damping=0.3)
    return b.build()


def test_by_parameters_the_changed_mechanism_is_closed_again():
    mechanism, names = with_lengths(), ("l1", "l2", "m2", "k")
    dyn = lw.Dynamics(mechanism)
    (place,) = (mechanism.velocities.index(name) for name in dyn.independent)
    q, rate, own, tau = dyn.loops.positions[0], 1.3, 0.4, np.array([0.7])

    def state(changed):
        there = lw.Dynamics(changed)
        at = closed(there.loops.closing, q, np.array([place]), 0.0).q
        v = there.embedding(at)[:, 0] * rate
        return there, at, v

    def forward(changed):
        there, at, v = state(changed)
        return there.forward(at, v, tau)

    def inverse(changed):
        there, at, v = state(changed)
        a = there.forward(at, v)
        return there.inverse(at, v, a + there.embedding(at)[:, 0] * (own - a[place]))

    h = 1e-6

    def slope(of, name):
        now = mechanism.values[name]
        return (of(mechanism.with_parameters(**{name: now + h})) - of(mechanism.with_parameters(**{name: now - h}))) / (
            2 * h
        )

    _, at, v = state(mechanism)
    a = dyn.forward(at, v)
    a = a + dyn.embedding(at)[:, 0] * (own - a[place])
    F = dyn.forward_derivatives(at, v, tau, parameters=names).by_parameter
    close(F, np.stack([slope(forward, name) for name in names], axis=1), 1e-6)
    T = dyn.inverse_derivatives(at, v, a, parameters=names).by_parameter
    close(T, np.stack([slope(inverse, name) for name in names], axis=1), 1e-6)


def test_where_the_independent_coordinates_fail_it_is_said():
    dyn = lw.Dynamics(n_four_bar(1))
    flat = np.array([-1.0, 1.0, -1.0]) * np.pi / 2
    with pytest.raises(lw.LoopwrightError, match=r"coordinates \(\w+\) do not give the others"):
        dyn.forward_derivatives(flat, [1.0, -1.0, 1.0])
    both = dyn.forward_derivatives([flat, 0.5 * flat], [1.0, -1.0, 1.0])
    assert np.isnan(both.by_position[0]).all()
    assert np.isfinite(both.by_position[1]).all()
