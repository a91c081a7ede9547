"""Rows of numbers, in loops."""

from __future__ import annotations

from typing import Any


def copied(out: Any, given: Any) -> int:
    """out = given; says how many."""
    for i in range(len(out)):
        out[i] = given[i]
    return len(out)


def finite(x: Any) -> bool:
    """Whether every one is a number."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * 0.0
    return total == 0.0
