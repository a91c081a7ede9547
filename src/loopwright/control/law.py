"""`lw.law`: a feedback law given as a function, recorded once on symbols and compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..program import Face, Kernel, Tape, compiled, tape_of
from ..simulate.drives import values_over_time
from ..simulate.trajectory import ORDERS, Trajectory, table_of
from ..spatial import Array, Symbol, expression, numbers, symbols

_SAME = 1e-9  # of the forces: a function of the state alone gives them again, whichever way it is asked


@dataclass(frozen=True)
class Wanted:
    """Where a trajectory is at the moment: values, rates and accelerations."""

    q: Any
    v: Any
    a: Any


class Law:
    """Forces of all actuators from t, q and v, in native code; it is also a function, `law(t, q, v)`."""

    def __init__(
        self,
        mechanism: Mechanism,
        function: Callable[..., Any],
        path: Trajectory | None = None,
        breaks: Sequence[float] = (),
    ) -> None:
        self.mechanism, self.function, self.path = mechanism, function, path
        moments = {float(x) for x in breaks} | set(path.breaks if path is not None else ())
        self.breaks = tuple(sorted(moments))
        self._tape = self._recorded()

    def __repr__(self) -> str:
        name = getattr(self.function, "__name__", "function")
        return f"Law('{self.mechanism.name}': {name}, {len(self._tape.operations)} operations)"

    def __call__(self, t: Any, q: Any, v: Any) -> Array:
        """The forces, from the function itself."""
        q, v = (np.asarray(x, dtype=float) for x in (q, v))
        extra = () if self.path is None else (_wanted(table_of(self.path, t)[0], self.path.scalar),)
        return np.asarray(self._read(self.function(float(t), q, v, *extra)), dtype=float)

    def on_symbols(self, t: Any, q: Array, v: Array) -> Array:
        """The forces as expressions of symbols."""
        extra = () if self.path is None else (Wanted(*(self.path.at(t, order) for order in range(ORDERS))),)
        return self._read(self.function(t, q, v, *extra))

    @cached_property
    def kernel(self) -> Kernel:
        """Native code of (t, q, v), or of (t, q, v, wanted) along a path."""
        m = self.mechanism
        inputs = [("t", None), ("q", m.nq), ("v", m.nv)]
        if self.path is not None:
            inputs.append(("wanted", ORDERS * self.path.width))
        return compiled(Face("law", tuple(inputs), (m.nu,)), repr(self._tape), lambda: self._tape)

    def _recorded(self) -> Tape:
        import casadi

        m = self.mechanism
        given = [casadi.SX.sym("t"), casadi.SX.sym("q", m.nq), casadi.SX.sym("v", m.nv)]
        asked = [Symbol(given[0]), symbols(given[1]), symbols(given[2])]
        if self.path is not None:
            given.append(casadi.SX.sym("wanted", ORDERS * self.path.width))
            asked.append(_wanted(symbols(given[-1]).reshape(ORDERS, -1), self.path.scalar))
        forces = self._read(self._on_symbols(asked))
        function = casadi.Function("law", given, [casadi.densify(casadi.cse(expression(forces)))])
        self._require_same(function)
        return tape_of(function)

    def _on_symbols(self, asked: Sequence[Any]) -> Any:
        try:
            return self.function(*asked)
        except LoopwrightError:
            raise
        except Exception as error:
            raise LoopwrightError(
                f"the law cannot be recorded: it does not work on symbols ({type(error).__name__}: {error}). Write it "
                "with + - * / @, np.sin, np.cos, np.sqrt, np.exp … and lw.where(condition, yes, no) in place of if, "
                "min and max; or give the function itself, tau=function, which is slower"
            ) from error

    def _read(self, given: Any) -> Array:
        """One force for every actuator."""
        m = self.mechanism
        try:
            found = np.atleast_1d(numbers(list(given) if isinstance(given, (list, tuple)) else given))
        except (TypeError, ValueError):
            found = np.zeros((0, 0))
        if found.shape not in ((m.nu,), (1,)) or not all(isinstance(x, (Symbol, float)) for x in found):
            raise LoopwrightError(
                f"a law of '{m.name}' gives one force for each of {', '.join(m.actuators)}; it gave {given!r:.200}"
            )
        return found if len(found) == m.nu else np.repeat(found, m.nu)

    def _require_same(self, function: Any) -> None:
        """What was recorded is what the function says: it has no memory, and looks at nothing that changes."""
        for q, v in ((self.mechanism.neutral(), np.zeros(self.mechanism.nv)), self.mechanism.random_state(seed=1)):
            with np.errstate(all="ignore"):
                try:
                    plain = self(0.5, q, v)
                except Exception:  # noqa: BLE001 - a state in which it has no answer tells nothing
                    continue
            extra = () if self.path is None else (table_of(self.path, 0.5).ravel(),)
            again = np.asarray(function(0.5, q, v, *extra), dtype=float).ravel()
            both = np.isfinite(plain) & np.isfinite(again)
            if np.abs(plain - again)[both].max(initial=0.0) > _SAME * max(
                1.0, float(np.abs(plain[both]).max(initial=0.0))
            ):
                raise LoopwrightError(
                    f"the law was recorded once and gave {again} there, and asked again gives {plain}: it remembers or "
                    "looks at something besides t, q and v. Give the function itself, tau=function, which is slower"
                )


def law(mech: Mechanism, function: Callable[..., Any], along: Any = None, breaks: Sequence[float] = ()) -> Law:
    """A feedback law for `tau=`, compiled: `function(t, q, v)` gives one force for every actuator.

    It is called with symbols, once: write it with + - * / @ and NumPy's sin, cos, sqrt, exp …, and `lw.where` in
    place of if. With a trajectory `along` it is `function(t, q, v, wanted)`, where `wanted` has the trajectory's .q,
    .v and .a at the moment. `breaks` are moments at which it is not smooth.
    """
    path = None if along is None else values_over_time(along)
    if along is not None and path is None:
        raise LoopwrightError(f"along= is a trajectory, Samples, or (times, values); got {along!r}")
    if not callable(function):
        raise LoopwrightError(f"a law is a function of (t, q, v), got {function!r}")
    return Law(mech, function, path, breaks)


def _wanted(table: Any, scalar: bool) -> Wanted:
    return Wanted(*(row[0] if scalar else row for row in table))
