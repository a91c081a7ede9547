"""Joints on one axis, z: revolute, prismatic, screw, cylindrical."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

import numpy as np

from ...spatial import Array, Number, Pose, about_z, arctan2, array, cos, cross, numbers, sin
from .kind import Alignment, JointKind, Shape, Turn, columns, turn_to

_TURN_Z = columns((0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
_SLIDE_Z = columns((0.0, 0.0, 0.0, 0.0, 0.0, 1.0))


class Axial(JointKind):
    """Shared by the joints whose geometry is one axis."""

    geometry = MappingProxyType({"axis": (0.0, 0.0, 1.0)})
    positions: tuple[str, ...] = ("",)
    velocities: tuple[str, ...] = ("",)
    nq = nv = 1
    mirror = np.diag([1.0, -1.0, -1.0])
    turns_held = "across"

    def aligned(self, geometry: dict[str, Any], nominal: dict[str, Any]) -> Alignment:
        turn = turn_to(numbers(geometry["axis"]), numbers(nominal["axis"]))
        return Alignment(turn, turn)


class Revolute(Axial):
    """One turn about the axis."""

    name = "revolute"
    full_turns = (0,)

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return array([turned_about_z(P.R, C.R)])

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(about_z(q[0]), np.zeros(3))

    def turns(self, shape: Shape, q: Array) -> tuple[Turn, ...]:
        return ((2, q[0], 0.0),)

    def motion(self, shape: Shape, q: Array) -> Array:
        return _TURN_Z


class Prismatic(Axial):
    """One slide along the axis."""

    name = "prismatic"
    slides_held = "across"
    turns_held = "all"

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return array([P.R[:, 2] @ (C.p - P.p)])

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(np.eye(3), array([0.0, 0.0, q[0]]))

    def turns(self, shape: Shape, q: Array) -> tuple[Turn, ...]:
        return ((2, 0.0, q[0]),)

    def motion(self, shape: Shape, q: Array) -> Array:
        return _SLIDE_Z


class Screw(Axial):
    """A turn about the axis that advances along it by `pitch` metres per full turn."""

    name = "screw"
    slides_held = "across"
    geometry = MappingProxyType({"axis": (0.0, 0.0, 1.0), "pitch": None})

    def aligned(self, geometry: dict[str, Any], nominal: dict[str, Any]) -> Alignment:
        turn = turn_to(numbers(geometry["axis"]), numbers(nominal["axis"]))
        return Alignment(turn, turn, (geometry["pitch"] / (2.0 * math.pi),))

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(about_z(q[0]), array([0.0, 0.0, shape[0] * q[0]]))

    def turns(self, shape: Shape, q: Array) -> tuple[Turn, ...]:
        return ((2, q[0], shape[0] * q[0]),)

    def motion(self, shape: Shape, q: Array) -> Array:
        return columns((0.0, 0.0, 1.0, 0.0, 0.0, shape[0]))

    @property
    def rows_are_slides(self) -> tuple[bool, ...]:
        return (*super().rows_are_slides, True)

    def held(self, shape: Shape, P: Pose, C: Pose) -> Array:
        # besides the sides: z . v - h z . w = 0
        z = P.R[:, 2]
        return np.concatenate([super().held(shape, P, C), [np.concatenate([-shape[0] * z, z])]])

    def held_rate(self, shape: Shape, P: Pose, C: Pose, w_P: Array, w_C: Array) -> Array:
        z_rate = cross(w_P, P.R[:, 2])
        row = np.concatenate([-shape[0] * z_rate, z_rate])
        return np.concatenate([super().held_rate(shape, P, C, w_P, w_C), [row]])

    def gap(self, shape: Shape, P: Pose, C: Pose) -> Array:
        # the slide less h times the angle, whose full turns are not known: the nearest thread
        lead = P.R[:, 2] @ (C.p - P.p) / shape[0] - turned_about_z(P.R, C.R)
        return np.concatenate([super().gap(shape, P, C), [shape[0] * arctan2(sin(lead), cos(lead))]])

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return array([P.R[:, 2] @ (C.p - P.p) / shape[0]])


class Cylindrical(Axial):
    """A turn about the axis and an independent slide along it."""

    name = "cylindrical"
    positions = velocities = ("angle", "slide")
    full_turns = (0,)
    nq = nv = 2
    slides_held = "across"

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return array([turned_about_z(P.R, C.R), P.R[:, 2] @ (C.p - P.p)])

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose(about_z(q[0]), array([0.0, 0.0, q[1]]))

    def turns(self, shape: Shape, q: Array) -> tuple[Turn, ...]:
        return ((2, q[0], q[1]),)

    def motion(self, shape: Shape, q: Array) -> Array:
        return np.concatenate([_TURN_Z, _SLIDE_Z], axis=1)


def turned_about_z(R_P: Array, R_C: Array) -> Number:
    """The angle between the x axes of two frames that share z, within half a turn."""
    x = R_C[:, 0]
    return arctan2(R_P[:, 1] @ x, R_P[:, 0] @ x)
