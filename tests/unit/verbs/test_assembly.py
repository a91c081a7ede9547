"""Closed states from values of some coordinates: which are found, in what order, and how they move."""

import math

import numpy as np
import pytest

import loopwright as lw
from loopwright import LoopwrightError
from loopwright.closure import rank
from loopwright.testing import random_loops

CLOSED = tuple(member.__name__ for member in lw.zoo.CLOSED)


def made(name):
    mechanism, start = lw.zoo.MECHANISMS[name](), lw.zoo.start(name)
    return mechanism, np.array([start[label] for label in mechanism.coordinates])


def driven(mechanism, q):
    """Values of the coordinates that drive, those with motors where some are declared."""
    loops = lw.Dynamics(mechanism, compiled=False).loops
    free = loops.structure(loops.topology.forest).independent
    names = mechanism.actuators if mechanism.nu < mechanism.nv else [mechanism.velocities[k] for k in free]
    return {name: q[mechanism.coordinates.index(name)] for name in names if name in mechanism.coordinates}


def open_by(mechanism, state):
    return np.abs(lw.Dynamics(mechanism, compiled=False).closure(state.q)).max(initial=0.0)


def found(mechanism, q, states):
    """Whether q is one of the states, full turns aside."""
    prints = [np.abs(mechanism.fingerprint(state.q) - mechanism.fingerprint(q)).max() for state in states]
    return min(prints) < 1e-6


@pytest.mark.parametrize("name", CLOSED)
def test_every_linkage_is_assembled_from_its_driven_coordinates(name):
    mechanism, q = made(name)
    values = driven(mechanism, q)
    # idle spins of rods stand where they stand in `near`
    states = lw.assemble(mechanism, values, near=q, most=4)
    assert found(mechanism, q, states[:1]), "the nearest to the start is the start itself"
    for state in states:
        assert open_by(mechanism, state) < 1e-10
        for label, value in values.items():
            assert state[label] == value
        assert np.all(state.v == 0.0)


# closed forms: an isosceles triangle over every pair of joints that are left free
BRANCHES = {"four_bar": 2, "five_bar": 2, "slider_crank": 2, "rssr": 2, "rsur": 4, "redysim_four_bar": 2, "hoeken": 2}


@pytest.mark.parametrize("name, count", BRANCHES.items())
def test_all_branches_are_found(name, count):
    mechanism, q = made(name)
    states = lw.assemble(mechanism, driven(mechanism, q))
    assert len(states) == count
    assert found(mechanism, q, states)


def test_the_branches_of_a_four_bar_are_the_two_meetings_of_two_circles():
    crank, coupler, rocker, ground = 0.3, 1.0, 0.6, 1.0
    mechanism = lw.zoo.four_bar()
    angle = 0.7
    pin = crank * np.array([math.cos(angle), math.sin(angle)])
    to = np.array([ground, 0.0]) - pin
    d = np.linalg.norm(to)
    along = (coupler**2 - rocker**2 + d**2) / (2 * d)
    height = math.sqrt(coupler**2 - along**2)
    meetings = [pin + (along * to + side * height * np.array([-to[1], to[0]])) / d for side in (1, -1)]
    expected = sorted(math.atan2(p[1], p[0] - ground) for p in meetings)
    states = lw.assemble(mechanism, {"crank_joint": angle})
    assert sorted(state["rocker_joint"] for state in states) == pytest.approx(expected, abs=1e-12)


def test_near_chooses_the_first_branch():
    mechanism = lw.zoo.four_bar()
    up, down = lw.assemble(mechanism, {"crank_joint": 0.7})
    assert np.allclose(lw.assemble(mechanism, {"crank_joint": 0.71}, near=up)[0].q, up.q, atol=0.05)
    assert np.allclose(lw.assemble(mechanism, {"crank_joint": 0.71}, near=down)[0].q, down.q, atol=0.05)


def test_the_same_at_every_call():
    one, other = (lw.assemble(lw.zoo.stephenson_six_bar(), {"crank_joint": 0.4}) for _ in range(2))
    assert [list(a.q) for a in one] == [list(b.q) for b in other]


