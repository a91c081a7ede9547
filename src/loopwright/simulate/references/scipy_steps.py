"""Steps of SciPy's integrators within our loop over time, which saves, settles and looks for events as ever."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any

import numpy as np

from ...spatial import Array
from ..loops import places as at
from ..march import March
from ..methods import Method

_STEP = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_WITHIN = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 4, ctypes.c_double, ctypes.c_int64)
_UNCOUNTED = 1e6  # joules: the tolerance of work done along the way, by which the error is not measured
_ONE_STEP = ("RK23", "RK45", "DOP853", "Radau")  # go on from any state; the others remember earlier ones
_IMPLICIT = ("Radau", "BDF", "LSODA")
_DRIFTED = 1e3  # times the tolerance
_SMALL = 2.0**-26  # root of the last place: the step of differences


class ScipyMarch(March):
    """A march whose steps SciPy takes, called from the native loop."""

    def _steps(self, method: Method) -> tuple[int, int]:
        self._name = method.name.partition(":")[2]
        self._solver: Any = None
        self._within: Any = None  # the last step, once it was asked about
        self._chosen = np.zeros(0, dtype=np.int64)  # the dependent coordinates at the last step
        self._settled: Array | None = None  # where the solver must go on, when that is not where it ended
        self._first, self._slopes, self._said, self._failed = 0.0, 0, 0, False
        self._raised: BaseException | None = None
        called = _STEP(self._called), _WITHIN(self._called_within)
        self._keep += called
        step, within = (ctypes.cast(one, ctypes.c_void_p).value or 0 for one in called)
        return step, within

    def begin(self, t_end: float) -> int:
        """As ever, but SciPy finds the first step itself unless the user says it."""
        self._first = float(self.clock[at.H])
        return super().begin(t_end)

    def to(self, t_end: float, steps: int) -> int:
        """As ever; what was raised within a step, Ctrl-C for one, is raised here."""
        said = super().to(t_end, steps)
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        return said

    # called from native code, through which nothing can be raised

    def _called(self, plan: int, tally: int, clock: int) -> int:
        try:
            return self._step()
        except BaseException as error:  # noqa: BLE001 - raised again in `to`
            self._raised = error
            return at.FLOW_FAILED

    def _called_within(self, plan: int, tally: int, clock: int, share: float, out: int) -> int:
        try:
            if self._within is None:
                self._within = self._solver.dense_output()
            values = np.ctypeslib.as_array((ctypes.c_double * self.problem.size).from_address(out))
            t_old, t = self.clock[at.T_OLD], self.clock[at.T]
            values[:] = self._within(t_old + share * (t - t_old))
        except BaseException as error:  # noqa: BLE001 - raised again in `to`
            self._raised = error
            return at.FLOW_FAILED
        return 0

    def _step(self) -> int:
        clock = self.clock
        if not self._stepped():
            self.tally[at.STARTED] = 0
            return at.FLOW_FAILED if self._said in (at.RAISED, at.MEETING) else at.COLLAPSED
        solver = self._solver
        self.y[:] = solver.y
        clock[[at.T_OLD, at.T, at.H_DONE, at.H]] = solver.t_old, solver.t, solver.step_size, solver.step_size
        self.tally[at.SLOPES] = self._slopes + solver.njev
        said = self.settle()
        if said:
            self.tally[at.TROUBLE] = said
            return at.FLOW_FAILED
        if self.problem.settle:
            self._go_on_from_settled()
        return 0

    def _stepped(self) -> bool:
        """Whether SciPy could take a step, from where we stand."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its status tells
            self._failed = False
            try:
                self._ready()
                self._solver.step()
            except (ValueError, np.linalg.LinAlgError):
                if not self._failed:
                    raise
                return False  # a Jacobian of rates that are no numbers
        return self._solver.status != "failed" and bool(np.isfinite(self._solver.y).all())

    def _ready(self) -> None:
        clock, solver = self.clock, self._solver
        here = solver is not None and solver.t == clock[at.T] and solver.t_bound == clock[at.T_END]
        if not (here and self.tally[at.STARTED]):
            self._begun()
        elif self._settled is not None:
            solver.y = self._settled
            if not self.problem.rests:
                solver.f = self._rated(solver.t, solver.y)
        self._settled, self._within = None, None

    def _begun(self) -> None:
        """A solver from here to the end of the stretch that is smooth."""
        import scipy.integrate

        clock = self.clock
        self._slopes += self._solver.njev if self._solver is not None else 0
        t, end = float(clock[at.T]), float(clock[at.T_END])
        first, self._first = min(self._first, end - t), 0.0
        allowed = self._atol.copy()
        allowed[self.problem.counted :] = _UNCOUNTED
        make, slope = getattr(scipy.integrate, self._name), {"jac": self._sloped} if self._name in _IMPLICIT else {}
        self._solver = make(
            self._rated, t, self.y.copy(), end, rtol=float(clock[at.RTOL]), atol=allowed,
            max_step=float(clock[at.H_MAX]), first_step=first or None, **slope,
        )  # fmt: skip
        self.tally[at.STARTED] = 1
        if self.problem.chosen is not None:
            self._chosen = self.problem.chosen.copy()

    def _rated(self, t: float, y: Array) -> Array:
        """dy/dt; no numbers where it cannot be computed, upon which SciPy tries a shorter step."""
        out = np.full(self.problem.size, np.nan)
        if self._said != at.RAISED:
            self.tally[at.EVALUATIONS] += 1
            self._said = self._flow(self.problem.flow, float(t), np.ascontiguousarray(y), out)
        if self._said:
            self.tally[at.TROUBLE], self._failed = self._said, True
            out[:] = np.nan
        return out

    def _sloped(self, t: float, y: Array) -> Array:
        """d(dy/dt)/dy by differences. SciPy's own take ever longer steps along coordinates without effect, as the
        dependent ones are, until the loops cannot be closed.
        """
        J, here = np.zeros((len(y), len(y))), self._rated(t, y)
        for k in range(self.problem.counted):
            aside = y.copy()
            aside[k] += _SMALL * max(1.0, abs(y[k]))
            J[:, k] = (self._rated(t, aside) - here) / (aside[k] - y[k])
        return J

    def _go_on_from_settled(self) -> None:
        """What remembers earlier steps begins anew only where it must: it has drifted far, or goes by coordinates
        that are no longer the independent ones. The loops are closed within the rates otherwise.
        """
        if self._name in _ONE_STEP:
            self._settled = self.y.copy()
            return
        chosen = self.problem.chosen
        if chosen is not None:
            self.tally[at.STARTED] = np.array_equal(chosen, self._chosen)
            self._chosen = chosen.copy()
            return
        n = self.problem.counted
        allowed = self._atol[:n] + self.clock[at.RTOL] * np.abs(self.y[:n])
        moved = np.sqrt(np.mean(((self.y - self._solver.y)[:n] / allowed) ** 2))
        self.tally[at.STARTED] = moved <= _DRIFTED
