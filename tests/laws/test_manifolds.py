"""Quaternions through every method: of unit length, turning as bodies without torque do, the same for x and -x."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.methods import METHODS

END = 3.0
STEP = 5e-4
SPIN = np.array([0.7, -0.4, 2.0])  # rad/s, in the body's axes
LIFT = np.array([0.3, -0.2, 0.5])  # m/s


def plate():
    """A free body with two equal moments of inertia, where no gravity pulls."""
    b = lw.Builder("plate", gravity=(0, 0, 0))
    b.body("plate", mass=2.0, inertia=(0.4, 0.4, 0.7))
    b.free("flight", "ground", "plate")
    return b.build()


def simulated(mechanism, start, by, end=END, **options):
    chosen = {"step": STEP} if by.fixed else {"rtol": 1e-10, "atol": 1e-10}
    run = lw.simulate(mechanism, start, end, method=by.name, progress=False, **chosen, **options)
    assert run.finished, run.status
    return run


def allowed(by):
    """Of errors that grow for some seconds from those of single steps."""
    return 20.0 * STEP**by.order + 1e-11 if by.fixed else 1e-8


def turned(axis, angle):
    """The matrix of a turn.    R = 1 + sin(a) [u] + (1 - cos(a)) [u]^2"""
    u = np.cross(axis / np.linalg.norm(axis), np.eye(3)).T
    return np.eye(3) + np.sin(angle) * u + (1.0 - np.cos(angle)) * u @ u


def exact(t):
    """R(t) = exp(t L / I_1) exp(t w_3 (1 - I_3 / I_1) e_3): it precesses about L and turns about its own axis."""
    L = np.array([0.4, 0.4, 0.7]) * SPIN
    return turned(L, t * np.linalg.norm(L) / 0.4) @ turned(np.array([0.0, 0.0, 1.0]), t * SPIN[2] * (1.0 - 0.7 / 0.4))


@pytest.mark.parametrize("by", METHODS, ids=lambda by: by.name)
def test_a_plate_thrown_precesses_as_euler_says(by):
    mechanism = plate()
    start = lw.State.of(mechanism, None, v={"flight": (*LIFT, *SPIN)})
    run = simulated(mechanism, start, by, save=0.1)
    x = run.q[:, 3:]
    assert np.abs(np.linalg.norm(x, axis=1) - 1.0).max() < 4e-16
    found = lw.Dynamics(mechanism).pose("plate", run.q)
    assert np.abs(found.R - np.stack([exact(t) for t in run.t])).max() < allowed(by)
    # its centre goes straight on
    assert np.abs(run.q[:, :3] - run.t[:, None] * LIFT).max() < allowed(by)
    other = simulated(mechanism, lw.State(mechanism, start.q * [1, 1, 1, -1, -1, -1, -1], start.v), by, save=0.1)
    assert np.abs(other.q[:, 3:] + x).max() < 1e-13


@pytest.mark.parametrize("formulation", ["embedding", "system"])
@pytest.mark.parametrize("by", METHODS, ids=lambda by: by.name)
def test_a_ball_in_a_loop_turns_as_tighter_tolerances_say(by, formulation):
    mechanism = lw.zoo.rssr()  # the ball at the end of its crank is in the tree
    assert any(name.endswith(".qw") for name in mechanism.coordinates)
    q = lw.State.of(mechanism, lw.zoo.start("rssr")).q
    J = lw.Dynamics(mechanism).closure_jacobian(q)
    start = lw.State(mechanism, q, 3.0 * np.linalg.svd(J)[2][-2:].sum(axis=0))  # along both freedoms
    run = simulated(mechanism, start, by, 0.3, formulation=formulation, save=0.05)
    exact = lw.simulate(mechanism, start, 0.3, rtol=1e-13, atol=1e-14, save=0.05, progress=False)
    ball = mechanism.coordinates.index("crank_pin.qx")
    x = run.q[:, ball : ball + 4]
    assert np.abs(np.linalg.norm(x, axis=1) - 1.0).max() < 4e-16
    assert np.abs(lw.Dynamics(mechanism).closure(run.q)).max() < 1e-14
    assert np.abs(run.q - exact.q).max() < allowed(by)
    assert np.abs(run.v - exact.v).max() < 20.0 * allowed(by)  # it swings with some 10 rad/s
