"""What follows from the states that a run saved: energies, powers and work, how far loops are open, health."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..spatial import Array
from ..verbs.answering import Answers
from ..verbs.loops import loops_of
from ..verbs.powers import KINDS
from .observed import ENERGIES, observed, poses_of, rows_of
from .quadrature import integrals

if TYPE_CHECKING:
    from .run import Run


@dataclass(frozen=True)
class Measured:
    """One row for every moment saved. `gap` and `gap_rate` by row of the loops; `health` is 0 at singular positions.

    `work`: by kind of force, what it had done since the start; springs and gravity are in the potential energy.
    """

    kinetic: Array
    gravity: Array
    springs: Array
    power: dict[str, Array]
    work: dict[str, Array]
    gap: Array
    gap_rate: Array
    health: Array

    @property
    def potential(self) -> Array:
        return self.gravity + self.springs

    @property
    def energy(self) -> Array:
        return self.kinetic + self.potential

    @property
    def imbalance(self) -> Array:
        """What the energy has gained beyond the work done: 0 but for errors of the computation."""
        done = sum((w for kind, w in self.work.items() if kind != "springs"), np.zeros(len(self.kinetic)))
        return self.energy - self.energy[:1] - done

    @property
    def exchanged(self) -> float:
        """The largest energy that moved to and fro, against which imbalance is small or not."""
        flows = [np.ptp(x) for x in (self.kinetic, self.gravity, self.springs, *self.work.values()) if len(x)]
        return float(max([*flows, *np.abs(self.kinetic).max(initial=0.0, keepdims=True)], default=0.0))


def measured(run: Run) -> Measured:
    """Computed by kernels over all saved states at once."""
    m = run.mechanism
    loops = loops_of(m)
    answers = Answers(m, loops.topology.forest, None)
    given = {"q": run.q, "v": run.v, "tau": run.tau, "t": run.t}
    count = rows_of(m)
    parts = [len(ENERGIES), len(KINDS), count, count, 1 if loops.any else 0]
    values = (
        answers(observed(loops), given) if len(run) else np.zeros((0, sum(parts)))  # nothing to measure is no mistake
    )
    energies, power, gap, rate, health = np.split(values, np.cumsum(parts)[:-1], axis=-1)
    powers = dict(zip(KINDS, power.T, strict=True))
    work = dict(run.work) or {kind: integrals(run.t, p) for kind, p in powers.items()}
    kinetic, gravity, springs = energies.T
    return Measured(
        kinetic, gravity, springs, powers, work, gap, rate, health[:, 0] if loops.any else np.ones(len(run))
    )


def poses(run: Run) -> Array:
    """Where every body stands, the ground first: moments x bodies x 3 x 4, rows of [R p]."""
    m = run.mechanism
    bodies = len(m.bodies) + 1
    if not len(run):
        return np.zeros((0, bodies, 3, 4))
    found: Array = Answers(run.mechanism, loops_of(run.mechanism).topology.forest, None)(
        poses_of(run.mechanism), {"q": run.q}
    )
    return found.reshape(len(run), bodies, 3, 4)
