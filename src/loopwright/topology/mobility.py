"""Counting freedoms from bodies and joints alone (Grübler–Kutzbach), in space and in a plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanism import BY_NAME, GROUND, Mechanism, evaluated, joint_frames, placed
from ..spatial import Array, Pose

_PARALLEL = 1e-9
_IN_PLANE = {"revolute": "axis", "prismatic": "axis", "planar": "normal"}  # kinds that can keep to a plane


@dataclass(frozen=True)
class Mobility:
    """`spatial` holds in general position; `planar` is None unless everything moves parallel to one plane."""

    spatial: int
    planar: int | None
    normal: tuple[float, float, float] | None

    @property
    def expected(self) -> int:
        """The count that fits the geometry."""
        return self.spatial if self.planar is None else self.planar


def mobility(mechanism: Mechanism) -> Mobility:
    """Freedoms counted as 6 (or 3) per body less what every joint takes away."""
    freedoms = [BY_NAME[joint.kind].nv for joint in mechanism.joints]
    n, j = len(mechanism.bodies), len(mechanism.joints)
    spatial = 6 * (n - j) + sum(freedoms)
    normal = _common_normal(mechanism)
    if normal is None:
        return Mobility(spatial, None, None)
    return Mobility(spatial, 3 * (n - j) + sum(freedoms), (float(normal[0]), float(normal[1]), float(normal[2])))


def _common_normal(mechanism: Mechanism) -> Array | None:
    """The direction about which every turn is made and across which every slide runs, if there is one."""
    turns: list[Array] = []
    slides: list[Array] = []
    R = _orientations(mechanism)
    for joint in mechanism.joints:
        if joint.kind == "weld":
            continue
        if joint.kind not in _IN_PLANE:
            return None
        axis = np.array(evaluated(joint.shape(_IN_PLANE[joint.kind]), mechanism.values), dtype=float)
        # seen from both ends: those of a cut joint need not agree
        for body, placement in ((joint.parent, joint.in_parent), (joint.child, joint.in_child)):
            direction = R[body] @ placed(placement, mechanism.values).R @ axis
            (slides if joint.kind == "prismatic" else turns).append(direction / np.linalg.norm(direction))
    if not turns:
        return None
    normal = turns[0]
    parallel = all(np.linalg.norm(np.cross(normal, turn)) < _PARALLEL for turn in turns)
    level = all(abs(normal @ slide) < _PARALLEL for slide in slides)
    if not (parallel and level):
        return None
    return (normal if normal[int(np.argmax(np.abs(normal)))] > 0.0 else -normal) + 0.0


def _orientations(mechanism: Mechanism) -> dict[str, Array]:
    """Body axes in the ground's at the neutral position of the tree."""
    X = {GROUND: Pose()}
    for branch in mechanism.tree.branches:
        frames = joint_frames(branch, mechanism.values)
        moved = frames.kind.pose(frames.shape, frames.kind.neutral())
        X[branch.outer] = X[branch.inner] @ frames.in_inner @ moved @ frames.in_outer.inverse()
    return {body: pose.R for body, pose in X.items()}
