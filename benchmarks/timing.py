"""Taking the time of several calls in turn, so that a busy spell of the machine hits all alike."""

from __future__ import annotations

import time
import timeit
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .row import Taken

SAMPLE = 1e-3  # seconds that one sample lasts at least: the clock and the loop cost nothing beside it


@dataclass(frozen=True)
class Call:
    """A statement, and the names in it; `idle` is the same without the work, to be subtracted."""

    code: str
    names: Mapping[str, Any]
    idle: str = ""

    def once(self) -> None:
        """Without looking at the clock."""
        exec(self.code, dict(self.names))


def in_turn(calls: Mapping[str, Call], seconds: float = 0.5, rounds: int = 9) -> dict[str, Taken]:
    """Seconds per call, from at least so many rounds; more while there is time."""
    timers = {(name, kind): _timer(call, kind) for name, call in calls.items() for kind in ("code", "idle")}
    ready = {key: (timer, _repeats(timer)) for key, timer in timers.items() if timer is not None}
    samples: dict[tuple[str, str], list[float]] = {key: [] for key in ready}
    end = time.perf_counter() + seconds * len(calls)
    while rounds > 0 or time.perf_counter() < end:
        for key, (timer, repeats) in ready.items():
            samples[key].append(timer.timeit(repeats) / repeats)
        rounds -= 1
    return {name: _net(Taken.of(samples[name, "code"]), samples.get((name, "idle"))) for name in calls}


def _timer(call: Call, kind: str) -> timeit.Timer | None:
    code = getattr(call, kind)
    return timeit.Timer(code, globals=dict(call.names)) if code else None


def _repeats(timer: timeit.Timer) -> int:
    timer.timeit(1)
    once = min(timer.repeat(3, 1))
    return max(1, int(SAMPLE / once))


def _net(taken: Taken, idle: list[float] | None) -> Taken:
    if idle is None:
        return taken
    least = Taken.of(idle)
    return Taken(taken.best - least.best, taken.median - least.median)


def quickest(calls: Mapping[str, Call]) -> str:
    """The name of the call that takes the least time."""
    taken = in_turn(calls, seconds=0.02, rounds=5)
    return min(taken, key=lambda name: taken[name].best)
