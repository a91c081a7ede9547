"""Joints that nothing resists: where the mass matrix of an open part would be singular.

det I is the product over joints of det(P^T M^ P), M^ the articulated mass of what the joint carries
[Saha2013, 30-31], so one inward pass finds the joint to blame. It is taken at one ordinary position; joints
inside loops, whose bodies are held by more than the tree, are left to the closed-loop solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..spatial import Inertia, Propagation, numbers, symmetric
from .expression import evaluated
from .parts import GROUND
from .placing import joint_frames
from .spanning import Branch

if TYPE_CHECKING:
    from .noun import Mechanism

_ROUNDING = 1e-13  # of the size of the inertia carried: below it a pivot is rounding, not inertia


def singular_coordinates(mechanism: Mechanism) -> Iterator[tuple[Branch, str]]:
    """Branches whose own pivot vanishes, with a word on which of their coordinates."""
    looped = _on_or_inside_loops(mechanism)
    rng = np.random.default_rng(1)
    carried: dict[str, np.ndarray] = {}
    for branch in reversed(mechanism.tree.branches):
        frames = joint_frames(branch, mechanism.values)
        kind = frames.kind
        q = kind.integrate(kind.neutral(), rng.uniform(0.3, 1.0, kind.nv))
        # the body's own inertia about its own origin; M^ of its children was brought there by them
        M = _own(mechanism, branch.outer) + carried.pop(branch.outer, np.zeros((6, 6)))
        at_joint = Propagation.of(frames.in_outer.inverse()).gathered(M)
        rotor = np.array(evaluated(branch.joint.rotor_inertia, mechanism.values), dtype=float)
        weakest, left = _released(at_joint, kind.motion(frames.shape, q), rotor)
        if weakest is not None and branch.joint.name not in looped:
            suffix = kind.velocities[weakest]
            yield branch, f" (coordinate {suffix})" if suffix else ""
        if branch.inner != GROUND:
            moved = Propagation.of(frames.in_inner @ kind.pose(frames.shape, q)).gathered(left)
            carried[branch.inner] = carried.get(branch.inner, np.zeros((6, 6))) + moved


def _own(mechanism: Mechanism, name: str) -> np.ndarray:
    body = mechanism.body(name)
    mass, com, inertia = evaluated((body.mass, body.com, body.inertia), mechanism.values)
    return np.asarray(Inertia.of(mass, numbers(com), symmetric(numbers(inertia))).matrix())


def _released(M: np.ndarray, P: np.ndarray, rotor: np.ndarray) -> tuple[int | None, np.ndarray]:
    """The coordinate that nothing resists, if there is one, and what is felt of M through the joint."""
    if P.shape[1] == 1:
        return _released_of_one(M, P[:, 0], float(rotor[0]))
    # turns and slides resist in different units, so every coordinate is measured by what it carries
    square = (P[:3] ** 2).sum(axis=0) * np.trace(M[:3, :3]) + (P[3:] ** 2).sum(axis=0) * M[5, 5] + rotor
    size = np.sqrt(np.where(square > 0.0, square, 1.0))
    pivots, directions = np.linalg.eigh((P.T @ M @ P + np.diag(rotor)) / np.outer(size, size))
    firm = pivots > _ROUNDING
    # M - M P (P^T M P)^-1 P^T M, but for the directions that nothing resists
    held = M @ P @ (directions[:, firm] / size[:, None])
    left = M - (held / pivots[firm]) @ held.T
    return None if firm.all() else int(np.argmax(np.abs(directions[:, 0]))), left


def _released_of_one(M: np.ndarray, p: np.ndarray, rotor: float) -> tuple[int | None, np.ndarray]:
    """The same for one coordinate, which most joints have."""
    carried = p[:3] @ p[:3] * np.trace(M[:3, :3]) + p[3:] @ p[3:] * M[5, 5] + rotor
    held = M @ p
    pivot = p @ held + rotor
    if pivot <= _ROUNDING * carried or carried <= 0.0:
        return 0, M
    return None, M - np.outer(held, held) / pivot


def _on_or_inside_loops(mechanism: Mechanism) -> set[str]:
    """Joints on a loop, and those that carry bodies which are."""
    into = {branch.outer: branch for branch in mechanism.tree.branches}
    names: set[str] = set()
    for joint in mechanism.tree.cuts:
        for body in (joint.parent, joint.child):
            while body != GROUND:
                names.add(into[body].joint.name)
                body = into[body].inner
    return names
