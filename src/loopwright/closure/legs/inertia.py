"""FDA-1 to FDA-3: the generalised inertia matrix of the driven joints alone.

What moves is counted in two steps: legs and platform by themselves, each leg's bodies composed as in an open chain
and the platform let loose from the leg that carries it; then what their motions have to do with each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import Link
from ...dynamics.sweep import inward
from ...spatial import Array, Inertia, array, blockwise, mirrored
from ...topology import BASE
from .projections import Platform
from .rates import shares

source = "[Saha2001, (26)-(34)]"


@dataclass(frozen=True)
class Apart:
    """M~ on the joints: `legs` (nv x nv, no block between legs), `platform` (6 x 6), and what couples the two (6 x nv).

    The coupling is nothing unless parts of a leg hang on the platform, in the tree.
    """

    legs: Array
    platform: Array
    coupling: Array


def apart(links: list[Link], at: Platform, platform: int, nv: int) -> Apart:
    """FDA-1: M~_ij = M~_i A~_ij, on the joints   [Saha2001, 27, 28]"""

    def step(link: Link, handed: Inertia) -> tuple[Inertia, Inertia]:
        M = link.M + handed
        return M, Inertia.zero() if link.index == platform else link.A.gathered(M)

    composite = inward(links, step, Inertia.zero())
    blocks, coupling = [], []
    for link, M in zip(links, composite, strict=True):
        blocks.append((link.v, link.v, np.diag(link.rotor)))
        if link.index == platform:
            continue
        w = M @ link.P
        blocks[-1] = (link.v, link.v, mirrored(link.P.T @ w) + np.diag(link.rotor))
        inner = link
        while inner.parent not in (BASE, platform):
            w = inner.A.T @ w
            inner = links[inner.parent]
            B = inner.P.T @ w
            blocks += [(inner.v, link.v, B), (link.v, inner.v, B.T)]
        if inner.parent == platform:
            w = inner.A.T @ w
            coupling.append((slice(0, 6), link.v, np.concatenate([at.X.R @ w[:3], at.X.R @ w[3:]])))
    turned = composite[platform].rotated(at.X.R).matrix()
    return Apart(blockwise(nv, nv, blocks), turned, blockwise(6, nv, coupling))


def mass_matrix(M: Apart, at: Platform, driven: tuple[int, ...]) -> Array:
    """FDA-2, 3: i_ij = p_i^T (A-_i^T X A-_j + A-_i^T Y_j + Y_i^T A-_j + own) p_j   [Saha2001, 29-34]"""
    X, Y, own = M.platform, {k: np.zeros(6) for k in driven}, dict.fromkeys(driven, 0.0)
    for one in at.legs:
        coordinates, R = shares(one)
        if not coordinates:
            continue
        # by [t_e, th'_k] of this leg
        C = M.coupling[:, coordinates] @ R
        Q = mirrored(R.T @ (M.legs[np.ix_(coordinates, coordinates)] @ R))
        X = X + Q[:6, :6] + C[:, :6] + C[:, :6].T
        if one.leg.driven is not None:
            Y[one.leg.driven] = Q[:6, 6] + C[:, 6]
            own[one.leg.driven] = Q[6, 6]
    # J^T X J + J^T Y + Y^T J = H + H^T,  H = J^T (X J / 2 + Y)
    H = at.J.T @ (X @ (at.J / 2.0) + np.stack([Y[k] for k in driven], axis=1))
    return mirrored(H + H.T + np.diag(array([own[k] for k in driven])))
