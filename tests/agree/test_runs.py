"""Every formulation over time: the same motion of every ready mechanism with loops."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import FORMULATIONS
from tests.mechanisms import FULL

LONG = 10.0 if FULL else 0.25
NAMES = [one.name for one in FORMULATIONS if one.name != "embedding"]
EVERY = [make.__name__ for make in lw.zoo.CLOSED]
CLOSED = EVERY if FULL else EVERY[::4]  # each is two programs to compile


def moved(mechanism, start, formulation):
    return lw.simulate(mechanism, start, LONG, formulation=formulation, save=LONG / 5, progress=False)


@pytest.mark.parametrize("k", range(len(CLOSED)), ids=CLOSED)
def test_formulations_agree_over_time(k):
    name = CLOSED[k]
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), v=lw.zoo.rates(name) or None)
    reference = moved(mechanism, start, "embedding")
    for other in NAMES if FULL else [NAMES[k % len(NAMES)]]:
        found = moved(mechanism, start, other)
        assert found.status == reference.status
        size = 1.0 + np.abs(reference.q).max()
        assert len(found.t) == len(reference.t)
        assert np.abs(found.q - reference.q).max() < 1e-7 * size
        assert np.abs(found.v - reference.v).max() < 1e-6 * (1.0 + np.abs(reference.v).max())
