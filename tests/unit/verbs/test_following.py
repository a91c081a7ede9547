"""Along one branch, and how far: against the limits that geometry gives, and without ever changing branch."""

import math

import numpy as np
import pytest

import loopwright as lw
from loopwright import LoopwrightError
from tests.unit.verbs.test_assembly import made


def in_line(crank, ground, reach):
    """The crank's angle at which its pin is `reach` from the other pivot."""
    return math.acos((crank**2 + ground**2 - reach**2) / (2 * crank * ground))


# crank, coupler, rocker, ground; where Grashof's condition fails, or the crank is not the shortest, it swings
SWINGING = [(0.5, 0.7, 0.6, 1.0), (0.9, 0.5, 0.7, 0.6), (1.0, 0.4, 0.8, 0.9)]


@pytest.mark.parametrize("lengths", SWINGING)
def test_the_range_of_a_swinging_crank(lengths):
    crank, coupler, rocker, ground = lengths
    mechanism = lw.zoo.four_bar(lengths)
    # the pin comes as near to the other pivot as coupler less rocker, and as far as both together
    furthest = in_line(crank, ground, coupler + rocker) if coupler + rocker < crank + ground else math.pi
    nearest = in_line(crank, ground, coupler - rocker) if abs(coupler - rocker) > abs(crank - ground) else 0.0
    middle = (furthest + nearest) / 2 if furthest < math.pi or nearest > 0.0 else 1.0
    state = lw.assemble(mechanism, {"crank_joint": middle})[0]
    found = lw.reach(mechanism, "crank_joint", state)
    if nearest == 0.0:  # swings through the line of the pivots
        expected = (-furthest, furthest)
    elif furthest == math.pi:
        expected = (nearest, 2 * math.pi - nearest)
    else:
        expected = (nearest, furthest)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert "dead point" in found.at_low
    assert "dead point" in found.at_high
    assert "can reach" in str(found)


@pytest.mark.parametrize("lengths", [(0.3, 1.0, 0.6, 1.0), (0.2, 0.5, 0.6, 0.4)])
def test_a_grashof_crank_goes_round_and_its_rocker_swings(lengths):
    crank, coupler, rocker, ground = lengths
    mechanism = lw.zoo.four_bar(lengths)
    state = lw.assemble(mechanism, {"crank_joint": 0.5})[0]
    found = lw.reach(mechanism, "crank_joint", state)
    assert (found.low, found.high) == (-np.inf, np.inf)
    assert "all the way round" in str(found)
    # the rocker turns back where crank and coupler are in line; its angle is counted from x
    ends = sorted(math.pi - in_line(rocker, ground, coupler + side * crank) for side in (1, -1))
    found = lw.reach(mechanism, "rocker_joint", state)
    swing = sorted(abs(x) for x in (found.low, found.high))
    assert swing == pytest.approx(ends, abs=1e-9)


def test_joint_limits_end_the_way():
    b = lw.Builder("stopped")
    b.rod("crank", 1.0, to=(0.3, 0, 0))
    b.rod("coupler", 1.0, to=(1, 0, 0))
    b.rod("rocker", 1.0, to=(0.6, 0, 0))
    b.revolute("crank_joint", "ground", "crank", actuated=True, limits=(-1.0, 2.0))
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    b.revolute("rocker_joint", "ground", "rocker", xyz=(1, 0, 0))
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(1, 0, 0), child_xyz=(0.6, 0, 0))
    mechanism = b.build()
    state = lw.assemble(mechanism, {"crank_joint": 0.5})[0]
    found = lw.reach(mechanism, "crank_joint", state)
    assert (found.low, found.high) == pytest.approx((-1.0, 2.0), abs=1e-9)
    assert found.at_high == "'crank_joint' is at its limit"
    course = lw.follow(mechanism, state, {"crank_joint": 3.0})
    assert not course.done
    assert course.states[-1]["crank_joint"] == pytest.approx(2.0, abs=1e-9)
    assert course.stopped.startswith("crank_joint stops at 2 rad: 'crank_joint' is at its limit; crank_joint can reach")


