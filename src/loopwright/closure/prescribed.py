"""Coordinates whose motion is given: a row each beside those of the loops, whose multiplier is the force it takes.

    I a + h = f + J^T lambda + E^T tau_d,    J a + d = 0,    E a = a_d

with a unit row of E for every coordinate that is driven. To a formulation these are rows like any other. Where nothing
is left to move freely, the motion is known from the rows alone and the forces are inverse dynamics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..dynamics.newton_euler import inverse_dynamics
from ..spatial import Array, Number, array, blockwise
from .elimination import eliminated
from .formulations import Formulation
from .loaded import Loaded, Solution
from .rows import by_coordinate

source = "[Saha2001, IDA], where all freedoms are driven; mixed ones are ours"

NAMES = ("embedding", "multiplier", "system")  # formulations that take rows of any kind


@dataclass(frozen=True)
class Prescribed(Loaded):
    """`places` in v have the accelerations `given`; `structure` counts their rows first, then those of the cuts."""

    places: tuple[int, ...]
    given: Array

    @cached_property
    def J(self) -> Array:
        """E and J, those rows that are kept, in the order of elimination."""
        found, drift = self._held
        E = blockwise(len(self.places), self.nv, [(k, place, 1.0) for k, place in enumerate(self.places)])
        return np.concatenate([E, blockwise(len(drift), self.nv, found)])[list(self.structure.rows)]

    @cached_property
    def d(self) -> Array:
        """E a - a_d = 0 and J a + d = 0."""
        return np.concatenate([-self.given, self._held[1]])[list(self.structure.rows)]

    @cached_property
    def parts(self) -> list[dict[int, Number]]:
        """Rows as the entries that are there."""
        count = len(self.places)
        of_cuts = [row - count for row in self.structure.rows if row >= count]
        cuts = dict(zip(of_cuts, by_coordinate(self._held[0], of_cuts), strict=True))
        return [{self.places[row]: 1.0} if row < count else cuts[row - count] for row in self.structure.rows]

    def forces(self, multipliers: Array) -> Array:
        """tau_d, in the order of `places`."""
        at = {row: k for k, row in enumerate(self.structure.rows)}
        return array([multipliers[at[k]] for k in range(len(self.places))])


def forward_dynamics(at: Prescribed, formulation: Formulation) -> Solution:
    """Accelerations of all coordinates, and the multipliers of all rows."""
    if at.structure.independent or formulation.name != "embedding":
        return formulation.forward_dynamics(at)
    rows = eliminated(at.J, at.structure)
    a = rows.drift(at.d)
    missing = inverse_dynamics(at.links, a, at.gravity, at.external) - at.f
    return Solution(a, rows.multipliers(missing), rows.health)
