"""Small systems of linear equations, in loops."""

from __future__ import annotations

from typing import Any

import numpy as np


def factor(A: Any, order: Any) -> float:
    """P A = L U in place, with the largest pivot of each column; the least pivot over the largest."""
    return factor_from(A, order, 0)


def factor_from(A: Any, order: Any, first: int) -> float:
    """The same of the rows and columns from `first` on."""
    n = A.shape[0]
    least, most = np.inf, 0.0
    for k in range(first, n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        order[k] = p
        if p != k:
            for j in range(first, n):
                kept = A[k, j]
                A[k, j] = A[p, j]
                A[p, j] = kept
        pivot = A[k, k]
        least, most = min(least, abs(pivot)), max(most, abs(pivot))
        if pivot == 0.0 or not np.isfinite(pivot):
            return 0.0
        for i in range(k + 1, n):
            share = A[i, k] / pivot
            A[i, k] = share
            if share != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= share * A[k, j]
    return least / most if n > first else 1.0


def solved(A: Any, order: Any, x: Any) -> int:
    """x becomes what A^-1 makes of it, A as `factor` left it."""
    n = A.shape[0]
    for k in range(n):
        p = order[k]
        kept = x[k]
        x[k] = x[p]
        x[p] = kept
    for k in range(n):
        for j in range(k):
            x[k] -= A[k, j] * x[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= A[k, j] * x[j]
        x[k] /= A[k, k]
    return n


def rooted(A: Any, floor: float) -> float:
    """A = L L^T in the lower half; what is no larger than `floor` of its diagonal entry counts as that.

    Says the least share of a diagonal entry that is left for its pivot.
    """
    n = A.shape[0]
    least = 1.0
    for k in range(n):
        before = A[k, k]
        for j in range(k):
            A[k, k] -= A[k, j] * A[k, j]
        left = max(A[k, k], max(floor * before, 1e-300))
        least = min(least, left / max(before, 1e-300))
        A[k, k] = np.sqrt(left)
        for i in range(k + 1, n):
            for j in range(k):
                A[i, k] -= A[i, j] * A[k, j]
            A[i, k] /= A[k, k]
    return least


def halfway(L: Any, x: Any) -> int:
    """x becomes L^-1 x."""
    for k in range(L.shape[0]):
        for j in range(k):
            x[k] -= L[k, j] * x[j]
        x[k] /= L[k, k]
    return 0


def back(L: Any, x: Any) -> int:
    """x becomes L^-T x."""
    for k in range(L.shape[0] - 1, -1, -1):
        for j in range(k + 1, L.shape[0]):
            x[k] -= L[j, k] * x[j]
        x[k] /= L[k, k]
    return 0


def pivots(A: Any, columns: Any) -> float:
    """Columns that, one for every row, make the rows independent: the largest entry left, again and again.

    A is used up. Says the least entry chosen over the largest.
    """
    m, n = A.shape
    least, most = np.inf, 0.0
    for k in range(m):
        row, column = k, -1
        largest = 0.0
        for i in range(k, m):
            for j in range(n):
                if abs(A[i, j]) > largest:
                    largest = abs(A[i, j])
                    row, column = i, j
        if column < 0:
            return 0.0
        least, most = min(least, largest), max(most, largest)
        columns[k] = column
        for j in range(n):
            kept = A[k, j]
            A[k, j] = A[row, j]
            A[row, j] = kept
        for i in range(k + 1, m):
            share = A[i, column] / A[k, column]
            for j in range(n):
                A[i, j] -= share * A[k, j]
            A[i, column] = 0.0
        for i in range(k + 1, m):
            A[i, column] = 0.0
    return least / most if m > 0 else 1.0


def factor_behind(A: Any, order: Any, first: int) -> float:
    """P A = L U in place as `factor`, the first rows left where they are; theirs are mostly zeros, which cost nothing.

    For matrices of second order, whose first rows say that positions change by their velocities. `order` has room
    for n more.
    """
    n = A.shape[0]
    for k in range(first):
        pivot = A[k, k]
        if pivot == 0.0 or not np.isfinite(pivot):
            return 0.0
        count = 0
        for j in range(k + 1, n):
            if A[k, j] != 0.0:
                order[n + count] = j
                count += 1
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                share = A[i, k] / pivot
                A[i, k] = share
                for j in range(count):
                    A[i, order[n + j]] -= share * A[k, order[n + j]]
    return factor_from(A, order, first)


def solved_behind(A: Any, order: Any, first: int, x: Any) -> int:
    """x becomes what A^-1 makes of it, A as `factor_behind` left it."""
    n = A.shape[0]
    for i in range(1, n):
        for k in range(min(i, first)):
            x[i] -= A[i, k] * x[k]
    for k in range(first, n):
        p = order[k]
        kept = x[k]
        x[k] = x[p]
        x[p] = kept
    for k in range(first, n):
        for j in range(first, k):
            x[k] -= A[k, j] * x[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= A[k, j] * x[j]
        x[k] /= A[k, k]
    return n
