"""Mass matrix from the natural orthogonal complement and a factor of the masses, O(n^3): I = (H N)^T (H N)."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, array, blockwise, cross, mirrored, sqrt, where
from .denoc import rotors
from .links import Link
from .sweep import outward

source = "[AngelesMa1988]"


def mass_matrix(links: list[Link], nv: int) -> Array:
    """M_i = H_i^T H_i at the mass centres, constant in the link's axes; I = sum (H_i N_i)^T (H_i N_i)."""
    weighted = []
    for link, twists in zip(links, complements(links), strict=True):
        H, root = _factor(link.M.tensor_at_centre), sqrt(link.M.mass)
        arm = root * link.M.centre
        for k, t in twists.items():
            # H_i t_ik at the mass centre: [H w; sqrt(m) (v + w x d)]
            row = np.concatenate([H @ t[:3], root * t[3:] + cross(t[:3], arm)])
            weighted.append((slice(6 * link.index, 6 * link.index + 6), k, row))
    HN = blockwise(6 * len(links), nv, weighted)
    return mirrored(HN.T @ HN) + rotors(links, nv)


def complements(links: list[Link]) -> list[dict[int, Array]]:
    """N_i of every link, at its origin and in its axes: one twist for each coordinate between it and the ground."""

    # t_ik = A_i t_pk for the coordinates further in, the columns of P_i for the own
    def step(link: Link, inner: dict[int, Array]) -> dict[int, Array]:
        own = {link.v.start + k: p for k, p in enumerate(link.P.T)}
        return {k: link.A @ t for k, t in inner.items()} | own

    return outward(links, step, {})


def _factor(I: Array) -> Array:
    """Lower H with H^T H = I, of a positive semidefinite I; a direction without inertia gives a zero row.

    Lower, so that of a turn about z, which most joints make, one entry is left.
    """
    H = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    for i in reversed(range(3)):
        pivot = I[i, i] - sum((H[k][i] * H[k][i] for k in range(i + 1, 3)), 0.0)
        has_inertia = pivot > 1e-14 * (I[0, 0] + I[1, 1] + I[2, 2])
        root = sqrt(where(has_inertia, pivot, 1.0))
        H[i][i] = where(has_inertia, root, 0.0)
        for j in range(i):
            rest = I[i, j] - sum((H[k][i] * H[k][j] for k in range(i + 1, 3)), 0.0)
            H[i][j] = where(has_inertia, rest / root, 0.0)
    return array(H)