def test_two_full_turns_on_one_branch():
    mechanism = lw.zoo.four_bar()
    first, other = lw.assemble(mechanism, {"crank_joint": 0.5})
    angles = np.linspace(0.5, 0.5 + 4 * math.pi, 33)
    for state in (first, other):
        course = lw.follow(mechanism, state, {"crank_joint": angles})
        assert course.done
        assert len(course.states) == 1 + len(angles)
        assert course.q[1:, 0] == pytest.approx(angles, abs=0)
        # home again: the crank two turns on, and the pin with it, the rocker where it was
        moved = course.q[-1] - state.q
        assert moved == pytest.approx([4 * math.pi, moved[1], 0.0], abs=1e-9)
        assert np.abs(lw.Dynamics(mechanism).closure(course.q)).max() < 1e-12


def test_a_parallelogram_goes_straight_through_where_it_folds():
    mechanism = lw.zoo.four_bar((0.3, 1.0, 0.3, 1.0))
    states = lw.assemble(mechanism, {"crank_joint": 1.0})
    (start,) = (state for state in states if abs(state["rocker_joint"] - 1.0) < 1e-9)
    course = lw.follow(mechanism, start, {"crank_joint": np.linspace(1.0, 1.0 + 2 * math.pi, 41)})
    assert course.done
    assert course.q[:, 2] == pytest.approx(course.q[:, 0], abs=1e-7)
    (start,) = (state for state in states if abs(state["rocker_joint"] - 1.0) > 1e-3)
    course = lw.follow(mechanism, start, {"crank_joint": np.linspace(1.0, 1.0 + 2 * math.pi, 41)})
    assert course.done
    # crossed bars: the rocker turns against the crank, and in all as far
    assert course.q[-1, 2] - course.q[0, 2] == pytest.approx(-2 * math.pi, abs=1e-7)


def test_several_coordinates_move_in_proportion():
    mechanism, q = made("five_bar")
    names = ("shoulder_1", "shoulder_2")
    target = {name: q[mechanism.coordinates.index(name)] + by for name, by in zip(names, (0.3, -0.2), strict=True)}
    course = lw.follow(mechanism, q, target)
    assert course.done
    for name in names:
        assert course.states[-1][name] == pytest.approx(target[name], abs=1e-12)
    shares = [
        [(s[name] - course.states[0][name]) / (target[name] - course.states[0][name]) for name in names]
        for s in course.states
    ]
    assert np.ptp(np.array(shares), axis=1).max() < 1e-9


@pytest.mark.parametrize("name", ["stewart", "delta", "jansen_leg", "bricard", "andrews", "excavator"])
def test_there_and_back(name):
    mechanism, q = made(name)
    joint = next(label for label in mechanism.actuators if label in mechanism.coordinates)
    at = q[mechanism.coordinates.index(joint)]
    there = lw.follow(mechanism, q, {joint: at + 0.1})
    back = lw.follow(mechanism, there.states[-1], {joint: at})
    assert there.done
    assert back.done
    # both ends are brought to where the loops close by steps that end below 1e-13
    assert mechanism.fingerprint(back.q[-1]) == pytest.approx(mechanism.fingerprint(q), abs=1e-9)
    assert np.abs(lw.Dynamics(mechanism, compiled=False).closure(back.q)).max() < 1e-10


def test_a_slide_of_a_scissor_lift_goes_to_its_fold():
    mechanism, q = made("scissor_lift")
    found = lw.reach(mechanism, "base_slide", q)
    assert (found.low, found.high, found.unit) == (pytest.approx(-1.0, abs=1e-9), pytest.approx(1.0, abs=1e-9), "m")


def test_cut_joints_drive_too():
    mechanism = lw.zoo.four_bar()
    start = lw.assemble(mechanism, {"crank_joint": 0.5})[0]
    pin = float(lw.Dynamics(mechanism).cut_coordinates(start.q)["rocker_pin"])
    course = lw.follow(mechanism, start, {"rocker_pin": pin + 0.05})
    assert course.done
    assert lw.Dynamics(mechanism).cut_coordinates(course.q[-1])["rocker_pin"] == pytest.approx(pin + 0.05, abs=1e-9)


