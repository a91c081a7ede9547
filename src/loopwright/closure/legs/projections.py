"""Passive joints leg by leg: what they cannot do holds the platform, and their rates follow from its twist.

Each leg says  sum_i j_i th'_i = T t_e:  the twists of its joints make that of the platform, on those rows on which
the joint nearest to the platform, or the one that is cut, does not give way. Projecting every passive j_i out, one
joint after another from the platform inwards, leaves what the leg's motor and the platform have to agree on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...dynamics import Link, poses
from ...mechanism.joints import Reversed
from ...spatial import Array, Number, Pose, Propagation, mirrored
from ...topology import Cut, Forest, Seat
from ..pivoted import Watched, least, watched
from ..rows import held
from ..sides import Side, columns, sides
from ..structure import Structure
from .recognised import Leg, Legs

source = "[Saha2001, (7)-(14)]"


@dataclass(frozen=True)
class Joined:
    """One leg in one state: T, the passive coordinates with their j from the platform inwards, the driven j_k.

    `drift`: sum_i j_i a_i = T (rate of t_e) + drift. `usual` is the length of the longest row of the loop's Jacobian
    anywhere, against which a joint is seen that moves nothing here. `own` are coordinates of the platform's joint in
    the leg that carries it: they turn no other part of the leg and follow last, th' = F (t_e - sum_i c_i th'_i).
    """

    T: Array
    passive: list[int]
    j: list[Array]
    driven: int | None
    j_k: Array
    drift: Array
    usual: float
    own: list[int] = field(default_factory=list)
    F: Array = None
    c: dict[int, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Projection:
    """p~_i / delta_i of the passive joints of a leg, and Phi_2, which is left of the unit matrix.

    `reach` are the rows p~_i^T T / delta_i, `share[i][f]` is p~_i^T j_f / delta_i of the joints f further in.
    `kept`: delta_i against the usual; nothing where the joints further out do all that a joint does.
    """

    leg: Joined
    scaled: list[Array]
    reach: list[Array]
    share: list[list[Number]]
    Phi: Array
    kept: list[Number]

    def rates(self, right: list[Array]) -> list[Array]:
        """The passive th'_i, from p~_i^T / delta_i times what the joints' twists shall add up to.

        th'_i = p~_i^T (t_e - A_e,i-1 t_i-1) / delta_i, the joint nearest to the ground first   [Saha2001, 11b, 12b]
        """
        found: list[Array] = [None] * len(right)
        for i in reversed(range(len(right))):
            found[i] = right[i] - sum((c * found[f] for f, c in self._further_in(i)), 0.0 * right[i])
        return found

    def gathered(self, forces: list[Number]) -> list[Number]:
        """The transpose: forces at the passive joints, as those that p~_i^T / delta_i hands on."""
        found = list(forces)
        for i in range(len(forces)):
            for f, c in self._further_in(i):
                found[f] = found[f] - c * found[i]
        return found

    def _further_in(self, i: int) -> list[tuple[int, Number]]:
        return list(enumerate(self.share[i], start=i + 1))


@dataclass(frozen=True)
class Platform:
    """All legs together: Phi, the Jacobian J with t_e = J th', and the drift of the platform's twist rate.

    t_e is at the origin of the platform's node, in ground axes; `X` is that node's pose.
    """

    X: Pose
    legs: list[Projection]
    Phi: Watched
    J: Array
    drift: Array
    health: Number


def platform(forest: Forest, links: list[Link], legs: Legs, structure: Structure) -> Platform:
    """The legs in one state, and what they make of the platform's twist."""
    X = poses(links)
    E = X[legs.platform]
    found = [projected(joined(forest, links, X, leg, legs.platform, structure.lengths)) for leg in legs.legs]
    # Phi t_e = sum_l Phi_2 A_ek p_k th'_k,  Phi = sum_l Phi_2        [Saha2001, 14a]
    pushed = {one.leg.driven: one.leg.T.T @ (one.Phi @ one.leg.j_k) for one in found if one.leg.driven is not None}
    Phi = watched(mirrored(sum(one.leg.T.T @ one.Phi @ one.leg.T for one in found)))
    # what is left of every direction of the platform, against what held it before any joint gave way
    rigid = sum((one.leg.T * one.leg.T).sum(axis=0) for one in found)
    kept = [D / whole for D, whole in zip(Phi.D, rigid, strict=True)]
    lacking = -sum((one.leg.T.T @ (one.Phi @ one.leg.drift) for one in found), np.zeros(6))
    right = np.stack([*(pushed[k] for k in legs.driven), lacking], axis=1)
    # t_e = J th',  J = Phi^-1 [Phi_2 A_ek p_k]                       [14b]
    solved = Phi.solve(right)
    shares = [share for one in found for share in one.kept]
    return Platform(E, found, Phi, solved[:, :-1], solved[:, -1], least([*kept, *shares]))


