"""A symmetric system with the pattern of a tree, solved in loops for many columns, against NumPy."""

from __future__ import annotations

from dataclasses import replace

import casadi
import numpy as np
import pytest

from loopwright.program import System, tape_of

from .compiling import WIDTHS, kernel

STATES = 11


def tree(n, seed):
    """Parents, each further in than its children; several begin at the ground."""
    rng = np.random.default_rng(seed)
    return [int(rng.integers(max(-1, k - 4), k)) for k in range(n)]


def inner(up, k):
    found = []
    while (k := up[k]) >= 0:
        found.append(k)
    return tuple(found)


def problem(n, columns, seed, branchy=True):
    """The system, which entries of its matrix and columns are there, and numbers for those of some states."""
    rng = np.random.default_rng(seed)
    up = tree(n, seed) if branchy else list(range(-1, n - 1))
    system = System(tuple(range(n)), tuple(inner(up, k) for k in range(n)), columns)
    coupled = np.eye(n, dtype=bool)
    for k in range(n):
        coupled[k, list(system.inner[k])] = coupled[list(system.inner[k]), k] = True
    # column c touches an unknown and what lies inwards of it, as forces at one body do, or nothing
    there = np.zeros((n, columns), dtype=bool)
    for c in range(columns):
        if c % 5 != 4:
            k = int(rng.integers(n))
            there[[k, *system.inner[k]], c] = True
    S = np.where(coupled, rng.normal(size=(STATES, n, n)), 0.0)
    S = (S + S.transpose(0, 2, 1)) / 2.0 + 2.0 * n * np.eye(n)
    X = np.where(there, rng.normal(size=(STATES, n, columns)), 0.0)
    return system, coupled, there, S, X


def made(system, coupled, there, width):
    """A kernel whose inputs are the matrix and the columns, and whose zeros are written as such."""
    n, m = system.size, system.columns
    x_S, x_X = casadi.SX.sym("S", n * n), casadi.SX.sym("X", n * m)
    S = casadi.vertcat(*(x_S[k] if coupled.flat[k] else 0.0 for k in range(n * n)))
    X = casadi.vertcat(*(x_X[k] if there.flat[k] else 0.0 for k in range(n * m)))
    function = casadi.Function("f", [x_S, x_X], [casadi.densify(S), casadi.densify(X)])
    tape = replace(tape_of(function), system=system)
    return kernel(tape, width=width, shape=(n, m))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n, columns", [(1, 1), (2, 9), (12, 7), (12, 8), (17, 21), (5, 70)])
def test_a_solution_is_numpys(n, columns, width):
    for branchy in (True, False):
        system, coupled, there, S, X = problem(n, columns, seed=n + columns, branchy=branchy)
        found = made(system, coupled, there, width)(S.reshape(STATES, -1), X.reshape(STATES, -1))
        expected = np.linalg.solve(S, X)
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-14 * np.abs(expected).max())


def test_every_width_gives_the_same_bits():
    system, coupled, there, S, X = problem(13, 10, seed=3)
    given = S.reshape(STATES, -1), X.reshape(STATES, -1)
    alone = made(system, coupled, there, 1)(*given)
    for width in WIDTHS[1:]:
        np.testing.assert_array_equal(made(system, coupled, there, width)(*given), alone)


def test_branches_where_nothing_acts_are_skipped():
    """Of a star of three arms of two, a column on one arm asks for that arm only."""
    system = System(tuple(range(7)), ((), (0,), (1, 0), (0,), (3, 0), (0,), (5, 0)), 1)
    zeros = {0, 1, 3, 4, 5, 6}  # only unknown 2 has an entry
    assert system.inwards(range(1), zeros) == [(1, [2]), (0, [2, 1])]
    assert system.inwards(range(1), set(range(7))) == []
