"""The wrench in every joint, from a motion and the multipliers; and what redundant constraints leave open.

The forest is one in which welds are joints of their own, so that every joint of the user's has a link.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics import Link, Motion, motions, poses
from ..dynamics.links import split
from ..dynamics.sweep import inward
from ..spatial import Array, Pose, skew
from ..topology import BASE, Cut, Forest, Seat
from .sides import common, sides

source = "[Saha2013, (25)]: the part of w~ that the joint's own motion leaves"


@dataclass(frozen=True)
class At:
    """A wrench [moment; force] in ground axes about `point`, done by a joint's parent on its child."""

    wrench: Array
    point: Array


def reactions(forest: Forest, links: list[Link], a: Array, external: list[Array], closing: Array) -> dict[str, At]:
    """Of every tree joint; `closing` has one wrench per link from the cut joints, at its origin and in its axes."""
    rising = np.concatenate([np.zeros(3), -forest.gravity])
    own = split(links, a)

    def step(link: Link, handed: Array, motion: Motion, w_external: Array, w_cut: Array) -> tuple[Array, Array]:
        # w~_i = w_i + sum A_ji^T w~_j                                 [Saha2013, 25]
        w = link.M.wrench(motion.rate[3:], motion.field) - w_external - w_cut + handed
        return w, link.A.T @ w

    carried = inward(links, step, np.zeros(6), motions(links, own, rising), external, list(closing))
    return _in_ground(forest, links, carried)


def held_alone(forest: Forest, links: list[Link], closing: Array) -> dict[str, At]:
    """What wrenches of the cut joints alone do in the others: the part that redundant constraints leave open.

    `closing` is links x 6 x ways, and so are the wrenches 6 x ways.
    """

    def step(link: Link, handed: Array, w_cut: Array) -> tuple[Array, Array]:
        w = handed - w_cut
        return w, link.A.T @ w

    return _in_ground(forest, links, inward(links, step, np.zeros(closing.shape[1:]), list(closing)))


def _in_ground(forest: Forest, links: list[Link], carried: list[Array]) -> dict[str, At]:
    X = poses(links)
    return {
        node.joint: At(np.concatenate([X[node.index].R @ w[:3], X[node.index].R @ w[3:]]), X[node.index].p)
        for node, w in zip(forest.nodes, carried, strict=True)
    }


def closing_wrenches(
    forest: Forest, links: list[Link], multipliers: Array, along_cuts: Array
) -> tuple[Array, dict[str, At]]:
    """One wrench per link from all cut joints, and the joints' own in ground axes, each in many ways at once.

    `multipliers` are rows x ways, `along_cuts` the forces along the cut joints' own coordinates x ways.
    """
    X = poses(links)
    per_link = np.zeros((len(links), 6, multipliers.shape[1]))
    found: dict[str, At] = {}
    row = own = 0
    for cut in forest.cuts:
        P, C = sides(links, cut)
        W = cut.kind.held(cut.shape, P.frame, C.frame)
        F = cut.kind.free(cut.shape, P.frame, C.frame)
        w = W.T @ multipliers[row : row + cut.rows] + F.T @ along_cuts[own : own + cut.kind.nv]
        row, own = row + cut.rows, own + cut.kind.nv
        # both sides are seen from the last link they share: turn into ground axes
        R = _common(links, X, cut)
        w = np.concatenate([R @ w[:3], R @ w[3:]])
        at = _placed(X, cut.child).p
        found[cut.joint] = At(w, at)
        for seat, sign in ((cut.child, 1.0), (cut.parent, -1.0)):
            if seat.node != BASE:
                per_link[seat.node] += sign * _seen(X[seat.node], w, at)
    return per_link, found


def _common(links: list[Link], X: list[Pose], cut: Cut) -> Array:
    """Axes of the last link that both sides hang from."""
    shared = common(links, cut.parent.node, cut.child.node)
    return np.eye(3) if shared == BASE else X[shared].R


def _placed(X: list[Pose], seat: Seat) -> Pose:
    return seat.X if seat.node == BASE else X[seat.node] @ seat.X


def _seen(X: Pose, w: Array, at: Array) -> Array:
    """Wrenches of the ground's axes about `at`, at a link's origin and in its axes."""
    return np.concatenate([X.R.T @ (w[:3] + skew(at - X.p) @ w[3:]), X.R.T @ w[3:]])
