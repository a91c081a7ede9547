"""Links that are alike: one text serves them all, with their numbers in a table.

Alike are links whose joints are of one kind, whose frames are reached by the same steps, and on which the same
sorts of load act. A number that all of them share is folded into the text; the others are symbols in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism.joints import JointKind, Reversed
from ..spatial import Array, Inertia, Number, Pose, array, symbols
from ..topology import BASE, Extra, Forest, JointSpring, Node, PointSpring, Push, Seat
from .messages import parts, rebuilt


@dataclass(frozen=True)
class Pushed:
    """A force at a point of the link's frame, in the ground's axes or in axes that stand at R in the link's."""

    R: Array
    p: Array
    force: Array
    torque: Array


@dataclass(frozen=True)
class Tied:
    """A spring from a point of the ground to one of the link."""

    p_ground: Array
    p: Array
    stiffness: Number
    damping: Number
    length: Number


@dataclass(frozen=True)
class Figures:
    """All numbers that one link brings into the equations of motion."""

    turns: tuple[Array, ...]  # angle and slide of every step, the last about z
    shape: tuple[Number, ...]
    inertia: Inertia
    rotor: Array
    damping: Array
    friction: Array
    effort: Array
    stiffness: Array
    rest: Array
    pushes: tuple[Pushed, ...]
    ties: tuple[Tied, ...]


@dataclass(frozen=True)
class Sort:
    """What links have in common that are alike."""

    kind: str
    backwards: bool
    actuated: tuple[bool, ...]
    sprung: bool
    in_body_axes: tuple[bool, ...]  # of every push
    ties: int
    axes: tuple[int, ...]  # of the steps to the joint


@dataclass(frozen=True)
class Alike:
    """Links of one sort: their figures, those that differ as symbols, and the table of these."""

    sort: Sort
    kind: JointKind
    members: tuple[int, ...]
    figures: Figures
    symbols: Any  # a column of SX
    table: Array  # members x symbols


def alike(forest: Forest) -> list[Alike]:
    """The links of a forest laid out in steps, by sorts; at most two for every kind of joint and load."""
    loads = _Loads(forest)
    sorts = [_sort(forest, node, loads) for node in forest.nodes]
    common = _merged(sorts)
    members: dict[Sort, list[int]] = defaultdict(list)
    for node, sort in zip(forest.nodes, sorts, strict=True):
        members[common[sort]].append(node.index)
    return [
        _tabulated(sort, forest.nodes[own[0]].kind, own, [_figures(forest.nodes[k], sort, loads) for k in own])
        for sort, own in members.items()
    ]


def _merged(sorts: Sequence[Sort]) -> dict[Sort, Sort]:
    """Of every kind of joint and load the way of steps that most links have, and one with the steps of all others."""
    counts = Counter(sorts)
    ways: dict[Sort, list[Sort]] = defaultdict(list)
    for sort in counts:
        ways[replace(sort, axes=())].append(sort)
    merged: dict[Sort, Sort] = {}
    for given in ways.values():
        usual, *others = sorted(given, key=lambda sort: -counts[sort])
        # the order in which steps come is always y-aside last but one: see topology/lean.py
        every = tuple(axis for axis in (2, 1, 0) if any(axis in sort.axes for sort in others))
        merged[usual] = usual
        merged |= {sort: replace(sort, axes=every) for sort in others}
    return merged


