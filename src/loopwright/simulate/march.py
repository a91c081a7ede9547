"""A time loop at work: its memory, and going from one time to another."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ..program import looped
from ..spatial import Array
from .loops import places as at
from .loops.advance import advance, stretch
from .loops.meeting import met
from .methods import Method
from .problem import Problem

_FLOW = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_MOVE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_LOG_ROOM = 10_000
_LOST = (at.MEETING, at.SINGULAR, at.NOT_CLOSED)  # troubles that independent coordinates may be without


class March:
    """A problem on its way. `step` is the length of fixed steps, or that of the first adaptive one (0: guessed)."""

    def __init__(
        self,
        problem: Problem,
        method: Method,
        t: float,
        y: Array,
        rtol: float = 1e-8,
        atol: Any = 1e-10,
        step: float = 0.0,
        longest: float = np.inf,
        save: Any = (),
    ) -> None:
        self.problem, self.method = problem, method
        n = problem.size
        self.plan = np.zeros(at.LENGTH, dtype=np.int64)
        self.tally = np.zeros(at.TALLY_LENGTH, dtype=np.int64)
        self.clock = np.zeros(at.CLOCK_LENGTH)
        self.y = np.zeros(n)  # integrals along the way begin at nothing
        self.y[: len(y)] = y
        self._old, self._rates = np.zeros(n), np.zeros(2 * n)  # room for dy and for a state looked at
        self._atol = np.ascontiguousarray(np.broadcast_to(np.asarray(atol, dtype=float), n))
        self._work, self._table = np.zeros(max(method.rows(n), 1)), np.ascontiguousarray(method.table, dtype=float)
        self.moments = np.ascontiguousarray(save, dtype=float)
        self._saved = np.zeros((len(self.moments), n))
        m = problem.watched
        self.directions = np.zeros(m)
        self._signs, self.ends = np.zeros((4, max(m, 1))), np.ones(max(m, 1), dtype=np.int64)
        self._log = np.zeros((_LOG_ROOM if m else 1, n + 2))
        ahead = np.array(sorted({b for b in problem.breaks if b >= t}))
        self._breaks = np.stack([np.nextafter(ahead, -np.inf), ahead, np.nextafter(ahead, np.inf)], axis=1)
        texts = [looped(advance), looped(stretch)]
        self._keep: list[Any] = [texts, problem]
        self._advance: Callable[[int, int, int], int] = _MOVE(texts[0].address)
        self._stretch: Callable[[int, int, int], int] = _MOVE(texts[1].address)
        self._lay(*self._steps(method))
        self.clock[[at.T, at.T_OLD, at.RTOL, at.H_MAX, at.ERROR]] = t, t, rtol, longest, 1e-4
        self.clock[at.H] = step

    def _steps(self, method: Method) -> tuple[int, int]:
        """The addresses of what takes a step, and of what gives the state within it."""
        texts = looped(method.step), looped(method.dense)
        self._keep += texts
        return texts[0].address, texts[1].address

    def _lay(self, step: int, dense: int) -> None:
        p, problem = self.plan, self.problem
        p[at.FLOW], p[at.CONTEXT], p[at.SETTLE] = problem.flow, problem.context.ctypes.data, problem.settle
        p[at.SIZE], p[at.COUNTED], p[at.POSITIONS] = problem.size, problem.counted, problem.positions
        p[at.RESTS], p[at.WATCH], p[at.WATCHED] = problem.rests, problem.watch, problem.watched
        if problem.watched:
            p[at.MEET] = looped(met).address
        p[at.STEP], p[at.DENSE], p[at.CARRY] = step, dense, problem.carry
        x = problem.local
        if x is not None:
            p[at.CHART], p[at.LIFT], p[at.LOCAL], p[at.SLOPE] = x.chart, x.lift, x.rates, x.slope
            p[at.X_SIZE], p[at.X_ACTING], p[at.X_FOLLOWING], p[at.TIMED] = x.size, x.acting, x.following, x.timed
        arrays = {
            at.Y: self.y, at.Y_OLD: self._old, at.DY: self._rates, at.ATOL: self._atol, at.WORK: self._work,
            at.TABLE: self._table, at.SAVE_T: self.moments, at.SAVE_Y: self._saved, at.G: self._signs,
            at.ENDS: self.ends, at.LOG: self._log, at.BREAKS: self._breaks,
        }  # fmt: skip
        for place, array in arrays.items():
            p[place] = array.ctypes.data
        p[at.SAVES], p[at.LOG_ROOM], p[at.BREAK_COUNT] = len(self.moments), len(self._log), len(self._breaks)
        p[at.STRETCH] = problem.stretch.ctypes.data if problem.stretch is not None else 0

    @property
    def t(self) -> float:
        return float(self.clock[at.T])

    @property
    def saved(self) -> tuple[Array, Array]:
        """The moments saved so far, and the states there."""
        count = int(self.tally[at.SAVED])
        return self.moments[:count], self._saved[:count]

    @property
    def log(self) -> list[tuple[int, float, Array]]:
        """Events passed that did not end the loop."""
        rows = self._log[: int(self.tally[at.LOGGED])]
        return [(int(row[0]), float(row[1]), row[2:]) for row in rows]

    def begin(self, t_end: float) -> int:
        """Look at the start: its rates, the first step, what events see there. Says what the flow said."""
        self._until(t_end)
        said = self.settle() or self._flow(self.problem.flow, self.t, self.y, self._rates)
        if said == at.MEETING and self._handed_over():
            said = self.settle() or self._flow(self.problem.flow, self.t, self.y, self._rates)
        self.tally[at.EVALUATIONS] += 1
        if said:
            self.tally[at.TROUBLE] = said
            return said
        self.tally[at.FRESH] = 1
        if self.clock[at.H] <= 0.0:
            self.clock[at.H] = self._first_step(t_end)
        self._first_saved()
        return self.look()

    def settle(self) -> int:
        """Close the loops where it stands, as at the end of a step."""
        if not self.problem.settle:
            return 0
        return int(_FLOW(self.problem.settle)(self.t, self.y.ctypes.data, 1, self.problem.context.ctypes.data))

    def look(self) -> int:
        """What events see where it stands now."""
        if not self.problem.watched:
            return 0
        self._signs[2, : self.problem.watched] = self.directions
        return self._flow(self.problem.watch, self.t, self.y, self._signs[0])

    def to(self, t_end: float, steps: int) -> int:
        """Go on until t_end, for so many more steps at the most; one of the answers of places.py."""
        self._until(t_end)
        self.tally[at.UNTIL] = self.tally[at.STEPS] + steps
        said = self._advance(self.plan.ctypes.data, self.tally.ctypes.data, self.clock.ctypes.data)
        lost = said in (at.FLOW_FAILED, at.COLLAPSED) and self.tally[at.TROUBLE] in _LOST
        return at.PAUSED if lost and self._handed_over() else said

    def _handed_over(self) -> bool:
        """Go on in the other coordinates of the problem, if it has others."""
        if self.problem.otherwise is None:
            return False
        self.problem = self.problem.otherwise()
        self._keep.append(self.problem)
        self._lay(int(self.plan[at.STEP]), int(self.plan[at.DENSE]))
        self._until(float(self.clock[at.LAST]))
        self.tally[at.FRESH] = self.tally[at.STARTED] = self.tally[at.TROUBLE] = 0
        self.settle()
        return True

    def _until(self, t_end: float) -> None:
        self.clock[at.LAST] = t_end
        self._stretch(self.plan.ctypes.data, self.tally.ctypes.data, self.clock.ctypes.data)

    def moved(self, y: Array, step: float = 0.0) -> None:
        """Go on from another state: nothing that is remembered of earlier steps holds."""
        self.y[:] = y
        self.tally[at.FRESH] = self.tally[at.STARTED] = 0
        if step:
            self.clock[at.H] = step
        self.look()

    def rates(self) -> Array:
        """dy/dt where it stands."""
        self._flow(self.problem.flow, self.t, self.y, self._rates)
        return self._rates[: self.problem.size].copy()

    def _flow(self, function: int, t: float, y: Array, out: Array) -> int:
        return int(_FLOW(function)(t, y.ctypes.data, out.ctypes.data, self.problem.context.ctypes.data))

    def _first_saved(self) -> None:
        while self.tally[at.SAVED] < len(self.moments) and self.moments[self.tally[at.SAVED]] <= self.t:
            self._saved[self.tally[at.SAVED]] = self.y
            self.tally[at.SAVED] += 1

    def _first_step(self, t_end: float) -> float:
        """[Hairer1993, II.4]: from the size of the rates and of their change."""
        n, rtol = self.problem.counted, self.clock[at.RTOL]
        f0 = self._rates[: self.problem.size].copy()
        allowed = self._atol + rtol * np.abs(self.y)

        def size(x: Array) -> float:
            with np.errstate(over="ignore"):
                return float(np.sqrt(np.mean((x[:n] / allowed[:n]) ** 2))) if n else 0.0

        d0, d1 = size(self.y), size(f0)
        h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        h = min(h, t_end - self.t)
        if not h > 0.0:
            return 1e-12 * (t_end - self.t)  # rates beyond all measure: no step will do, which the loop finds and says
        ahead, rates = self.y + h * f0, np.zeros(self.problem.size)
        self.tally[at.EVALUATIONS] += 1
        if self._flow(self.problem.flow, self.t + h, ahead, rates) or not np.isfinite(rates).all():
            return 1e-3 * h
        d2 = size(rates - f0) / h
        worst = max(d1, d2)
        longer = max(1e-6, h * 1e-3) if worst <= 1e-15 else (0.01 / worst) ** (1.0 / self.method.order)
        return float(min(100 * h, longer, t_end - self.t, self.clock[at.H_MAX]))
