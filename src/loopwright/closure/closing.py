"""Bringing a position to where the loops close, and a velocity to where they stay closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array, svd

_STEP = 1.0  # radians or metres moved at once, at the most
_ROUNDS = 60
_PATIENCE = 8  # rounds in which the gap must narrow by a third
_NOTHING = 1e-10  # of the largest singular value: below it a direction cannot be moved in
_FEW = 20  # coordinates that may move so far together where they are many
_SOFT = 1e-12  # of the largest entry on the diagonal of J J^T, added to all of it: rows may repeat each other


@dataclass(frozen=True)
class Closing:
    """Numbers of one mechanism's loops: `gap(q)`, its exact `slope(q)` along v, and how q moves.

    Where coordinates are many, `thin` is the slope again as a sparse matrix of SciPy's.
    """

    gap: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    integrate: Callable[[Array, Array], Array]
    thin: Callable[[Array], Any] | None = None


@dataclass(frozen=True)
class Closed:
    """Where the search ended, and the largest entry of the gap that is left there."""

    q: Array
    left: float


def close(loops: Closing, q: Array, fixed: Array | None = None, tolerance: float = 1e-13) -> Closed:
    """The closed position nearest to q in the sense of Gauss and Newton; coordinates in `fixed` do not move."""
    gap = loops.gap(q)
    before = np.inf
    for count in range(_ROUNDS):
        if count % _PATIENCE == 0:
            size = float(np.linalg.norm(gap))
            if size > 0.7 * before:
                break  # it narrows no more
            before = size
        if np.abs(gap).max(initial=0.0) <= tolerance or not np.isfinite(gap).all():
            break
        step = -_nearest(loops, q, gap, fixed)
        if fixed is not None:
            step[fixed] = 0.0  # and not the rounding of zero
        longest = _STEP if loops.thin is None else _STEP * max(1.0, (len(step) / _FEW) ** 0.5)
        step *= min(1.0, longest / max(float(np.linalg.norm(step)), 1e-300))
        moved = _shortened(loops, q, gap, step)
        if moved is None:
            break
        q, gap = moved
    return Closed(q, float(np.abs(gap).max(initial=0.0)) if np.isfinite(gap).all() else np.inf)


def _nearest(loops: Closing, q: Array, gap: Array, fixed: Array | None) -> Array:
    if loops.thin is None:
        return _least_squares(_freed(loops.slope(q), fixed), gap)
    return _softly(loops.thin(q), gap, fixed)


def _softly(J: Any, right: Array, fixed: Array | None) -> Array:
    """J^T (J J^T + e)^-1 right: the shortest x but for what e makes of it, which the next round sees to."""
    from scipy.sparse import diags_array, eye_array
    from scipy.sparse.linalg import splu

    if not np.isfinite(J.data).all():
        return np.zeros(J.shape[1])
    if fixed is not None:
        free = np.ones(J.shape[1])
        free[fixed] = 0.0
        J = J @ diags_array(free)
    S = J @ J.T
    soft = _SOFT * max(float(S.diagonal().max(initial=0.0)), 1e-300)
    return np.asarray(J.T @ splu((S + soft * eye_array(len(right))).tocsc()).solve(right))


def _freed(J: Array, fixed: Array | None) -> Array:
    if fixed is None:
        return J
    J = J.copy()
    J[:, fixed] = 0.0
    return J


def _shortened(loops: Closing, q: Array, gap: Array, step: Array) -> tuple[Array, Array] | None:
    """The first of ever shorter steps that narrows the gap."""
    size = float(np.linalg.norm(gap))
    for _ in range(12):
        trial = loops.integrate(q, step)
        left = loops.gap(trial)
        if np.linalg.norm(left) < size:
            return trial, left
        step = step / 2.0
    return None


def _least_squares(J: Array, right: Array) -> Array:
    """The shortest x for which J x comes nearest to right, directions without effect left alone."""
    if not np.isfinite(J).all():
        return np.zeros(J.shape[1])  # an angle of half a turn, where the gap has no slope
    U, S, Vt = svd(J, full_matrices=False)
    least = _NOTHING * S.max(initial=0.0)
    keep = least < S
    return Vt[keep].T @ ((U[:, keep].T @ right) / S[keep])
