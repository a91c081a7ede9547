"""Rigid-body inertia about the frame's origin: mass, first moment, tensor; how it moves, adds and is checked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .number import Array, Number, array, where
from .pose import Pose
from .vector import accelerating, block, congruence, cross, cross_cross, skew


@dataclass(frozen=True)
class Inertia:
    """M = [[I, m d~], [-m d~, m 1]]   [Saha2013, 47b]: `mass` m, `moment` m d, `tensor` I about the origin."""

    mass: Number
    moment: Array
    tensor: Array

    @staticmethod
    def of(mass: Number, centre: Array, tensor_at_centre: Array) -> Inertia:
        """From the values about the mass centre."""
        # I_O = I_C - m d~ d~
        moment = mass * centre
        return Inertia(mass, moment, tensor_at_centre + cross_cross(centre, moment) / 2.0)

    @staticmethod
    def zero() -> Inertia:
        return Inertia(0.0, np.zeros(3), np.zeros((3, 3)))

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass + other.mass, self.moment + other.moment, self.tensor + other.tensor)

    def __matmul__(self, t: Array) -> Array:
        """M t: the momentum of the twist t, or one momentum per column."""
        w, v = t[:3], t[3:]
        if t.ndim == 2:
            h = skew(self.moment)
            return np.concatenate([self.tensor @ w + h @ v, self.mass * v - h @ w])
        return np.concatenate([self.tensor @ w + cross(self.moment, v), self.mass * v - cross(self.moment, w)])

    def wrench(self, v_rate: Array, field: Array) -> Array:
        """What it takes to move so that the point at r has the acceleration v_rate + field r.

        With field = w'~ + w~ w~ that is M t' + O M E t of [Saha2013, 47a], for half the products: the moment is
        the dual vector of field K, K = 1/2 tr(I) 1 - I the second moment of the mass   [Balafoutis1991].
        """
        U, h, I = field, self.moment, self.tensor
        K = (I[0, 0] + I[1, 1] + I[2, 2]) / 2.0 * np.eye(3) - I
        force = self.mass * v_rate + U @ h
        moment = array(
            [
                U[2, 0] * K[0, 1]
                + U[2, 1] * K[1, 1]
                - U[1, 0] * K[0, 2]
                - U[1, 2] * K[2, 2]
                + (U[2, 2] - U[1, 1]) * K[1, 2],
                U[0, 1] * K[1, 2]
                + U[0, 2] * K[2, 2]
                - U[2, 0] * K[0, 0]
                - U[2, 1] * K[1, 0]
                + (U[0, 0] - U[2, 2]) * K[0, 2],
                U[1, 0] * K[0, 0]
                + U[1, 2] * K[2, 0]
                - U[0, 1] * K[1, 1]
                - U[0, 2] * K[2, 1]
                + (U[1, 1] - U[0, 0]) * K[0, 1],
            ]
        )
        return np.concatenate([moment + cross(h, v_rate), force])

    def gyroscopic(self, w: Array) -> Array:
        """O M E t: the part of the wrench that is quadratic in the angular velocity w   [Saha2013, 46-47]"""
        return np.concatenate([cross(w, self.tensor @ w), accelerating(w, np.zeros(3)) @ self.moment])

    def gathered(self, X: Pose) -> Inertia:
        """A^T M A: the same body seen from the frame in which this one stands at X."""
        moment, added = X.R @ self.moment, self.mass * X.p
        moved = cross_cross(X.p, moment + added / 2.0)
        return Inertia(self.mass, moment + added, congruence(X.R, self.tensor) + moved)

    def shifted(self, a: Array) -> Inertia:
        """About an origin from which the old origin is at `a`, same axes."""
        return self.gathered(Pose(np.eye(3), a))

    def rotated(self, R: Array) -> Inertia:
        """Components in A of an inertia given in B, for R = R_AB."""
        return self.gathered(Pose(R, np.zeros(3)))

    def matrix(self) -> Array:
        """The symmetric 6x6 matrix M."""
        h = skew(self.moment)
        return block(self.tensor, h, -h, self.mass * np.eye(3))

    @property
    def centre(self) -> Array:
        """The mass centre; the origin when there is no mass."""
        return self.moment / where(self.mass == 0.0, 1.0, self.mass)

    @property
    def tensor_at_centre(self) -> Array:
        """I_C = I_O + m d~ d~"""
        return self.tensor - cross_cross(self.centre, self.moment) / 2.0


def why_impossible(mass: float, tensor_at_centre: Array, tolerance: float = 1e-9) -> str:
    """Why no distribution of mass has these numbers, or "" when one has."""
    if not np.isfinite(mass) or not np.all(np.isfinite(tensor_at_centre)):
        return "its mass or inertia is not a finite number"
    if mass < 0.0:
        return f"its mass {mass:g} is negative"
    moments = np.linalg.eigvalsh(tensor_at_centre)
    scale = float(np.abs(moments).max())
    if scale > 0.0 and mass == 0.0:
        return "it has inertia but no mass"
    if moments[0] < -tolerance * scale:
        return f"its inertia has the negative principal moment {moments[0]:g}"
    if moments[2] > (moments[0] + moments[1]) * (1.0 + tolerance) + tolerance * scale:
        return (
            f"its principal moments {moments[0]:g}, {moments[1]:g}, {moments[2]:g} break the triangle "
            "inequality (no moment can exceed the sum of the other two)"
        )
    return ""
