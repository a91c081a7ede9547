"""Factoring and solving small symmetric positive definite systems, of numbers or symbols."""

from __future__ import annotations

from .number import Array, array


def ldl(S: Array) -> tuple[list[list[Array]], list[Array]]:
    """S = L D L^T with unit lower L: rows of L (without the diagonal) and the diagonal of D."""
    n = len(S)
    L: list[list[Array]] = [[] for _ in range(n)]
    D: list[Array] = []
    inverse: list[Array] = []
    for i in range(n):
        scaled: list[Array] = []  # L_ij D_j
        for j in range(i):
            total = S[i, j]
            for k in range(j):
                total = total - scaled[k] * L[j][k]
            scaled.append(total)
        L[i] = [scaled[j] * inverse[j] for j in range(i)]
        pivot = S[i, i]
        for j in range(i):
            pivot = pivot - scaled[j] * L[i][j]
        D.append(pivot)
        inverse.append(1.0 / pivot)
    return L, D


def solve(S: Array, b: Array) -> Array:
    """x with S x = b; b is a vector or has one right-hand side per column."""
    if len(S) == 1:
        return b * (1.0 / S[0, 0])
    return substituted(*ldl(S), b)


def substituted(L: list[list[Array]], D: list[Array], b: Array) -> Array:
    """x with L D L^T x = b."""
    n = len(D)
    x = [b[i] for i in range(n)]
    for i in range(n):
        for j in range(i):
            x[i] = x[i] - L[i][j] * x[j]
    x = [x[i] * (1.0 / D[i]) for i in range(n)]
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            x[i] = x[i] - L[j][i] * x[j]
    return array(x)
