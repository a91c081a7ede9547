"""The computing forest: the tree's links as algorithms see them, with every number in its place.

It differs from the user's graph: bodies welded together are one node, a joint's axis is z, a node's frame
stands at its joint, and nodes are numbered with parents first. Numbers may be floats or symbols, according
to the values given for the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, GROUND, Branch, JointKind, Mechanism, acting, evaluated, joint_frames, unknown
from ..mechanism.joints import Shape, Turn
from ..spatial import Array, Inertia, Number, Pose, numbers, symmetric
from .winding import Winding, winding

BASE = -1  # the parent of a node that stands on the ground


@dataclass(frozen=True)
class Node:
    """One moving link: `X_tree` places its joint in the parent node; the inertia is about its own origin."""

    index: int
    parent: int
    joint: str
    body: str
    kind: JointKind
    shape: Shape
    X_tree: Pose
    inertia: Inertia
    q: slice
    v: slice
    rotor: Array  # inertia added at every coordinate of the joint
    lead: tuple[Turn, ...] | None = None  # X_tree as steps along single axes, up to `trail`
    trail: Turn = (2, 0.0, 0.0)  # its last step, about z, which joins the joint's own first step


@dataclass(frozen=True)
class Seat:
    """Where a body of the user rides: node number (or BASE) and the pose of its frame there."""

    node: int
    X: Pose


@dataclass(frozen=True)
class JointSpring:
    """Pulls a joint's coordinates towards `rest`."""

    kind: JointKind
    q: slice
    v: slice
    stiffness: Array
    rest: Array


@dataclass(frozen=True)
class PointSpring:
    """Between a point of one seat's body and a point of another's, given in their nodes' frames."""

    a: Seat
    b: Seat
    stiffness: Number
    damping: Number
    length: Number


@dataclass(frozen=True)
class Push:
    """A force at a point and a torque; `force` and `torque` are numbers or functions."""

    seat: Seat  # X puts the point of action, in the body's axes
    force: Any
    torque: Any
    body_axes: bool


@dataclass(frozen=True)
class Extra:
    """Numbers or a function, added at coordinates `v`."""

    v: slice
    value: Any


@dataclass(frozen=True)
class Cut:
    """A joint that closes a loop: its frame on either side, and what acts along its own coordinates."""

    joint: str
    kind: JointKind
    shape: Shape
    parent: Seat
    child: Seat
    actuated: tuple[int | None, ...]  # for every coordinate its entry of tau, if it has a motor
    damping: Array
    friction: Array  # nv x 2
    stiffness: Array
    rest: Array
    efforts: tuple[Any, ...]
    winding: Winding | None = None  # its angle through full turns, where that is known and a spring asks for it

    @property
    def rows(self) -> int:
        """Scalar conditions that closing it brings."""
        return 6 - self.kind.nv


