"""Links: the forest's nodes at one position, with the matrices of the DeNOC method in each link's own axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Chain, Inertia, Pose, Propagation, Screw
from ..topology import Forest, Node, Turn


@dataclass(frozen=True)
class Link:
    """t_i = A t_parent + P rate   [Saha2013, 36a]"""

    index: int
    parent: int
    A: Propagation | Chain  # twist propagation from the parent's origin and axes to this link's
    P: Array  # joint-motion propagation, 6 x nv
    M: Inertia  # about the link's origin
    rotor: Array
    v: slice
    rate: Array  # the joint's own velocities
    P_rate: Array  # dP/dt, component by component

    @property
    def X(self) -> Pose:
        """Pose in the parent."""
        return self.A.pose


def links_at(forest: Forest, q: Array, v: Array | None = None) -> list[Link]:
    """The links at position q, moving at v."""
    rates = np.zeros(forest.nv) if v is None else v
    return [_link(node, q[node.q], rates[node.v]) for node in forest.nodes]


def _link(node: Node, q: Array, rate: Array) -> Link:
    P = node.kind.motion(node.shape, q)
    P_rate = node.kind.motion_rate(node.shape, q, rate)
    return Link(node.index, node.parent, _propagation(node, q), P, node.inertia, node.rotor, node.v, rate, P_rate)


def _propagation(node: Node, q: Array) -> Propagation | Chain:
    """One general step, or turns and slides along single axes where the forest was laid out in such axes."""
    if node.lead is None:
        return Propagation.of(node.X_tree @ node.kind.pose(node.shape, q))
    turns = node.kind.turns(node.shape, q)
    if not turns:
        general = Propagation.of(node.kind.pose(node.shape, q))
        return Chain((*_screws((*node.lead, node.trail)), general))
    (k, angle, slide), *others = turns
    if k != node.trail[0]:
        return Chain(_screws((*node.lead, node.trail, *turns)))
    # two steps on one axis are one
    return Chain(_screws((*node.lead, (k, angle + node.trail[1], slide + node.trail[2]), *others)))


def _screws(turns: Sequence[Turn]) -> tuple[Screw, ...]:
    return tuple(Screw.of(k, angle, slide) for k, angle, slide in turns)


def split(links: list[Link], values: Array) -> list[Array]:
    """The entries of a vector of nv numbers that belong to each link."""
    return [values[link.v] for link in links]


def joined(links: list[Link], parts: list[Array]) -> Array:
    """One vector of nv numbers from the parts of every link, each in its place."""
    order = sorted(links, key=lambda link: link.v.start)
    return np.concatenate([parts[link.index] for link in order]) if parts else np.zeros(0)
