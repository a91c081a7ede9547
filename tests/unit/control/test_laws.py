"""Ready laws: what they answer, and that errors die as their gains say, in trees and in loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

import loopwright as lw

DRIVE = lw.trajectory.cycloid(math.radians(30), math.radians(90), 20.0)  # the paper's drive   [Saha2001, 36]


def run_of(mechanism, start, t_end, tau):
    run = lw.simulate(mechanism, start, t_end, tau=tau, save=t_end / 50, progress=False)
    assert run.finished, run.status
    return run


def dying(rate, t):
    """e(t) / e(0) of e'' + 2 rate e' + rate^2 e = 0 from rest."""
    return (1.0 + rate * t) * np.exp(-rate * t)


@pytest.mark.parametrize("aside", [0.0, 0.1])
def test_the_four_bar_follows_with_feedback(aside):
    """[Saha2001, 37], lambda = 1: "the desired trajectory is followed exactly"; and what is off comes back."""
    mechanism = lw.zoo.four_bar()
    start = lw.assemble(mechanism, {"crank_joint": DRIVE(0.0) + aside})[0]
    run = run_of(mechanism, start, 20.0, lw.computed_torque(mechanism, {"crank_joint": DRIVE}, rate=1.0))
    np.testing.assert_allclose(run["crank_joint"] - DRIVE(run.t), aside * dying(1.0, run.t), atol=1e-10)


def test_the_unstable_five_bar_follows_both_paths():
    mechanism = lw.zoo.five_bar()
    ends = {"shoulder_1": (30.0, 90.0), "shoulder_2": (30.0, 70.3)}
    paths = {name: lw.trajectory.cycloid(*map(math.radians, pair), 20.0) for name, pair in ends.items()}
    begin = {name: path(0.0) + 0.02 for name, path in paths.items()}
    run = run_of(mechanism, lw.assemble(mechanism, begin)[0], 20.0, lw.computed_torque(mechanism, paths, rate=2.0))
    for name, path in paths.items():
        np.testing.assert_allclose(run[name] - path(run.t), 0.02 * dying(2.0, run.t), atol=1e-9)


def test_a_tree_follows_with_a_rate_for_every_joint():
    mechanism, rates = lw.zoo.kuka_kr5(), np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    path = lw.trajectory.cycloid(np.zeros(6), np.full(6, math.pi / 3), 1.0)
    start = lw.State(mechanism, np.full(6, 0.1), np.zeros(6))
    run = run_of(mechanism, start, 1.5, lw.computed_torque(mechanism, path, rate=rates))
    np.testing.assert_allclose(run.q - path(run.t), 0.1 * dying(rates, run.t[:, None]), atol=1e-9)


def test_only_the_joints_that_are_named_follow():
    """A floating robot's elbow; shoulder and wrist are free of force, momentum stays nothing."""
    mechanism = lw.zoo.space_robot(base="free")
    path = lw.trajectory.quintic([0.0, 1.0, 2.0], [0.3, -0.2, 0.4])
    law = lw.computed_torque(mechanism, {"elbow": path}, rate=3.0)
    run = run_of(mechanism, {"elbow": 0.5}, 2.5, law)
    np.testing.assert_allclose(run["elbow"] - path(run.t), 0.2 * dying(3.0, run.t), atol=1e-9)
    assert not run.tau[:, [0, 2]].any()
    assert run.tau[:, 1].any()
    assert np.abs(lw.Dynamics(mechanism).momentum(run.q, run.v).linear).max() < 1e-9


