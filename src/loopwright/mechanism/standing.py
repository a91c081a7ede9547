"""The coordinates that go with given poses of the bodies."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..spatial import Array, Pose
from .noun import Mechanism
from .parts import GROUND
from .placing import joint_frames


def standing(mechanism: Mechanism, poses: Mapping[str, Pose]) -> Array:
    """q of the tree when every body stands where `poses` says, in ground axes; angles within half a turn."""
    X = {GROUND: Pose(), **poses}
    parts = []
    for branch in mechanism.tree.branches:
        frames = joint_frames(branch, mechanism.values)
        P, C = X[branch.inner] @ frames.in_inner, X[branch.outer] @ frames.in_outer
        parts.append(frames.kind.position(frames.shape, P, C))
    return np.concatenate(parts) if parts else np.zeros(0)
