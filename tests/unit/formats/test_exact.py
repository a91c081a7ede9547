"""Mechanisms as text: what is read is what was written, and damaged text is refused in words."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import loopwright as lw
from loopwright.formats import as_text, from_text
from loopwright.testing import random_loops, random_tree


@pytest.mark.parametrize("name", list(lw.zoo.MECHANISMS))
def test_every_ready_mechanism_comes_back(name):
    mech = lw.zoo.MECHANISMS[name]()
    assert from_text(as_text(mech)) == mech


@pytest.mark.parametrize("seed", range(8))
def test_random_mechanisms_come_back(seed):
    for mech in (random_tree(seed, floating=seed % 2 == 0), random_loops(seed)[0]):
        again = from_text(as_text(mech))
        assert again == mech
        assert again.coordinates == mech.coordinates


def test_parameters_and_expressions_stay_changeable():
    b = lw.Builder("pendulum")
    length = b.parameter("length", 1.1)
    b.rod("bar", mass=2 + length**2 / 3 - np.sin(length), to=(0, 0, -length))
    b.revolute("pivot", "ground", "bar", axis=(0, 1, 0), limits=(-np.inf, 2.0))
    mech = b.build()
    again = from_text(as_text(mech))
    q, v = [0.2], [1.0]
    for value in (1.1, 2.3):
        expected = lw.forward_dynamics(mech.with_parameters(length=value), q, v)
        np.testing.assert_array_equal(lw.forward_dynamics(again.with_parameters(length=value), q, v), expected)
    assert again.joint("pivot").limits == ((-np.inf, 2.0),)


def test_functions_are_not_kept_and_this_is_said():
    b = lw.Builder("pushed")
    b.body("cart", 2.0)
    b.prismatic("rail", "ground", "cart", axis=(1, 0, 0))
    b.wrench("wind", "cart", force=lambda t: (t, 0, 0), torque=(0, 0, 1))
    b.effort("brake", "rail", lambda t, q, v: -v[0])
    again = from_text(as_text(b.build()))
    assert again.wrenches[0].force == (0.0, 0.0, 0.0)
    assert again.wrenches[0].torque == (0, 0, 1)
    assert again.efforts == ()
    assert [note.split(" was a Python function")[0] for note in again.notes] == [
        "wrench 'wind': its force",
        "effort 'brake': its value",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "nonsense",
        "[" * 100_000,
        '{"loopwright mechanism": 99}',
        '{"loopwright mechanism": 1}',
        '{"loopwright mechanism": 1, "name": "x", "__class__": "os.system"}',
    ],
)
def test_what_is_no_mechanism_is_refused(text):
    with pytest.raises(lw.LoopwrightError, match=r"run\.nc"):
        from_text(text, "run.nc")


def places(item, path=()):
    """The way to everything in nested lists and records."""
    yield path
    if isinstance(item, (dict, list)):
        for key in item if isinstance(item, dict) else range(len(item)):
            yield from places(item[key], (*path, key))


@pytest.mark.parametrize("name", ["four_bar", "stewart", "puma560", "spring_four_bar"])
def test_damage_anywhere_is_refused_or_harmless(name):
    text = as_text(lw.zoo.MECHANISMS[name]())
    ways = [path for path in places(json.loads(text)) if path]
    rng = random.Random(name)
    for wrong in (None, "x", -1, 1e308, [], {}, True, {"op": "+", "arguments": [1]}, {"function": "f"}):
        for path in rng.sample(ways, 40):
            given = json.loads(text)
            at = given
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = wrong
            try:
                made = from_text(json.dumps(given))
            except lw.LoopwrightError:
                continue
            assert isinstance(repr(made), str)
