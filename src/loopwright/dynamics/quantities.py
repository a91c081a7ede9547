"""Mass, mass centre, momentum and energy of the whole tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Inertia, Number, Pose, cross
from .links import Link


@dataclass(frozen=True)
class Momentum:
    """In ground axes; `angular` about the ground's origin, `about_centre` about the mass centre."""

    linear: Array
    angular: Array
    centre: Array
    about_centre: Array


@dataclass(frozen=True)
class Energy:
    """Of bodies and rotors moving, and of gravity and springs."""

    kinetic: Number
    potential: Number

    @property
    def total(self) -> Number:
        return self.kinetic + self.potential


def whole(links: list[Link], X: list[Pose]) -> Inertia:
    """Inertia of everything as one rigid body, about the ground's origin."""
    total = Inertia.zero()
    for link, pose in zip(links, X, strict=True):
        total = total + link.M.gathered(pose)
    return total


def momentum(links: list[Link], X: list[Pose], t: list[Array]) -> Momentum:
    """Sum over the links of M_i t_i, brought to the ground's origin."""
    linear = angular = np.zeros(3)
    for link, pose, twist in zip(links, X, t, strict=True):
        h = link.M @ twist
        linear_i = pose.R @ h[3:]
        linear = linear + linear_i
        angular = angular + pose.R @ h[:3] + cross(pose.p, linear_i)
    centre = whole(links, X).centre
    return Momentum(linear, angular, centre, angular - cross(centre, linear))


def kinetic(links: list[Link], t: list[Array]) -> Number:
    """T = 1/2 sum t_i^T M_i t_i, and the rotors at the speed of their joints."""
    total: Number = 0.0
    for link, twist in zip(links, t, strict=True):
        total = total + twist @ (link.M @ twist) + link.rate @ (link.rotor * link.rate)
    return total / 2.0


def gravitational(links: list[Link], X: list[Pose], gravity: Array) -> Number:
    """V = -g . sum m_i c_i"""
    return -(gravity @ whole(links, X).moment)