class _Loads:
    """What acts on every link and at every coordinate."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.effort = np.zeros(forest.nv)
        for extra in forest.extras:
            self.effort[extra.v] += np.asarray(extra.value, dtype=float)
        self.stiffness, self.rest = np.zeros(forest.nv), np.zeros(forest.nq)
        for spring in forest.joint_springs:
            self.stiffness[spring.v], self.rest[spring.q] = spring.stiffness, spring.rest
        self.pushes: dict[int, list[Push]] = defaultdict(list)
        for push in forest.pushes:
            self.pushes[push.seat.node].append(push)
        self.ties: dict[int, list[PointSpring]] = defaultdict(list)
        for tie in forest.point_springs:
            node = tie.a.node if tie.b.node == BASE else tie.b.node
            self.ties[node].append(tie)
        self.motors = set(forest.actuated)


def _sort(forest: Forest, node: Node, loads: _Loads) -> Sort:
    if node.lead is None:
        raise LoopwrightError("only a forest whose frames are numbers can be rolled")
    return Sort(
        node.kind.name,
        isinstance(node.kind, Reversed),
        tuple(k in loads.motors for k in range(node.v.start, node.v.stop)),
        bool(np.any(loads.stiffness[node.v] != 0.0)),
        tuple(push.body_axes for push in loads.pushes[node.index]),
        len(loads.ties[node.index]),
        tuple(axis for axis, _, _ in node.lead),
    )


def _figures(node: Node, sort: Sort, loads: _Loads) -> Figures:
    forest = loads.forest
    steps = {axis: (angle, slide) for axis, angle, slide in node.lead or ()}
    turns = [steps.get(axis, (0.0, 0.0)) for axis in sort.axes] + [node.trail[1:]]
    sprung = sort.sprung
    return Figures(
        tuple(np.array(turn) for turn in turns),
        node.shape,
        node.inertia,
        node.rotor,
        forest.damping[node.v],
        forest.friction[node.v],
        loads.effort[node.v],
        loads.stiffness[node.v] if sprung else np.zeros(0),
        loads.rest[node.q] if sprung else np.zeros(0),
        tuple(Pushed(p.seat.X.R, p.seat.X.p, p.force, p.torque) for p in loads.pushes[node.index]),
        tuple(_tied(tie) for tie in loads.ties[node.index]),
    )


def _tied(tie: PointSpring) -> Tied:
    ground, own = (tie.b, tie.a) if tie.b.node == BASE else (tie.a, tie.b)
    return Tied(ground.X.p, own.X.p, tie.stiffness, tie.damping, tie.length)


def _tabulated(sort: Sort, kind: JointKind, members: list[int], figures: list[Figures]) -> Alike:
    """A symbol for every number that differs; numbers that are the same in every link share one."""
    import casadi

    rows = np.array([_flat(one) for one in figures])
    columns: dict[bytes, int] = {}
    entries = [_entry(column, columns) for column in rows.T]
    letters = casadi.SX.sym("figure", len(columns))
    filled = array([entry if isinstance(entry, float) else symbols(letters)[entry] for entry in entries])
    table = np.array([np.frombuffer(column) for column in columns]).reshape(len(columns), len(members)).T
    return Alike(sort, kind, tuple(members), _refilled(figures[0], filled), letters, table)


def _entry(column: Array, columns: dict[bytes, int]) -> float | int:
    if np.all(column == column[0]):
        return float(column[0])
    return columns.setdefault(np.ascontiguousarray(column).tobytes(), len(columns))


def _flat(figures: Figures) -> Array:
    return np.concatenate([np.reshape(np.asarray(part, dtype=float), -1) for part in parts(figures)])


def _refilled(like: Figures, flat: Array) -> Figures:
    given, k = [], 0
    for part in parts(like):
        given.append(array(flat[k : k + part.size]).reshape(part.shape) if part.size else part)
        k += part.size
    made: Figures = rebuilt(like, given)
    return made


def model(groups: Sequence[Alike], gravity: Array) -> Forest:
    """A forest of one link of every sort; its coordinates are those of the links one after another."""
    nodes: list[Node] = []
    springs, extras, pushes, ties, actuated = [], [], [], [], []
    i = j = 0
    for index, group in enumerate(groups):
        f, kind = group.figures, group.kind
        q, v = slice(i, i + kind.nq), slice(j, j + kind.nv)
        *lead, (angle, slide) = f.turns
        steps = tuple((axis, *turn) for axis, turn in zip(group.sort.axes, lead, strict=True))
        nodes.append(
            Node(index, BASE, "", "", kind, f.shape, Pose(), f.inertia, q, v, f.rotor, steps, (2, angle, slide))
        )
        if group.sort.sprung:
            springs.append(JointSpring(kind, q, v, f.stiffness, f.rest))
        extras.append(Extra(v, f.effort))
        for in_body_axes, push in zip(group.sort.in_body_axes, f.pushes, strict=True):
            pushes.append(Push(Seat(index, Pose(push.R, push.p)), push.force, push.torque, in_body_axes))
        for tie in f.ties:
            ground, own = Seat(BASE, Pose(np.eye(3), tie.p_ground)), Seat(index, Pose(np.eye(3), tie.p))
            ties.append(PointSpring(ground, own, tie.stiffness, tie.damping, tie.length))
        actuated += [k for k, motor in zip(range(v.start, v.stop), group.sort.actuated, strict=True) if motor]
        i, j = q.stop, v.stop
    return Forest(
        nodes=tuple(nodes),
        seats={},
        gravity=gravity,
        nq=i,
        nv=j,
        actuated=tuple(actuated),
        damping=np.concatenate([g.figures.damping for g in groups]),
        friction=np.concatenate([g.figures.friction for g in groups]),
        joint_springs=tuple(springs),
        point_springs=tuple(ties),
        pushes=tuple(pushes),
        extras=tuple(extras),
    )
