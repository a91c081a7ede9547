from hypothesis import given

from loopwright.mechanism import GROUND
from loopwright.topology import Topology

from .graphs import carpet_scraper, excavator, four_bar, made, planar, three_rrr
from .test_loops import looped


def blocks(mechanism):
    """Which blocks of the loops' Jacobian are not zero: one row per loop, one column per subsystem."""
    topology = Topology.of(mechanism)
    columns = range(len(topology.subsystems))
    return ["".join("x" if k in through else "O" for k in columns) for through in topology.loop_subsystems]


def test_an_open_chain_is_one_subsystem_and_one_module():
    topology = Topology.of(planar("chain", {"a": "ground 1", "b": "1 2", "c": "2 3"}))
    assert topology.subsystems == topology.modules == (("1", "2", "3"),)
    assert topology.loop_subsystems == ()


def test_a_four_bar_falls_into_two():
    assert Topology.of(four_bar()).subsystems == (("crank", "coupler"), ("rocker",))
    assert blocks(four_bar()) == ["xx"]


def test_the_carpet_scraper():
    """J = [[J11, J12, O], [O, J22, J23], [O, O, J33]]   [SSLM, (26)]"""
    topology = Topology.of(carpet_scraper())
    assert topology.subsystems == (("#1",), ("#2", "#3"), ("#4", "#5", "#6", "#7"))
    assert blocks(carpet_scraper()) == ["xxO", "Oxx", "OOx"]
    assert topology.modules == (("#1",), ("#2", "#3"), ("#4",), ("#5",), ("#6", "#7"))


def test_the_excavator():
    """J = [[J11, J12, O], [O, J22, O], [J31, J32, O], [J41, O, J43]]   [SSLM, (14)]"""
    topology = Topology.of(excavator())
    assert topology.subsystems == (("arm", "fore"), ("boom", "stick", "bucket", "link"), ("jack", "rod"))
    assert blocks(excavator()) == ["xxO", "OxO", "xxO", "xOx"]


def test_the_three_legged_platform():
    """{1..5}, {6}, {7} when its joints 6 and 7 are cut   [SSLM, section 4.2]"""
    cut = Topology.of(three_rrr(), cuts=["elbow_2", "elbow_3"])
    assert [len(group) for group in cut.subsystems] == [5, 1, 1]
    assert blocks(cut.mechanism) == ["xxO", "xOx"]
    left_to_us = Topology.of(three_rrr())
    assert [len(group) for group in left_to_us.subsystems] == [3, 2, 2]


def test_modules_begin_where_the_tree_branches():
    joints = {"a": "ground 1", "b": "1 2", "c": "2 3", "d": "2 4", "e": "4 5", "f": "ground 6"}
    assert Topology.of(planar("tree", joints)).modules == (("1", "2"), ("3",), ("4", "5"), ("6",))


def welded(**joints):
    ends = {name: text.split() for name, text in joints.items()}
    return made("welded", {name: ("weld" if name[0] == "w" else "revolute", *pair) for name, pair in ends.items()})


def test_a_base_welded_to_the_ground_is_ground():
    """Its legs are subsystems of their own, as if they stood on the ground itself."""
    topology = Topology.of(welded(w="ground base", a="base 1", b="1 2", c="base 3", d="3 2"))
    assert topology.subsystems == topology.modules == (("1", "2"), ("3",))
    assert blocks(topology.mechanism) == ["xx"]


def test_bodies_welded_together_are_one_link():
    topology = Topology.of(welded(a="ground 1", b="1 2", w="2 tool", c="2 3", w2="1 flange", w3="flange cap"))
    assert [set(module) for module in topology.modules] == [{"1", "flange", "cap", "2", "tool", "3"}]
    assert [set(group) for group in topology.subsystems] == [{"1", "flange", "cap", "2", "tool", "3"}]


def test_a_chain_may_go_on_from_what_is_welded():
    assert Topology.of(welded(a="ground 1", w="1 2", b="2 3", c="3 4")).modules == (("1", "2", "3", "4"),)
    forked = Topology.of(welded(a="ground 1", w="1 2", b="2 3", c="1 4"))
    assert [set(module) for module in forked.modules] == [{"1", "2"}, {"3"}, {"4"}]


@given(looped())
def test_every_moving_body_is_in_one_subsystem_and_one_module(mechanism):
    topology = Topology.of(mechanism)
    fixed = {GROUND}
    for branch in mechanism.tree.branches:
        if branch.joint.kind == "weld" and branch.inner in fixed:
            fixed.add(branch.outer)
    moving = sorted({body.name for body in mechanism.bodies} - fixed)
    for groups in (topology.subsystems, topology.modules):
        assert sorted(body for group in groups for body in group) == moving
    inner_of = {branch.outer: branch.inner for branch in mechanism.tree.branches}
    of = {body: k for k, group in enumerate(topology.subsystems) for body in group}
    for body, k in of.items():
        assert inner_of[body] in fixed or of[inner_of[body]] == k
    for module in topology.modules:
        assert len({of[body] for body in module}) == 1


@given(looped())
def test_loops_run_through_one_or_two_subsystems(mechanism):
    """A tree joins two bodies over the ground or within one subsystem."""
    topology = Topology.of(mechanism)
    for loop, through in zip(topology.loops, topology.loop_subsystems, strict=True):
        assert len(through) <= 2
        assert through == tuple(sorted(through))
        touched = {k for k, group in enumerate(topology.subsystems) if set(group) & set(loop.bodies)}
        assert set(through) == touched
