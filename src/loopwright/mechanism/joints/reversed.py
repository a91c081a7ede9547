"""Any joint walked from its child to its parent: same coordinates, the other body moves."""

from __future__ import annotations

import numpy as np

from ...spatial import Array, Pose, skew
from .kind import JointKind, Shape


class Reversed(JointKind):
    """With t = P v the twist of C in P, the twist of P in C is L t,  L [w; u] = [-R w; (R w) x a - R u]."""

    def __init__(self, forward: JointKind) -> None:
        self.forward = forward
        self.name, self.nq, self.nv, self.flat = forward.name, forward.nq, forward.nv, forward.flat
        self.positions, self.velocities = forward.positions, forward.velocities
        self.full_turns = forward.full_turns

    def pose(self, shape: Shape, q: Array) -> Pose:
        return self.forward.pose(shape, q).inverse()

    def motion(self, shape: Shape, q: Array) -> Array:
        # the columns of L P
        X, P = self.forward.pose(shape, q), self.forward.motion(shape, q)
        Rw = X.R @ P[:3]
        return np.concatenate([-Rw, -(skew(X.p) @ Rw) - X.R @ P[3:]])

    def motion_rate(self, shape: Shape, q: Array, v: Array) -> Array:
        # d(L t_k)/dt = L dt_k/dt + dL/dt t_k, with dR/dt = R w~ and da/dt = R u for the joint's own twist [w; u]
        X, P = self.forward.pose(shape, q), self.forward.motion(shape, q)
        rate = self.forward.motion_rate(shape, q, v)
        w, u = P[:3] @ v, P[3:] @ v
        a, turning = skew(X.p), skew(w)
        angular = X.R @ (rate[:3] + turning @ P[:3])
        linear = X.R @ (rate[3:] + turning @ P[3:]) + skew(X.R @ u) @ (X.R @ P[:3])
        return np.concatenate([-angular, -(a @ angular) - linear])

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return self.forward.position(shape, C, P)

    def fingerprint(self, q: Array) -> Array:
        return self.forward.fingerprint(q)

    def neutral(self) -> Array:
        return self.forward.neutral()

    def rates(self, q: Array, v: Array) -> Array:
        return self.forward.rates(q, v)

    def integrate(self, q: Array, dv: Array) -> Array:
        return self.forward.integrate(q, dv)

    def difference(self, q0: Array, q1: Array) -> Array:
        return self.forward.difference(q0, q1)
