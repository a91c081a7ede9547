"""One state of a mechanism with loops, with everything that a formulation may ask of it.

    I a + h = f + J^T lambda,    J a + d = 0

lambda is what the parents' sides of the cut joints do to the children's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..dynamics import Factor, Link, factored
from ..dynamics.composite_body import mass_matrix
from ..dynamics.newton_euler import inverse_dynamics
from ..spatial import Array, Number, blockwise
from ..topology import Cut, Forest
from .order import Order
from .pivoted import least
from .rows import Block, blocks, by_coordinate
from .structure import Structure


@dataclass(frozen=True)
class Loaded:
    """Links and forces in one state; the matrices are made when asked for."""

    links: list[Link]
    cuts: Sequence[Cut]
    nv: int
    gravity: Array
    external: list[Array]
    f: Array  # at the tree's coordinates: actuators and all loads that are not wrenches on links
    structure: Structure
    order: Callable[[], Order]  # of elimination, where a formulation asks for it
    forest: Forest

    @cached_property
    def _held(self) -> tuple[list[Block], Array]:
        return blocks(self.links, self.cuts)

    @cached_property
    def J(self) -> Array:
        """Of the rows kept, in the order of elimination."""
        found, drift = self._held
        return blockwise(len(drift), self.nv, found)[list(self.structure.rows)]

    @cached_property
    def d(self) -> Array:
        """The drift of these rows."""
        return self._held[1][list(self.structure.rows)]

    @cached_property
    def parts(self) -> list[dict[int, Number]]:
        """The rows again, each as the entries that are there, by coordinate."""
        return by_coordinate(self._held[0], self.structure.rows)

    @property
    def reach(self) -> Number:
        """The least square of a row's length against that of its usual one; 0 where a row vanishes."""
        return least([self.reached(k) for k in range(len(self.d))])

    def reached(self, k: int) -> Number:
        """The square of the length of one of the rows kept, against the usual one."""
        return self.of_usual(k, sum((x * x for x in self.parts[k].values()), 0.0))

    def of_usual(self, k: int, square: Number) -> Number:
        """A square against that of the usual length of row k of those kept."""
        return square * (1.0 / self.structure.lengths[self.structure.rows[k]] ** 2)

    @cached_property
    def I(self) -> Array:  # noqa: E743
        """The mass matrix of the tree."""
        return mass_matrix(self.links, self.nv)

    @cached_property
    def factor(self) -> Factor:
        """I = U D U^T"""
        return factored(self.I, self.links)

    @cached_property
    def phi(self) -> Array:
        """f - h"""
        return self.f - inverse_dynamics(self.links, np.zeros(self.nv), self.gravity, self.external)


@dataclass(frozen=True)
class Solution:
    """Accelerations and multipliers; `health` is 1 far from singular positions and 0 at them."""

    a: Array
    multipliers: Array
    health: Number
