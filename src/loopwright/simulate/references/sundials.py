"""SUNDIALS, as CasADi has it: CVODES for ordinary equations, IDAS for differential-algebraic ones.

CasADi integrates all the way or not at all. So a run is put together of pieces, each begun anew at a consistent
state: it can be stopped between them, or within one at the price of that piece, and keeps what it has.
"""

from __future__ import annotations

import contextlib
import io
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...mechanism import State
from ...spatial import Array
from ..drives import Drive
from ..loops import places as at
from ..methods import Method
from ..problem import Problem
from .equations import Equations

_STEPS = 1000  # in a piece, about
_MOST_STEPS = 5000  # between two saved moments within one
_FIRST, _MOVED = 0.02, 3.0  # the first: of the run, and radians or metres that coordinates move meanwhile
_LEAST = 1e-9  # of the run: a piece that fails is halved down to this
_ASTRAY = 1e4  # times the tolerance
# Index 2 asks for some care. Left to itself, IDAS begins with a step in which nothing changes by more than the
# tolerance, so short that rounding is all that is left. Newton's method must end well below the tolerance, for what it
# leaves in coordinates that the rows tie to each other looks like an error of the step and makes ever shorter ones; so
# does a tolerance far below that of the fastest, and velocities are measured by it. Multipliers come with the error of
# velocities over the step. And the matrix is none the worse for pivots as small as the square of the step.
_FIRST_STEP = 1e-4  # of the piece
_NEWTON = 0.03  # of the tolerance
_FREE = 1e3  # newtons and newton metres
_SINGULAR = 1e-300


@dataclass(frozen=True)
class Piece:
    """States at the moments asked for, the last of them its end, and the library's counts."""

    x: Array
    work: Array
    stats: dict[str, Any]


