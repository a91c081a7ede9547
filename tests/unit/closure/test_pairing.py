"""Rows and coordinates paired: as many as the rank, each pair sound at every position, few entries filled in."""

from __future__ import annotations

import numpy as np
import pytest

from loopwright.closure import rank
from loopwright.closure.pairing import Pairing, scattered
from loopwright.closure.structure import MANY, structure


def rows_of_cells(cells, rng, width=4):
    """Two rows for every cell over coordinates of this and the next, and one that repeats both."""
    J = np.zeros((3 * cells, 2 * cells + 2))
    for k in range(cells):
        own = np.eye(2, width) + np.eye(2, width, 2) + rng.uniform(-0.3, 0.3, (2, width))
        J[3 * k : 3 * k + 2, 2 * k : 2 * k + width] = own
        J[3 * k + 2, 2 * k : 2 * k + width] = rng.normal(size=2) @ own
    return J


@pytest.mark.parametrize("thrifty", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_as_many_pairs_as_the_rank_at_every_position(seed, thrifty):
    rng = np.random.default_rng(seed)
    J = [rows_of_cells(12, rng) for _ in range(3)]
    given = scattered(J)
    found = Pairing(given, given.lengths, (), thrifty).go(24)
    assert len(found.rows) == len(found.columns) == rank(J[0]) == 24
    for one in J:
        assert np.linalg.cond(one[np.ix_(found.rows, found.columns)]) < 1e6
    # without the pivots' columns nothing is left of the other rows
    rest = [k for k in range(len(J[0])) if k not in found.rows]
    for one in J:
        combined = np.linalg.lstsq(one[found.rows].T, one[rest].T)[0]
        assert np.abs(combined.T @ one[found.rows] - one[rest]).max() < 1e-9


def test_thrift_fills_in_less():
    rng = np.random.default_rng(5)
    J = scattered([rows_of_cells(60, rng)])
    filled = []
    for thrifty in (False, True):
        pairing = Pairing(J, J.lengths, (), thrifty)
        pairing.go()
        filled.append(sum(len(line) for line in pairing._lines))
    assert filled[1] < 0.95 * filled[0]


def test_unwanted_columns_are_taken_only_where_others_are_far_worse():
    J = np.array([[1.0, 0.9, 0.0], [0.0, 0.3, 1.0]])
    for thrifty in (False, True):
        given = scattered([J])
        assert 0 not in Pairing(given, given.lengths, (0,), thrifty).go().columns
        weak = scattered([J * [1.0, 1e-4, 1e-4]])
        assert 0 in Pairing(weak, weak.lengths, (0,), thrifty).go().columns


def test_positions_on_another_branch_go():
    """At the last position other rows are independent: the first ones say what is kept."""
    here, there = np.diag([1.0, 1.0, 0.0]), np.diag([0.0, 1.0, 1.0])
    found = structure([here, here, there])
    assert sorted(found.rows) == [0, 1]
    assert found.redundant == (2,)


def test_many_columns_are_judged_without_decompositions():
    """The same choice whether the rank comes from singular values or from pivots."""
    rng = np.random.default_rng(7)
    J = [rows_of_cells(MANY, rng) for _ in range(2)]
    found = structure(J, preferred=(0,))
    assert len(found.rows) == 2 * MANY == rank(J[0])
    assert 0 in found.independent
    again = structure(J, independent=found.independent)
    assert set(again.dependent) == set(found.dependent)