def test_a_tree_stands_where_it_is_told():
    arm = lw.zoo.planar_3r()
    (state,) = lw.assemble(arm, {"elbow": 0.5}, v={"wrist": 2.0}, a={"wrist": 3.0})
    assert (state["elbow"], state.rate("wrist"), state.acceleration("wrist")) == (0.5, 2.0, 3.0)


def test_cut_joints_may_be_named():
    mechanism, q = made("four_bar")
    dyn = lw.Dynamics(mechanism)
    assert mechanism.cut_coordinates == ("rocker_pin",)
    # angles of the bars: the rocker's less the coupler's
    coupler = q[0] + q[1]
    assert dyn.cut_coordinates(q)["rocker_pin"] == pytest.approx(q[2] - coupler, abs=1e-12)
    states = lw.assemble(mechanism, {"rocker_pin": q[2] - coupler}, near=q)
    assert found(mechanism, q, states[:1])
    assert states[0]["crank_joint"] == pytest.approx(q[0], abs=1e-9)


def test_a_cut_joint_is_followed_through_full_turns():
    recut = lw.Topology.of(lw.zoo.four_bar(), cuts=["crank_pin"]).mechanism
    angles = np.linspace(0.1, 0.1 + 4 * np.pi, 80)
    states = [lw.assemble(recut, {"crank_joint": angles[0]}, most=1)[0]]
    for angle in angles[1:]:
        states.append(lw.assemble(recut, {"crank_joint": angle}, near=states[-1].q, most=1)[0])
    q = np.stack([state.q for state in states])
    pin = lw.Dynamics(recut).cut_coordinates(q)["crank_pin"]
    assert np.abs(np.diff(pin)).max() < 0.5
    # relative to the coupler, the crank makes as many turns as against the ground
    assert pin[-1] - pin[0] == pytest.approx(-4 * np.pi, abs=1e-9)


@pytest.mark.parametrize("name", CLOSED)
def test_velocities_and_accelerations_keep_the_loops_closed(name):
    mechanism, q = made(name)
    values = driven(mechanism, q)
    rates = {label: 0.3 + 0.1 * k for k, label in enumerate(values)}
    (state,) = lw.assemble(mechanism, values, v=rates, a=rates, near=q, most=1)
    for label, rate in rates.items():
        assert state.rate(label) == pytest.approx(rate, abs=1e-12)
        assert state.acceleration(label) == pytest.approx(rate, abs=1e-12)
    # the position a moment later is closed to the third order
    closure = lw.Dynamics(mechanism, compiled=False).closure
    h = 1e-3
    left = [
        np.abs(closure(mechanism.integrate(state.q, s * h * state.v + (s * h) ** 2 / 2 * state.a))).max()
        for s in (1, 2)
    ]
    assert left[0] < max(1e-9, left[1] / 6.0)  # 8 times less, but for the fourth order


def test_what_is_left_open_stands_still():
    mechanism, q = made("five_bar")
    (state,) = lw.assemble(mechanism, driven(mechanism, q), v={"shoulder_1": 1.0}, near=q, most=1)
    assert state.rate("shoulder_2") == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_random_loops_are_assembled_from_their_independent_coordinates(seed, planar):
    mechanism, q = random_loops(seed, planar=planar)
    values = driven(mechanism, q)
    states = lw.assemble(mechanism, values, near=q, most=1)
    assert open_by(mechanism, states[0]) < 1e-10
    assert found(mechanism, q, states)


def test_a_loop_that_cannot_close_is_named():
    with pytest.raises(
        LoopwrightError, match=r"loop 'rocker_pin' .* cannot close .* nearest gap .* 'coupler' and 'rocker'"
    ):
        lw.assemble(lw.zoo.four_bar((0.3, 0.6, 0.5, 1.2)), {"crank_joint": math.pi})


