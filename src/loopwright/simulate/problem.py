"""What is integrated: a flow in native code, and the memory that it works in."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..spatial import Array
from .loops.places import RAISED

_FLOW = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


@dataclass(frozen=True)
class Local:
    """Local coordinates x of a state: how many, and the addresses of what is asked of them (see loops/local.py).

    `acting` positions, of which and of whose velocities everything depends, and as many velocities come first; then
    `following` positions and velocities; then integrals.
    """

    size: int
    acting: int
    following: int
    chart: int
    lift: int
    rates: int
    slope: int
    timed: bool  # the rates depend on time


@dataclass(eq=False)
class Problem:
    """`size` entries of y, of which the first `counted` measure the error and the first `positions` are positions.

    `flow`, `settle`, `watch` and `carry` are addresses (0: there is none), called with that of `context`.
    `rests`: settling leaves the rates as they are. `keep`: whatever the addresses belong to. At `breaks` the flow is
    not smooth; `stretch` holds the first and the last number between two of them, which are all times it looks at.
    `where` says of a state in which the flow came to an end what is special there.
    `chosen` are the dependent coordinates now, where the flow goes by the others alone.
    """

    size: int
    counted: int
    positions: int
    flow: int
    context: Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    settle: int = 0
    rests: bool = True
    watch: int = 0
    watched: int = 0
    local: Local | None = None  # where it is to be integrated by an implicit method
    breaks: tuple[float, ...] = ()
    stretch: Array | None = None
    carry: int = 0
    chosen: Array | None = None
    otherwise: Callable[[], Problem] | None = None  # the same in other coordinates, where branches of the motion meet
    keep: list[Any] = field(default_factory=list)
    where: Callable[[Array], str] = lambda y: ""
    failure: list[BaseException] = field(default_factory=list)  # what a Python function raised meanwhile


def of_function(f: Callable[[float, Array], Any], size: int, positions: int = 0) -> Problem:
    """Any dy/dt = f(t, y) given as a Python function."""
    problem = Problem(size, size, positions, 0)

    def called(t: float, y: int, dy: int, context: int) -> int:
        try:
            _numbers(dy, size)[:] = f(t, _numbers(y, size).copy())
        except BaseException as error:  # noqa: BLE001 - it is raised again when the loop has ended
            problem.failure.append(error)
            return RAISED
        return 0

    called_back = _FLOW(called)
    problem.keep.append(called_back)
    problem.flow = ctypes.cast(called_back, ctypes.c_void_p).value or 0
    return problem


def _numbers(at: int, size: int) -> Array:
    return np.ctypeslib.as_array((ctypes.c_double * size).from_address(at))
