"""Pivots tell how independent rows are: what elimination leaves of a diagonal entry, against what it was."""

from __future__ import annotations

from dataclasses import dataclass

from ..spatial import Array, Number, ldl, substituted, where


@dataclass(frozen=True)
class Watched:
    """L D L^T of a symmetric matrix S, and `health`: the least D_k / S_kk, 1 for orthogonal rows, 0 for dependent."""

    L: list[list[Array]]
    D: list[Array]
    health: Number

    def solve(self, right: Array) -> Array:
        """x with S x = right."""
        return substituted(self.L, self.D, right)


def watched(S: Array) -> Watched:
    """Factor S, which is positive definite away from singular positions."""
    L, D = ldl(S)
    return Watched(L, D, least([D[k] / S[k, k] for k in range(len(D))]))


def least(shares: list[Number]) -> Number:
    """The least of them, and no more than 1."""
    smallest: Number = 1.0
    for share in shares:
        smallest = where(share >= smallest, smallest, share)  # a share that is not a number stays
    return smallest
