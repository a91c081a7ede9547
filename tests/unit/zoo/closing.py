"""How far the loops of a mechanism are from closed, straight from the joints' frames."""

from __future__ import annotations

import numpy as np

from loopwright import Mechanism
from loopwright.mechanism import Branch, joint_frames
from loopwright.spatial import Array, Pose


def position(mechanism: Mechanism, named: dict[str, float]) -> Array:
    """q or v from numbers by name; every coordinate must be there and none besides."""
    names = mechanism.coordinates
    assert set(named) == set(names)
    return np.array([named[name] for name in names])


def body_poses(mechanism: Mechanism, q: Array) -> dict[str, Pose]:
    """X_WB of every body: X_inner_outer = in_inner X_joint in_outer^-1 along the tree."""
    poses, i = {"ground": Pose()}, 0
    for branch in mechanism.tree.branches:
        frames = joint_frames(branch, mechanism.values)
        moved = frames.kind.pose(frames.shape, q[i : i + frames.kind.nq])
        poses[branch.outer] = poses[branch.inner] @ frames.in_inner @ moved @ frames.in_outer.inverse()
        i += frames.kind.nq
    return poses


def gaps(mechanism: Mechanism, q: Array) -> Array:
    """Distance of the cut joints' frames, and how far their axes are from where the joint lets them be."""
    poses, found = body_poses(mechanism, q), []
    for joint in mechanism.tree.cuts:
        frames = joint_frames(Branch(joint, joint.parent, joint.child), mechanism.values)
        one, other = poses[joint.parent] @ frames.in_inner, poses[joint.child] @ frames.in_outer
        found.append(_gap(joint.kind, frames.shape, one.inverse() @ other))
    return np.concatenate(found) if found else np.zeros(0)


def _gap(kind: str, shape: tuple[float, ...], X: Pose) -> Array:
    """Zero where the pose of one frame in the other is one that the joint allows; its axes are z."""
    if kind == "prismatic":
        return np.array([*X.p[:2], X.R[2, 1], X.R[0, 2], X.R[1, 0]])
    if kind == "revolute":
        opposite = min(X.R[2, 2], 0.0)  # of axes that point opposite ways, which a hinge does not let them
        return np.array([*X.p, X.R[0, 2], X.R[1, 2], opposite])
    if kind == "universal":
        return np.array([*X.p, X.R[2, 2] - shape[0]])
    assert kind == "spherical"
    return X.p


def gap_rates(mechanism: Mechanism, q: Array) -> Array:
    """J with d(gaps)/dt = J v, by central differences."""
    h = 1e-6
    moves = [h * e for e in np.eye(mechanism.nv)]
    columns = [
        (gaps(mechanism, mechanism.integrate(q, dv)) - gaps(mechanism, mechanism.integrate(q, -dv))) / (2 * h)
        for dv in moves
    ]
    return np.stack(columns, axis=1)


def freedoms(mechanism: Mechanism, q: Array) -> tuple[int, Array]:
    """Number of independent velocities that keep all loops closed, and a basis of them, by singular values."""
    _, sizes, directions = np.linalg.svd(gap_rates(mechanism, q))
    # difference quotients are good to 1e-9 or so of the largest; what is less than 1e-6 is zero
    rank = int(np.sum(sizes > 1e-6 * sizes[0]))
    return mechanism.nv - rank, directions[rank:].T


def closed(mechanism: Mechanism, q: Array, along: Array | None = None) -> Array:
    """The nearest q at which all loops close, by Newton's steps of least length; `along` spans the ones allowed."""
    span = np.eye(mechanism.nv) if along is None else along
    for _ in range(30):
        gap = gaps(mechanism, q)
        if np.abs(gap).max() < 1e-14:
            break
        q = mechanism.integrate(q, -span @ np.linalg.lstsq(gap_rates(mechanism, q) @ span, gap, rcond=1e-6)[0])
    return q
