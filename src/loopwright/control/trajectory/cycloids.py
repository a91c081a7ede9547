"""The cycloid: from rest to rest, without a jump of the acceleration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import LoopwrightError
from ...simulate.formula import Formula
from ...spatial import Array, Number, Symbol, cos, sin, where

source = "[Saha2001, (35)]"


def cycloid(start: Any, end: Any, duration: float, begin: float = 0.0) -> Formula:
    """From `start` at the time `begin` to `end` after `duration` seconds; it stands still before and after.

    th = th0 + (thT - th0) (s - sin(2 pi s) / 2 pi),  s = t / T   [Saha2001, 35]
    """
    first, rise, scalar = between(start, end)
    T = seconds(duration)
    turn = 2.0 * math.pi

    def share(t: Number) -> Number:
        return clamped((t - begin) / T)

    return Formula(
        [
            lambda t: first + rise * ((s := share(t)) - sin(turn * s) / turn),
            lambda t: rise / T * (1.0 - cos(turn * share(t))),
            lambda t: rise / T**2 * (turn * sin(turn * share(t))),
        ],
        len(rise),
        (begin, begin + T),
        scalar,
        f"cycloid from {start} to {end} in {T:g} s",
    )


def between(start: Any, end: Any) -> tuple[Array, Array, bool]:
    """Where it starts, how far it goes, and whether these are single numbers."""
    try:
        given = [np.asarray(x, dtype=float) for x in (start, end)]
        first, last = (np.atleast_1d(x) for x in np.broadcast_arrays(*given))
    except (TypeError, ValueError):
        raise LoopwrightError(
            f"start and end must be numbers, or equally many of them; got {start!r} and {end!r}"
        ) from None
    if first.ndim != 1 or not np.isfinite([first, last]).all():
        raise LoopwrightError(f"start and end must be finite numbers; got {start!r} and {end!r}")
    return first, last - first, given[0].ndim == given[1].ndim == 0


def seconds(duration: Any) -> float:
    """A time that it takes."""
    try:
        T = float(duration)
    except (TypeError, ValueError):
        raise LoopwrightError(f"duration must be a number of seconds, got {duration!r}") from None
    if not (math.isfinite(T) and T > 0.0):
        raise LoopwrightError(f"it must take more than 0 seconds, got duration={duration!r}")
    return T


def clamped(s: Number) -> Number:
    """s, no less than 0 and no more than 1."""
    return where(s < 1.0, where(s > 0.0, s, 0.0), 1.0) if isinstance(s, Symbol) else min(max(s, 0.0), 1.0)
