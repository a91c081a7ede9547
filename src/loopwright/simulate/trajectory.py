"""Values over time, as drives and motions take them: what a trajectory must be able to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array

ORDERS = 3  # value, rate and acceleration


@dataclass(frozen=True, eq=False)
class Native:
    """A text of loops/ and the table it reads: `text(t, out, 0, table)` writes [values, rates, accelerations]."""

    text: Callable[[float, int, int, int], int]
    table: Array
    keep: Any = field(default=None, repr=False)


class Trajectory(ABC):
    """`width` values over time; at `breaks` they are not smooth.

    Made from single numbers it gives single numbers: then `scalar` is True, and `width` is 1.
    """

    width: int
    scalar: bool
    breaks: tuple[float, ...]

    @abstractmethod
    def at(self, t: Any, order: int = 0) -> Any:
        """Values (order 0), rates (1) or accelerations (2); for many times a row each. `t` may be a symbol."""

    @abstractmethod
    def native(self) -> Native:
        """The same for native loops over time."""

    def __call__(self, t: Any) -> Any:
        return self.at(t)

    def velocity(self, t: Any) -> Any:
        """The rates at t."""
        return self.at(t, 1)

    def acceleration(self, t: Any) -> Any:
        """The second derivatives at t."""
        return self.at(t, 2)

    def shaped(self, values: Array) -> Any:
        """Values with a last axis, as they are given out."""
        if not self.scalar:
            return values
        return values[..., 0] if values.dtype == object or values.ndim > 1 else float(values[0])


def wanted_width(path: Trajectory, width: int, what: str) -> None:
    """Refuse a trajectory of another number of values."""
    if path.width != width:
        raise LoopwrightError(f"{what} needs {width} values over time, and the trajectory has {path.width}")


def table_of(path: Trajectory, t: Any) -> Array:
    """Moments x ORDERS x width."""
    moments = np.atleast_1d(np.asarray(t, dtype=float))
    rows = [np.reshape(path.at(moments, order), (len(moments), path.width)) for order in range(ORDERS)]
    return np.stack(rows, axis=1)
