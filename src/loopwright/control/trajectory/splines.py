"""Splines through points, at rest at both ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import LoopwrightError
from ...simulate.pieces import Pieces, of_spline
from ...spatial import Array


def cubic(t: Any, points: Any, rates: Any = (0.0, 0.0)) -> Pieces:
    """Polynomials of degree 3 through the points, accelerations continuous; `rates` are those at both ends."""
    return spline(t, points, 3, rates)


def quintic(t: Any, points: Any, rates: Any = (0.0, 0.0), accelerations: Any = (0.0, 0.0)) -> Pieces:
    """Polynomials of degree 5 through the points, four derivatives continuous; from rest to rest unless said."""
    return spline(t, points, 5, rates, accelerations)


def spline(t: Any, points: Any, degree: int = 5, rates: Any = (0.0, 0.0), accelerations: Any = (0.0, 0.0)) -> Pieces:
    """Through `points` (a row for every entry of `t`, or a number each), of degree 3 or 5."""
    if degree not in (3, 5):
        raise LoopwrightError(f"splines here have degree 3 or 5, not {degree!r}")
    from scipy.interpolate import make_interp_spline

    try:
        moments, given = np.array(t, dtype=float), np.array(points, dtype=float)
        rows = given[:, None] if given.ndim == 1 else given
        ends = [
            [np.broadcast_to(np.asarray(x, dtype=float), rows.shape[1:]) for x in pair]
            for pair in (rates, accelerations)
        ]
    except (TypeError, ValueError, IndexError):
        raise LoopwrightError("a spline needs times, a point for each, and rates at both ends, (first, last)") from None
    if moments.ndim != 1 or rows.ndim != 2 or len(rows) != len(moments) or len(moments) < 2:
        raise LoopwrightError(
            f"a spline needs two times at least and a point for each; got {moments.size} times and points of shape "
            f"{given.shape}"
        )
    if not (np.isfinite(rows).all() and np.isfinite(moments).all() and (np.diff(moments) > 0.0).all()):
        raise LoopwrightError("the points of a spline must be finite numbers, and its times increase")
    orders = range(1, 1 + degree // 2)
    first, last = ([(order, ends[order - 1][side]) for order in orders] for side in (0, 1))
    return of_spline(make_interp_spline(moments, rows, degree, bc_type=(first, last)), moments, given.ndim == 1)


def _row(given: Any, shape: tuple[int, ...]) -> Array:
    return np.broadcast_to(np.asarray(given, dtype=float), shape)
