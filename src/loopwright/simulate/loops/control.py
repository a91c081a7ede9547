"""How long the next step may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import places as at

SAFETY, _LEAST, _MOST = 0.9, 0.2, 5.0
_NUDGES = 6  # times that a step is only made a little shorter, to step over a point where nothing can be computed
_TINY = 16 * 2.220446049250313e-16


def shortest(clock: Any) -> float:
    """Below it time does not move."""
    return _TINY * max(abs(clock[at.T]), abs(clock[at.T_END] - clock[at.T]) * 1e-3)


def fitted(clock: Any, h: float) -> float:
    """The step, made to end at T_END where it would end near it."""
    left = clock[at.T_END] - clock[at.T]
    if h >= left * (1.0 - 1e-12):
        return left
    # two halves instead of a step and a crumb
    return 0.5 * left if h > 0.9 * left else h


def arrived(clock: Any, h: float) -> float:
    """The time after a step of that length."""
    left = clock[at.T_END] - clock[at.T]
    return clock[at.T_END] if h == left else clock[at.T] + h


def measured(error: Any, old: Any, new: Any, atol: Any, rtol: float, count: int) -> float:
    """Root of the mean square of the errors over what is allowed."""
    total = 0.0
    for i in range(count):
        allowed = atol[i] + rtol * max(abs(old[i]), abs(new[i]))
        total += (error[i] / allowed) ** 2
    return np.sqrt(total / max(count, 1))


def longer(clock: Any, error: float, order: float, after_rejection: bool, safety: float) -> float:
    """The factor of the next step; `order` of the error.    [Hairer1993, II.4, (4.13); Gustafsson's PI control]"""
    beta = 0.2 / order
    grown = safety * max(error, 1e-10) ** (0.75 * beta - 1.0 / order) * max(clock[at.ERROR], 1e-4) ** beta
    most = 1.0 if after_rejection else _MOST
    return min(most, max(_LEAST, grown))


def shorter(error: float, order: float, safety: float) -> float:
    """The factor of a step that was too long."""
    return max(_LEAST, min(0.9, safety * error ** (-1.0 / order)))


def nudged(failures: int) -> float:
    """The factor of a step within which the flow could not be computed."""
    return 0.9 if failures <= _NUDGES else 0.25
