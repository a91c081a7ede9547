"""The same forest in axes and with masses that cost fewer operations. Motions and joint forces are unchanged.

Axes: a joint that turns about and slides along z does not care where on z its frame stands nor how it is
turned about it. Placed on the common normal with the next joint, with x along it, the way from link to link is
a turn and slide along x, then one along z: modified Denavit–Hartenberg axes   [Khalil1986].

Masses: what a joint's motion cannot stir may as well ride on the link before. For a revolute joint that is the
mass and its moment along the axis, and as much inertia as is round about it; on the ground it is dropped
altogether. The lumps no longer describe bodies, so energies, mass centres and reactions are not asked of a
lean forest; the equations of motion are the same to the last term   [Khalil1986; Gautier, Khalil 1990].
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..mechanism.joints import Turn
from ..spatial import Array, Inertia, Pose, about_z, is_symbolic, symmetric
from .apart import moved_seats, taken_apart
from .forest import BASE, Forest, Node, Seat

_ROUND_ABOUT_Z = ("revolute", "screw", "cylindrical")
_STAYS_ON_AXIS = ("revolute",)
_STAYS_AT_POINT = ("spherical",)
_PARALLEL = 1e-12  # sines of angles between axes
_NEARLY_PARALLEL = 0.2
_ROUNDING = 1e-14


def lean(forest: Forest, lump: bool = True) -> Forest:
    """The forest to record programs from; without `lump` the masses stay with their bodies."""
    apart = taken_apart(forest)
    return _reframed(_regrouped(apart) if lump else apart)


def _regrouped(forest: Forest) -> Forest:
    """Move to every parent what its child's joint cannot stir, tips first."""
    masses = [node.inertia for node in forest.nodes]
    for node in reversed(forest.nodes):
        moved = _unstirred(node, masses[node.index])
        masses[node.index] = _less(masses[node.index], moved)
        if node.parent != BASE:
            masses[node.parent] = masses[node.parent] + moved.gathered(node.X_tree)
    nodes = tuple(replace(node, inertia=inertia) for node, inertia in zip(forest.nodes, masses, strict=True))
    return replace(forest, nodes=nodes)


def _unstirred(node: Node, M: Inertia) -> Inertia:
    """The part of a link's inertia that has the same energy whatever its own joint does."""
    nothing, zero = Inertia.zero(), 0.0
    kind = node.kind.name
    if kind == "prismatic":
        return Inertia(zero, np.zeros(3), M.tensor)
    if kind in _STAYS_AT_POINT:
        return Inertia(M.mass, np.zeros(3), np.zeros((3, 3)))
    if kind not in _ROUND_ABOUT_Z:
        return nothing
    I = M.tensor
    c = (I[0, 0] + I[1, 1] - I[2, 2]) / 2.0
    round_about = symmetric([c, c, zero, zero, zero, zero])
    if kind not in _STAYS_ON_AXIS:
        return Inertia(zero, np.zeros(3), round_about)
    on_axis = M.moment * np.array([0.0, 0.0, 1.0])
    return Inertia(M.mass, on_axis, round_about)


def _less(M: Inertia, part: Inertia) -> Inertia:
    return Inertia(_difference(M.mass, part.mass), M.moment - part.moment, M.tensor - part.tensor)


def _difference(a: object, b: object) -> object:
    return 0.0 if a is b else a - b  # type: ignore[operator]


def _reframed(forest: Forest) -> Forest:
    """Put every axial joint's frame on the common normal to the next, and split the way to it into two screws."""
    if any(is_symbolic(node.X_tree.R) or is_symbolic(node.X_tree.p) for node in forest.nodes):
        return forest  # where the frames stand is not known yet
    children = forest.children()
    shift = [Pose()] * len(forest.nodes)
    nodes: list[Node] = list(forest.nodes)
    for node in forest.nodes:
        if node.kind.mirror is not None:
            shift[node.index] = _towards_next(node, [forest.nodes[k] for k in children[node.index]])
    for node in forest.nodes:
        before = Pose() if node.parent == BASE else shift[node.parent].inverse()
        own = shift[node.index]
        X = before @ node.X_tree @ own
        lead, trail = _steps(X)
        inertia = _seen_from(own, node.inertia)
        nodes[node.index] = replace(node, X_tree=X, lead=lead, trail=trail, inertia=inertia)

    def seat(s: Seat) -> Seat:
        return s if s.node == BASE else Seat(s.node, _without_rounding(shift[s.node].inverse() @ s.X))

    return moved_seats(replace(forest, nodes=tuple(nodes)), seat)


