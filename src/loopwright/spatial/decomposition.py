"""Singular values, also of matrices at which the quick way gives up.

Rows that repeat each other exactly, as where many loops lie folded, now and then keep LAPACK's gesdd from converging.
The older gesvd, column after column, converges there; it takes a few times longer.
"""

from __future__ import annotations

import numpy as np

from .number import Array


def svd(A: Array, full_matrices: bool = True) -> tuple[Array, Array, Array]:
    """U, S, V^T of a real matrix, as NumPy's."""
    try:
        U, S, Vt = np.linalg.svd(A, full_matrices=full_matrices)
    except np.linalg.LinAlgError:
        from scipy.linalg import svd as decomposed

        U, S, Vt = decomposed(A, full_matrices=full_matrices, lapack_driver="gesvd")
    return U, S, Vt


def singular_values(A: Array) -> Array:
    """The largest first."""
    try:
        return np.asarray(np.linalg.svd(A, compute_uv=False))
    except np.linalg.LinAlgError:
        return svd(A, full_matrices=False)[1]
