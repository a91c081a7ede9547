"""Trajectories written as formulas of the time, and how those become native code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..program import Face, Kernel, compiled, tape_of
from ..spatial import Symbol, array, expression, numbers, symbols
from .loops import curves
from .trajectory import ORDERS, Native, Trajectory

Function = Callable[[Any], Any]


class Formula(Trajectory):
    """`functions` give values, rates and accelerations, `width` of each, of a time that is a number or a symbol."""

    def __init__(
        self,
        functions: Sequence[Function],
        width: int,
        breaks: Sequence[float] = (),
        scalar: bool = False,
        said: str = "",
    ) -> None:
        self.functions, self.width, self.scalar = tuple(functions), width, scalar
        self.breaks = tuple(float(x) for x in breaks)
        self.said = said

    def __repr__(self) -> str:
        return f"Formula({self.said or f'{self.width} values'})"

    def at(self, t: Any, order: int = 0) -> Any:
        """By the formula itself on one time, by its program on many."""
        if isinstance(t, Symbol) or np.ndim(t) == 0:
            moment = t if isinstance(t, Symbol) else float(t)
            return self.shaped(array(list(self.functions[order](moment))))
        moments = np.asarray(t, dtype=float)
        return self.shaped(self._kernel(moments).reshape(*moments.shape, ORDERS, self.width)[..., order, :])

    @cached_property
    def _kernel(self) -> Kernel:
        """[values, rates, accelerations] of t."""
        import casadi

        t = casadi.SX.sym("t")
        found = [expression(array(list(function(Symbol(t))))) for function in self.functions]
        tape = tape_of(casadi.Function("trajectory", [t], [casadi.densify(casadi.cse(casadi.vertcat(*found)))]))
        face = Face("trajectory", (("t", None),), (ORDERS * self.width,))
        return compiled(face, repr(tape), lambda: tape)

    def native(self) -> Native:
        """Its program, and room for the time that this reads."""
        room = np.zeros(1)
        table = np.array([self._kernel.single, room.ctypes.data], dtype=np.int64)
        return Native(curves.recorded, table, (self._kernel, room))


def of(function: Callable[[Any], Any], breaks: Sequence[float] = ()) -> Formula:
    """A function of t alone, with its exact derivatives; `breaks` are moments at which it is not smooth.

    It is called once, with a symbol: write it with + - * /, np.sin, np.exp … and `lw.where` in place of if.
    """
    import casadi

    t = casadi.SX.sym("t")
    scalar, values = _asked(function, Symbol(t))
    rows = [expression(values)]
    for _ in range(ORDERS - 1):
        rows.append(casadi.jacobian(rows[-1], t))
    parts = [casadi.Function("part", [t], [casadi.densify(row)]) for row in rows]

    def order(k: int) -> Function:
        def asked(now: Any) -> Any:
            if isinstance(now, Symbol):
                return symbols(parts[k](now.sx))
            return np.asarray(parts[k](now), dtype=float).ravel()

        return asked

    name = getattr(function, "__name__", "function")
    return Formula([order(k) for k in range(ORDERS)], len(values), breaks, scalar, f"{name}(t)")


def _asked(function: Callable[[Any], Any], t: Symbol) -> tuple[bool, Any]:
    """What the function makes of a symbol, and whether it is a single value."""
    try:
        given = function(t)
    except LoopwrightError:
        raise
    except Exception as error:
        raise LoopwrightError(
            f"the function of t cannot be recorded: it does not work on a symbol ({error}). Write it with + - * /, "
            "np.sin, np.cos, np.sqrt, np.exp … and lw.where(condition, yes, no) in place of if; or give its values at "
            "some moments, lw.Samples(t, values, 'quintic')"
        ) from error
    try:
        found = np.atleast_1d(numbers(list(given) if isinstance(given, (list, tuple)) else given))
    except (TypeError, ValueError):
        found = np.zeros((0, 0))
    if found.ndim != 1 or found.dtype.kind not in "fO":
        raise LoopwrightError(
            f"a trajectory is a number or a list of numbers at every time; the function gave {given!r}"
        )
    return np.ndim(given) == 0, found