class SundialsMarch:
    """A run on its way: what `go` asks of a march, by pieces."""

    def __init__(
        self,
        equations_at: Callable[[Array], Equations],
        method: Method,
        drive: Drive,
        start: State,
        rtol: float,
        atol: float,
        step: float,
        longest: float,
        save: Array,
    ) -> None:
        self.equations_at, self.method, self.drive = equations_at, method, drive
        self.equations = equations = equations_at(start.q)
        self._library, _, self._kind = method.name.partition(":")
        self._nq, self._nx = len(start.q), len(start.q) + len(start.v)
        works = equations.quad.numel()
        self.problem = Problem(self._nx + works, self._nx, self._nq, 0)
        self.problem.where = equations.where
        self.tally, self.clock = np.zeros(at.TALLY_LENGTH, dtype=np.int64), np.zeros(at.CLOCK_LENGTH)
        self.t, self.y = start.t, np.concatenate([start.q, start.v, np.zeros(works)])
        self.moments, self._rows = np.asarray(save, dtype=float), list[Array]()
        self._rtol, self._atol, self._step, self._longest, self._length = rtol, atol, step, longest, 0.0

    @property
    def saved(self) -> tuple[Array, Array]:
        """The moments saved so far, and the states there."""
        rows = np.array(self._rows).reshape(-1, len(self.y))
        return self.moments[: len(rows)], rows

    def begin(self, t_end: float) -> int:
        """Close the loops at the start and save it."""
        said, rates = self._settled(self.y, np.inf), np.zeros(self._nx)
        if not said:
            said, _, rates = self._consistent(np.inf)
        if said:
            self.tally[at.TROUBLE] = said
            return said
        # by their speed and by their acceleration coordinates move by some radians or metres in
        quick = max(np.abs(rates[: self._nq]).max(initial=0.0), np.abs(rates[self._nq :]).max(initial=0.0) ** 0.5)
        self._least = _LEAST * (t_end - self.t)
        self._length = min(_FIRST * (t_end - self.t), _MOVED / max(float(quick), 1e-300))
        while len(self._rows) < len(self.moments) and self.moments[len(self._rows)] <= self.t:
            self._rows.append(self.y.copy())
        return 0

    def to(self, t_end: float, steps: int) -> int:
        """One piece more; one of the answers of places.py."""
        self.equations = self.equations_at(self.y[: self._nq])
        smooth = min((moment for moment in self.drive.breaks if moment > self.t), default=np.inf)
        while self._length > self._least:
            end = min(self.t + self._length, smooth, t_end)
            said, z, rates = self._consistent(smooth)
            if said:
                self.tally[at.TROUBLE] = said
                return at.FLOW_FAILED
            piece = self._integrated(end, smooth, z, rates)
            if piece is not None and self._taken(piece, end):
                return at.FINISHED if self.t >= t_end else at.PAUSED
            self.tally[at.REJECTED] += 1
            self._length = 0.5 * (end - self.t)
        if self.problem.where(self.y):
            self.tally[at.TROUBLE] = at.SINGULAR
        return at.COLLAPSED

    def _settled(self, y: Array, most: float = _ASTRAY) -> int:
        """Loops closed, by a small correction: where rows turn bad within a piece, it may have gone astray."""
        nq, nx = self._nq, self._nx
        found = self.equations.settle(y[:nq], y[nq:nx])
        if found is None:
            return at.NOT_CLOSED
        x = np.concatenate(found)
        astray = np.abs(x - y[:nx]) / (self._atol + self._rtol * np.abs(x))
        y[:nx] = x
        return at.NOT_CLOSED if astray.max(initial=0.0) > most else 0

    def _consistent(self, smooth: float) -> tuple[int, Array, Array]:
        """z and x' at the state, and whether they are numbers."""
        nq, nx = self._nq, self._nx
        q, v = self.y[:nq], self.y[nq:nx]
        tau = self.drive.at(np.array([self.t]), q[None], v[None])[0]
        z = self.equations.begin(self.t, q, v, tau)
        until = np.nextafter(smooth, -np.inf)
        rates = np.array(self.equations.rates(self.t, self.y[:nx], z, until), dtype=float).ravel()
        if np.isfinite(rates).all():
            return 0, z, rates
        return (at.NOT_FINITE if np.isfinite(z).all() else at.SINGULAR), z, rates

    def _integrated(self, end: float, smooth: float, z: Array, rates: Array) -> Piece | None:
        """The piece up to `end`, or None where the library gives up."""
        import casadi

        e, count = self.equations, len(self._rows)
        inside = self.moments[count:]
        moments = [*inside[(inside > self.t) & (inside < end)], end]
        equations = {"t": e.t, "x": e.x, "p": e.until, "ode": e.ode, "quad": e.quad}
        if self._library == "idas":
            equations |= {"z": e.z, "alg": e.alg}
        with _quiet() as interrupted:
            try:
                made = casadi.integrator(
                    "piece", self._library, equations, self.t, moments, self._options(end - self.t, z, rates)
                )
                found = made(x0=self.y[: self._nx], z0=z, p=np.nextafter(smooth, -np.inf))
            except RuntimeError:
                if interrupted:
                    raise KeyboardInterrupt from None
                return None
        x, work = (np.array(found[name]).T for name in ("xf", "qf"))
        return Piece(x, work, made.stats()) if np.isfinite(x).all() else None

    def _options(self, length: float, z: Array, rates: Array) -> dict[str, Any]:
        chosen: dict[str, Any] = {
            "reltol": self._rtol,
            "max_num_steps": _MOST_STEPS,
            "disable_internal_warnings": True,
        }
        if np.isfinite(self._longest):
            chosen["max_step_size"] = self._longest
        step = self._step or (_FIRST_STEP * length if self._library == "idas" else 0.0)
        if step:
            chosen["step0"] = step
        if self._library == "cvodes":
            adams = self._kind == "Adams"
            return chosen | {
                "abstol": self._atol,
                "linear_multistep_method": "adams" if adams else "bdf",
                "nonlinear_solver_iteration": "functional" if adams else "newton",
            }
        fastest = float(np.abs(self.y[self._nq : self._nx]).max(initial=0.0))
        positions, velocities = self._nq, self._nx - self._nq
        return chosen | {
            "abstolv": [self._atol] * positions + [self._atol + self._rtol * fastest] * velocities + [_FREE] * len(z),
            "init_xdot": list(rates),
            "calc_ic": False,
            "suppress_algebraic": True,
            "nonlin_conv_coeff": _NEWTON,
            "linear_solver_options": {"eps": _SINGULAR},
        }

    def _taken(self, piece: Piece, end: float) -> bool:
        """Save what is in the piece and stand at its end; False where its loops cannot be closed there."""
        rows = np.hstack([piece.x, self.y[self._nx :] + piece.work])
        last = rows[-1].copy()
        if self._settled(last):
            return False
        wanted = self.moments[len(self._rows) :]
        count = int(np.count_nonzero(wanted <= end))
        kept = [row.copy() for row in rows[:count]]
        if self.equations.settles and any(self._settled(row) for row in kept):
            return False
        self._rows += kept
        self.t, self.y = end, last
        stats, tally = piece.stats, self.tally
        tally[at.STEPS] += stats["nsteps"]
        tally[at.EVALUATIONS] += stats["nfevals"]
        tally[at.REJECTED] += stats["netfails"]
        tally[at.SLOPES] += stats["nlinsetups"]
        self._length *= float(np.clip(_STEPS / max(stats["nsteps"], 1), 0.2, 4.0))
        return True


@contextlib.contextmanager
def _quiet() -> Iterator[list[int]]:
    """What the library prints is not shown; when Ctrl-C comes meanwhile, which it swallows, the list is not empty."""
    interrupted: list[int] = []

    def noticed(number: int, frame: Any) -> None:
        interrupted.append(number)
        raise KeyboardInterrupt

    mine = threading.current_thread() is threading.main_thread()
    earlier = signal.signal(signal.SIGINT, noticed) if mine else None
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            yield interrupted
    finally:
        if earlier is not None:
            signal.signal(signal.SIGINT, earlier)