def test_what_cannot_be_followed_says_why():
    mechanism = lw.zoo.four_bar()
    with pytest.raises(LoopwrightError, match="loop 'rocker_pin' is open at this state"):
        lw.follow(mechanism, [0.5, 0.0, 0.0], {"crank_joint": 1.0})
    start = lw.assemble(mechanism, {"crank_joint": 0.5})[0]
    for to, words in (({}, "by name"), ({"crank_joint": [1.0], "rocker_joint": [1.0, 2.0]}, "equally long")):
        with pytest.raises(LoopwrightError, match=words):
            lw.follow(mechanism, start, to)


def test_a_request_out_of_reach_says_how_far():
    mechanism = lw.zoo.four_bar((0.5, 0.7, 0.6, 1.0))
    with pytest.raises(LoopwrightError) as told:
        lw.assemble(mechanism, {"crank_joint": 2.5})
    # coupler and rocker in line from the crank's end towards the pivot
    gap = math.hypot(0.5 * math.cos(2.5) - 1.0, 0.5 * math.sin(2.5)) - 1.3
    assert str(told.value).startswith(
        f"loop 'rocker_pin' of 'four_bar' cannot close at crank_joint = 2.5 rad: nearest gap {gap:.3g} m between"
    )
    assert str(told.value).endswith("between 'coupler' and 'rocker'; crank_joint can reach -2.026 … 2.026 rad")


def test_values_that_contradict_each_other_are_told_from_those_out_of_reach():
    mechanism = lw.zoo.four_bar((0.5, 0.7, 0.6, 1.0))
    state = lw.assemble(mechanism, {"crank_joint": 0.5})[0]
    both = {"crank_joint": 0.5, "rocker_joint": state["rocker_joint"]}
    assert np.allclose(lw.assemble(mechanism, both)[0].q, state.q, rtol=0, atol=1e-9)
    with pytest.raises(
        LoopwrightError, match=r"contradicts the other values, with which rocker_joint can only be -?\d"
    ):
        lw.assemble(mechanism, both | {"rocker_joint": 0.3})


@pytest.mark.parametrize("cut", ["turn", "thread", "rail"])
def test_a_screw_is_turned_many_times_wherever_its_loop_is_cut(cut):
    """A spindle that turns, a nut on it that slides along a rail: 1 cm a turn."""
    b = lw.Builder("jack")
    b.body("nut", 1.0, inertia=(0.1, 0.1, 0.1))
    b.body("spindle", 1.0, inertia=(0.1, 0.1, 0.1))
    b.revolute("turn", "ground", "spindle", actuated=True)
    b.screw("thread", "spindle", "nut", pitch=0.01)
    b.prismatic("rail", "ground", "nut")
    mechanism = b.build(cuts=[cut])
    start = lw.assemble(mechanism, {"turn": 0.1}, near={})[0]
    dyn = lw.Dynamics(mechanism, compiled=False)

    def rail(q):
        return q[mechanism.coordinates.index("rail")] if cut != "rail" else dyn.cut_coordinates(q)["rail"]

    for course in (
        lw.follow(mechanism, start, {"turn": 40.0}),
        lw.follow(mechanism, start, {"turn": [3.0, 6.0, 40.0]}),
    ):
        assert course.done
        assert rail(course.q[-1]) == pytest.approx(-40.0 * 0.01 / (2.0 * math.pi), abs=1e-12)


def test_a_nut_that_goes_on_and_on_has_no_ends(monkeypatch):
    for module in ("driving", "reaching"):
        monkeypatch.setattr(f"loopwright.verbs.{module}.MOST_STEPS", 400)
    b = lw.Builder("fine_jack")
    b.body("nut", 1.0, inertia=(0.1, 0.1, 0.1))
    b.body("spindle", 1.0, inertia=(0.1, 0.1, 0.1))
    b.revolute("turn", "ground", "spindle", actuated=True)
    b.screw("thread", "spindle", "nut", pitch=0.01)
    b.prismatic("rail", "ground", "nut")
    assert str(lw.reach(b.build(), "rail")) == "rail goes all the way on"
