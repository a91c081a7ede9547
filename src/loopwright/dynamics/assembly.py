"""Putting the blocks of joint pairs into one symmetric matrix."""

from __future__ import annotations

from ..spatial import Array, blockwise, mirrored
from .links import Link


def symmetric_matrix(links: list[Link], blocks: dict[tuple[int, int], Array], nv: int) -> Array:
    """nv x nv from the blocks (i, j) of links i and j, each given once; pairs not given are zero."""
    given = [(links[i].v, links[j].v, mirrored(B) if i == j else B) for (i, j), B in blocks.items()]
    below = [(columns, rows, B.T) for rows, columns, B in given if rows != columns]
    return blockwise(nv, nv, given + below)
