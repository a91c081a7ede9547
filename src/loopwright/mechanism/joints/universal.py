"""Universal joint: a turn about an axis fixed in the parent, then about one fixed in the child."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from ...spatial import Array, Pose, about_z, arctan2, array, cross, norm, numbers
from .kind import Alignment, JointKind, Shape, unit

_ZERO = np.zeros(3)
_Z = np.array([0.0, 0.0, 1.0])


class Universal(JointKind):
    """R = Rz(q0) K Rz(q1), K = Rx(angle between the axes); the axes meet but need not be perpendicular."""

    name = "universal"
    geometry = MappingProxyType({"axes": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))})
    positions = velocities = ("1", "2")
    nq = nv = 2
    full_turns = (0, 1)

    def aligned(self, geometry: dict[str, Any], nominal: dict[str, Any]) -> Alignment:
        # both frames share x along the common normal, so the turn between them is about x
        a, b = unit(numbers(geometry["axes"][0])), unit(numbers(geometry["axes"][1]))
        normal = cross(a, b)
        x = unit(normal)
        parent = np.stack([x, cross(a, x), a], axis=1)
        child = np.stack([x, cross(b, x), b], axis=1)
        return Alignment(parent, child, (a @ b, norm(normal)))

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(about_z(q[0]) @ _tilt(shape) @ about_z(q[1]), _ZERO)

    @property
    def rows_are_slides(self) -> tuple[bool, ...]:
        return (*super().rows_are_slides, False)

    def held(self, shape: Shape, P: Pose, C: Pose) -> Array:
        # no turn about the common normal of the axes
        normal = cross(P.R[:, 2], C.R[:, 2])
        return np.concatenate([super().held(shape, P, C), [np.concatenate([normal, _ZERO])]])

    def held_rate(self, shape: Shape, P: Pose, C: Pose, w_P: Array, w_C: Array) -> Array:
        a, b = P.R[:, 2], C.R[:, 2]
        rate = cross(cross(w_P, a), b) + cross(a, cross(w_C, b))
        return np.concatenate([super().held_rate(shape, P, C, w_P, w_C), [np.concatenate([rate, _ZERO])]])

    def gap(self, shape: Shape, P: Pose, C: Pose) -> Array:
        # the angle between the axes stays; d(a . b)/dt = -(a x b) . w
        return np.concatenate([super().gap(shape, P, C), [shape[0] - P.R[:, 2] @ C.R[:, 2]]])

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        # R = Rz(q0) K Rz(q1): the child's axis in the parent is (s sin q0, -s cos q0, c), and the other way round
        R = P.R.T @ C.R
        return array([arctan2(R[0, 2], -R[1, 2]), arctan2(R[2, 0], R[2, 1])])

    def _first_axis(self, shape: Shape, q: Array) -> Array:
        """The parent's axis in the axes of the child."""
        return about_z(q[1]).T @ _tilt(shape).T @ _Z

    def motion(self, shape: Shape, q: Array) -> Array:
        angular = np.stack([self._first_axis(shape, q), _Z], axis=1)
        return np.concatenate([angular, np.zeros((3, 2))])

    def motion_rate(self, shape: Shape, q: Array, v: Array) -> Array:
        # d(R1^T u)/dt = -z v1 x R1^T u
        moving = np.concatenate([cross(self._first_axis(shape, q), _Z) * v[1], _ZERO])
        return np.stack([moving, np.zeros(6)], axis=1)


def _tilt(shape: Shape) -> Array:
    c, s = shape
    return array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
