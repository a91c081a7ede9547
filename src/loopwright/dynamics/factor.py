"""I = U D U^T by reverse Gaussian elimination, from the tips inwards, so that branches never mix."""

from __future__ import annotations

from dataclasses import dataclass

from ..spatial import Array, Number, array
from ..topology import BASE
from .links import Link

source = "[Saha1997]; [Saha2013, (27)]; [Featherstone2005] for the sparsity of branches"


@dataclass(frozen=True)
class Factor:
    """`order` lists the coordinates from the ground outwards; `U[k]` holds column k without its unit diagonal."""

    order: list[int]
    U: dict[int, dict[int, Number]]
    D: dict[int, Number]
    D_inverse: dict[int, Number]

    def solve(self, right: Array) -> Array:
        """x with I x = right, one column or several."""
        return self.back(self.scaled(self.halfway(right)))

    def halfway(self, right: Array) -> Array:
        """y with U y = right."""
        y = {k: right[k] for k in self.order}
        for k in reversed(self.order):
            for i, u in self.U[k].items():
                y[i] = y[i] - u * y[k]
        return self._listed(y, right)

    def scaled(self, y: Array) -> Array:
        """D^-1 y"""
        return self._listed({k: y[k] * self.D_inverse[k] for k in self.order}, y)

    def back(self, y: Array) -> Array:
        """x with U^T x = y."""
        x = {k: y[k] for k in self.order}
        for k in self.order:
            for i, u in self.U[k].items():
                x[k] = x[k] - u * x[i]
        return self._listed(x, y)

    def _listed(self, x: dict[int, Number], like: Array) -> Array:
        return array([x[k] for k in range(len(self.order))]) if self.order else like


def towards_ground(links: list[Link]) -> dict[int, int]:
    """For every coordinate, outwards from the ground, the next one inwards, or BASE."""
    last: dict[int, int] = {BASE: BASE}
    up: dict[int, int] = {}
    for link in links:
        before = last[link.parent]
        for k in range(link.v.start, link.v.stop):
            up[k] = before
            before = k
        last[link.index] = before
    return up


def factored(I: Array, links: list[Link]) -> Factor:
    """U and D of the mass matrix."""
    up = towards_ground(links)
    order = list(up)
    S = {k: {i: I[k, i] for i in order} for k in order}
    U: dict[int, dict[int, Number]] = {k: {} for k in order}
    inverse: dict[int, Number] = {}
    for k in reversed(order):
        inverse[k] = 1.0 / S[k][k]
        i = up[k]
        while i != BASE:
            # u_ik = S_ik / D_k;  S_ij -= u_ik D_k u_jk
            U[k][i] = S[k][i] * inverse[k]
            j = i
            while j != BASE:
                S[i][j] = S[i][j] - U[k][i] * S[k][j]
                j = up[j]
            i = up[i]
    return Factor(order, U, {k: S[k][k] for k in order}, inverse)
