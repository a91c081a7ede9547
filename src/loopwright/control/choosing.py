"""What stands in place of `if` in functions that are recorded: both sides are computed, one is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..spatial import numbers
from ..spatial import where as chosen


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, `no` elsewhere: conditions compare single numbers or symbols."""
    return _each(chosen, condition, yes, no)


def clip(x: Any, low: Any, high: Any) -> Any:
    """x, no less than `low` and no more than `high`, entry by entry."""
    return _each(lambda x, low, high: chosen(x < low, low, chosen(x > high, high, x)), x, low, high)


def _each(of: Callable[..., Any], *given: Any) -> Any:
    """Entry by entry where some are arrays."""
    if all(np.ndim(x) == 0 for x in given):
        return of(*given)
    return numbers(np.asarray(np.frompyfunc(of, len(given), 1)(*(np.asarray(x, dtype=object) for x in given))))
