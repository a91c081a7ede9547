"""Poses, twists, twist rates and Jacobians, outward from the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Pose, Propagation, accelerating, cross
from ..topology import BASE
from .links import Link
from .sweep import outward

STILL = np.zeros(6)


@dataclass(frozen=True)
class Motion:
    """Twist and twist rate of a link, at its origin and in its own axes; the rate is d(w)/dt, d(v_O)/dt.

    `field` is w'~ + w~ w~: the link's point at r from the origin accelerates at rate_v + field r.
    """

    twist: Array
    rate: Array
    field: Array

    @staticmethod
    def of(twist: Array, rate: Array) -> Motion:
        return Motion(twist, rate, accelerating(twist[:3], rate[:3]))


def poses(links: list[Link]) -> list[Pose]:
    """X_0i of every link."""

    # X_0i = X_0,parent X_parent,i
    def step(link: Link, parent: Pose) -> Pose:
        return parent @ link.X

    return outward(links, step, Pose())


def twists(links: list[Link]) -> list[Array]:
    """t_i of every link."""

    # t_i = A_i t_parent + P_i th'_i                                   [Saha2013, 22 and 36a]
    def step(link: Link, parent: Array) -> Array:
        return link.A @ parent + link.P @ link.rate

    return outward(links, step, STILL)


def motions(links: list[Link], accelerations: list[Array], base_rate: Array = STILL) -> list[Motion]:
    """Twists and twist rates; `base_rate` is the twist rate of the ground, by which gravity enters (26)."""
    return outward(links, moved, Motion.of(STILL, base_rate), accelerations)


def moved(link: Link, parent: Motion, acceleration: Array) -> Motion:
    """How a link moves when its parent moves so and its own joint accelerates."""
    # t_i  = A t_p + P th'                                             [Saha2013, 22]
    # t'_i = A t'_p + A' t_p + P th'' + P' th'                         [Saha2013, 23]
    twist = link.A @ parent.twist + link.P @ link.rate
    origin = parent.rate[3:] + parent.field @ link.A.a
    carried = np.concatenate([link.A.turned(parent.rate[:3]), link.A.turned(origin)])
    return Motion.of(twist, carried + link.P @ acceleration + coriolis(link, parent.twist))


def drift(link: Link, parent: Array) -> Array:
    """A' t_p + P' th': what is left of a link's twist rate when nothing accelerates."""
    return link.A @ centripetal(link, parent) + coriolis(link, parent)


def centripetal(link: Link, parent: Array) -> Array:
    """[0; w x (w x a)] of the joint's origin as a point of the parent link, in the parent's axes."""
    return np.concatenate([np.zeros(3), accelerating(parent[:3], np.zeros(3)) @ link.A.a])


def coriolis(link: Link, parent: Array) -> Array:
    """[w x w_J; 2 w x v_J + w_J x v_J] + dP/dt th', w the parent's angular velocity in this link's axes."""
    joint = link.P @ link.rate
    w, w_joint, v_joint = link.A.turned(parent[:3]), joint[:3], joint[3:]
    linear = 2.0 * cross(w, v_joint) + cross(w_joint, v_joint)
    return np.concatenate([cross(w, w_joint), linear]) + link.P_rate @ link.rate


def jacobian(links: list[Link], X: list[Pose], index: int, point: Array, nv: int) -> Array:
    """6 x nv: angular and linear velocity, in ground axes, of the point of link `index` at `point` (ground axes)."""
    columns: dict[int, Array] = {}
    while index != BASE:
        link = links[index]
        at_point = Propagation(X[index].R.T, X[index].R.T @ (point - X[index].p))
        for k, column in enumerate((at_point @ link.P).T):
            columns[link.v.start + k] = column
        index = link.parent
    still = np.zeros(6)
    return np.stack([columns.get(k, still) for k in range(nv)], axis=1) if nv else np.zeros((6, 0))
