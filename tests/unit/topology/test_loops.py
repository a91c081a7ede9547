import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.dynamics import links_at, poses
from loopwright.mechanism import BY_NAME, GROUND, KINDS
from loopwright.topology import Topology, forest

from .graphs import carpet_scraper, excavator, four_bar, made, planar, three_rrr


def told(mechanism):
    return [(loop.name, loop.bodies, loop.joints) for loop in Topology.of(mechanism).loops]


def test_an_open_tree_has_no_loops():
    assert told(planar("chain", {"a": "ground 1", "b": "1 2", "c": "1 3"})) == []


def test_the_loop_of_a_four_bar():
    assert told(four_bar()) == [
        ("rocker_pin", ("coupler", "crank", GROUND, "rocker"), ("crank_pin", "crank_joint", "rocker_joint")),
    ]


def test_the_loops_of_the_carpet_scraper():
    """1-2-3-8-1, 2-3-9-5-4-2 and 5-6-7-10-5   [SSLM, section 4.1]"""
    assert told(carpet_scraper()) == [
        ("8", ("#1", GROUND, "#2", "#3"), ("1", "2", "3")),
        ("9", ("#3", "#2", GROUND, "#4", "#5"), ("3", "2", "4", "5")),
        ("10", ("#5", "#4", "#6", "#7"), ("5", "6", "7")),
    ]


def test_the_loops_of_a_platform_all_run_through_its_first_leg():
    loops = Topology.of(three_rrr()).loops
    assert [loop.name for loop in loops] == ["wrist_2", "wrist_3"]
    for loop in loops:
        assert {"shoulder_1", "elbow_1", "wrist_1"} < set(loop.joints)


def test_a_loop_between_neighbours():
    two = planar("two", {"a": "ground 1", "b": "1 2", "c": "1 2", "d": "2 1"})
    assert told(two) == [("c", ("1", "2"), ("b",)), ("d", ("2", "1"), ("b",))]


def test_a_loop_from_a_body_to_one_it_carries():
    chain = planar("m", {"a": "ground 1", "b": "1 2", "c": "2 3", "d": "3 1"}, cuts=["d"])
    assert told(chain) == [("d", ("3", "2", "1"), ("c", "b"))]
    chain = planar("m", {"a": "ground 1", "b": "1 2", "c": "2 3", "d": "ground 3"}, cuts=["d"])
    assert told(chain) == [("d", (GROUND, "1", "2", "3"), ("a", "b", "c"))]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_cut_brings_a_row_for_every_motion_that_the_joint_forbids(kind):
    joints = {"a": ("revolute", GROUND, "1"), "b": ("revolute", "1", "2"), "c": (kind.name, "2", GROUND)}
    (loop,) = Topology.of(made("m", joints, cuts=["c"])).loops
    assert loop.rows == 6 - BY_NAME[kind.name].nv


@st.composite
def looped(draw):
    """A random tree with a few joints more."""
    seed, count, extra = draw(st.integers(0, 10**6)), draw(st.integers(2, 8)), draw(st.integers(1, 4))
    rng = np.random.default_rng(seed)
    stops = [GROUND, *(f"b{k}" for k in range(count))]
    kinds = ("revolute", "prismatic", "universal", "cylindrical", "spherical", "planar", "screw", "weld")
    joints = {}
    for k in range(count):
        ends = (stops[rng.integers(k + 1)], stops[k + 1])
        joints[f"j{k}"] = (str(rng.choice(kinds)), *(ends if rng.random() < 0.5 else ends[::-1]))
    for k in range(extra):
        joints[f"k{k}"] = ("revolute", *(str(body) for body in rng.choice(stops, 2, replace=False)))
    return made("looped", joints)


def across(mechanism, loop, q):
    """Pose of the cut's child in its parent."""
    laid_out = forest(mechanism)
    X = poses(links_at(laid_out, q))
    ends = [laid_out.seats[body] for body in (loop.cut.parent, loop.cut.child)]
    inner, outer = (seat.X if seat.node < 0 else X[seat.node] @ seat.X for seat in ends)
    return (inner.inverse() @ outer).matrix()


@given(looped())
def test_the_joints_of_a_loop_are_those_that_move_its_cut(mechanism):
    topology = Topology.of(mechanism)
    assert len(topology.loops) == len(mechanism.joints) - len(mechanism.bodies)
    q, _ = mechanism.random_state(1)
    for loop in topology.loops:
        closed = across(mechanism, loop, q)
        for k, velocity in enumerate(mechanism.velocities):
            motion = 0.5 * (np.arange(mechanism.nv) == k)
            stirred = np.abs(across(mechanism, loop, mechanism.integrate(q, motion)) - closed).max() > 1e-9
            assert stirred == (velocity.partition(".")[0] in loop.joints)


@given(looped())
def test_a_loop_is_a_walk_from_the_cuts_parent_to_its_child(mechanism):
    for loop in Topology.of(mechanism).loops:
        assert (loop.bodies[0], loop.bodies[-1]) == (loop.cut.parent, loop.cut.child)
        assert len(loop.bodies) == len(set(loop.bodies)) == len(loop.joints) + 1
        for k, name in enumerate(loop.joints):
            joint = mechanism.joint(name)
            assert {joint.parent, joint.child} == set(loop.bodies[k : k + 2])


def test_the_user_may_open_the_loops_elsewhere():
    topology = Topology.of(four_bar(), cuts=["crank_joint"])
    assert topology.mechanism.coordinates == ("rocker_joint", "rocker_pin", "crank_pin")
    assert topology.loops[0].bodies == (GROUND, "rocker", "coupler", "crank")
    assert Topology.of(excavator()).mechanism.cuts == ("c1", "c2", "c3", "c4")


@pytest.mark.parametrize(
    "cuts, message",
    [
        ("crank_pin", "cuts must be a list of joint names, got 'crank_pin'"),
        (["crank_pn"], r"cannot cut 'crank_pn': there is no joint of that name; did you mean 'crank_pin'\?"),
        ([], r"with no cut there is a loop through '\w+': cut one joint more in it"),
        (["crank_pin", "crank_joint"], "leave crank with no joint to the tree: cut fewer joints"),
    ],
)
def test_cuts_that_make_no_tree_are_refused(cuts, message):
    with pytest.raises(lw.LoopwrightError, match=message):
        Topology.of(four_bar(), cuts=cuts)
