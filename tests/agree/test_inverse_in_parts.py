"""Inverse dynamics of loops: from a few coordinates' motion, in parts and as a whole, the same forces."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import rank
from loopwright.testing import random_loops
from tests.mechanisms import FULL, close, rocker_at_its_dead_point

# with one motor for every freedom
EXACT = ["four_bar", "slider_crank", "five_bar", "three_rrr", "robotic_leg", "carpet_scraper", "stewart", "excavator"]
SEEDS = range(40 if FULL else 6)


def near_start(name):
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.zoo.start(name)
    return mechanism, np.array([start[c] for c in mechanism.coordinates])


@pytest.mark.parametrize("name", EXACT)
def test_parts_give_what_the_whole_gives(name):
    mechanism, q = near_start(name)
    dyn, rng = lw.Dynamics(mechanism, compiled=False), np.random.default_rng(1)
    v, a = dyn.complete(q, *(dict(zip(mechanism.actuators, rng.normal(size=mechanism.nu), strict=True)) for _ in "va"))
    parts = dyn.inverse(q, v, a, by="subsystems")
    close(parts, dyn.inverse(q, v, a, by="freedoms"), 1e-10)
    close(dyn.inverse(q, v, a), parts, 1e-14)
    # and they make that motion
    close(dyn.forward(q, v, parts), a, 1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("planar", [True, False])
def test_random_loops_driven_at_every_freedom(seed, planar):
    mechanism, q = random_loops(seed, planar=planar)
    rng = np.random.default_rng(seed)
    dyn = lw.Dynamics(mechanism, compiled=False)
    own, motion = rng.normal(size=(2, len(dyn.independent)))
    v, a = dyn.complete(q, own, motion)
    J = dyn.closure_jacobian(q)
    close(J @ v, np.zeros(len(J)), 1e-10, scale=np.abs(v).max())
    close(v[[mechanism.velocities.index(name) for name in dyn.independent]], own, 1e-12)
    # a motor at every coordinate is more than there are freedoms: subsystem by subsystem it is not determinate
    with pytest.raises(lw.LoopwrightError, match=r"equations for .* one motor for every freedom"):
        dyn.inverse(q, v, a, by="subsystems")
    tau = dyn.inverse(q, v, a)
    close(dyn.forward(q, v, tau), a, 1e-8)


@pytest.mark.parametrize("name", ["robotic_leg", "carpet_scraper"])
def test_the_three_loop_leg_is_solved_from_its_foot_to_its_motor(name):
    """Chaudhary, Saha: {4, 5, 6, 7} gives four multipliers, {2, 3} two, {1} the torque; the largest set is 4 x 4."""
    mechanism, _ = near_start(name)
    order = lw.Dynamics(mechanism).subsystem_order()
    assert [one.bodies for one in order] == [
        ("link_4", "link_5", "link_6", "link_7"),
        ("link_2", "link_3"),
        ("link_1",),
    ]
    assert [len(one.gives) for one in order] == [4, 2, 1]
    assert {name.partition("[")[0] for name in order[0].gives} == {"joint_9", "joint_10"}
    assert {name.partition("[")[0] for name in order[1].gives} == {"joint_8"}
    assert order[2].gives == ("joint_1",)
    assert str(order[2]) == "{link_1}: 1 equations give joint_1"


def test_the_3_rrr_is_solved_as_a_whole_wherever_it_is_cut():
    """Of every leg one motor and two multipliers are unknown, and it has two equations."""
    mechanism, q = near_start("three_rrr")
    assert len(lw.Dynamics(mechanism).subsystem_order()) == 1
    # the platform in a planar joint of its own, every leg cut at its wrist
    b = lw.Builder("around_the_platform", gravity=(0, -9.81, 0))
    for joint in mechanism.joints:
        for body in (joint.child,):
            if body.startswith(("upper", "lower")):
                own = mechanism.body(body)
                b.body(body, own.mass, own.com, own.inertia)
    own = mechanism.body("platform")
    b.body("platform", own.mass, own.com, own.inertia)
    b.planar("rest", "ground", "platform", normal=(0, 0, 1))
    for joint in mechanism.joints:
        placed = {"xyz": joint.in_parent.xyz, "child_xyz": joint.in_child.xyz}
        b.revolute(joint.name, joint.parent, joint.child, actuated=any(joint.actuated), **placed)
    around = b.build()
    cuts = [joint.name for joint in mechanism.joints if joint.name.startswith("wrist")]
    dyn, first = lw.Dynamics(around, cuts=cuts), lw.Dynamics(mechanism)
    assert [len(one.gives) for one in dyn.subsystem_order()] == [9]
    # the same mechanism needs the same torques
    rates = dict(zip(mechanism.actuators, (0.4, -0.3, 0.7), strict=True))
    torques = first.inverse(q, rates, rates)
    here = {name: q[mechanism.coordinates.index(name)] for name in mechanism.coordinates if "wrist" not in name}
    state = lw.assemble(dyn.mechanism, here)[0]
    close(dyn.inverse(state.q, rates, rates), torques, 1e-9)


def test_the_motion_may_be_that_of_any_coordinates():
    mechanism, q = near_start("three_rrr")
    dyn, rng = lw.Dynamics(mechanism), np.random.default_rng(4)
    v, a = dyn.complete(q, rng.normal(size=3), rng.normal(size=3))
    full = dyn.inverse(q, v, a)
    by_name = [{name: x[mechanism.velocities.index(name)] for name in mechanism.velocities} for x in (v, a)]
    for names in (mechanism.actuators, ("wrist_1", "elbow_2", "shoulder_3"), ("elbow_1", "elbow_2", "elbow_3")):
        some = [{name: given[name] for name in names} for given in by_name]
        close(dyn.inverse(q, *some), full, 1e-9)
    # all of them, though two would do: whatever agrees is taken
    close(dyn.inverse(q, *by_name), full, 1e-9)
    # a cut joint's rate is as good: the angle between platform and leg
    assert "wrist_2" not in mechanism.velocities
    own = dyn.twist("platform", q, v)[2] - dyn.twist("lower_2", q, v)[2]
    sign = 1.0 if mechanism.joint("wrist_2").child == "platform" else -1.0
    partly = {"wrist_2": sign * own, **{name: by_name[0][name] for name in ("shoulder_1", "shoulder_3")}}
    close(dyn.complete(q, partly)[0], v, 1e-9)
    with pytest.raises(lw.LoopwrightError, match="the loops make it"):
        dyn.complete(q, {**by_name[0], "elbow_2": 17.0})


def test_many_states_at_once_and_those_whose_usual_coordinates_fail():
    mechanism, q = near_start("four_bar")
    dyn = lw.Dynamics(mechanism)
    states = np.stack([lw.assemble(mechanism, {"crank_joint": 1.5 + s}, near=q)[0].q for s in np.linspace(0, 1, 6)])
    rates, gains = np.linspace(1, 2, 6), np.linspace(-1, 1, 6)
    v, a = dyn.complete(states, {"crank_joint": rates}, {"crank_joint": gains})
    for k in range(6):
        one = dyn.complete(states[k], {"crank_joint": rates[k]}, {"crank_joint": gains[k]})
        close(v[k], one[0], 1e-12)
        close(a[k], one[1], 1e-12)
    close(dyn.inverse(states, {"crank_joint": rates}, {"crank_joint": gains}), dyn.inverse(states, v, a), 1e-12)
    # the rocker, which is usually taken, cannot turn here, but the crank's rate says everything
    mechanism, dead = rocker_at_its_dead_point()
    dyn, crank = lw.Dynamics(mechanism), mechanism.velocities.index("crank_joint")
    assert dyn.independent == ("rocker_joint",)
    v, a = dyn.complete([dead, dead], {"crank_joint": [1.0, 2.0]}, {"crank_joint": 0.5})
    J = dyn.closure_jacobian(dead)
    close(v @ J.T, np.zeros((2, len(J))), 1e-12, scale=1.0)
    close(v[:, crank], [1.0, 2.0], 1e-12)
    close(a[:, crank], [0.5, 0.5], 1e-12)


def test_more_motors_fewer_motors_and_a_wrong_way():
    mechanism, q = near_start("four_bar")
    dyn = lw.Dynamics(mechanism)
    with pytest.raises(lw.LoopwrightError, match="no by='bodies'; inverse dynamics of loops goes by subsystems or"):
        dyn.inverse(q, {"crank_joint": 1.0}, by="bodies")
    with pytest.raises(lw.LoopwrightError, match="weights and preload choose among forces"):
        dyn.inverse(q, {"crank_joint": 1.0}, by="subsystems", weights=[1.0])
    arm = lw.Dynamics(lw.zoo.planar_3r())
    with pytest.raises(lw.LoopwrightError, match="by='subsystems' is for loops"):
        arm.inverse(np.zeros(3), np.zeros(3), np.zeros(3), by="subsystems")
    # of a tree a mapping names what moves
    close(
        arm.inverse(np.zeros(3), {"elbow": 1.0}, {"wrist": 2.0}), arm.inverse(np.zeros(3), [0, 1, 0], [0, 0, 2]), 1e-14
    )
    with pytest.raises(lw.LoopwrightError, match="no coordinate 'elbw'"):
        arm.complete(np.zeros(3), {"elbw": 1.0})


def test_what_is_left_open_stands_still():
    mechanism, q = near_start("five_bar")
    dyn = lw.Dynamics(mechanism)
    v, a = dyn.complete(q, {"shoulder_1": 0.7})
    other = mechanism.velocities.index("shoulder_2")
    assert v[other] == pytest.approx(0.0, abs=1e-12)
    assert a[mechanism.velocities.index("shoulder_1")] == pytest.approx(0.0, abs=1e-12)
    J = dyn.closure_jacobian(q)
    assert rank(J) == 2
    close(J @ v, np.zeros(len(J)), 1e-12, scale=1.0)
