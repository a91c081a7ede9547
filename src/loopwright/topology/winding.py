"""The angle of a cut joint through full turns.

The frames on its two sides tell it within half a turn. In a loop whose axes are all parallel it is also what the
angles of the tree add up to, and goes on as they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..spatial import Array, Number, Pose

if TYPE_CHECKING:
    from .forest import Cut, Node, Seat

_PARALLEL = 1e-9  # radians


@dataclass(frozen=True)
class Winding:
    """Coordinate `place` of a cut joint is `begin` and the sum of `signs` times these places in q."""

    place: int
    begin: Number
    signs: tuple[tuple[int, float], ...]

    def angle(self, q: Array) -> Number:
        """At q, full turns counted."""
        return self.begin + sum((sign * q[k] for k, sign in self.signs), 0.0 * q[0])


def winding(nodes: Sequence[Node], nominal: Sequence[Node], cut: Cut) -> Winding | None:
    """Of a joint with one angle in a loop of parallel axes; `nominal` are the nodes in plain numbers."""
    if len(cut.kind.full_turns) != 1:
        return None
    (place,) = cut.kind.full_turns
    inner, outer = _ways(nominal, cut.parent, cut.child)
    z = _turned(nominal, inner, cut.parent)[:, 2]
    signs: list[tuple[int, float]] = []
    for way, side in ((outer, 1.0), (inner, -1.0)):
        R = np.eye(3)
        for k in way:
            node = nominal[k]
            R = R @ np.asarray(_neutral(node), dtype=float)
            turns = np.asarray(node.kind.motion(node.shape, node.kind.neutral()), dtype=float)[:3]
            along = float(R[:, 2] @ z)
            if turns.any():
                if turns[:2].any() or np.linalg.norm(np.cross(R[:, 2], z)) > _PARALLEL:
                    return None
                signs += [(node.q.start + int(c), side * round(along) * turns[2, c]) for c in np.flatnonzero(turns[2])]
    P, C = (Pose(_turned(nodes, way, seat), np.zeros(3)) for way, seat in ((inner, cut.parent), (outer, cut.child)))
    return Winding(place, cut.kind.position(cut.shape, P, C)[place], tuple(signs))


def _ways(nodes: Sequence[Node], parent: Seat, child: Seat) -> tuple[list[int], list[int]]:
    """The nodes to both sides from the last that both hang from, which is left out."""
    ways: tuple[list[int], list[int]] = [], []
    one, other = parent.node, child.node
    while one != other:
        way = 0 if one > other else 1
        ways[way].append(max(one, other))
        one, other = (nodes[one].parent, other) if way == 0 else (one, nodes[other].parent)
    return ways[0][::-1], ways[1][::-1]


def _turned(nodes: Sequence[Node], way: Sequence[int], seat: Seat) -> Array:
    R = np.eye(3)
    for k in way:
        R = R @ _neutral(nodes[k])
    return R @ seat.X.R


def _neutral(node: Node) -> Array:
    return node.X_tree.R @ node.kind.pose(node.shape, node.kind.neutral()).R
