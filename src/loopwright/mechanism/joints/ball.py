"""Joints with an orientation of their own, kept as a unit quaternion (x, y, z, w): spherical and free."""

from __future__ import annotations

import numpy as np

from ...spatial import (
    Array,
    Pose,
    from_quaternion,
    quaternion_exp,
    quaternion_inverse,
    quaternion_log,
    quaternion_product,
    quaternion_rate,
    to_quaternion,
)
from .kind import JointKind, Shape

_SPIN = np.concatenate([np.eye(3), np.zeros((3, 3))])
_SWAP = np.block([[np.zeros((3, 3)), np.eye(3)], [np.eye(3), np.zeros((3, 3))]])


class Spherical(JointKind):
    """v is the angular velocity in the axes of the child."""

    name = "spherical"
    positions = ("qx", "qy", "qz", "qw")
    velocities = ("wx", "wy", "wz")
    nq, nv = 4, 3
    flat = False

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(from_quaternion(q), np.zeros(3))

    def motion(self, shape: Shape, q: Array) -> Array:
        return _SPIN

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return to_quaternion(P.R.T @ C.R)

    def fingerprint(self, q: Array) -> Array:
        return np.outer(q, q).ravel()  # a quaternion and its negative are one orientation

    def neutral(self) -> Array:
        return np.array([0.0, 0.0, 0.0, 1.0])

    def rates(self, q: Array, v: Array) -> Array:
        return quaternion_rate(q, v)

    def integrate(self, q: Array, dv: Array) -> Array:
        return quaternion_product(q, quaternion_exp(dv))

    def difference(self, q0: Array, q1: Array) -> Array:
        return quaternion_log(quaternion_product(quaternion_inverse(q0), q1))


class Free(JointKind):
    """q = (position in the parent, quaternion); v = (linear, angular), both in the axes of the child."""

    name = "free"
    positions = ("x", "y", "z", "qx", "qy", "qz", "qw")
    velocities = ("vx", "vy", "vz", "wx", "wy", "wz")
    nq, nv = 7, 6
    flat = False
    slides_held = "none"

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(from_quaternion(q[3:]), q[:3])

    def motion(self, shape: Shape, q: Array) -> Array:
        return _SWAP

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return np.concatenate([P.R.T @ (C.p - P.p), to_quaternion(P.R.T @ C.R)])

    def fingerprint(self, q: Array) -> Array:
        return np.concatenate([q[:3], np.outer(q[3:], q[3:]).ravel()])

    def neutral(self) -> Array:
        return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])

    def rates(self, q: Array, v: Array) -> Array:
        return np.concatenate([from_quaternion(q[3:]) @ v[:3], quaternion_rate(q[3:], v[3:])])

    def integrate(self, q: Array, dv: Array) -> Array:
        turned = quaternion_product(q[3:], quaternion_exp(dv[3:]))
        return np.concatenate([q[:3] + from_quaternion(q[3:]) @ dv[:3], turned])

    def difference(self, q0: Array, q1: Array) -> Array:
        moved = from_quaternion(q0[3:]).T @ (q1[:3] - q0[:3])
        return np.concatenate([moved, quaternion_log(quaternion_product(quaternion_inverse(q0[3:]), q1[3:]))])
