"""Rows and coordinates paired by pivoting, one pair at a time, each the best that is left where it is worst.

Every row touches the few coordinates of its own loop, so only entries that are there are kept, each at several
positions: what is done grows with their number, and not with that of rows times coordinates.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from ..spatial import Array

source = "complete pivoting, Wilkinson 1961; for several matrices at once ours"

NOTHING = 1e-9  # of a row's own length: what is left of one that depends on the others
_POOR = 1e-3  # of a row's own length: a pivot at some position that is rather looked for without that position
_LARGE = 0.25  # of a row's own length: a pivot that is large enough where thrift decides
_WORTH = 0.005  # of the best pivot: what an unwanted column must leave behind to be passed over
ROUNDING = 1e-13  # radians or metres per unit of velocity: what is left of zeros where a whole loop repeats others

Line = dict[int, Array]  # of one row: what stands in a column, at every position


class _Candidate(NamedTuple):
    """An entry that may be next, those with the least `first` before others; stale when its row was judged again."""

    first: tuple[float, float]
    row: int
    column: int
    times: int
    share: float


@dataclass(frozen=True)
class Scattered:
    """`values[k]` stands in `rows[k]`, `columns[k]` of a matrix of this shape, at one position after another."""

    shape: tuple[int, int]
    rows: Array
    columns: Array
    values: Array  # entries x positions

    def at(self, positions: Collection[int]) -> Scattered:
        """At some of the positions only."""
        return Scattered(self.shape, self.rows, self.columns, self.values[:, list(positions)])

    def without(self, columns: Collection[int]) -> Scattered:
        """With nothing in these columns."""
        kept = ~np.isin(self.columns, list(columns))
        return Scattered(self.shape, self.rows[kept], self.columns[kept], self.values[kept])

    @property
    def positions(self) -> int:
        return int(self.values.shape[1])

    @property
    def lengths(self) -> Array:
        """Of every row at every position, infinite where it is nothing but rounding."""
        squares = np.zeros((self.shape[0], self.positions))
        np.add.at(squares, self.rows, self.values**2)
        lengths = np.sqrt(squares)
        least = np.maximum(NOTHING * lengths.max(axis=0, initial=0.0), ROUNDING)
        return np.where(lengths > least, lengths, np.inf)

    @property
    def lines(self) -> list[Line]:
        found: list[Line] = [{} for _ in range(self.shape[0])]
        for row, column, values in zip(self.rows.tolist(), self.columns.tolist(), self.values, strict=True):
            found[row][column] = values
        return found


def scattered(J: list[Array]) -> Scattered:
    """Matrices of one shape by the entries that are there."""
    shape = J[0].shape
    rows, columns = np.nonzero(np.any([one != 0.0 for one in J], axis=0))
    return Scattered(shape, rows, columns, np.stack([one[rows, columns] for one in J], axis=1))


class Pairing:
    """`rows[k]` gives `columns[k]`; `least` is the least share of its row's length that a pivot had.

    `lengths` (rows x positions) is what shares are of; columns in `unwanted` are taken only where others would
    be far worse. With `thrifty`, of pivots that are large enough the one that fills in least comes first, and not the
    largest. A heap holds the best entry of every row that is left.
    """

    def __init__(self, J: Scattered, lengths: Array, unwanted: Collection[int] = (), thrifty: bool = False) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.least = 1.0
        self._lines, self._lengths = J.lines, lengths
        self._unwanted, self._thrifty = frozenset(unwanted), thrifty
        self._left = set(range(J.shape[0]))
        self._through: dict[int, set[int]] = {}
        for row, line in enumerate(self._lines):
            for column in line:
                self._through.setdefault(column, set()).add(row)
        self._times = [0] * J.shape[0]
        self._judge_all()

    def go(self, rank: int = 0, nothing: float = NOTHING) -> Pairing:
        """Until nothing is left; positions at the end are given up while fewer pairs than `rank` serve them all."""
        while self._left:
            best, wanted = self._top(self._any), self._top(self._wanted)
            share = best.share if best else 0.0
            if self._lengths.shape[1] > 1 and share <= _POOR and len(self.rows) < rank:
                self._give_up_last()
                continue
            if best is None or share <= nothing:
                break
            if wanted is not None and wanted.share > _WORTH * share:
                best = wanted
            self.least = min(self.least, best.share)
            self._eliminate(best.row, best.column)
        return self

    def _judge_all(self) -> None:
        self._any: list[_Candidate] = []
        self._wanted: list[_Candidate] = []
        for row in self._left:
            self._judge(row)

    def _judge(self, row: int) -> None:
        """Anew, the best entry of a row."""
        self._times[row] += 1
        line = self._lines[row]
        if not line:
            return
        columns = sorted(line)
        shares = (np.abs(np.array([line[k] for k in columns])) / self._lengths[row]).min(axis=1)
        self._push(self._any, row, columns, shares)
        if not self._unwanted.isdisjoint(columns):
            shares = np.where([column in self._unwanted for column in columns], 0.0, shares)
        self._push(self._wanted, row, columns, shares)

    def _push(self, heap: list[_Candidate], row: int, columns: list[int], shares: Array) -> None:
        k, rank = int(np.argmax(shares)), 0.0
        if self._thrifty:
            fill = [
                len(self._through[column]) if x > _LARGE else np.inf for column, x in zip(columns, shares, strict=True)
            ]
            k = int(np.argmin(fill)) if shares[k] > _LARGE else k
            rank = float(fill[k] * len(columns))
        first = (rank, -float(shares[k]) if rank in (0.0, np.inf) else 0.0)
        heappush(heap, _Candidate(first, row, columns[k], self._times[row], float(shares[k])))

    def _top(self, heap: list[_Candidate]) -> _Candidate | None:
        while heap and (heap[0].row not in self._left or heap[0].times != self._times[heap[0].row]):
            heappop(heap)
        return heap[0] if heap else None

    def _give_up_last(self) -> None:
        self._lines = [{column: x[:-1] for column, x in line.items()} for line in self._lines]
        self._lengths = self._lengths[:, :-1]
        self._judge_all()

    def _eliminate(self, row: int, column: int) -> None:
        """Take a pivot's column out of all rows that are left."""
        self.rows.append(row)
        self.columns.append(column)
        self._left.discard(row)
        pivot = self._lines[row]
        for other in self._through[column] & self._left:
            line = self._lines[other]
            factor = line.pop(column) / pivot[column]
            for k, x in pivot.items():
                if k != column:
                    line[k] = line[k] - factor * x if k in line else -factor * x
                    self._through[k].add(other)
            self._judge(other)
        for k in pivot:
            self._through[k].discard(row)
