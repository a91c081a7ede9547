"""Everything says whose work it is, by keys that the list of references has."""

import re
from pathlib import Path

import pytest

import loopwright as lw
from loopwright.closure import FORMULATIONS, SPECIAL
from loopwright.dynamics import FORWARD, INVERSE, MASS
from loopwright.simulate.methods import FOREIGN, METHODS
from loopwright.verbs.sources import Source, bibliography, sources

REGISTERED = (*FORWARD, *INVERSE, *MASS, *FORMULATIONS, *SPECIAL, *METHODS, *FOREIGN)
TEXTS = "\n".join(path.read_text(encoding="utf-8") for path in Path(lw.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("one", REGISTERED, ids=lambda one: f"{type(one).__name__} {one.name}")
def test_what_goes_by_a_name_has_a_source_in_the_list_of_references(one):
    keys = Source("", one.name, one.source).keys
    assert keys
    assert set(keys) <= set(bibliography())


def test_keys_anywhere_in_the_text_are_in_the_list():
    cited = set(re.findall(r"\[([A-Z][A-Za-z]*\d{4})\b", TEXTS))
    assert len(cited) > 40
    assert cited <= set(bibliography())


def test_what_is_named_is_what_answers():
    used = {one.what: one.name for one in sources(lw.Dynamics(lw.zoo.planar_3r()))}
    assert used == {
        "mechanism": "planar_3r",
        "forward dynamics": "crba",
        "inverse dynamics": "rnea",
        "mass matrix": "crba",
    }
    assert {one.what: one.name for one in sources(lw.Dynamics(lw.zoo.hexapod()))}["forward dynamics"] == "aba"
    closed = lw.Dynamics(lw.zoo.four_bar(), "subsystem")
    assert [one.keys for one in sources(closed) if one.what == "forward dynamics"] == [("Koul2014",)]


def test_a_mechanism_of_ones_own_has_no_source():
    b = lw.Builder("own")
    b.rod("bar", 1.0, to=(1, 0, 0))
    b.revolute("pin", "ground", "bar")
    assert "mechanism" not in {one.what for one in sources(lw.Dynamics(b.build()))}
