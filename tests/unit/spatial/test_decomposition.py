"""Singular values where LAPACK's quicker way does not converge."""

from __future__ import annotations

import numpy as np
import pytest

from loopwright.spatial import singular_values, svd


@pytest.fixture
def stubborn(monkeypatch):
    def refuse(*args, **options):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(np.linalg, "svd", refuse)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", [(7, 4), (4, 7), (5, 5)])
def test_the_other_way_decomposes_too(stubborn, shape, full):
    A = np.random.default_rng(0).normal(size=shape)
    A[1] = A[0]
    U, S, Vt = svd(A, full_matrices=full)
    r = len(S)
    assert U.shape == (shape[0], shape[0] if full else r)
    assert Vt.shape == (shape[1] if full else r, shape[1])
    assert np.allclose(U[:, :r] * S @ Vt[:r], A, atol=1e-14)
    assert np.allclose(singular_values(A), S, atol=1e-14)


def test_what_is_no_number_is_still_refused(stubborn):
    with pytest.raises((ValueError, np.linalg.LinAlgError)):
        svd(np.array([[np.nan, 1.0]]))