@dataclass(frozen=True)
class Forest:
    """Nodes with parents first, where bodies ride on them, what closes their loops, and all that acts on them."""

    nodes: tuple[Node, ...]
    seats: Mapping[str, Seat]
    gravity: Array
    nq: int
    nv: int
    actuated: tuple[int, ...]  # indices into v of the entries of tau
    damping: Array
    friction: Array  # nv x 2: forward, backward
    joint_springs: tuple[JointSpring, ...]
    point_springs: tuple[PointSpring, ...]
    pushes: tuple[Push, ...]
    extras: tuple[Extra, ...]
    cuts: tuple[Cut, ...] = ()

    @property
    def parents(self) -> tuple[int, ...]:
        """Parent of every node."""
        return tuple(node.parent for node in self.nodes)

    def children(self) -> list[list[int]]:
        """Children of every node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            if node.parent != BASE:
                found[node.parent].append(node.index)
        return found


def forest(mechanism: Mechanism, parameters: Mapping[str, Any] | None = None, merged: bool = True) -> Forest:
    """Lay out a mechanism's spanning tree; `parameters` replaces some values, perhaps by symbols.

    Without `merged`, bodies welded together stay nodes of their own, with no freedom between them.
    """
    for name in parameters or {}:
        if name not in mechanism.values:
            raise LoopwrightError(unknown(name, "parameter", mechanism.values, mechanism.name))
    values = {**mechanism.values, **(parameters or {})}
    nominal = mechanism.values
    seats = {GROUND: Seat(BASE, Pose())}
    nodes: list[Node] = []
    loose: list[Inertia] = []  # the inertia of each node, growing as bodies are welded to it
    per_joint: dict[str, slice] = {}
    i = j = 0
    for branch in mechanism.tree.branches:
        frames = joint_frames(branch, values, nominal)
        inner = seats[branch.inner]
        X_tree = inner.X @ frames.in_inner
        X_body = frames.in_outer.inverse()
        kind = frames.kind
        own = _inertia(mechanism, branch.outer, values)
        if kind.nv == 0 and merged:
            seats[branch.outer] = Seat(inner.node, X_tree @ X_body)
            if inner.node != BASE:
                loose[inner.node] = loose[inner.node] + own.gathered(X_tree @ X_body)
            continue
        seats[branch.outer] = Seat(len(nodes), X_body)
        loose.append(own.gathered(X_body))
        q, v = slice(i, i + kind.nq), slice(j, j + kind.nv)
        per_joint[branch.joint.name] = v
        rotor = numbers(evaluated(branch.joint.rotor_inertia, values))
        nodes.append(
            Node(len(nodes), inner.node, branch.joint.name, branch.outer, kind, frames.shape, X_tree, own, q, v, rotor)
        )
        i, j = q.stop, v.stop
    placed = tuple(replace(node, inertia=inertia) for node, inertia in zip(nodes, loose, strict=True))
    return Forest(
        nodes=placed,
        seats=seats,
        gravity=numbers(evaluated(mechanism.gravity, values)),
        nq=i,
        nv=j,
        actuated=mechanism.actuated,
        cuts=_wound(_cuts(mechanism, values, seats), mechanism, placed, parameters, merged),
        **_loads(mechanism, values, seats, per_joint, placed),
    )


def _cuts(mechanism: Mechanism, values: Mapping[str, Any], seats: Mapping[str, Seat]) -> tuple[Cut, ...]:
    """The joints left out of the tree, with the loads and motors that sit on them."""
    motors = len(mechanism.actuated)
    found = []
    for joint in mechanism.tree.cuts:
        frames = joint_frames(Branch(joint, joint.parent, joint.child), values, mechanism.values)
        parent, child = seats[joint.parent], seats[joint.child]
        flags = joint.actuated or (False,) * frames.kind.nv
        ranks = []
        for flag in flags:
            ranks.append(motors if flag else None)
            motors += flag
        damping, friction, stiffness, rest = (
            numbers(evaluated(getattr(joint, field), values)) for field in ("damping", "friction", "stiffness", "rest")
        )
        efforts = tuple(
            acting(f"effort '{e.name}'", "value", e.value, frames.kind.nv, values, one_serves_all=True)
            for e in mechanism.efforts
            if e.joint == joint.name
        )
        found.append(
            Cut(
                joint.name,
                frames.kind,
                frames.shape,
                Seat(parent.node, parent.X @ frames.in_inner),
                Seat(child.node, child.X @ frames.in_outer),
                tuple(ranks),
                damping,
                friction,
                stiffness,
                rest,
                efforts,
            )
        )
    return tuple(found)


def _wound(
    cuts: tuple[Cut, ...],
    mechanism: Mechanism,
    nodes: tuple[Node, ...],
    parameters: Mapping[str, Any] | None,
    merged: bool,
) -> tuple[Cut, ...]:
    """With the angles that springs turn through, full turns counted, where the loop tells them."""
    if not any(cut.stiffness[k] != 0.0 for cut in cuts for k in cut.kind.full_turns):
        return cuts
    nominal = forest(mechanism, merged=merged).nodes if parameters else nodes
    return tuple(
        replace(cut, winding=winding(nodes, nominal, cut))
        if any(cut.stiffness[k] != 0.0 for k in cut.kind.full_turns)
        else cut
        for cut in cuts
    )


def _inertia(mechanism: Mechanism, name: str, values: Mapping[str, Any]) -> Inertia:
    body = mechanism.body(name)
    mass, com, inertia = evaluated((body.mass, body.com, body.inertia), values)
    return Inertia.of(mass, numbers(com), symmetric(numbers(inertia)))


def _loads(
    mechanism: Mechanism,
    values: Mapping[str, Any],
    seats: Mapping[str, Seat],
    per_joint: Mapping[str, slice],
    nodes: tuple[Node, ...],
) -> dict[str, Any]:
    """Everything that acts on the tree; what sits on a cut joint belongs to the loop that it closes."""
    in_tree = [mechanism.joint(node.joint) for node in nodes]

    def gathered(field: str) -> Array:
        found = [evaluated(getattr(joint, field), values) for joint in in_tree]
        return numbers([item for entries in found for item in entries]) if found else np.zeros(0)

    springs = []
    for node, joint in zip(nodes, in_tree, strict=True):
        if any(stiffness != 0.0 for stiffness in joint.stiffness):
            stiffness, rest = evaluated((joint.stiffness, joint.rest), values)
            springs.append(JointSpring(BY_NAME[joint.kind], node.q, node.v, numbers(stiffness), numbers(rest)))

    def point(body: str, xyz: Any) -> Seat:
        seat = seats[body]
        return Seat(seat.node, Pose(seat.X.R, seat.X.point(numbers(evaluated(xyz, values)))))

    friction = gathered("friction")
    return {
        "damping": gathered("damping"),
        "friction": friction if friction.size else np.zeros((0, 2)),
        "joint_springs": tuple(springs),
        "point_springs": tuple(
            PointSpring(
                point(s.parent, s.in_parent),
                point(s.child, s.in_child),
                *evaluated((s.stiffness, s.damping, s.length), values),
            )
            for s in mechanism.springs
        ),
        "pushes": tuple(
            Push(
                point(w.body, w.at),
                acting(f"wrench '{w.name}'", "force", w.force, 3, values),
                acting(f"wrench '{w.name}'", "torque", w.torque, 3, values),
                w.axes == "body",
            )
            for w in mechanism.wrenches
        ),
        "extras": tuple(
            Extra(
                own, acting(f"effort '{e.name}'", "value", e.value, own.stop - own.start, values, one_serves_all=True)
            )
            for e in mechanism.efforts
            if (own := per_joint.get(e.joint)) is not None
        ),
    }
