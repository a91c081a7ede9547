"""The elimination of a deep tree with loops, link by link: articulated bodies whose loops close on the way in.

The mass matrix of a deep tree is full. Here it is not formed: the twist rate t_i of every link is an unknown too, of
which the link's own inertia is the coefficient. From the tips inwards

    t_i = A_i t_parent + P_i a_i

is put in, which moves all that hangs on t_i to t_parent and a_i; then a_i goes, and every row whose coordinates have
all gone. So what is carried along is one articulated inertia, and a column for each loop that is still open. Where the
loops are short the cost grows with their number and no faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..dynamics import Link
from ..spatial import Array, Inertia, Number, array, is_nothing
from ..topology import BASE
from .loaded import Loaded
from .saddle import Part, Saddle, Step

source = "[Featherstone1983] for trees; carrying the rows of open loops along is ours"

DEEP = 25  # coordinates between a coordinate and the ground, itself counted, on average


@dataclass(frozen=True)
class Carried:
    """t_i = A_i t_parent + P_i a_i put in; `own` and `inner` are the numbers of t_i and t_parent among the unknowns."""

    link: Link
    own: range
    inner: range | None  # None on the ground, which does not move

    def forth(self, right: Part) -> None:
        """The wrench on t_i goes to t_parent and a_i."""
        w = array([right.pop(k, 0.0) for k in self.own])
        for k, f in zip(range(self.link.v.start, self.link.v.stop), self.link.P.T @ w, strict=True):
            right[k] = right[k] + f
        if self.inner is not None:
            for k, f in zip(self.inner, self.link.A.T @ w, strict=True):
                right[k] = right.get(k, 0.0) + f

    def back(self, x: Part) -> None:
        """t_i, once t_parent and a_i are known."""
        t = self.link.P @ array([x[k] for k in range(self.link.v.start, self.link.v.stop)])
        if self.inner is not None:
            t = self.link.A @ array([x[k] for k in self.inner]) + t
        x.update(zip(self.own, t, strict=True))


def is_deep(links: Sequence[Link]) -> bool:
    """Whether most of the mass matrix would be there though joints are many."""
    depth: dict[int, int] = {BASE: 0}
    total = count = 0
    for link in links:
        own = link.v.stop - link.v.start
        depth[link.index] = depth[link.parent] + own
        total += own * depth[link.index]
        count += own
    return total > DEEP * max(count, 1)


def steps(at: Loaded) -> tuple[list[Step], list[Number]]:
    """What is taken out, in this order, and what is left of every row when its turn comes."""
    return _Sweep(at).inwards()


class _Sweep:
    def __init__(self, at: Loaded) -> None:
        self.at = at
        n, m = at.nv, len(at.parts)
        self.saddle = Saddle.of({(n + r, k): x for r, row in enumerate(at.parts) for k, x in row.items()}, n, m)
        self.first_twist = n + m
        self.open = {n + r: set(row) for r, row in enumerate(at.parts)}  # coordinates that have not gone yet
        self.through: dict[int, list[int]] = {k: [] for k in range(n)}  # rows of every coordinate
        for row, own in self.open.items():
            for k in own:
                self.through[k].append(row)
        self.rigid = [link.M for link in at.links]  # what rides on a link before anything has gone
        self.steps: list[Step] = []
        self.shares: list[Number] = []

    def inwards(self) -> tuple[list[Step], list[Number]]:
        for link in reversed(self.at.links):
            self._carry(link)
            for k in range(link.v.start, link.v.stop):
                self.steps.append(self.saddle.eliminate((k,)))
                for row in self.through[k]:
                    self.open[row].discard(k)
            self._close({row for k in range(link.v.start, link.v.stop) for row in self.through[k]})
        return self.steps, self.shares

    def _close(self, rows: set[int]) -> None:
        """Take out the rows whose coordinates have all gone, those that touch least first."""
        ready = {row for row in rows if row in self.open and not self.open[row]}
        while ready:
            row = min(ready, key=lambda k: (len(self.saddle.entries[k]), k))
            k = row - self.at.nv
            self.shares += [self.at.reached(k), self.saddle.share(row)]
            self.steps.append(self.saddle.eliminate((row,)))
            ready.remove(row)
            del self.open[row]

    def _twist(self, index: int) -> range:
        return range(self.first_twist + 6 * index, self.first_twist + 6 * index + 6)

    def _carry(self, link: Link) -> None:
        own, inner = self._twist(link.index), None if link.parent == BASE else self._twist(link.parent)
        self.steps.append(Carried(link, own, inner))
        T, columns = self._taken(link, own)
        # [A P]^T T [A P] and, of what else is coupled to t_i, [A P]^T w
        wrench = T @ link.P
        self._add_own(link, wrench)
        for k, w in columns.items():
            for a, x in zip(range(link.v.start, link.v.stop), link.P.T @ w, strict=True):
                self.saddle.add(a, k, x)
        if inner is None:
            return
        for k in inner:
            self.saddle.entries.setdefault(k, {})
        for a, w in [*zip(range(link.v.start, link.v.stop), wrench.T, strict=True), *columns.items()]:
            for k, x in zip(inner, link.A.T @ w, strict=True):
                # a row that has gone may have coupled t_i to t_parent itself: x t_parent^2 comes from both sides
                self.saddle.add(k, a, x + x if k == a else x)
        if isinstance(T, Inertia):
            self.rigid[link.parent] = self.rigid[link.parent] + link.A.gathered(T)
            return
        gathered = link.A.gathered(T)
        for i, a in enumerate(inner):
            for j, b in enumerate(inner):
                if j >= i:
                    self.saddle.add(a, b, gathered[i, j])

    def _taken(self, link: Link, own: range) -> tuple[Inertia | Array, dict[int, Array]]:
        """What the equations say of t_i: the inertia on it, and what couples it to other unknowns."""
        left = {k: self.saddle.entries.pop(k, {}) for k in own}
        T: Inertia | Array = self.rigid[link.index]
        found: dict[int, list[Number]] = {}
        for i, k in enumerate(own):
            for j, x in left[k].items():
                if j not in own:
                    found.setdefault(j, [0.0] * 6)[i] = x
                    del self.saddle.entries[j][k]
        inside = [[left[k].get(j, 0.0) for j in own] for k in own]
        if not all(is_nothing(x) for line in inside for x in line):
            T = self.rigid[link.index].matrix() + array(inside)
        return T, {k: array(w) for k, w in found.items()}

    def _add_own(self, link: Link, wrench: Array) -> None:
        block = link.P.T @ wrench + np.diag(link.rotor)
        for i, a in enumerate(range(link.v.start, link.v.stop)):
            for j, b in enumerate(range(link.v.start, link.v.stop)):
                if j >= i:
                    self.saddle.add(a, b, block[i, j])
