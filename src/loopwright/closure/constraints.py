"""Every joint's own constraints on the bodies' twists, tree and cuts alike, at one position.

The rows of the loops are what is left of these when the tree's have been used up, so both have the same redundancy and
leave the same freedoms. Here it can be seen which joint holds what: a combination of rows that vanishes is a set of
forces in the joints that hold each other, and one joint's part of it is what nothing else settles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..mechanism import GROUND, Branch, Joint, Mechanism, joint_frames
from ..spatial import Array, Pose, skew

_NOTHING = 1e-8  # of the largest singular value


@dataclass(frozen=True)
class Held:
    """What one joint holds: `W` (rows x 6) on the twist of its child against its parent, at `at` in ground axes.

    `frame` is the joint's frame in its parent; the first `slides` rows hold slides, the others turns.
    """

    joint: Joint
    rows: slice
    W: Array
    frame: Pose
    at: Array
    slides: int

    @property
    def turns(self) -> int:
        return len(self.W) - self.slides


@dataclass(frozen=True)
class Constraints:
    """C t = 0 for the twists t of all bodies, at the ground's origin; lengths are measured by `size`."""

    C: Array
    held: tuple[Held, ...]
    links: Mapping[str, int]  # the six columns of every body, by number; those welded together share them
    size: float

    @cached_property
    def _decomposed(self) -> tuple[Array, int, Array]:
        if not self.C.size:
            return np.eye(len(self.C)), 0, np.eye(self.C.shape[1])
        U, sizes, Vt = np.linalg.svd(self.C)
        return U, int(np.count_nonzero(sizes > _NOTHING * sizes.max(initial=0.0))), Vt

    @property
    def rank(self) -> int:
        return self._decomposed[1]

    @property
    def freedoms(self) -> int:
        return self.C.shape[1] - self.rank

    @property
    def redundant(self) -> int:
        return len(self.C) - self.rank

    @property
    def balanced(self) -> Array:
        """Z (rows x redundant): forces along the rows that hold each other, Z^T C = 0."""
        U, r, _ = self._decomposed
        return U[:, r:]

    @property
    def motions(self) -> Array:
        """Twists of all bodies that no joint holds, one a column."""
        _, r, Vt = self._decomposed
        return Vt[r:].T


def constraints(mechanism: Mechanism, X: Mapping[str, Pose], size: float) -> Constraints:
    """At the position in which the bodies stand at X."""
    links = _links(mechanism)
    columns = 6 * (max(links.values()) + 1)
    blocks, held, height = [np.zeros((0, columns))], [], 0
    for joint in mechanism.joints:
        if links[joint.parent] == links[joint.child] and joint.kind == "weld":
            continue
        frames = joint_frames(Branch(joint, joint.parent, joint.child), mechanism.values)
        P, C = X[joint.parent] @ frames.in_inner, X[joint.child] @ frames.in_outer
        W = np.asarray(frames.kind.held(frames.shape, P, C), dtype=float)
        slides = {"all": 3, "across": 2, "along": 1, "none": 0}[frames.kind.slides_held]
        # the twist of the point at C's origin, from that of the body at the ground's
        seen = W @ np.block([[np.eye(3), np.zeros((3, 3))], [-skew(C.p), np.eye(3)]])
        seen[:, 3:] *= size
        seen[:slides] /= size
        block = np.zeros((len(W), columns))
        for body, sign in ((joint.child, 1.0), (joint.parent, -1.0)):
            if links[body] >= 0:
                block[:, 6 * links[body] : 6 * links[body] + 6] += sign * seen
        blocks.append(block)
        held.append(Held(joint, slice(height, height + len(W)), W, P, C.p, slides))
        height += len(W)
    return Constraints(np.concatenate(blocks), tuple(held), links, size)


def _links(mechanism: Mechanism) -> dict[str, int]:
    """A number for every body, the same for those welded together in the tree; -1 for what stands on the ground."""
    found = {GROUND: -1}
    for branch in mechanism.tree.branches:
        new = max(found.values()) + 1
        found[branch.outer] = found[branch.inner] if branch.joint.kind == "weld" else new
    return found


def redundant_forces(one: Constraints, held: Held) -> Array:
    """Moments and forces in one joint that redundancy leaves open: which of the six, in ground axes."""
    Z = one.balanced[held.rows]
    scaled = Z.copy()
    scaled[: held.slides] /= one.size
    wrenches = held.W.T @ scaled
    wrenches[:3] /= one.size
    return np.abs(wrenches).max(axis=1, initial=0.0)


def everywhere(several: Sequence[Constraints]) -> list[Constraints]:
    """Those of most rank: in other positions motions branch."""
    most = max(one.rank for one in several)
    return [one for one in several if one.rank == most]
