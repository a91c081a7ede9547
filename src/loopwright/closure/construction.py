"""Closed positions by construction: bodies are put together ring by ring, every way there is.

Bodies that stand fast against each other form a cluster: at first those joined by a weld or by a joint whose value is
given. Three clusters joined in a ring become one, in as many ways as their triangle has. A linkage whose bodies all
end in one cluster has then been assembled in all its branches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..mechanism import GROUND, Branch, Mechanism, joint_frames
from ..spatial import Array, Pose
from .triangles import Corner, triangle

source = "dyads of planar linkages (Assur)"

_LETTERS = {"revolute": "R", "prismatic": "P", "spherical": "S", "universal": "U"}
_BEYOND = 1e3  # what it costs to stand beyond a limit


@dataclass(frozen=True)
class _Between:
    """A joint not yet settled, its frames in its two bodies."""

    kind: str
    a: str
    b: str
    in_a: Pose
    in_b: Pose
    cosine: float
    limits: tuple[float, float] | None


@dataclass(frozen=True)
class _Partial:
    """Where every body stands in its cluster; `cost` grows with the distance from where bodies stood before."""

    X: Mapping[str, Pose]
    cost: float

    def moved(self, bodies: Sequence[str], at: Pose) -> _Partial:
        """With bodies of another cluster taken over at this pose."""
        return _Partial({**self.X, **{body: at @ self.X[body] for body in bodies}}, self.cost)


class _Clusters:
    """Which bodies stand fast against each other, the same for all ways; a cluster is named after one of them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.of = {name: name for name in names}
        self.bodies = {name: [name] for name in names}
        self.between: dict[str, dict[str, _Between]] = {name: {} for name in names}

    def link(self, joint: _Between) -> None:
        a, b = self.of[joint.a], self.of[joint.b]
        if a != b:
            self.between[a].setdefault(b, joint)
            self.between[b].setdefault(a, joint)

    def merge(self, into: str, name: str) -> None:
        """The bodies of `name` belong to `into`."""
        for body in self.bodies[name]:
            self.of[body] = into
        self.bodies[into] += self.bodies.pop(name)
        for other, joint in self.between.pop(name).items():
            self.between[other].pop(name, None)
            self.link(joint)

    def trios(self) -> Iterator[tuple[str, str, str]]:
        """Clusters of which every two are joined: those around the ground first, and what was joined last."""
        for one in (self.of[GROUND], *self.between):
            around = self.between[one]
            for two in reversed(around):
                yield from ((one, two, three) for three in self.between[two] if three in around)


def constructed(
    mechanism: Mechanism, given: Mapping[str, Array], stands: Mapping[str, Pose], near: Mapping[str, Pose], most: int
) -> list[dict[str, Pose]] | None:
    """Poses of all bodies in every way to assemble them, those nearest to `near` first; None when rings do not do it.

    `given` has the coordinates of joints by name, `stands` the poses of bodies that are known. The loops of what is
    returned are closed where they can be.
    """
    clusters, start = _begun(mechanism, given, stands)
    partial = [start]
    while partial and len(clusters.bodies) > 1:
        found = _ring(partial, clusters, near)
        if found is None:
            return None
        ring, grown = found
        partial = sorted(grown, key=lambda one: one.cost)[:most]
        clusters.merge(ring[0], ring[1])
        clusters.merge(ring[0], ring[2])
    return [_on_ground(one) for one in partial]


