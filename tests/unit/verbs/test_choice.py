"""Which formulation is taken unasked, and that it says so."""

from __future__ import annotations

import pytest

import loopwright as lw
from loopwright.verbs.choice import COUNTED_UP_TO, counts


@pytest.mark.parametrize("make", [lw.zoo.four_bar, lw.zoo.carpet_scraper, lw.zoo.three_rrr])
def test_the_fewest_operations_win(make):
    dyn = lw.Dynamics(make())
    found = counts(dyn.loops)
    assert len(found) > 1
    assert found[dyn.formulation.name] == min(found.values()) == dyn.count("forward").total
    name, why = dyn.chosen.split(": ", 1)
    assert name == dyn.formulation.name
    assert all(str(count) in why for count in found.values())


def test_many_coordinates_are_not_counted_on_trial():
    mechanism = lw.zoo.delta()
    assert mechanism.nv > COUNTED_UP_TO
    dyn = lw.Dynamics(mechanism)
    assert dyn.chosen.startswith("sparse: ")
    assert "18 coordinates" in dyn.chosen


def test_what_is_asked_for_is_taken():
    dyn = lw.Dynamics(lw.zoo.four_bar(), formulation="system")
    assert dyn.chosen == "system: asked for"
    assert repr(dyn).endswith(", system)")


def test_nothing_is_chosen_before_it_is_needed():
    dyn = lw.Dynamics(lw.zoo.four_bar())
    assert "embedding" not in repr(dyn)
    assert dyn.formulation is not None
    assert repr(dyn).endswith(", embedding)")


def test_a_tree_has_nothing_to_choose():
    dyn = lw.Dynamics(lw.zoo.puma560())
    assert dyn.formulation is None
    assert dyn.chosen == "tree: there are no loops"
    with pytest.raises(lw.LoopwrightError, match="which has no loops; there is 'tree'"):
        lw.Dynamics(lw.zoo.puma560(), formulation="sparse")
    with pytest.raises(lw.LoopwrightError, match="no formulation 'dense'"):
        lw.Dynamics(lw.zoo.four_bar(), formulation="dense")
