"""The equations of motion and of the loops as one sparse symmetric matrix, eliminated pivot by pivot.

    [[I, J^T], [J, 0]] [a; -lambda] = [phi; -d]

Only entries that are there are kept, so what an elimination costs and what it fills in are seen as it goes. A pivot is
one unknown, or a row together with one of its coordinates: solving the row for it and putting it into all else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..spatial import Number, is_nothing

source = "[Bunch1971] for pivots of one and two; [Duff1983] for sparse ones"

Pivot = tuple[int, ...]  # (coordinate,), (row,) or (coordinate, row)
Part = dict[int, Number]  # entries by unknown, those that are there

_NOTHING = np.float64(0.0)  # a pivot that vanishes in numbers: what is divided by it is infinite, and health tells


@dataclass(frozen=True)
class Alone:
    """p x_k + sum c_n x_n = r, with F_n = c_n / p."""

    k: int
    inverse: Number
    F: Part

    def forth(self, right: Part) -> None:
        """Take this equation out of all that come later."""
        for n, F in self.F.items():
            right[n] = right[n] - F * right[self.k]

    def back(self, x: Part) -> None:
        """The unknown, from those that come later."""
        x[self.k] = x[self.k] * self.inverse
        for n, F in self.F.items():
            x[self.k] = x[self.k] - F * x[n]


@dataclass(frozen=True)
class Together:
    """p x_k + b x_row + sum c_n x_n = r_k and b x_k + sum e_n x_n = r_row, with g_n = e_n / b, h_n = c_n - p g_n."""

    k: int
    row: int
    own: Number
    inverse: Number
    c: Part
    g: Part
    h: Part

    def forth(self, right: Part) -> None:
        """Take both equations out of all that come later; r_row / b stays in place of r_row."""
        right[self.row] = right[self.row] * self.inverse
        for n, g in self.g.items():
            right[n] = right[n] - g * right[self.k]
        for n, h in self.h.items():
            right[n] = right[n] - h * right[self.row]

    def back(self, x: Part) -> None:
        """Both unknowns, from those that come later."""
        found, rest = x[self.row], x[self.k]
        for n, g in self.g.items():
            found = found - g * x[n]
        for n, c in self.c.items():
            rest = rest - c * x[n]
        x[self.k], x[self.row] = found, (rest - self.own * found) * self.inverse


class Step(Protocol):
    """Unknowns taken out of all other equations."""

    def forth(self, right: Part) -> None:
        """Take their equations out of all that come later."""

    def back(self, x: Part) -> None:
        """The unknowns, from those that come later."""


@dataclass
class Saddle:
    """`entries[i][j]`, both triangles; unknowns in `rows` are rows, those before them coordinates.

    `left` is what the coordinates that went left on the diagonal of a row, of which other rows then take.
    """

    rows: range
    entries: dict[int, Part]
    left: Part = field(default_factory=dict)

    @staticmethod
    def of(given: Mapping[tuple[int, int], Number], coordinates: int, rows: int) -> Saddle:
        """From the entries of one triangle."""
        entries: dict[int, Part] = {k: {} for k in range(coordinates + rows)}
        for (i, j), value in given.items():
            if not is_nothing(value):
                entries[i][j] = entries[j][i] = value
        return Saddle(range(coordinates, coordinates + rows), entries)

    def touched(self, pivot: Pivot) -> list[int]:
        """The unknowns that stand in an equation with the pivot."""
        return list({i: None for k in pivot for i in self.entries[k] if i not in pivot})

    def entry(self, i: int, j: int) -> Number:
        """One coefficient, as it stands now."""
        return self.entries[i].get(j, _NOTHING)

    def share(self, row: int) -> Number:
        """What is left of a row by itself, of what its coordinates left on it when they went."""
        return -self.entry(row, row) / self.left[row] if row in self.left else _NOTHING

    def eliminate(self, pivot: Pivot) -> Step:
        """Take a pivot out of all other equations."""
        step = self._alone(*pivot) if len(pivot) == 1 else self._together(*pivot)
        for i in self.touched(pivot):
            for k in pivot:
                self.entries[i].pop(k, None)
        for k in pivot:
            del self.entries[k]
        return step

    def _alone(self, k: int) -> Alone:
        # S_ij -= c_i c_j / p
        c = {n: x for n, x in self.entries[k].items() if n != k}
        inverse = 1.0 / self.entry(k, k)
        F = {n: x * inverse for n, x in c.items()}
        met = list(c)
        for n, i in enumerate(met):
            for j in met[n:]:
                self._less(i, j, F[i] * c[j])
            if k < self.rows.start and i in self.rows:
                self.left[i] = self.left.get(i, 0.0) + F[i] * c[i]
        return Alone(k, inverse, F)

    def _together(self, k: int, row: int) -> Together:
        # x_k = (r_row - sum e_n x_n) / b put in:  S_ij -= g_i c_j + h_i g_j
        c = {n: x for n, x in self.entries[k].items() if n not in (k, row)}
        own, inverse = self.entries[k].get(k, 0.0), 1.0 / self.entry(k, row)
        g = {n: x * inverse for n, x in self.entries[row].items() if n not in (k, row)}
        h = dict(c)
        for n, x in g.items():
            h[n] = h[n] - own * x if n in h else -(own * x)
        met = list(h)
        for n, i in enumerate(met):
            for j in met[n:]:
                if i in g and j in c:
                    self._less(i, j, g[i] * c[j])
                if j in g:
                    self._less(i, j, h[i] * g[j])
        return Together(k, row, own, inverse, c, g, h)

    def _less(self, i: int, j: int, change: Number) -> None:
        old = self.entries[i].get(j)
        self.entries[i][j] = self.entries[j][i] = -change if old is None else old - change

    def add(self, i: int, j: int, change: Number) -> None:
        """To one coefficient, on both sides of the diagonal."""
        if not is_nothing(change):
            self.entries[i][j] = self.entries[j][i] = self.entries[i].get(j, 0.0) + change


def solved(steps: Sequence[Step], right: Part) -> Part:
    """All unknowns, from the right sides and the pivots in the order in which they were taken out."""
    x = dict(right)
    for step in steps:
        step.forth(x)
    for step in reversed(steps):
        step.back(x)
    return x
