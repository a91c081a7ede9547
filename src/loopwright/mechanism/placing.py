"""Where a joint's canonical frames stand in the two bodies it joins, as numbers or symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Pose
from .expression import evaluated
from .joints import BY_NAME, JointKind, Reversed, Shape
from .parts import Placement
from .spanning import Branch


@dataclass(frozen=True)
class JointFrames:
    """The canonical frames in the inner and the outer body, and the kind of motion from one to the other."""

    kind: JointKind
    shape: Shape
    in_inner: Pose
    in_outer: Pose


def joint_frames(branch: Branch, values: Mapping[str, Any], nominal: Mapping[str, float] | None = None) -> JointFrames:
    """`values` give the parameters, perhaps as symbols; `nominal` the plain numbers to choose axes by."""
    joint = branch.joint
    kind = BY_NAME[joint.kind]
    by = nominal if nominal is not None else values
    aligned = kind.aligned(dict(evaluated(joint.geometry, values)), dict(evaluated(joint.geometry, by)))
    in_parent = placed(joint.in_parent, values) @ Pose(aligned.parent, np.zeros(3))
    in_child = placed(joint.in_child, values) @ Pose(aligned.child, np.zeros(3))
    if branch.backwards and kind.mirror is not None:
        # turned over, the joint walked backwards is the same joint walked forwards
        over = Pose(kind.mirror, np.zeros(3))
        return JointFrames(kind, aligned.shape, in_child @ over, in_parent @ over)
    if branch.backwards:
        return JointFrames(Reversed(kind), aligned.shape, in_child, in_parent)
    return JointFrames(kind, aligned.shape, in_parent, in_child)


def placed(placement: Placement, values: Mapping[str, Any]) -> Pose:
    """The pose of a placement."""
    X = Pose.at(evaluated(placement.xyz, values), evaluated(placement.rpy, values))
    # cos(pi/2) is meant to be zero; kept as 6e-17 it would be multiplied through every recursion
    return X if X.R.dtype == object else Pose(X.R - np.where(np.abs(X.R.real) < 1e-15, X.R.real, 0.0), X.p)
