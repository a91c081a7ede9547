"""Standing still, and turning or sliding at a constant rate."""

from __future__ import annotations

from typing import Any

from ...simulate.formula import Formula
from ...simulate.pieces import Pieces, constant
from .cycloids import between


def hold(value: Any) -> Pieces:
    """The same for ever."""
    between(value, value)
    return constant(value)


def steady(start: Any, rate: Any, begin: float = 0.0) -> Formula:
    """`start` at the time `begin`, changing at a constant `rate` before and after."""
    first, change, scalar = between(start, rate)
    rates = first + change
    functions = [lambda t: first + rates * (t - begin), lambda t: rates, lambda t: 0.0 * rates]
    return Formula(functions, len(first), (), scalar, f"{start} + {rate} t")
