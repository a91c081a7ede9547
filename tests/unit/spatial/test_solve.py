import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from loopwright.spatial import ldl, solve

from .samples import EPS, assert_close, positive_matrices


def lower(rows):
    L = np.eye(len(rows))
    for i, row in enumerate(rows):
        L[i, : len(row)] = row
    return L


@given(positive_matrices())
def test_the_factors_multiply_to_the_matrix(S):
    rows, D = ldl(S)
    assert [len(row) for row in rows] == list(range(len(S)))
    L = lower(rows)
    assert_close(L @ np.diag(D) @ L.T, S, scale=np.abs(S).max(), roundings=4 * len(S))


@given(positive_matrices())
def test_the_pivots_of_a_positive_matrix_are_positive(S):
    assert min(ldl(S)[1]) > 0.0


@given(positive_matrices(), st.integers(0, 3), st.randoms(use_true_random=False))
def test_the_solution_solves(S, columns, random):
    n = len(S)
    b = np.array([random.uniform(-1, 1) for _ in range(n * max(columns, 1))]).reshape((n, columns) if columns else (n,))
    x = solve(S, b)
    assert x.shape == b.shape
    assert x.dtype == float
    # backward stable: |S x - b| <= c n EPS |S| |x|   (Higham 2002, theorem 10.3)
    assert np.abs(S @ x - b).max() <= 8 * n * n * EPS * np.abs(S).max() * np.abs(x).max()