def _begun(mechanism: Mechanism, given: Mapping[str, Array], stands: Mapping[str, Pose]) -> tuple[_Clusters, _Partial]:
    names = [GROUND, *(body.name for body in mechanism.bodies)]
    clusters = _Clusters(names)
    X = dict.fromkeys(names, Pose())
    for body, at in stands.items():
        clusters.merge(GROUND, body)
        X[body] = at
    left = []
    for joint in mechanism.joints:
        frames = joint_frames(Branch(joint, joint.parent, joint.child), mechanism.values)
        if frames.kind.nv and joint.name not in given:
            limits = joint.limits[0] if len(joint.limits) == 1 else None
            cosine = float(frames.shape[0]) if joint.kind == "universal" else 0.0
            kind = _LETTERS.get(joint.kind, "?")
            left.append(_Between(kind, joint.parent, joint.child, frames.in_inner, frames.in_outer, cosine, limits))
            continue
        a, b = joint.parent, joint.child
        if clusters.of[a] == clusters.of[b]:
            continue
        X_ab = frames.in_inner @ frames.kind.pose(frames.shape, given.get(joint.name, np.zeros(0)))
        at = X[a] @ X_ab @ frames.in_outer.inverse() @ X[b].inverse()
        for body in clusters.bodies[clusters.of[b]]:
            X[body] = at @ X[body]
        clusters.merge(clusters.of[a], clusters.of[b])
    for between in left:
        clusters.link(between)
    return clusters, _Partial(X, 0.0)


Ring = tuple[str, str, str]


def _ring(
    partial: Sequence[_Partial], clusters: _Clusters, near: Mapping[str, Pose]
) -> tuple[Ring, list[_Partial]] | None:
    """Three clusters, each joined to the others, that can be put together; and every way to do so."""
    for trio in clusters.trios():
        ways = [_closed(one, clusters, trio, near) for one in partial]
        if any(found is not None for found in ways):
            # where the ring has no unique answer, as in a rhombus that has folded up, a way is left out
            return trio, [one for found in ways for one in found or []]
    return None


def _closed(state: _Partial, clusters: _Clusters, names: Ring, near: Mapping[str, Pose]) -> list[_Partial] | None:
    """Every way to close the ring."""
    joints = [clusters.between[names[k]][names[(k + 1) % 3]] for k in range(3)]
    stood = [_stood(state, name, near) for name in names]
    corners = [_corner(state, joint, clusters.of[joint.a] == name) for joint, name in zip(joints, names, strict=True)]
    base = stood[0].inverse()
    ways = triangle(corners[0], corners[1], corners[2], (base @ stood[1], base @ stood[2]))
    if ways is None:
        return None
    found = []
    for X in ways:
        stands = [Pose(), *X]
        cost = state.cost + sum(
            _cost(joint, corner, stands[k].inverse() @ stands[(k + 1) % 3], stood[k].inverse() @ stood[(k + 1) % 3])
            for k, (joint, corner) in enumerate(zip(joints, corners, strict=True))
        )
        moved = state.moved(clusters.bodies[names[1]], X[0]).moved(clusters.bodies[names[2]], X[1])
        found.append(_Partial(moved.X, cost))
    return found


def _stood(state: _Partial, name: str, near: Mapping[str, Pose]) -> Pose:
    """Where a cluster stands by the body that it is named after."""
    return near.get(name, Pose()) @ state.X[name].inverse()


def _corner(state: _Partial, joint: _Between, forwards: bool) -> Corner:
    corner = Corner(joint.kind, state.X[joint.a] @ joint.in_a, state.X[joint.b] @ joint.in_b, joint.cosine)
    return corner if forwards else corner.turned()


def _cost(joint: _Between, corner: Corner, X: Pose, before: Pose) -> float:
    """How far a joint moved from where it was, and whether it is beyond its limits."""
    now = corner.here.inverse() @ X @ corner.there
    then = corner.here.inverse() @ before @ corner.there
    # 2 (1 - cos) of the turn between, and the square of the slide
    cost = float(3.0 - np.trace(then.R.T @ now.R) + np.sum((now.p - then.p) ** 2))
    if joint.limits is not None and joint.kind == "P":
        low, high = joint.limits
        cost += _BEYOND * (not low <= now.p[2] <= high)
    return cost


def _on_ground(state: _Partial) -> dict[str, Pose]:
    base = state.X[GROUND].inverse()
    return {body: base @ X for body, X in state.X.items() if body != GROUND}
