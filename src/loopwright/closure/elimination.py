"""The dependent velocities from the independent ones: J_d v_d + J_i v_i = 0, in the order of pivots fixed before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Number, array, blockwise, is_nothing
from .pivoted import least
from .structure import Structure


@dataclass(frozen=True)
class Eliminated:
    """J_d = L U, rows and columns in the order of elimination.

    `health` is the least square of a pivot against that of its row's usual length: 0 where the chosen coordinates
    do not give the others, or where rows depend on each other or vanish.
    """

    structure: Structure
    L: list[list[Number]]  # below the unit diagonal
    U: Array
    others: Array  # L^-1 J_i
    health: Number

    @property
    def N(self) -> Array:
        """v = N v_i for every velocity that the loops allow: nv x n_i."""
        s = self.structure
        n = len(s.dependent) + len(s.independent)
        chosen = [(k, i, 1.0) for i, k in enumerate(s.independent)]
        return blockwise(n, len(s.independent), [*chosen, *self._rows(-self._back(self.others))])

    def drift(self, d: Array) -> Array:
        """g with J g = -d and nothing at the independent coordinates."""
        return self.drifts(d[:, None])[:, 0]

    def drifts(self, D: Array) -> Array:
        """The same of every column."""
        n = len(self.structure.dependent) + len(self.structure.independent)
        return blockwise(n, D.shape[1], self._rows(self._back(self._forth(-D))))

    def multipliers(self, forces: Array) -> Array:
        """lambda with (J^T lambda)_d = forces_d."""
        # U^T y = f,  L^T lambda = y
        m = len(self.L)
        y = [forces[k] for k in self.structure.dependent]
        for k in range(m):
            for j in range(k):
                y[k] = y[k] - self.U[j, k] * y[j]
            y[k] = y[k] / self.U[k, k]
        for k in reversed(range(m)):
            for i in range(k + 1, m):
                y[k] = y[k] - self.L[i][k] * y[i]
        return array(y)

    def _rows(self, block: Array) -> list[tuple[int, slice, Array]]:
        return [(k, slice(None), block[r]) for r, k in enumerate(self.structure.dependent)]

    def _forth(self, right: Array) -> Array:
        x = [right[k] for k in range(len(self.L))]
        for k in range(len(x)):
            for j in range(k):
                x[k] = x[k] - self.L[k][j] * x[j]
        return array(x)

    def _back(self, right: Array) -> Array:
        m = len(self.L)
        x = [right[k] for k in range(m)]
        for k in reversed(range(m)):
            for j in range(k + 1, m):
                x[k] = x[k] - self.U[k, j] * x[j]
            x[k] = x[k] / self.U[k, k]
        return array(x) if m else np.zeros(np.shape(right))


def eliminated(J: Array, structure: Structure) -> Eliminated:
    """J has the rows kept, in the order of elimination."""
    m = len(structure.rows)
    columns = [*structure.dependent, *structure.independent]
    S = [[J[r, k] for k in columns] for r in range(m)]
    L: list[list[Number]] = [[] for _ in range(m)]
    shares = []
    for k in range(m):
        for j in range(k):
            if is_nothing(S[k][j]):
                # most, where loops are many; a pivot that vanishes there tells by its own share
                L[k].append(0.0)
                continue
            factor = S[k][j] / S[j][j]
            L[k].append(factor)
            S[k] = [0.0] * (j + 1) + [S[k][c] - factor * S[j][c] for c in range(j + 1, len(columns))]
        shares.append(S[k][k] * S[k][k] * (1.0 / structure.lengths[structure.rows[k]] ** 2))
    full = array(S) if m else np.zeros((0, len(columns)))
    return Eliminated(structure, L, full[:, :m], full[:, m:], least(shares))
