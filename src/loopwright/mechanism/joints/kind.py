"""What every kind of joint must say of itself, in canonical axes.

A kind describes the motion of the child-side frame in the parent-side frame. Kinds with an axis turn about
or slide along z; `aligned` tells how the user's joint frame is turned so that its axis becomes z, which is
what keeps the motion subspace a constant unit column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ...spatial import Array, Pose, array, cross, norm, numbers, solve, sqrt, unskew

Shape = tuple[Any, ...]  # the numbers a canonical joint still depends on: a pitch, an angle between axes

Turn = tuple[int, Any, Any]  # a turn about axis 0, 1 or 2 by an angle, and a slide along it


@dataclass(frozen=True)
class Alignment:
    """Turns of the parent-side and child-side joint frames, and the canonical shape that remains."""

    parent: Array
    child: Array
    shape: Shape = ()


class JointKind:
    """nq positions, nv velocities; rigid pose, motion subspace P and the rate of its components."""

    name: str
    nq: int
    nv: int
    positions: tuple[str, ...]  # suffixes of the coordinate names, "" for a single one
    velocities: tuple[str, ...]
    geometry: Mapping[str, Any] = MappingProxyType({})  # entries the builder takes, with their defaults
    flat: bool = True  # whether dq/dt == v
    full_turns: tuple[int, ...] = ()  # entries of q that mean the same position a full turn later
    mirror: Array | None = None  # F with pose(q)^-1 == F^T pose(q) F, for joints that are the same from either end
    # directions of the parent-side frame in which the frames can neither slide nor turn against each other:
    # "all", "across" its z axis, "along" it or "none"
    slides_held: str = "all"
    turns_held: str = "none"

    def aligned(self, geometry: dict[str, Any], nominal: dict[str, Any]) -> Alignment:
        """Turns that bring the joint into canonical axes; `nominal` holds plain numbers to decide by."""
        return Alignment(np.eye(3), np.eye(3))

    def pose(self, shape: Shape, q: Array) -> Pose:
        """X_PC of the canonical frames."""
        raise NotImplementedError

    def turns(self, shape: Shape, q: Array) -> tuple[Turn, ...]:
        """The same pose as steps (axis number, angle, slide) along single axes, if it is made of such."""
        return ()

    def motion(self, shape: Shape, q: Array) -> Array:
        """P (6 x nv): the twist of the child frame relative to the parent's, at and in the child frame, is P v."""
        raise NotImplementedError

    def motion_rate(self, shape: Shape, q: Array, v: Array) -> Array:
        """dP/dt (6 x nv), component by component: zero where P is constant."""
        return np.zeros((6, self.nv))

    # closing a loop: P and C are the two frames' poses in any common axes

    @property
    def meets(self) -> bool:
        """Whether the origins of the two frames coincide wherever the joint stands."""
        return self.slides_held == "all"

    @property
    def rows_are_slides(self) -> tuple[bool, ...]:
        """Of every row of `held` and `gap`, whether it is a distance; the others are angles."""
        count = {"all": 3, "across": 2, "along": 1, "none": 0}
        return (True,) * count[self.slides_held] + (False,) * count[self.turns_held]

    def held(self, shape: Shape, P: Pose, C: Pose) -> Array:
        """W ((6 - nv) x 6): the twist t of C against P, at C's origin, obeys W t = 0; a force W^T f does no work."""
        return _rows(_directions(self.slides_held, P.R), _directions(self.turns_held, P.R))

    def held_rate(self, shape: Shape, P: Pose, C: Pose, w_P: Array, w_C: Array) -> Array:
        """dW/dt when the frames turn at w_P and w_C."""
        return _rows(_turning(self.slides_held, P.R, w_P), _turning(self.turns_held, P.R, w_P))

    def gap(self, shape: Shape, P: Pose, C: Pose) -> Array:
        """What is left to close, zero where the joint holds; there its rate is W t. Regular short of half a turn."""
        apart = [axis @ (C.p - P.p) for axis in _directions(self.slides_held, P.R)]
        if self.turns_held == "across":
            turned = misaligned(P.R[:, 2], C.R[:, 2])
        elif self.turns_held == "all":
            turned = turned_apart(P.R, C.R)
        else:
            return array(apart)
        return array([*apart, *(axis @ turned for axis in _directions(self.turns_held, P.R))])

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        """q of a joint that holds: where C stands in P."""
        raise NotImplementedError

    def free(self, shape: Shape, P: Pose, C: Pose) -> Array:
        """F (nv x 6): v = F t for the twist t of C against P, at C's origin."""
        # t = P v in the child's axes, so v = (P^T P)^-1 P^T t
        X = Pose(P.R.T @ C.R, P.R.T @ (C.p - P.p))
        S = self.motion(shape, self.position(shape, Pose(), X))
        turned = np.concatenate([C.R @ S[:3], C.R @ S[3:]])
        return solve(S.T @ S, turned.T) if self.nv else np.zeros((0, 6))

    def neutral(self) -> Array:
        """The position at which the two frames coincide."""
        return np.zeros(self.nq)

    def fingerprint(self, q: Array) -> Array:
        """Numbers that are the same exactly when the joint stands the same."""
        turning = list(self.full_turns)
        return np.concatenate([np.delete(q, turning), np.cos(q[turning]), np.sin(q[turning])])

    def rates(self, q: Array, v: Array) -> Array:
        """dq/dt"""
        return v

    def integrate(self, q: Array, dv: Array) -> Array:
        """The position reached from q by the small motion dv = v dt."""
        return q + dv

    def difference(self, q0: Array, q1: Array) -> Array:
        """The motion that leads from q0 to q1: integrate(q0, difference(q0, q1)) is q1."""
        return q1 - q0


