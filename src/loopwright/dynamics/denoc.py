"""The DeNOC matrices themselves, to see and to test: t = N_l N_d th', I = N^T M N   [Saha2013, 9, 18, 43].

In the joint-origin form a link's twist is taken at its joint (A_ij, section 3); in the mass-centre form at
its mass centre (B_ij, section 2). Rows are in the axes of each link.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..spatial import Array, Chain, Propagation, block, blockwise, cross
from ..topology import BASE
from .links import Link

source = "[Saha2013]"


def N_l(links: list[Link]) -> Array:
    """Block lower triangular, 6n x 6n: block (i, j) is A_ij where j lies between the ground and i."""
    return _propagations(links, [link.A for link in links])


def N_d(links: list[Link], nv: int) -> Array:
    """Block diagonal, 6n x nv: the P_i."""
    return _diagonal(links, [link.P for link in links], nv)


def M(links: list[Link]) -> Array:
    """Block diagonal, 6n x 6n: the M_i."""
    return _square(len(links), {(link.index, link.index): link.M.matrix() for link in links})


def N_l_at_centres(links: list[Link]) -> Array:
    """The same with B_ij between mass centres   [Saha2013, 5]"""
    steps = []
    for link in links:
        inner = links[link.parent].M.centre if link.parent != BASE else np.zeros(3)
        # C_i from C_j, in the axes of j
        steps.append(Propagation(link.A.R, link.A.a + link.A.R @ link.M.centre - inner))
    return _propagations(links, steps)


def N_d_at_centres(links: list[Link], nv: int) -> Array:
    """p_i = [e; e x d] for a revolute   [Saha2013, 5]"""
    moved = []
    for link in links:
        d = link.M.centre
        columns = [np.concatenate([p[:3], p[3:] + cross(p[:3], d)]) for p in link.P.T]
        moved.append(np.stack(columns, axis=1))
    return _diagonal(links, moved, nv)


def M_at_centres(links: list[Link]) -> Array:
    """diag(I_i, m_i 1) about the mass centres   [Saha2013, 2]"""
    zero = np.zeros((3, 3))
    blocks = {
        (link.index, link.index): block(link.M.tensor_at_centre, zero, zero, link.M.mass * np.eye(3)) for link in links
    }
    return _square(len(links), blocks)


def mass_matrix(links: list[Link], nv: int) -> Array:
    """I = N_d^T (N_l^T M N_l) N_d, multiplied out."""
    N = N_l(links) @ N_d(links, nv)
    return N.T @ M(links) @ N + rotors(links, nv)


def rotors(links: list[Link], nv: int) -> Array:
    """The diagonal matrix of what rotors add."""
    entries = [(link.v.start + k, inertia) for link in links for k, inertia in enumerate(link.rotor)]
    return blockwise(nv, nv, [(k, k, inertia) for k, inertia in entries])


def _propagations(links: list[Link], steps: Sequence[Propagation | Chain]) -> Array:
    blocks: dict[tuple[int, int], Array] = {}
    for link in links:
        i = link.index
        blocks[i, i] = np.eye(6)
        for j in range(i):
            if (link.parent, j) in blocks:
                blocks[i, j] = steps[i].matrix() @ blocks[link.parent, j]
    return _square(len(links), blocks)


def _square(n: int, blocks: dict[tuple[int, int], Array]) -> Array:
    return blockwise(6 * n, 6 * n, [(_six(i), _six(j), B) for (i, j), B in blocks.items()])


def _diagonal(links: list[Link], P: list[Array], nv: int) -> Array:
    return blockwise(6 * len(links), nv, [(_six(link.index), link.v, B) for link, B in zip(links, P, strict=True)])


def _six(i: int) -> slice:
    return slice(6 * i, 6 * i + 6)
