"""Planar joint: a slide in a plane of the parent, then a turn about the plane's normal."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from ...spatial import Array, Pose, about_z, array, cos, numbers, sin
from .axial import turned_about_z
from .kind import Alignment, JointKind, Shape, Turn, turn_to


class Planar(JointKind):
    """q = (x, y, angle), measured in the parent-side joint frame; dq/dt = v."""

    name = "planar"
    geometry = MappingProxyType({"normal": (0.0, 0.0, 1.0)})
    positions = velocities = ("x", "y", "angle")
    nq = nv = 3
    full_turns = (2,)
    slides_held = "along"
    turns_held = "across"

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        apart = C.p - P.p
        return array([P.R[:, 0] @ apart, P.R[:, 1] @ apart, turned_about_z(P.R, C.R)])

    def aligned(self, geometry: dict[str, Any], nominal: dict[str, Any]) -> Alignment:
        turn = turn_to(numbers(geometry["normal"]), numbers(nominal["normal"]))
        return Alignment(turn, turn)

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(about_z(q[2]), array([q[0], q[1], 0.0]))

    def turns(self, shape: Shape, q: Array) -> tuple[Turn, ...]:
        return ((0, 0.0, q[0]), (1, 0.0, q[1]), (2, q[2], 0.0))

    def motion(self, shape: Shape, q: Array) -> Array:
        c, s = cos(q[2]), sin(q[2])
        return array(
            [
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 1.0],
                [c, s, 0.0],
                [-s, c, 0.0],
                [0.0, 0.0, 0.0],
            ]
        )

    def motion_rate(self, shape: Shape, q: Array, v: Array) -> Array:
        c, s = cos(q[2]) * v[2], sin(q[2]) * v[2]
        still = [0.0, 0.0, 0.0]
        return array([still, still, still, [-s, c, 0.0], [-c, -s, 0.0], still])
