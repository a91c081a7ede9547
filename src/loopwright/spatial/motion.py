"""Twists (angular first) and how a rigid link carries them from one point and frame to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .inertia import Inertia
from .number import Array, is_symbolic
from .pose import Pose
from .vector import block, congruence, cross, skew


def twist(angular: Array, linear: Array) -> Array:
    """t = [w; v]   [Saha2013, 1]"""
    return np.concatenate([angular, linear])


def angular(t: Array) -> Array:
    return t[:3]


def linear(t: Array) -> Array:
    return t[3:]


def single_axes(P: Array) -> dict[int, int]:
    """Which axes of a twist are columns of P by themselves: axis -> column, as for a turn about or slide along z."""
    columns = [(k, P[:, k]) for k in range(P.shape[1]) if not is_symbolic(P[:, k])]
    return {int(np.argmax(p)): k for k, p in columns if np.count_nonzero(p) == 1 and p.max() == 1.0}


@dataclass(frozen=True)
class Propagation:
    """The twist-propagation matrix A_ij, in the axes of each link   [Saha2013, 36b]

    `A @ t_j` is the twist, at O_i and in the axes of i, of a point fixed to link j. `A.T @ w_i` is the same
    wrench seen at O_j in the axes of j. `A.gathered(M)` is A^T M A.
    """

    R: Array  # axes of i, in components of j
    a: Array  # O_i from O_j, in components of j

    @staticmethod
    def of(X_ji: Pose) -> Propagation:
        return Propagation(X_ji.R, X_ji.p)

    @property
    def pose(self) -> Pose:
        """Pose of link i in link j."""
        return Pose(self.R, self.a)

    def turned(self, v: Array) -> Array:
        """R^T v: a vector of link j in the axes of i."""
        return self.R.T @ v

    def returned(self, v: Array) -> Array:
        """R v: a vector of link i in the axes of j."""
        return self.R @ v

    def congruence(self, S: Array) -> Array:
        """R S R^T: a symmetric tensor of link i in the axes of j."""
        return congruence(self.R, S)

    def __matmul__(self, t: Array) -> Array:
        # [w; v]_i = R^T [w; v + w x a]_j
        w, v = t[:3], t[3:]
        if t.ndim == 2:
            return np.concatenate([self.R.T @ w, self.R.T @ (v - skew(self.a) @ w)])
        return np.concatenate([self.R.T @ w, self.R.T @ (v + cross(w, self.a))])

    @property
    def T(self) -> Gathering:
        return Gathering(self.R, self.a)

    def matrix(self) -> Array:
        """The 6x6 matrix itself: R^T [[1, O], [-a x 1, 1]], where a_ij of the paper is -a."""
        return block(self.R.T, np.zeros((3, 3)), -(self.R.T @ skew(self.a)), self.R.T)

    def gathered(self, M: Any) -> Any:
        """A^T M A: an `Inertia`, or any symmetric 6x6 matrix, of link i seen from O_j."""
        if isinstance(M, Inertia):
            return M.gathered(Pose(self.R, self.a))
        # [[J, H], [H^T, m]]  ->  [[J - H a~ + a~ H^T - a~ m a~, H + a~ m], [., m]],  all blocks turned by R
        J, m = congruence(self.R, M[:3, :3]), congruence(self.R, M[3:, 3:])
        H = self.R @ M[:3, 3:] @ self.R.T
        a = skew(self.a)
        Hm = H + a @ m
        aH = a @ H.T
        J = J + aH + aH.T - a @ m @ a
        return block(J, Hm, Hm.T, m)


@dataclass(frozen=True)
class Gathering:
    """A_ij^T: wrenches of link i brought to O_j, in the axes of j."""

    R: Array
    a: Array

    def __matmul__(self, w: Array) -> Array:
        # [n; f]_j = [R n + a x R f; R f]
        n, f = self.R @ w[:3], self.R @ w[3:]
        if w.ndim == 2:
            return np.concatenate([n + skew(self.a) @ f, f])
        return np.concatenate([n + cross(self.a, f), f])
