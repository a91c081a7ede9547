"""Joint limits as seen at the moments saved, by methods that cannot look within their steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import LoopwrightError
from ...spatial import Array
from ...verbs import Dynamics
from ..events import LIMITS, Limit, limits_of
from ..going import Marching
from ..run import Happened


class Glances:
    """Limits of one run, reported at the first moment saved beyond them."""

    def __init__(self, dynamics: Dynamics, method: str, events: Sequence[object], limits: str) -> None:
        if limits not in LIMITS:
            raise LoopwrightError(f"limits is one of {', '.join(LIMITS)}, not {limits!r}")
        acted_on = "events" if len(events) else f"limits='{limits}'" if limits not in ("report", "ignore") else ""
        if acted_on:
            raise LoopwrightError(
                f"method '{method}' sees the motion only where it is saved, and cannot act on {acted_on}: take dop853, "
                "dopri5, or one of SciPy's, scipy:Radau for one"
            )
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.limits = limits_of(self.mechanism) if limits == "report" else []

    def all(self, march: Marching) -> tuple[Happened, ...]:
        """Every time that a limit is passed from within, in time."""
        t, y = march.saved
        nq, n = self.mechanism.nq, self.mechanism.nq + self.mechanism.nv
        found = []
        for limit in self.limits:
            x = np.array([self._at(limit, row[:nq]) for row in y])
            inside = limit.sign * (x - limit.bound) >= 0.0
            anew = (np.abs(np.diff(x)) > np.pi) & (limit.middle < np.inf)  # half a turn from the middle
            for k in np.flatnonzero(inside[:-1] & ~inside[1:] & ~anew) + 1:
                found.append(Happened(limit.name, float(t[k]), y[k, :nq].copy(), y[k, nq:n].copy()))
        return tuple(sorted(found, key=lambda one: one.t))

    def _at(self, limit: Limit, q: Array) -> float:
        """The coordinate, of a cut joint within half a turn of the middle of its range."""
        nq = self.mechanism.nq
        x = float(q[limit.coordinate] if limit.coordinate < nq else self._cut_positions(q)[limit.coordinate - nq])
        return limit.near(x)

    def _cut_positions(self, q: Array) -> Array:
        return self.dynamics.loops.cut_positions(q)