def _towards_next(node: Node, outer: list[Node]) -> Pose:
    """F in the node's frame, along and about z: where the common normal with the next axis leaves its own."""
    if outer:
        (_, gamma, epsilon), *_ = _decomposed(outer[0].X_tree)
        return Pose(about_z(gamma), np.array([0.0, 0.0, epsilon]))
    # a tip: take up what the way to it ends with, or turn x to the mass centre
    *_, (_, theta, d) = _decomposed(node.X_tree)
    return Pose(about_z(_heading(node, -theta)), np.array([0.0, 0.0, -d]))


def _heading(node: Node, otherwise: float) -> float:
    """The direction of the mass centre about z, if the joint turns there anyway and it rids the moment of an entry."""
    hx, hy, _ = node.inertia.moment
    if node.kind.name not in _ROUND_ABOUT_Z or is_symbolic(node.inertia.moment) or 0.0 in (_snapped(hx), _snapped(hy)):
        return otherwise
    return math.atan2(hy, hx)


def _decomposed(X: Pose) -> tuple[Turn, ...]:
    """X = Rz(gamma) Tz(epsilon) [Ty(b)] Rx(alpha) Tx(a) Rz(theta) Tz(d), with b only for axes nearly parallel."""
    z, p = X.R[:, 2], X.p
    s = math.hypot(z[0], z[1])
    b = d = 0.0
    if s <= _PARALLEL:
        alpha, a = (0.0 if z[2] > 0.0 else math.pi), math.hypot(p[0], p[1])
        gamma, epsilon = (math.atan2(p[1], p[0]) if a > 0.0 else 0.0), float(p[2])
    else:
        # x along the common normal of the two axes
        alpha, gamma = math.atan2(s, z[2]), math.atan2(z[0], -z[1])
        x, y = np.array([math.cos(gamma), math.sin(gamma), 0.0]), np.array([-math.sin(gamma), math.cos(gamma), 0.0])
        a = float(x @ p)
        if s > _NEARLY_PARALLEL:
            # p = epsilon z0 + a x + d z
            d = float(y @ p) / float(y @ z)
            epsilon = float(p[2] - d * z[2])
        else:
            # the common normal is far away, and going there would cost digits: stay and step aside
            b, epsilon = float(y @ p), float(p[2])
    theta = _turn_left(X.R, gamma, alpha)
    aside = [(1, 0.0, b)] if b != 0.0 else []
    steps = [(2, gamma, epsilon), *aside, (0, alpha, a), (2, theta, d)]
    return tuple((k, _snapped(angle), _snapped(slide)) for k, angle, slide in steps)


def _turn_left(R: Array, gamma: float, alpha: float) -> float:
    """theta in R = Rz(gamma) Rx(alpha) Rz(theta)."""
    x = np.array([math.cos(gamma), math.sin(gamma), 0.0])
    y = np.array([-math.sin(gamma) * math.cos(alpha), math.cos(gamma) * math.cos(alpha), math.sin(alpha)])
    return math.atan2(float(y @ R[:, 0]), float(x @ R[:, 0]))


def _snapped(value: float) -> float:
    """Rounding is not geometry: what is meant to be nothing is nothing."""
    return 0.0 if abs(value) < 1e-14 else value


def _seen_from(X: Pose, M: Inertia) -> Inertia:
    """About and in the axes of the frame at X; what lumping made zero stays zero, not a rounding beside it."""
    moved = M.gathered(X.inverse())
    if is_symbolic(moved.moment) or is_symbolic(moved.tensor):
        return moved
    h, I = moved.moment, moved.tensor
    h = np.where(np.abs(h) < _ROUNDING * np.abs(h).max(), 0.0, h)
    flat = I[0, 0] + I[1, 1]  # the moment about z of a body without extent along z
    if abs(flat - I[2, 2]) < _ROUNDING * np.abs(I).max():
        I = I.copy()
        I[2, 2] = flat
    return replace(moved, moment=h, tensor=I)


def _without_rounding(X: Pose) -> Pose:
    if is_symbolic(X.R) or is_symbolic(X.p):
        return X
    return Pose(X.R - np.where(np.abs(X.R) < 1e-15, X.R, 0.0), X.p - np.where(np.abs(X.p) < 1e-16, X.p, 0.0))


def _steps(X: Pose) -> tuple[tuple[Turn, ...], Turn]:
    *first, last = _decomposed(X)
    return tuple(step for step in first if step[1] != 0.0 or step[2] != 0.0), last