def projected(leg: Joined) -> Projection:
    """Phi_m+1 = 1,  Phi_i = Phi_i+1 - p~_i p~_i^T / delta_i   [Saha2001, 10a, 11c, 11d; 12c, 12d beyond the motor]"""
    Phi, scaled, kept = np.eye(len(leg.T)), [], []
    for j in leg.j:
        p = Phi @ j
        delta = p @ p
        scaled.append(p * (1.0 / delta))
        kept.append(delta * (1.0 / leg.usual**2))
        Phi = mirrored(Phi - np.outer(p, scaled[-1]))
    share = [[p @ j for j in leg.j[i + 1 :]] for i, p in enumerate(scaled)]
    return Projection(leg, scaled, [p @ leg.T for p in scaled], share, Phi, kept)


def joined(
    forest: Forest, links: list[Link], X: list[Pose], leg: Leg, platform: int, lengths: Sequence[float]
) -> Joined:
    """The twists of a leg's joints at the joint that meets the platform, in ground axes."""
    if leg.cut is None:
        return _carrying(forest, links, X, leg, max(lengths))
    first = sum(cut.rows for cut in forest.cuts[: leg.cut])
    usual = max(lengths[first : first + forest.cuts[leg.cut].rows])
    return _cut(forest.cuts[leg.cut], links, X, leg, platform, usual)


def _cut(cut: Cut, links: list[Link], X: list[Pose], leg: Leg, platform: int, usual: float) -> Joined:
    P, C = sides(links, cut)
    W, drift = held(cut, P, C)
    meets = cut.kind.meets
    # rows W on t_C - t_P: here turned so that the platform's side counts as plus
    from_ground = cut.parent.node == (leg.inner[-1] if leg.inner else -1)
    inner, outer, sign = (P, C, 1.0) if from_ground else (C, P, -1.0)
    at = P.frame.p if meets else C.frame.p
    point = {id(P): at, id(C): C.frame.p}
    T = W @ Propagation(np.eye(3), point[id(outer)] - X[platform].p).matrix()
    found = [(v, -(W @ c)) for v, c in _columns([links[k] for k in leg.outer], X, point[id(outer)])]
    found += [(v, W @ c) for v, c in reversed(_columns([links[k] for k in leg.inner], X, point[id(inner)]))]
    return _sorted(leg, T, found, sign * drift, usual)


def _carrying(forest: Forest, links: list[Link], X: list[Pose], leg: Leg, usual: float) -> Joined:
    own = links[leg.inner[-1]]
    node, E = forest.nodes[own.index], X[own.index]
    inner = _columns([links[k] for k in leg.inner[:-1]], X, E.p)
    last = _columns([own], X, E.p)
    driven = leg.motor is not None and own.v.start <= leg.motor.v < own.v.stop
    if driven or isinstance(node.kind, Reversed):
        return _sorted(leg, np.eye(6), [*last[::-1], *inner[::-1]], np.zeros(6), usual)
    P = X[own.parent] @ node.X_tree if own.parent >= 0 else node.X_tree
    W = node.kind.held(node.shape, P, E)
    found = _sorted(leg, W, [(v, W @ c) for v, c in reversed(inner)], np.zeros(len(W)), usual)
    F = node.kind.free(node.shape, P, E)
    return replace(found, own=[v for v, _ in last], F=F, c=dict(inner))


def _columns(links: list[Link], X: list[Pose], at: Array) -> list[tuple[int, Array]]:
    """Coordinate by coordinate, the twist at a point, in ground axes, that one unit of it makes."""
    nowhere = Seat(-1, Pose())
    side = Side(links, [X[link.index] for link in links], nowhere, Pose())
    return [(v.start + k, c) for v, block in columns(side, at) for k, c in enumerate(block.T)]


def _sorted(leg: Leg, T: Array, found: list[tuple[int, Array]], drift: Array, usual: float) -> Joined:
    motor = leg.motor.v if leg.motor else None
    passive = [(v, j) for v, j in found if v != motor]
    driven = [j for v, j in found if v == motor]
    return Joined(
        T,
        [v for v, _ in passive],
        [j for _, j in passive],
        motor,
        driven[0] if driven else np.zeros(len(T)),
        drift,
        usual,
    )
