"""Elimination link by link, with rows carried along until their loops close, gives what the whole matrix gives."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import articulated, rank
from loopwright.closure.saddle import solved
from loopwright.dynamics import links_at
from loopwright.testing import random_loops
from loopwright.topology import forest, lean
from loopwright.verbs.closed import loaded
from loopwright.zoo import start
from tests.mechanisms import close


def states():
    for name in ("four_bar", "carpet_scraper", "scissor_lift", "delta", "stewart"):
        mechanism = lw.zoo.MECHANISMS[name]()
        yield name, mechanism, np.array([start(name)[label] for label in mechanism.coordinates])
    for seed in range(8):
        yield f"random {seed}", *random_loops(seed, planar=seed % 2 == 0)


@pytest.mark.parametrize("name, mechanism, q", [pytest.param(*state, id=state[0]) for state in states()])
@pytest.mark.parametrize("layout", [lambda laid_out: laid_out, lean], ids=["plain", "lean"])
def test_link_by_link_is_the_whole_matrix(name, mechanism, q, layout):
    dyn, rng = lw.Dynamics(mechanism, compiled=False), np.random.default_rng(3)
    J = dyn.closure_jacobian(q)
    _, _, Vt = np.linalg.svd(J)
    N = Vt[rank(J) :].T
    at = loaded(
        layout(forest(mechanism)), dyn.loops, q, N @ rng.normal(size=N.shape[1]), rng.normal(size=mechanism.nu), 0.0
    )
    n, m = at.nv, len(at.d)
    K = np.block([[at.I, at.J.T], [at.J, np.zeros((m, m))]])
    right = np.concatenate([at.phi, -at.d])
    steps, shares = articulated.steps(at)
    x = solved(steps, dict(enumerate(right)))
    expected = np.linalg.solve(K, right)
    digits = max(1e-11, 1e-15 * np.linalg.cond(K))
    close([x[k] for k in range(n + m)], expected, digits)
    assert len(shares) == 2 * m
    assert min(shares) > 0.0


def test_only_deep_trees_are_swept():
    for mechanism, deep in ((lw.zoo.stewart(), False), (lw.zoo.chain(20), False), (lw.zoo.chain(60), True)):
        assert articulated.is_deep(links_at(lw.Topology.of(mechanism).forest, mechanism.neutral())) == deep