def test_loops_that_close_from_one_start_in_a_hundred_are_closed():
    """Six loops of hinges, screws and balls: there Gauss and Newton's steps overshoot."""
    mechanism, q = random_loops(93)
    assert open_by(mechanism, lw.assemble(mechanism, {}, most=1)[0]) < 1e-10
    dyn = lw.Dynamics(mechanism, compiled=False)
    assert mechanism.nv - len(dyn.independent) == rank(dyn.closure_jacobian(q))


def test_a_gap_about_an_axis_is_told_from_one_along_it():
    """A hinge between two bodies that stand 0.3 m apart along its axis, and a turn of .2 rad across it."""
    b = lw.Builder("askew")
    b.body("slider", 1.0, inertia=(0.1, 0.1, 0.1))
    b.prismatic("slide", "ground", "slider", axis=(1, 0, 0))
    b.revolute("hinge", "slider", "ground", xyz=(0, 0, 0.3), rpy=(0.2, 0, 0))
    with pytest.raises(LoopwrightError, match=r"nearest gap 0.3 m and 0.2 rad between 'slider' and 'ground'"):
        lw.assemble(b.build(cuts=["hinge"]), {})


def test_too_few_values_are_an_error_only_when_strict():
    mechanism, q = made("five_bar")
    assert open_by(mechanism, lw.assemble(mechanism, {"shoulder_1": q[0]}, near=q)[0]) < 1e-10
    with pytest.raises(LoopwrightError, match="leave 1 freedom of 'five_bar' open"):
        lw.assemble(mechanism, {"shoulder_1": q[0]}, near=q, strict=True)


def test_rates_that_contradict_each_other_are_named():
    with pytest.raises(LoopwrightError, match=r"'rocker_joint' .* cannot have the velocity 5 .* the loops make it"):
        lw.assemble(lw.zoo.four_bar(), {"crank_joint": 0.7}, v={"crank_joint": 1.0, "rocker_joint": 5.0})


@pytest.mark.parametrize(
    "values, words",
    [
        ({"cranc_joint": 1.0}, "did you mean 'crank_joint'"),
        ({"crank_joint": "up"}, "must be a number"),
        ({"crank_joint": [1.0, 2.0]}, "has 1 entries, got 2"),
        ([1.0], "by name"),
    ],
)
def test_wrong_requests_are_refused(values, words):
    with pytest.raises(LoopwrightError, match=words):
        lw.assemble(lw.zoo.four_bar(), values)


@pytest.mark.parametrize("name, body, count", [("three_rrr", "platform", 8), ("delta", "platform", 16)])
def test_a_body_may_be_placed(name, body, count):
    mechanism, q = made(name)
    dyn = lw.Dynamics(mechanism)
    X = dyn.pose(body, q)
    states = lw.assemble(mechanism, poses={body: X}, near=q)
    assert len(states) == count  # 2 elbows a leg; of the Delta's many, as many as are asked for
    assert found(mechanism, q, states[:1])
    for state in states:
        there = dyn.pose(body, state.q)
        assert np.allclose(there.R, X.R, rtol=0, atol=1e-12)
        assert np.allclose(there.p, X.p, rtol=0, atol=1e-12)
    with pytest.raises(LoopwrightError, match=r"pose of body 'platform' .* \(xyz, rpy\)"):
        lw.assemble(mechanism, poses={"platform": 3.0})


def test_legs_of_a_platform_from_its_pose():
    mechanism, q = made("stewart")
    X = lw.Dynamics(mechanism).pose("platform", q)
    euler = (0.0, 0.1, 0.0)
    (state,) = lw.assemble(mechanism, poses={"platform": (X.p, euler)}, near=q, most=1)
    # distances of the joints' centres   [Wang2002]
    from loopwright.zoo.stewart import BASE, PLATFORM

    for k, (base, corner) in enumerate(zip(BASE, PLATFORM, strict=True), start=1):
        assert state[f"slide_{k}"] == pytest.approx(np.linalg.norm(X.point(corner) - (*base, 0.0)), abs=1e-12)
