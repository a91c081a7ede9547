"""In which order to eliminate: the pivots of a mechanism, chosen once from numbers at several closed positions.

Always next is the pivot that costs the fewest multiplications among those that stand firm at every position: what
is divided by them must not grow. Two ways are tried, rows on their own after their coordinates or rows together with a
coordinate as soon as that is cheap, and the cheaper of the two is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from ..spatial import Array
from .saddle import Pivot, Saddle

source = "[Markowitz1957]; [Duff1983]"

_WAYS = ("alone", "either", "together")  # how rows go: after their coordinates, as is cheapest, or with one each
_DEAR = 1.5  # times the multiplications for the positions that matter most
_GROWTH = 10.0  # of a factor, with coordinates counted in the size of their inertia and rows in their own


@dataclass(frozen=True)
class Order:
    """The pivots, and the multiplications that they take."""

    pivots: tuple[Pivot, ...]
    cost: int


def order(values: Mapping[tuple[int, int], Array], coordinates: int, rows: int, first: int = 0) -> Order:
    """`values[i, j]` are the entries of one triangle that are there, each at all positions.

    The `first` of the positions are those that matter most. What serves the others too is not taken where it costs far
    more: a lift of n stages can be folded in some of them, in 2^n branches, and there nothing is left of many entries.
    """
    with np.errstate(all="ignore"):
        scaled = _scaled(values, coordinates, rows)
        found = _cheapest(scaled, coordinates, rows)
        if first:
            at_first = {place: value[:first] for place, value in scaled.items()}
            least = _cheapest(at_first, coordinates, rows)
            found = found if found.cost <= _DEAR * least.cost else least
    return found


def _cheapest(scaled: Mapping[tuple[int, int], Array], coordinates: int, rows: int) -> Order:
    tried = [_planned(Saddle.of(scaled, coordinates, rows), way) for way in _WAYS]
    return min(tried, key=lambda found: found.cost)


def _scaled(values: Mapping[tuple[int, int], Array], coordinates: int, rows: int) -> dict[tuple[int, int], Array]:
    """The entries in units in which every coordinate has the inertia 1 and every row the length 1."""
    inertia = {k: np.sqrt(np.abs(values.get((k, k), 0.0))) for k in range(coordinates)}
    size = {k: np.where(own > 0.0, own, 1.0) for k, own in inertia.items()}
    lengths: dict[int, Array] = dict.fromkeys(range(coordinates, coordinates + rows), np.zeros(1))
    both = {(max(i, j), min(i, j)): np.asarray(value, dtype=float) for (i, j), value in values.items()}
    for (i, j), value in both.items():
        if i >= coordinates > j:
            lengths[i] = lengths[i] + (value / size[j]) ** 2
    size |= {k: np.sqrt(length) for k, length in lengths.items()}
    return {(i, j): value / (size[i] * size[j]) for (i, j), value in both.items()}


def _planned(saddle: Saddle, way: str) -> Order:
    found: list[Pivot] = []
    total = 0
    waiting = _Waiting(saddle, way)
    while saddle.entries:
        chosen, cost = waiting.next()
        total += cost
        touched = saddle.touched(chosen)
        saddle.eliminate(chosen)
        found.append(chosen)
        waiting.judge(touched)
    return Order(tuple(found), total)


class _Waiting:
    """The pivots that may be next, best first; what was judged before a change around it no longer counts."""

    def __init__(self, saddle: Saddle, way: str) -> None:
        self.saddle, self.way = saddle, way
        self.heap: list[tuple[tuple[bool, bool, float, float], Pivot, tuple[int, ...], int]] = []
        self.changed = dict.fromkeys(saddle.entries, 0)
        self.judge(list(saddle.entries))

    def next(self) -> tuple[Pivot, int]:
        """The cheapest that stands firm, rows with their coordinates first where that is the way."""
        while True:
            _, pivot, when, cost = heappop(self.heap)
            if when == self._when(pivot) and all(k in self.saddle.entries for k in pivot):
                return pivot, cost

    def judge(self, touched: Sequence[int]) -> None:
        """Anew, all pivots with one of these unknowns."""
        for k in touched:
            self.changed[k] += 1
        for pivot in dict.fromkeys(pivot for k in touched for pivot in _at(self.saddle, k, self.way != "alone")):
            cost, growth = _judged(self.saddle, pivot)
            growth = float(f"{growth:.6g}")  # of cells that are alike the first, and not the one that rounding favours
            firm = growth <= _GROWTH
            later = self.way == "together" and len(pivot) == 1
            # what grows too much waits; where everything does, what grows least goes
            rank = (not firm, later, float(cost), growth) if firm else (True, False, growth, float(cost))
            heappush(self.heap, (rank, pivot, self._when(pivot), cost))

    def _when(self, pivot: Pivot) -> tuple[int, ...]:
        return tuple(self.changed[k] for k in pivot)


def _at(saddle: Saddle, k: int, pairs: bool) -> Iterator[Pivot]:
    """Pivots that unknown k may be part of."""
    rows, own = saddle.rows, saddle.entries[k]
    if k not in rows:
        yield (k,)
        if pairs:
            yield from ((k, row) for row in own if row in rows and row not in saddle.entries[row])
    elif all(j in rows for j in own):
        yield (k,)
    elif pairs and k not in own:
        # no coordinate has left anything on this row yet
        yield from ((j, k) for j in own if j not in rows)


def _judged(saddle: Saddle, pivot: Pivot) -> tuple[int, float]:
    """Multiplications, and the largest factor at any position."""
    touched = saddle.touched(pivot)
    if len(pivot) == 1:
        own, n = saddle.entries[pivot[0]], len(touched)
        # a coordinate among coordinates is the pivot of a positive definite matrix: their factors need no watching
        watched = [i for i in touched if (i in saddle.rows) != (pivot[0] in saddle.rows)]
        diagonal = own.get(pivot[0], np.zeros(1))  # of a coordinate that moves no mass
        return n * (n + 1) // 2 + 3 * n + 1, _growth([diagonal, *(own[i] for i in watched)], diagonal)
    k, row = pivot
    c, e = saddle.entries[k], saddle.entries[row]
    products = sum(
        (i in e and j in c) + (j in e) for n, i in enumerate(touched) for j in touched[n:]
    )  # g_i c_j + h_i g_j
    beyond = len(e) - 1
    return products + 4 * beyond + len(touched) + 3, _growth([e[i] for i in e if i != k], e[k])


def _growth(entries: list[Array], pivot: Array) -> float:
    """Of what is divided by the pivot; infinite where that vanishes."""
    worst = max((float(np.max(np.abs(x / pivot))) for x in entries), default=0.0)
    return worst if np.isfinite(worst) else np.inf
