"""The rows that cut joints bring: what is left to close, its Jacobian, and the drift of its rate.

Where the loops are closed, J is the derivative of the gap along the motion, and J v = 0, J a + drift = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..dynamics import Link
from ..spatial import Array, Number, blockwise, cross, is_nothing
from ..topology import Cut
from .sides import Moving, Side, columns, moving, sides

source = "[Saha2013, section 4]; the rows of every kind of joint are ours"


Block = tuple[slice, slice, Array]  # rows, columns and what stands there


@dataclass(frozen=True)
class Rows:
    """J (m x nv) and the drift J' v."""

    J: Array
    drift: Array


def gap(links: list[Link], cuts: Sequence[Cut]) -> Array:
    """What is left to close, row by row."""
    parts = [cut.kind.gap(cut.shape, P.frame, C.frame) for cut in cuts for P, C in [sides(links, cut)]]
    return np.concatenate(parts) if parts else np.zeros(0)


def rows(links: list[Link], cuts: Sequence[Cut], nv: int) -> Rows:
    """J and J' v of all cuts, one under the other."""
    found, drift = blocks(links, cuts)
    return Rows(blockwise(len(drift), nv, found), drift)


def blocks(links: list[Link], cuts: Sequence[Cut]) -> tuple[list[Block], Array]:
    """The blocks of J that are there, and J' v."""
    found: list[Block] = []
    drifts = [np.zeros(0)]
    height = 0
    for cut in cuts:
        P, C = sides(links, cut)
        W, drift = held(cut, P, C)
        found += _placed(W, P, C, cut.kind.meets, height)
        drifts.append(drift)
        height += len(W)
    return found, np.concatenate(drifts)


def by_coordinate(blocks: Sequence[Block], kept: Sequence[int]) -> list[dict[int, Number]]:
    """The rows named, each as its entries that are there."""
    found: dict[int, dict[int, Number]] = {row: {} for row in kept}
    for lines, places, values in blocks:
        for row, line in zip(range(lines.start, lines.stop), values, strict=True):
            if row in found:
                there = zip(range(places.start, places.stop), line, strict=True)
                found[row] |= {k: x for k, x in there if not is_nothing(x)}
    return [found[row] for row in kept]


def own_positions(links: list[Link], cuts: Sequence[Cut]) -> Array:
    """Where the cut joints themselves stand, one after the other; angles within half a turn."""
    found = [cut.kind.position(cut.shape, P.frame, C.frame) for cut in cuts for P, C in [sides(links, cut)]]
    return np.concatenate(found) if found else np.zeros(0)


def along(links: list[Link], cuts: Sequence[Cut], nv: int) -> Array:
    """F with v_cut = F v: the cut joints' own velocities, from those of the tree."""
    blocks: list[Block] = []
    height = 0
    for cut in cuts:
        P, C = sides(links, cut)
        free = cut.kind.free(cut.shape, P.frame, C.frame)
        blocks += _placed(free, P, C, cut.kind.meets, height)
        height += cut.kind.nv
    return blockwise(height, nv, blocks)


def _placed(W: Array, P: Side, C: Side, meets: bool, top: int) -> list[Block]:
    """W times the twists of C's frame less those of P's: only joints within the loop have columns."""
    here = slice(top, top + len(W))
    # frames that meet have one origin, and each side may use its own
    at = P.frame.p if meets else C.frame.p
    found = [(here, v, W @ t) for v, t in columns(C, C.frame.p)]
    return found + [(here, v, -(W @ t)) for v, t in columns(P, at)]


def held(cut: Cut, P: Side, C: Side) -> tuple[Array, Array]:
    W = cut.kind.held(cut.shape, P.frame, C.frame)
    inner = moving(P) if cut.kind.meets else moving(P, C.frame.p)
    outer = moving(C)
    rate = cut.kind.held_rate(cut.shape, P.frame, C.frame, inner.w, outer.w)
    return W, _drift(W, rate, inner, outer, cut.kind.meets)


def _drift(W: Array, W_rate: Array, P: Moving, C: Moving, meets: bool) -> Array:
    # t = t_C - t_P,   (W t)' = W' t + W t'
    w, v = C.w - P.w, C.v - P.v
    # P's point stays under C's: its velocity changes by w_P x v besides its own acceleration
    v_rate = C.v_rate - P.v_rate - (0.0 if meets else cross(P.w, v))
    return W_rate @ np.concatenate([w, v]) + W @ np.concatenate([C.w_rate - P.w_rate, v_rate])
