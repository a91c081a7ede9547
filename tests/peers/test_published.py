"""Published motions and torques of open mechanisms, to the digits in which they were printed."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import loopwright as lw
from loopwright import zoo
from tests.mechanisms import everywhere


def require_printed(ours, text, half_unit=0.5, nothing=1e-12):
    """Our numbers round to the printed ones; a printed 0 is nothing but rounding."""
    given = [Decimal(word) for word in text.split()]
    assert len(ours) == len(given)
    for value, number in zip(ours, given, strict=True):
        tolerance = half_unit * 10.0 ** int(number.as_tuple().exponent) if number else nothing
        assert abs(value - float(number)) <= tolerance, f"{value!r} against the printed {number}"


def cycloid(begin, end, duration, t):
    """Position, velocity and acceleration of a rest-to-rest motion   [Saha2001, 35]"""
    begin, s = np.asarray(begin, dtype=float), t / duration
    way, turn = np.asarray(end, dtype=float) - begin, 2 * math.pi
    return (
        begin + way * (s - math.sin(turn * s) / turn),
        way / duration * (1 - math.cos(turn * s)),
        way / duration**2 * turn * math.sin(turn * s),
    )


# IFToMM benchmark library, A01: let go at (-1, 0); the exact solution is elliptic functions.


@pytest.fixture(scope="module")
def swing():
    """Steps of .03 s keep the integrator's error at 1e-13, a few times below what the positions are printed to."""
    dynamics = lw.Dynamics(zoo.pendulum())

    def rates(_, y):
        return [y[1], dynamics.forward(y[:1], y[1:], np.zeros(1))[0]]

    def hangs(_, y):
        return y[0] - 1.5 * math.pi

    begin, times = [zoo.start("pendulum")["pivot"], 0.0], [0.5, 1.0, 5.0, 10.0]
    return solve_ivp(
        rates, (0, 10), begin, method="DOP853", rtol=1e-12, atol=1e-14, max_step=0.03, t_eval=times, events=hangs
    )


@pytest.mark.parametrize(
    "t, where",
    [
        (0.5, "-0.391048791551 -0.920369948785"),
        (1.0, "0.986291751132 -0.165010853126"),
        (5.0, "-0.942305435044 -0.334754338414"),
        (10.0, "-0.275087462576 -0.961419205099"),
    ],
)
def test_a01_pendulum_positions(swing, t, where):
    mech = zoo.pendulum()
    X = lw.pose(mech, "bob", [swing.y[0][list(swing.t).index(t)]])
    require_printed((X.p + X.R @ mech.body("bob").com)[:2], where)


def test_a01_pendulum_period(swing):
    # printed 2.367841947576237; a root of an interpolant in double precision keeps 13 decimals of its quarter
    assert 4 * swing.t_events[0][0] == pytest.approx(2.367841947576237, abs=2e-13)


# KUKA KR5: torques that ReDySim stored, every joint on the cycloid from 0 to 60 degrees in 1 s, 7 digits.


@pytest.mark.parametrize(
    "t, torques",
    [
        (0.0, "0 128.7117 14.53612 0 0 0"),
        (0.3, "102.8643 210.8582 35.14403 .05445071 -.1769532 8.578418e-6"),
        (0.5, "-39.53028 150.3598 21.46336 .1967606 -.3236363 6.465742e-6"),
        (1.0, "0 66.78584 9.698057 .1305619 .05428358 0"),
    ],
)
def test_kuka_kr5_torques(t, torques):
    motion = cycloid(np.zeros(6), np.full(6, math.pi / 3), 1.0, t)
    require_printed(lw.inverse_dynamics(zoo.kuka_kr5(), *motion), torques)


# PUMA 560 at Corke's nominal position: values of the Robotics Toolbox's tests, 4 to 6 digits.


@pytest.fixture(scope="module")
def puma():
    mech = zoo.puma560()
    start = zoo.start("puma560")
    return lw.Dynamics(mech), np.array([start[name] for name in mech.coordinates])


def test_puma_gravity(puma):
    dynamics, q = puma
    # computed to 8 digits by an independent solver; the toolbox prints [0 31.6399 6.0351 0 .0283 0]
    require_printed(dynamics.gravity(q), "0 31.63988038 6.03513802 0 .0282528 0")
    require_printed(dynamics.gravity(q), "0.0000 31.6399 6.0351 0.0000 .0283 0.0000", nothing=5e-5)


def test_puma_mass_matrix_with_rotors(puma):
    dynamics, q = puma
    rows = (
        "3.6594 -.4044 .1006 -.0025 0 0",
        "-.4044 4.4137 .3509 0 .0024 0",
        ".1006 .3509 .9378 0 .0015 0",
        "-.0025 0 0 .1925 0 0",
        "0 .0024 .0015 0 .1713 0",
        "0 0 0 0 0 .1941",
    )
    for row, printed in zip(dynamics.mass_matrix(q), rows, strict=True):
        require_printed(row, printed, nothing=5e-5)


def test_puma_inverse_dynamics_with_friction_and_rotors(puma):
    dynamics, q = puma
    ones = np.ones(6)
    require_printed(dynamics.inverse(q, ones, ones), "32.4952 60.867 17.7436 1.45452 1.29911 .713781")


