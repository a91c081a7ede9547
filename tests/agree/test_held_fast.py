"""Mechanisms whose loops hold nothing more, everything, or cannot close: a door, a truss, welded bodies."""

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import FORMULATIONS

WAYS = [one.name for one in FORMULATIONS]


def door(hinges=2):
    """A leaf on hinges in line, the second one sprung and damped: all rows of the loop repeat the tree's."""
    b = lw.Builder("door")
    b.body("leaf", 10.0, (0.4, 0, 0), (1, 1, 1))
    sprung = {"damping": 0.1, "stiffness": 2.0}
    line = {"axis": (0, 0.1, 1)}
    b.revolute("lower", "ground", "leaf", **line, **(sprung if hinges == 1 else {}))
    if hinges == 2:
        b.revolute("upper", "ground", "leaf", **line, xyz=(0, 0.1, 1), child_xyz=(0, 0.1, 1), **sprung)
    return b.build(cuts=["upper"] if hinges == 2 else None)


def truss(reach=1.0):
    """Two bars pinned to the ground and to each other."""
    b = lw.Builder("truss", gravity=(0, -9.81, 0))
    b.rod("left", 1.0, to=(1, 0, 0))
    b.rod("right", 1.0, to=(1, 0, 0))
    b.revolute("p", "ground", "left")
    b.revolute("r", "ground", "right", xyz=(reach, 0, 0))
    b.revolute("s", "left", "right", xyz=(1, 0, 0), child_xyz=(1, 0, 0))
    return b.build()


def welded(kind="weld"):
    """A body welded to the ground, and joined to it once more."""
    b = lw.Builder("welded")
    b.body("block", 3.0, (1, 1, 1), (1, 1, 1))
    b.weld("foot", "ground", "block")
    getattr(b, kind)("again", "ground", "block")
    return b.build()


@pytest.mark.parametrize("way", WAYS)
def test_a_second_hinge_in_line_changes_nothing(way):
    single = lw.Dynamics(door(1))
    for q, v in (([0.3], [0.5]), ([2.0], [-1.0])):
        a = lw.Dynamics(door(), formulation=way).forward(q, v, [0.7])
        np.testing.assert_allclose(a, single.forward(q, v, [0.7]), rtol=1e-12)
    assert lw.Dynamics(door()).inverse(q, v, a) == pytest.approx(0.7, rel=1e-10)


def test_a_door_on_two_hinges_turns_all_the_way_round():
    found = lw.reach(door(), "lower")
    assert (found.low, found.high) == (-np.inf, np.inf)
    assert lw.follow(door(), lw.assemble(door(), {"lower": 0.0})[0], {"lower": 2.0}).states[-1]["lower"] == 2.0


@pytest.mark.parametrize("way", WAYS)
def test_a_truss_stands_still_and_carries_its_weight(way):
    mechanism = truss()
    state = lw.assemble(mechanism)[0]
    found = lw.Dynamics(mechanism, formulation=way).forward(state.q, state.v, details=True)
    assert np.abs(found.a).max() < 1e-13
    push = found.reactions["p"][3:] + found.reactions["r"][3:]
    np.testing.assert_allclose(push, [0.0, 2 * 9.81, 0.0], atol=1e-12)


@pytest.mark.parametrize("kind, rows", [("weld", 6), ("revolute", 5), ("spherical", 3)])
def test_without_coordinates_there_are_answers_of_no_entries(kind, rows):
    mechanism = welded(kind)
    assert mechanism.nv == 0
    assert f"{rows} closure rows on 0 tree coordinates" in str(lw.report(mechanism))
    assert f"{rows} closure rows repeat the others" in str(lw.report(mechanism))
    (state,) = lw.assemble(mechanism)
    for way in WAYS:
        dynamics = lw.Dynamics(mechanism, formulation=way)
        found = dynamics.forward(state.q, state.v, details=True)
        assert found.a.shape == dynamics.inverse(state.q, state.v, found.a).shape == (0,)
        push = found.reactions["foot"][3:] + found.reactions["again"][3:]
        np.testing.assert_allclose(push, [0.0, 0.0, 3 * 9.81], atol=1e-12)
    assert lw.Dynamics(mechanism).closure_jacobian(state.q).shape == (rows, 0)
    with pytest.raises(lw.LoopwrightError, match="no body moves that could be the platform"):
        lw.Dynamics(mechanism, formulation="legs")


def test_loops_that_close_nowhere_are_named():
    mechanism, still = truss(reach=5.0), np.zeros(2)
    dynamics = lw.Dynamics(mechanism)
    for ask in (dynamics.forward, lambda *state: dynamics.inverse(*state, still), lambda *_: dynamics.chosen):
        with pytest.raises(lw.LoopwrightError, match=r"\(s\) close nowhere that was tried: the nearest gap is 3"):
            ask(still, still)
    assert "close nowhere that was tried" in str(lw.report(mechanism))
