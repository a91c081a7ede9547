"""Weld: no motion at all; in a tree the two bodies become one link."""

from __future__ import annotations

import numpy as np

from ...spatial import Array, Pose
from .kind import JointKind, Shape


class Weld(JointKind):
    name = "weld"
    positions = velocities = ()
    nq = nv = 0
    mirror = np.eye(3)
    turns_held = "all"

    def position(self, shape: Shape, P: Pose, C: Pose) -> Array:
        return np.zeros(0)

    def pose(self, shape: Shape, q: Array) -> Pose:
        return Pose()

    def motion(self, shape: Shape, q: Array) -> Array:
        return np.zeros((6, 0))