def test_puma_gravity_in_closed_form():
    """The arm of Armstrong, Khatib and Burdick: its gravity torques as they abbreviate them   [Armstrong1986]"""
    mech, g = zoo.puma560_mdh(), 9.81
    dynamics = lw.Dynamics(mech)
    m3, m4, m5, m6 = (mech.body(f"link{k}").mass for k in (3, 4, 5, 6))
    a2, a3, d4, wrist = 0.4318, -0.0203, 0.4331, m4 + m5 + m6
    g1 = -g * ((m3 + wrist) * a2 + 17.4 * 0.068)
    g2 = -g * (m3 * 0.070 + wrist * d4 - m4 * 0.019)
    g3, g4, g5 = g * 17.4 * 0.006, -g * wrist * a3, -g * m6 * 0.032
    for seed in range(5):
        q, _ = mech.random_state(seed)
        s, c = np.sin(q), np.cos(q)
        s23, c23 = np.sin(q[1] + q[2]), np.cos(q[1] + q[2])
        third = g2 * s23 + g4 * c23 + g5 * (s23 * c[4] + c23 * c[3] * s[4])
        second = g1 * c[1] + g3 * s[1] + third
        wrist_torques = [-g5 * s23 * s[3] * s[4], g5 * (c23 * s[4] + s23 * c[3] * c[4])]
        assert dynamics.gravity(q) == pytest.approx([0.0, second, third, *wrist_torques, 0.0], rel=1e-13, abs=1e-13)


# Planar arm: computed by an independent solver, every joint on the cycloid from 0 to pi in 10 s, 6 digits.


@pytest.mark.parametrize(
    "t, torques",
    [
        (0.0, "4.34583 1.54998 .32373"),
        (5.0, "-1.286948 -1.22773 .01302788"),
        (10.0, "-1.89333 .90252 -.32373"),
    ],
)
def test_planar_arm_torques(t, torques):
    motion = cycloid(np.zeros(3), np.full(3, math.pi), 10.0, t)
    require_printed(lw.inverse_dynamics(zoo.planar_3r(), *motion), torques)


# Space robot: what ReDySim stored, all joints on the cycloid from the start to -pi/2 in 20 s. ReDySim integrates the
# base's motion with tolerances of 1e-5 and 1e-7, and was reproduced to 2e-6 by an independent solver: that is how far
# its seven digits can be trusted.
TRUSTED = 2e-6
BASE, ARM = slice(0, 3), slice(3, 6)


@pytest.fixture(scope="module")
def floating():
    """Hybrid dynamics: the joints move as prescribed, and the base as nothing pushes it."""
    mech = zoo.space_robot()
    dynamics, begin = lw.Dynamics(mech), [zoo.start("space_robot")[name] for name in mech.coordinates]

    def joints(t):
        return cycloid(begin[ARM], np.full(3, -math.pi / 2), 20.0, t)

    def state(t, y):
        q, v, _ = joints(t)
        return np.concatenate([y[:3], q]), np.concatenate([y[3:], v])

    def accelerations(t, y):
        # I_bb a_b = -(I_bj a_j + bias_b): the force that would hold the base's acceleration at zero
        q, v = state(t, y)
        a = np.concatenate([np.zeros(3), joints(t)[2]])
        push = everywhere(mech, dynamics.inverse(q, v, a, details=True))[BASE]
        a[BASE] = np.linalg.solve(dynamics.mass_matrix(q)[BASE, BASE], -push)
        return a

    def rates(t, y):
        return np.concatenate([y[3:], accelerations(t, y)[BASE]])

    times = [0.0, 5.0, 10.0, 15.0, 20.0]
    run = solve_ivp(rates, (0, 20), np.zeros(6), method="DOP853", rtol=1e-10, atol=1e-12, t_eval=times)
    found = {}
    for t, y in zip(run.t, run.y.T, strict=True):
        q, v = state(t, y)
        found[t] = q, v, accelerations(t, y)
    return dynamics, found


@pytest.mark.parametrize(
    "t, torques",
    [
        (5.0, [-1.500697, -0.9596945, -0.2674476]),
        (10.0, [0.3416987, -0.4656178, -0.1801567]),
        (15.0, [1.442985, 1.065104, 0.1755211]),
    ],
)
def test_space_robot_torques(floating, t, torques):
    dynamics, found = floating
    # inverse dynamics raises when the base, which nothing drives, would need a force
    assert dynamics.inverse(*found[t]) == pytest.approx(torques, abs=TRUSTED)


@pytest.mark.parametrize(
    "t, base", [(10.0, [0.01697184, 0.03348953, 0.6375842]), (20.0, [0.07184241, 0.03819272, 1.036176])]
)
def test_space_robot_base(floating, t, base):
    assert floating[1][t][0][BASE] == pytest.approx(base, abs=TRUSTED)


def test_space_robot_momentum_stays_zero(floating):
    dynamics, found = floating
    for q, v, _ in found.values():
        # 1e-8 of 530 kg and 84 kg m^2 and more, at speeds below .1: the integrator's tolerance
        momentum = dynamics.momentum(q, v)
        assert np.abs([*momentum.linear, *momentum.angular]).max() < 1e-8


def test_space_robot_on_a_base_free_in_space(floating):
    """The same motion in the coordinates of a free joint: it stays in the plane, and the torques are the same."""
    planar, found = floating
    free = lw.Dynamics(zoo.space_robot(base="free"))
    q, v, a = found[15.0]
    turn, X = q[2], planar.pose("base", q)
    q_free = np.concatenate([X.p, [0, 0, math.sin(turn / 2), math.cos(turn / 2)], q[ARM]])
    v_free = np.concatenate([X.R.T @ [*v[:2], 0], [0, 0, v[2]], v[ARM]])
    a_free, base = np.concatenate([np.zeros(6), a[ARM]]), slice(0, 6)
    push = everywhere(free.mechanism, free.inverse(q_free, v_free, a_free, details=True))[base]
    a_free[base] = np.linalg.solve(free.mass_matrix(q_free)[base, base], -push)
    assert free.inverse(q_free, v_free, a_free) == pytest.approx(planar.inverse(q, v, a), abs=1e-12)
    assert np.abs(a_free[2:5]).max() < 1e-15
