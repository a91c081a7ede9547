"""Virtual springs and dampers where the loops are cut: every subsystem is a tree by itself, under their forces.

    lambda = -(K gap + B gap'),      I a = phi + J^T lambda

Loops need not be closed: how far they are open is what the springs feel. There is nothing to solve across the
subsystems, so each can be computed apart. The wrenches of the springs are those that the rows J of the cut joint
pass on, for turns to the first order of the gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..dynamics.links import joined
from ..dynamics.newton_euler import inverse_dynamics
from ..spatial import Array, array
from ..topology import Cut
from .loaded import Loaded, Solution
from .rows import gap, rows
from .subsystem import inertia
from .subsystems import subsystems

source = "[Wang2002, (12)-(19), (33)-(43)]"


Pair = tuple[float, float]  # along what the joint holds of slides, about what it holds of turns

PAPERS: Pair = (1e6, 1e6)  # stiffness of the rigid four-bar of [Wang2002, 3.1.1], which has no dampers


@dataclass(frozen=True)
class Springs:
    """By cut joint: stiffness in N/m and N m/rad, damping in N s/m and N m s/rad; the paper's where nothing is said."""

    stiffness: Mapping[str, Pair] = field(default_factory=dict)
    damping: Mapping[str, Pair] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The same for the same springs."""
        return " ".join(
            f"{name} {k.hex()} {turning.hex()}"
            for pairs in (self.stiffness, self.damping)
            for name, (k, turning) in sorted(pairs.items())
        )

    def forward_dynamics(self, at: Loaded) -> Solution:
        """M_j q'' = f_j - b_j, subsystem by subsystem   [Wang2002, 39, 42]"""
        J = rows(at.links, at.cuts, at.nv).J
        pull = self._pull(at, J)
        f, a = at.f + J.T @ pull, [0.0] * at.nv
        for own in subsystems(at.links):
            external = [at.external[k] for k in own.members]
            phi = f[own.coordinates] - inverse_dynamics(own.links, np.zeros(len(own.coordinates)), at.gravity, external)
            I = inertia(own)
            for k, value in zip(own.coordinates, I.back(I.scaled(I.halfway(phi))), strict=True):
                a[k] = value
        return Solution(array(a), pull[list(at.structure.rows)], 1.0)

    def generalised(self, at: Loaded) -> Array:
        """J^T lambda at the tree's coordinates."""
        J = rows(at.links, at.cuts, at.nv).J
        return J.T @ self._pull(at, J)

    def _pull(self, at: Loaded, J: Array) -> Array:
        # f: K gap   [Wang2002, 19, 33],   d: B gap'   [40]
        K, B = _by_rows(at.cuts, self.stiffness, PAPERS), _by_rows(at.cuts, self.damping, (0.0, 0.0))
        rate = J @ joined(at.links, [link.rate for link in at.links])
        return -(K * gap(at.links, at.cuts) + B * rate)


def _by_rows(cuts: Sequence[Cut], pairs: Mapping[str, Pair], otherwise: Pair) -> Array:
    return np.array(
        [pairs.get(cut.joint, otherwise)[0 if along else 1] for cut in cuts for along in cut.kind.rows_are_slides]
    )