@pytest.mark.parametrize("name", ["four_bar", "three_rrr", "kuka_kr5"])
def test_its_forces_are_inverse_dynamics(name):
    mechanism = lw.zoo.MECHANISMS[name]()
    dyn, q = lw.Dynamics(mechanism), lw.State.of(mechanism, lw.zoo.start(name)).q
    joints = mechanism.actuators
    rng = np.random.default_rng(0)
    rates = dict(zip(joints, rng.normal(size=len(joints)), strict=True))
    v = dyn.complete(q, rates)[0]
    paths = {joint: lw.trajectory.sines(rng.normal(), 0.7, rng.normal()) for joint in joints}
    law = lw.computed_torque(mechanism, paths, kp=30.0, kd=7.0)
    gains = {}
    for joint, path in paths.items():
        k, i = mechanism.coordinates.index(joint), mechanism.velocities.index(joint)
        off, slow = path(0.4) - q[k], path.velocity(0.4) - v[i]
        gains[joint] = path.acceleration(0.4) + 7.0 * slow + 30.0 * off
    np.testing.assert_allclose(
        law(0.4, q, v), dyn.inverse(q, v, dyn.complete(q, rates, gains)[1]), rtol=1e-9, atol=1e-9
    )


def test_loads_that_depend_on_time_are_met():
    b = lw.Builder("pushed", gravity=(0, 0, 0))
    b.body("cart", 2.0)
    b.prismatic("rail", "ground", "cart", axis=(1, 0, 0), actuated=True)
    b.wrench("push", "cart", force=lambda t: (3.0 * t, 0.0, 0.0))
    mechanism = b.build()
    law = lw.computed_torque(mechanism, {"rail": lw.trajectory.cycloid(0.0, 1.0, 1.0)}, rate=2.0)
    run = run_of(mechanism, None, 1.0, law)
    np.testing.assert_allclose(run["rail"], lw.trajectory.cycloid(0.0, 1.0, 1.0)(run.t), atol=1e-12)


def test_pd_is_springs_and_dampers_to_the_path():
    mechanism = lw.zoo.three_rrr()
    paths = {"shoulder_1": lw.trajectory.hold(1.0), "shoulder_3": lw.trajectory.steady(0.5, 2.0)}
    law = lw.pd(mechanism, paths, kp=[10.0, 20.0], kd=3.0)
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=mechanism.nq), rng.normal(size=mechanism.nv)
    i, k = (mechanism.coordinates.index(name) for name in paths)
    by_hand = [10.0 * (1.0 - q[i]) - 3.0 * v[i], 0.0, 20.0 * (0.5 + 2.0 * 0.7 - q[k]) + 3.0 * (2.0 - v[k])]
    np.testing.assert_allclose(law(0.7, q, v), by_hand, rtol=1e-14)
    wanted = np.array([[path.at(0.7, order) for path in paths.values()] for order in range(3)])
    np.testing.assert_allclose(law.kernel(0.7, q, v, wanted.ravel()), by_hand, rtol=1e-14)


def test_pd_holds_a_pendulum_where_its_gain_says():
    """At rest kp (th_d - th) = m g l sin(th) of the angle from hanging down."""
    mechanism = lw.zoo.pendulum()
    run = run_of(mechanism, {"pivot": -math.pi / 2}, 30.0, lw.pd(mechanism, lw.trajectory.hold(0.0), kp=100.0, kd=20.0))
    angle = run.q[-1, 0]
    gravity = lw.Dynamics(mechanism).gravity([angle])[0]
    assert -100.0 * angle == pytest.approx(gravity, rel=1e-6)


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda m: lw.computed_torque(m, 3.0), "one trajectory for left_joint, left_pin, right_joint"),
        (lambda m: lw.computed_torque(m, lw.trajectory.hold(0.0)), "needs 3 values over time"),
        (lambda m: lw.computed_torque(m, {"left": lw.trajectory.hold(0.0)}), "no coordinate 'left'"),
        (
            lambda m: lw.computed_torque(m, dict.fromkeys(("left_joint", "right_joint"), 0.0)),
            "cannot be driven besides",
        ),
        (lambda m: lw.computed_torque(m, {"left_joint": 0.0}, rate=[1.0, 2.0]), "one for each of left_joint"),
        (lambda m: lw.pd(m, {"left_joint": 0.0}, "stiff", 1.0), "kp must be a number"),
        (lambda m: lw.pd(m, {"left_joint": 0.0}, 1.0, np.nan), "kd must be a number"),
    ],
)
def test_what_is_wrong_is_said(make, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        make(lw.zoo.spring_four_bar())
