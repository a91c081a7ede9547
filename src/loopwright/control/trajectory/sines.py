"""Sums of sines, as used to shake a mechanism in order to identify it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import LoopwrightError
from ...simulate.formula import Formula
from ...spatial import Array, Number, cos, sin


def sines(amplitude: Any, frequency: Any, phase: Any = 0.0, offset: Any = 0.0) -> Formula:
    """offset + sum_k amplitude_k sin(2 pi frequency_k t + phase_k), frequencies in hertz, phases in radians.

    `amplitude` and `phase` have a row of values for every frequency where there are several values.
    """
    try:
        w = 2.0 * math.pi * np.atleast_1d(np.asarray(frequency, dtype=float))
        middle = np.asarray(offset, dtype=float)
        a, p = (np.asarray(x, dtype=float) for x in (amplitude, phase))
        width = max(x.shape[-1] if x.ndim > limit else 1 for x, limit in ((a, 1), (p, 1), (middle, 0)))
        a, p = (_rows(x, len(w), width) for x in (a, p))
        c = np.array(np.broadcast_to(middle, width))
    except (TypeError, ValueError):
        raise LoopwrightError(
            "sines need an amplitude and a phase, or a row of them, for every frequency; got amplitude="
            f"{amplitude!r}, frequency={frequency!r}, phase={phase!r}, offset={offset!r}"
        ) from None
    scalar = np.ndim(amplitude) <= 1 and np.ndim(phase) <= 1 and middle.ndim == 0

    def summed(t: Number, wave: Any, factor: Array) -> Array:
        # a column for every value:  sum_k f_k a_kn wave(w_k t + p_kn)
        terms = [[factor[k] * a[k, n] * wave(w[k] * t + p[k, n]) for n in range(width)] for k in range(len(w))]
        return [sum(column[1:], column[0]) for column in zip(*terms, strict=True)]

    functions = [
        lambda t: [x + y for x, y in zip(c, summed(t, sin, np.ones(len(w))), strict=True)],
        lambda t: summed(t, cos, w),
        lambda t: summed(t, sin, -(w**2)),
    ]
    return Formula(functions, width, (), scalar, f"{len(w)} sines")


def _rows(given: Array, count: int, width: int) -> Array:
    """One row for every frequency."""
    rows = given[:, None] if given.ndim == 1 else given
    return np.array(np.broadcast_to(rows, (count, width)))
