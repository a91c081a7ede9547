"""The frozen order of elimination: it solves what it was made for, avoids weak pivots, and keeps chains sparse."""

from __future__ import annotations

import numpy as np
import pytest

from loopwright.closure.order import order
from loopwright.closure.saddle import Saddle, solved
from tests.mechanisms import close


def saddle_matrix(rng, coordinates, rows, density=0.4):
    """[[I, J^T], [J, 0]] with a positive definite I and independent rows, both with holes."""
    A = rng.normal(size=(coordinates, coordinates)) * (rng.random((coordinates, coordinates)) < density)
    J = rng.normal(size=(rows, coordinates)) * (rng.random((rows, coordinates)) < density)
    J[:, :rows] += 2.0 * np.eye(rows)
    return np.block([[A @ A.T + np.eye(coordinates), J.T], [J, np.zeros((rows, rows))]])


def there(*matrices):
    """The entries of the lower triangle that are not zero everywhere, at all positions."""
    stacked = np.stack(matrices)
    i, j = np.nonzero(np.tril(np.any(stacked != 0.0, axis=0)))
    return {(int(a), int(b)): stacked[:, a, b] for a, b in zip(i, j, strict=True)}


def by_pivots(K, pivots, coordinates, right):
    given = {(i, j): K[i, j] for i in range(len(K)) for j in range(i + 1)}
    saddle = Saddle.of(given, coordinates, len(K) - coordinates)
    x = solved([saddle.eliminate(pivot) for pivot in pivots], dict(enumerate(right)))
    return np.array([x[k] for k in range(len(K))])


@pytest.mark.parametrize("seed", range(20))
def test_what_the_order_eliminates_solves_the_equations(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    m = int(rng.integers(0, n))
    K = saddle_matrix(rng, n, m)
    found = order(there(K), n, m)
    assert sorted(k for pivot in found.pivots for k in pivot) == list(range(n + m))
    right = rng.normal(size=n + m)
    expected = np.linalg.solve(K, right)
    close(by_pivots(K, found.pivots, n, right), expected, 1e-15 * 10.0**2 * np.linalg.cond(K))


def test_a_pivot_that_vanishes_somewhere_is_not_taken():
    """Both coordinates could take the row at the first position; at the second only one can."""
    first = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    for weak in (0, 1):
        second = first.copy()
        second[weak, 2] = second[2, weak] = 1e-9
        pairs = [pivot for pivot in order(there(first, second), 2, 1).pivots if len(pivot) == 2]
        assert all(pivot == (1 - weak, 2) for pivot in pairs)


def test_positions_that_matter_less_are_given_up_where_they_cost_far_more():
    """A chain of rows, of which every other coordinate is lost at a position of its own."""
    n = 24
    usual = np.eye(2 * n - 1)
    usual[n:, n:] = 0.0
    for k in range(n - 1):
        usual[n + k, k] = usual[k, n + k] = 1.0
        usual[n + k, k + 1] = usual[k + 1, n + k] = 0.5
    # all coordinates touch each other: taking one by itself is dear
    usual[:n, :n] += 0.1
    odd = usual.copy()
    odd[n:, :n] *= np.arange(n) >= n - 3
    odd[:n, n:] = odd[n:, :n].T
    with np.errstate(all="ignore"):
        cheap = order(there(usual), n, n - 1).cost
        assert order(there(usual, odd), n, n - 1).cost > 1.5 * cheap
        assert order(there(usual, odd), n, n - 1, first=1).cost == cheap
        assert order(there(usual, usual), n, n - 1, first=1).cost == cheap


def test_a_coordinate_without_inertia_goes_with_a_row():
    K = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 2.0], [1.0, 2.0, 0.0]])
    found = order(there(K), 2, 1)
    right = np.array([1.0, 2.0, 3.0])
    close(by_pivots(K, found.pivots, 2, right), np.linalg.solve(K, right), 1e-14)


def test_a_row_remembers_what_its_coordinates_left():
    K = np.array([[2.0, 0.0, 3.0], [0.0, 1.0, 4.0], [3.0, 4.0, 0.0]])
    saddle = Saddle.of({(i, j): K[i, j] for i in range(3) for j in range(i + 1)}, 2, 1)
    for k in (0, 1):
        saddle.eliminate((k,))
    # -J I^-1 J^T, of which no other row has taken anything
    assert saddle.entry(2, 2) == pytest.approx(-(9.0 / 2.0 + 16.0))
    assert saddle.left[2] == pytest.approx(-saddle.entry(2, 2))


def test_a_chain_of_rows_costs_by_its_length():
    """Row k couples coordinates k and k + 1: nothing need fill in."""

    def cost(n):
        K = np.eye(2 * n - 1)
        K[n:, n:] = 0.0
        for k in range(n - 1):
            for j in (k, k + 1):
                K[n + k, j] = K[j, n + k] = 1.0
        return order(there(K), n, n - 1).cost

    assert cost(40) - cost(20) == cost(80) // 2 - cost(40) // 2
