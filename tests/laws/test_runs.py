"""Simulated motions against what is known of them: solutions in closed form or published, conserved quantities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import loopwright as lw
from tests.mechanisms import FULL


def run(name, t_end, moving=True, **options):
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), v=(lw.zoo.rates(name) or None) if moving else None)
    done = lw.simulate(mechanism, start, t_end, progress=False, **options)
    assert done.status == "finished"
    return done


def drift(done):
    """Energy gained beyond what forces did, over the largest kinetic energy."""
    energy = lw.Dynamics(done.mechanism).energy(done.q, done.v)
    gained = energy.total - energy.total[0] - sum(part for kind, part in done.work.items() if kind != "springs")
    return np.abs(gained).max() / energy.kinetic.max()


def opened(done):
    """Largest gap, and rate of a gap."""
    dyn = lw.Dynamics(done.mechanism)
    return np.abs(dyn.closure(done.q)).max(), np.abs(
        np.einsum("tij,tj->ti", dyn.closure_jacobian(done.q), done.v)
    ).max()


def swinging(t, amplitude, w):
    """Angle of a pendulum of small frequency w from rest at its amplitude, by Jacobi's functions."""
    k = np.sin(amplitude / 2.0)
    _, cn, dn, _ = ellipj(w * np.asarray(t), k * k)
    return 2.0 * np.arcsin(k * cn / dn)


# [Gonzalez2006] A01: (x, y) of the bob
A01 = {
    0.5: (-0.391048791551, -0.920369948785),
    1.0: (0.986291751132, -0.165010853126),
    5.0: (-0.942305435044, -0.334754338414),
    10.0: (-0.275087462576, -0.961419205099),
}


def test_the_pendulum_of_a01():
    done = run("pendulum", 10.0, save=0.5)
    for t, (x, y) in A01.items():
        angle = done["pivot"][round(t / 0.5)]
        assert abs(np.cos(angle) - x) < 1e-8
        assert abs(np.sin(angle) - y) < 1e-8


def test_the_pendulum_of_a01_for_two_thousand_seconds():
    done = run("pendulum", 2000.0, save=5.0, rtol=1e-13, atol=1e-13)
    period = 4.0 * ellipk(0.5) / np.sqrt(9.81)
    assert period == pytest.approx(2.367841947576237, rel=1e-15)
    # whole periods taken off first: Jacobi's functions lose digits with the size of their argument
    angle = -np.pi / 2.0 - swinging(np.mod(done.t, period), np.pi / 2.0, np.sqrt(9.81))
    apart = np.mod(done["pivot"] - angle + np.pi, 2.0 * np.pi) - np.pi
    # 6e4 steps that each add 1e-13 to angle and speed shift the phase by 6e-9, and the period through the energy
    assert np.abs(apart).max() < 5e-8
    assert drift(done) < 1e-9


def test_a_free_four_bar_keeps_its_energy_and_its_loop():
    done = run("four_bar", 100.0, save=0.1)
    assert drift(done) < 1e-9
    gap, rate = opened(done)
    assert gap < 1e-14
    assert rate < 1e-13 * np.abs(done.v).max()


def test_the_four_bar_of_redysim_falls_as_computed_elsewhere():
    done = run("redysim_four_bar", 0.38, moving=False, save=0.19)
    assert drift(done) < 1e-9
    assert lw.Dynamics(done.mechanism).energy(done.q[0], done.v[0]).total == pytest.approx(3.87657638, abs=5e-9)
    expected = [(-3.4859267, -12.4329794), (-1.4282829, 34.8737081)]
    for row, (q, v) in zip((1, 2), expected, strict=True):
        assert done["crank_joint"][row] == pytest.approx(q, abs=6e-8)
        assert done.v[row, 0] == pytest.approx(v, abs=6e-7)


@pytest.mark.parametrize("formulation", ["embedding", "system"])
def test_andrews_squeezer(formulation):
    done = run("andrews", 0.03, formulation=formulation, save=0.01)
    # the IVP test set, to the 2e-9 that two independent computations agree with it
    expected = {"beta": 15.81077119629904, "theta": -15.75637105984298, "gamma": 0.04082224013073101}
    for name, value in expected.items():
        assert abs(done[name][-1] - value) < 2e-9
    # those computations, in 80 bits
    exact = {"phi": -0.534730116342079, "delta": 0.524409965879954, "epsilon": 1.048080741041938}
    for name, value in exact.items():
        assert abs(done[name][-1] - value) < 1e-10
    assert drift(done) < 1e-9


# [Gonzalez2006] A02, N = 2: (x, y) of the first top
A02 = {
    1.0: (-0.195020301950, -0.980799205662),
    5.0: (-0.811310461003, -0.584615545352),
    10.0: (0.328458111537, 0.944518538180),
}


@pytest.mark.parametrize("formulation", ["embedding", "multiplier", "system"])
def test_the_row_of_four_bars_goes_through_its_singular_positions(formulation):
    done = run("n_four_bar", 10.0, formulation=formulation, save=1.0)
    angle = done["pivot_0"]
    assert np.abs(angle).max() > 6.0  # round several times, twice a turn through the line
    for t, (x, y) in A02.items():
        assert abs(-np.sin(angle[round(t)]) - x) < 2e-7
        assert abs(np.cos(angle[round(t)]) - y) < 2e-7


def test_a_floating_robot_keeps_its_momentum():
    mechanism = lw.zoo.dual_arm_space_robot()
    q, v = mechanism.random_state(3)
    dyn = lw.Dynamics(mechanism)

    def law(t, q, v):
        return 2.0 * np.sin(3.0 * t + np.arange(mechanism.nu))

    done = lw.simulate(mechanism, (q, v), 5.0, tau=law, save=0.5, progress=False)
    p = dyn.momentum(done.q, done.v)
    for kept in (p.linear, p.angular):
        assert np.abs(kept - kept[0]).max() < 1e-8 * np.abs(p.linear).max()
    assert drift(done) < 1e-8
    assert np.abs(done.work["actuators"]).max() > 1.0


def test_quaternions_stay_unit_and_a_free_body_tumbles_as_euler_says():
    b = lw.Builder("top", gravity=(0, 0, 0))
    b.body("top", mass=1.0, inertia=(1.0, 2.0, 3.0))
    b.free("float", "ground", "top")
    top = b.build()
    start = lw.State.of(top, None, v={"float": (0.1, 0.2, 0.3, 0.01, 4.0, 0.02)})
    done = lw.simulate(top, start, 50.0, save=0.5, progress=False)
    assert np.abs(np.linalg.norm(done.q[:, 3:], axis=1) - 1.0).max() < 1e-15
    p = lw.Dynamics(top).momentum(done.q, done.v)
    for kept in (p.linear, p.about_centre):
        assert np.abs(kept - kept[0]).max() < 1e-8 * np.abs(kept[0]).max()
    assert done.v[:, 4].min() < -3.0  # about the middle axis: it flips


@pytest.mark.parametrize(
    "stabilise, gap",
    [("project", 1e-14), ("baumgarte", 1e-7), (None, np.inf)],
)
def test_drift_is_projected_pulled_back_or_left(stabilise, gap):
    done = run("redysim_four_bar", 2.0, formulation="multiplier", stabilise=stabilise, save=0.1, rtol=1e-7, atol=1e-9)
    left = opened(done)[0]
    assert left < gap
    if stabilise is None:
        assert left > 1e-9


@pytest.mark.skipif(not FULL, reason="a million evaluations more")
def test_a_free_four_bar_for_an_hour():
    done = run("four_bar", 3600.0, save=10.0)
    assert drift(done) < 1e-7
