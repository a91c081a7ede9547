"""Mass matrix by composite bodies: everything beyond a joint moves as one."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, Inertia
from ..topology import BASE
from .assembly import symmetric_matrix
from .links import Link
from .sweep import inward

source = "[Saha2013, (19)-(21)]; [WalkerOrin1982]"


def composites(links: list[Link]) -> list[Inertia]:
    """M~_i of every link."""

    # M~_i = M_i + sum A_ji^T M~_j A_ji                                [Saha2013, 20]
    def step(link: Link, handed: Inertia) -> tuple[Inertia, Inertia]:
        M = link.M + handed
        return M, link.A.gathered(M)

    return inward(links, step, Inertia.zero())


def mass_matrix(links: list[Link], nv: int) -> Array:
    """I_ij = P_i^T M~_i A_ij P_j   [Saha2013, 21]"""
    return symmetric_matrix(links, mass_blocks(links), nv)


def mass_blocks(links: list[Link]) -> dict[tuple[int, int], Array]:
    """The blocks of one triangle that are there: a link with itself and with those between it and the ground."""
    blocks: dict[tuple[int, int], Array] = {}
    for link, M in zip(links, composites(links), strict=True):
        # w = M~_i P_i, carried towards the ground: A_ij^T w
        w = M @ link.P
        blocks[link.index, link.index] = link.P.T @ w + np.diag(link.rotor)
        at = link
        while at.parent != BASE:
            w = at.A.T @ w
            at = links[at.parent]
            blocks[at.index, link.index] = at.P.T @ w
    return blocks