def turn_to(axis: Array, nominal: Array) -> Array:
    """A rotation whose third column is the unit vector along `axis`; a permutation when that is x, y or z."""
    # x' = e x axis, with e the basis vector before the axis' largest component, so never parallel to it
    k = int(np.argmax(np.abs(np.asarray(nominal, dtype=float))))
    e = np.eye(3)[(k + 2) % 3]
    z = unit(axis)
    x = unit(cross(e, z))
    return np.stack([x, cross(z, x), z], axis=1)


def unit(a: Array) -> Array:
    """The unit vector along `a`."""
    return a / norm(a)


def columns(*entries: tuple[float, ...]) -> Array:
    """A 6 x nv matrix from its columns."""
    return numbers(array(entries).T)


def _directions(which: str, R: Array) -> list[Array]:
    """Unit vectors held; where all are, any three will do, and the common axes themselves cost nothing."""
    if which == "all":
        return list(np.eye(3))
    return {"across": [R[:, 0], R[:, 1]], "along": [R[:, 2]], "none": []}[which]


def _turning(which: str, R: Array, w: Array) -> list[Array]:
    """The rates of those vectors: w x e of those that turn with the frame."""
    if which == "all":
        return [np.zeros(3)] * 3
    return [cross(w, axis) for axis in _directions(which, R)]


def _rows(slides: list[Array], turns: list[Array]) -> Array:
    """Rows on a twist [w; v]."""
    zero = np.zeros(3)
    rows = [np.concatenate([zero, axis]) for axis in slides] + [np.concatenate([axis, zero]) for axis in turns]
    return np.stack(rows) if rows else np.zeros((0, 6))


def misaligned(a: Array, b: Array) -> Array:
    """2 sin(angle / 2) times the axis that turns the unit vector a into b."""
    # |a x b| = sin = 2 sin(angle/2) cos(angle/2),  a . b = 2 cos^2(angle/2) - 1
    return cross(a, b) * sqrt(2.0 / (1.0 + a @ b))


def turned_apart(R_P: Array, R_C: Array) -> Array:
    """2 sin(angle / 2) times the axis of the rotation that takes P's axes to C's."""
    R = R_C @ R_P.T
    return unskew(R) * (2.0 / sqrt(1.0 + R[0, 0] + R[1, 1] + R[2, 2]))
