"""Poses X_AB: where frame B stands in frame A."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .number import Array, numbers
from .rotation import from_rpy


@dataclass(frozen=True)
class Pose:
    """R maps components in B to components in A; p is B's origin in A:  X_AC = X_AB @ X_BC."""

    R: Array = field(default_factory=lambda: np.eye(3))
    p: Array = field(default_factory=lambda: np.zeros(3))

    @staticmethod
    def at(xyz: Array = (0.0, 0.0, 0.0), rpy: Array = (0.0, 0.0, 0.0)) -> Pose:
        """From an offset and roll, pitch, yaw as URDF has them."""
        return Pose(from_rpy(numbers(rpy)), numbers(xyz))

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.R @ other.R, self.p + self.R @ other.p)

    def inverse(self) -> Pose:
        """X_BA of X_AB."""
        return Pose(self.R.T, -(self.R.T @ self.p))

    def point(self, p: Array) -> Array:
        """Components in A of the point that has components `p` in B."""
        return self.p + self.R @ p

    def matrix(self) -> Array:
        """The homogeneous 4x4 matrix."""
        return np.concatenate([np.concatenate([self.R, self.p[:, None]], axis=1), np.array([[0.0, 0.0, 0.0, 1.0]])])
