"""Every formulation over time: the same motion of every ready mechanism with loops."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import FORMULATIONS
from tests.mechanisms import FULL

LONG = 10.0 if FULL else 0.25
TOLD = 1e-3  # of the mechanism's motion: beyond it the tolerance leaves nothing to compare, as after a while of chaos
TIMES = 30.0
NAMES = [one.name for one in FORMULATIONS if one.name != "embedding"]
EVERY = [make.__name__ for make in lw.zoo.CLOSED]
CLOSED = EVERY if FULL else EVERY[::4]  # each is two programs to compile


def moved(mechanism, start, formulation, **options):
    moments = np.linspace(0.0, LONG, 101 if FULL else 6)
    return lw.simulate(mechanism, start, LONG, formulation=formulation, save=moments, progress=False, **options)


def apart(one, other, part):
    """How far two runs have been from each other so far, over the largest that there is."""
    x, y = (getattr(run, part) for run in (one, other))
    return np.maximum.accumulate(np.abs(x - y).max(axis=1)) / (1.0 + np.abs(x).max())


@pytest.mark.parametrize("k", range(len(CLOSED)), ids=CLOSED)
def test_formulations_agree_over_time(k):
    name = CLOSED[k]
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), v=lw.zoo.rates(name) or None)
    reference = moved(mechanism, start, "embedding")
    # what the tolerance leaves open, which the motion may multiply
    tighter = moved(mechanism, start, "embedding", rtol=2e-12, atol=2e-14) if FULL else reference
    for other in NAMES if FULL else [NAMES[k % len(NAMES)]]:
        found = moved(mechanism, start, other)
        assert found.status == reference.status == tighter.status
        for part, least in (("q", 1e-7), ("v", 1e-6)):
            allowed = np.maximum(least, TIMES * apart(reference, tighter, part))
            told = allowed < TOLD
            assert told[: len(told) // 5 + 1].all()
            assert (apart(reference, found, part) < allowed)[told].all()
