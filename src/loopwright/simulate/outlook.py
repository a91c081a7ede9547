"""Meeting events: what has happened on the way, and what a run does about it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array
from ..verbs import Dynamics
from .events import LIMITS, Event, Limit, bounced, limits_of, rate_of, read_events
from .loops import places as at
from .march import March
from .motion import watching
from .problem import Problem
from .run import Happened

_RAPID = 20  # bounces off one limit, each sooner than the last, that come to rest
_SOON = 1e-3  # of the first interval: then they have


class Outlook:
    """Limits and events of one run."""

    def __init__(
        self, dynamics: Dynamics, problem: Problem, events: Sequence[object], limits: str, restitution: float
    ) -> None:
        if limits not in LIMITS:
            raise LoopwrightError(f"limits is one of {', '.join(LIMITS)}, not {limits!r}")
        if not 0.0 < restitution <= 1.0:
            raise LoopwrightError(
                f"restitution is what a bounce leaves of the speed, more than 0 and at most 1, not {restitution!r}"
            )
        self.dynamics, self.restitution, self.how = dynamics, restitution, limits
        self.events: list[Event] = read_events(events)
        self.limits: list[Limit] = [] if limits == "ignore" else limits_of(dynamics.mechanism)
        self.happened: list[Happened] = []
        self._bounces: dict[int, list[float]] = {}
        self.watch(problem)

    def watch(self, problem: Problem) -> None:
        """Have the problem look out."""
        if self.limits or self.events:
            watching(problem, self.limits, self.events)

    def prepare(self, march: March) -> None:
        """Tell the loop which directions count and what ends it."""
        n = len(self.limits)
        march.directions[:n] = -1.0
        march.directions[n:] = [event.direction for event in self.events]
        if n + len(self.events):
            march.ends[:n] = self.how != "report"
            march.ends[n:] = [event.terminal for event in self.events]

    def met(self, march: March) -> str:
        """Act on the event that ended the loop; why the run stops there, or "" when it goes on."""
        k = int(march.tally[at.EVENT])
        if not self._counts(k, march.y):
            return ""
        self._note(k, march.t, march.y)
        if k >= len(self.limits):
            return f"event '{self.events[k - len(self.limits)].name}'"
        limit = self.limits[k]
        if self.how == "stop":
            return limit.name
        times = [*self._bounces.get(k, []), march.t]
        self._bounces[k] = times
        if self._rests(times):
            return (
                f"{limit.name}, where it comes to rest after {len(times)} bounces; lasting contact is not computed: "
                "give the joint a stiff spring and a damper beyond its limit, as an effort"
            )
        m = self.dynamics.mechanism
        q, v = march.y[: m.nq].copy(), march.y[m.nq : m.nq + m.nv]
        y = march.y.copy()
        y[m.nq : m.nq + m.nv] = bounced(self.dynamics, q, v, limit, self.restitution)
        march.moved(y, self._within_flight(march, y, rate_of(self.dynamics, q, limit)))
        return ""

    def _within_flight(self, march: March, y: Array, F: Array) -> float:
        """A step that ends before the coordinate whose rate is F v comes back to the limit, else stepped over."""
        march.y[:] = y
        own = slice(self.dynamics.mechanism.nq, self.dynamics.mechanism.nq + len(F))
        speed, rate = abs(F @ y[own]), abs(F @ march.rates()[own])
        usual = float(march.clock[at.H])
        return usual if rate == 0.0 else min(usual, 0.4 * 2.0 * speed / rate)

    def all(self, march: March) -> tuple[Happened, ...]:
        """Everything that has happened, in time."""
        for k, t, y in march.log:
            if self._counts(k, y):
                self._note(k, t, y)
        return tuple(sorted(self.happened, key=lambda one: one.t))

    def _rests(self, times: list[float]) -> bool:
        gaps = np.diff(times)[-_RAPID:]
        return len(gaps) == _RAPID and bool((np.diff(gaps) < 0.0).all()) and bool(gaps[-1] < _SOON * gaps[0])

    def _counts(self, k: int, y: Array) -> bool:
        n, nq = len(self.limits), self.dynamics.mechanism.nq
        if k >= n:
            return self.events[k - n].counts(y[:nq])
        limit = self.limits[k]
        return limit.coordinate < nq or limit.meets(self.dynamics.loops.cut_positions(y[:nq])[limit.coordinate - nq])

    def _note(self, k: int, t: float, y: Array) -> None:
        m, n = self.dynamics.mechanism, len(self.limits)
        name = self.limits[k].name if k < n else self.events[k - n].name
        self.happened.append(Happened(name, t, y[: m.nq].copy(), y[m.nq : m.nq + m.nv].copy()))
