"""The numbers of Rosenbrock methods against the conditions of order, and the elimination that they solve with."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from loopwright.simulate.loops.algebra import factor_behind, solved_behind
from loopwright.simulate.methods import rodas4, rodas5p

TABLEAUX = {"rodas4": (rodas4.TABLEAU, 4, 3), "rodas5p": (rodas5p.TABLEAU, 5, 4)}  # orders, and within a step


@cache
def trees(size):
    """Rooted trees, each as the tuple of its branches."""
    return tuple({tuple(sorted(branches)) for branches in forests(size - 1)})


@cache
def forests(size):
    if size == 0:
        return ((),)
    return tuple(
        (*rest, tree) for first in range(1, size + 1) for tree in trees(first) for rest in forests(size - first)
    )


def count(tree):
    return 1 + sum(count(branch) for branch in tree)


def density(tree):
    return count(tree) * np.prod([density(branch) for branch in tree])


def weight(tree, alpha, beta):
    """What the stages make of a tree: one branch goes through the slope, too.    [Hairer1996, IV.7, (7.11)]"""
    matrix = beta if len(tree) == 1 else alpha
    return np.prod([matrix @ weight(branch, alpha, beta) for branch in tree], axis=0) if tree else np.ones(len(alpha))


def far(tableau, m, order, theta=1.0):
    """The worst condition of that order, for m the weights of the stages at theta."""
    alpha, b = tableau.A @ tableau.Gamma, m @ tableau.Gamma
    beta = alpha + tableau.Gamma
    return max(abs(b @ weight(tree, alpha, beta) - theta**order / density(tree)) for tree in trees(order))


def test_trees_are_as_many_as_there_are():
    assert [len(trees(n)) for n in range(1, 7)] == [1, 1, 2, 4, 9, 20]


@pytest.mark.parametrize("name", TABLEAUX)
def test_every_condition_up_to_the_order_holds_and_none_beyond(name):
    tableau, order, _ = TABLEAUX[name]
    for k in range(1, order + 1):
        assert far(tableau, tableau.m, k) < 1e-13
    assert far(tableau, tableau.m, order + 1) > 1e-3
    # what the error is measured against is of one order less
    for k in range(1, order):
        assert far(tableau, tableau.m - tableau.e, k) < 1e-13
    assert far(tableau, tableau.m - tableau.e, order) > 1e-3


@pytest.mark.parametrize("name", TABLEAUX)
def test_the_polynomial_within_a_step_has_its_order(name):
    tableau, _, order = TABLEAUX[name]
    P = tableau.P()
    assert np.allclose(P.sum(axis=1), tableau.m, rtol=0, atol=1e-13)
    for theta in (0.2, 0.5, 0.9):
        weights = P @ theta ** np.arange(1, P.shape[1] + 1)
        for k in range(1, order + 1):
            assert far(tableau, weights, k, theta) < 1e-13
        assert far(tableau, weights, order + 1, theta) > 1e-4


@pytest.mark.parametrize("name", TABLEAUX)
def test_nothing_is_left_of_what_is_infinitely_stiff(name):
    tableau, _, _ = TABLEAUX[name]
    beta = tableau.A @ tableau.Gamma + tableau.Gamma
    for weights in (tableau.m, tableau.m - tableau.e):
        assert abs(1.0 - weights @ tableau.Gamma @ np.linalg.solve(beta, np.ones(len(beta)))) < 1e-13


def test_the_diagonal_is_gamma_and_stages_stand_where_the_book_says():
    tableau = rodas4.TABLEAU
    assert np.allclose(np.diag(tableau.Gamma), 0.25, rtol=0, atol=1e-14)
    assert np.allclose((tableau.A @ tableau.Gamma).sum(axis=1), [0, 0.386, 0.21, 0.63, 1, 1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("first", [0, 3, 6])
def test_a_system_of_second_order_is_solved(first):
    rng = np.random.default_rng(first)
    n = 2 * first + 2
    A = rng.normal(size=(n, n))
    # positions by themselves, then by their velocities
    A[:first, :first] = 1e3 * np.eye(first)
    A[:first, first:] = np.eye(first, n - first)
    A[first:, :first] *= 1e8
    x, LU, order = rng.normal(size=n), A.copy(), np.zeros(2 * n, dtype=np.int64)
    assert factor_behind(LU, order, first) > 0.0
    b = A @ x
    found = b.copy()
    solved_behind(LU, order, first, found)
    # to rounding of the terms of each row
    assert (np.abs(A @ found - b) <= 1e-15 * n * np.abs(A) @ np.abs(x)).all()
