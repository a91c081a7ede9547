"""Subsystems of the computing forest are those that the report names, and each is a tree of its own."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure.subsystem import elimination_order, inertia
from loopwright.closure.subsystems import loop_subsystems, subsystems
from loopwright.dynamics import links_at
from loopwright.dynamics.composite_body import mass_matrix
from loopwright.dynamics.factor import factored
from loopwright.dynamics.reverse_gaussian import Recursion
from loopwright.testing import random_loops, random_tree
from tests.mechanisms import close


def placed(mechanism, seed=1):
    q, v = mechanism.random_state(seed)
    return links_at(lw.Topology.of(mechanism).forest, q, v)


@pytest.mark.parametrize("make", [lw.zoo.carpet_scraper, lw.zoo.three_rrr, lw.zoo.excavator, lw.zoo.stewart])
def test_loops_run_through_the_subsystems_that_the_topology_names(make):
    topology = lw.Topology.of(make())
    links = placed(topology.mechanism)
    found = subsystems(links)
    assert [len(one.members) for one in found] == [len(bodies) for bodies in topology.subsystems]
    assert loop_subsystems(links, topology.forest.cuts) == [list(one) for one in topology.loop_subsystems]


def test_the_papers_holes_in_the_gicm():
    """(31) and (42): loops 1 and 3 of the scraper share no subsystem; both loops of the 3-RRR share the first."""
    topology = lw.Topology.of(lw.zoo.carpet_scraper())
    assert topology.loop_subsystems == ((0, 1), (1, 2), (2,))
    # 3 and 1 each meet one loop, so either goes before 2
    assert elimination_order({0: 2, 1: 2, 2: 2}, dict(enumerate(topology.loop_subsystems))) == [0, 1, 2]
    assert elimination_order({0: 2, 1: 2, 2: 2, 3: 2}, {0: (0, 1), 1: (0, 2), 2: (0, 3), 3: (3, 4)})[0] == 3


@pytest.mark.parametrize("seed", range(6))
def test_subsystem_inertias_are_the_blocks_of_the_mass_matrix(seed):
    mechanism, _ = random_loops(seed)
    links = placed(mechanism)
    I = mass_matrix(links, mechanism.nv)
    for own in subsystems(links):
        here = mass_matrix(own.links, len(own.coordinates))
        close(here, I[np.ix_(own.coordinates, own.coordinates)], 1e-13)
        others = [k for k in range(mechanism.nv) if k not in own.coordinates]
        assert not np.any(I[np.ix_(own.coordinates, others)])


@pytest.mark.parametrize("seed", range(6))
def test_sweeps_are_the_factor(seed):
    """Link by link or as a matrix, I x = f has one solution, for one column and for several."""
    mechanism = random_tree(seed, floating=seed % 2 == 0)
    links, rng = placed(mechanism), np.random.default_rng(seed)
    I = mass_matrix(links, mechanism.nv)
    swept, factor = Recursion.of(links), factored(I, links)
    for right in (rng.normal(size=mechanism.nv), rng.normal(size=(mechanism.nv, 3))):
        x = swept.back(swept.scaled(swept.halfway(right)))
        close(x, factor.solve(right), 1e-14 * np.linalg.cond(I))
        close(I @ x, right, 1e-14 * np.linalg.cond(I))


def test_long_subsystems_are_swept():
    kinds = {
        type(inertia(own)).__name__ for m in (lw.zoo.digit_leg(), lw.zoo.four_bar()) for own in subsystems(placed(m))
    }
    assert kinds == {"Recursion", "Factor"}
