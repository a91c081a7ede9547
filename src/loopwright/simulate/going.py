"""Running a march to its end: progress, budgets, interruption, and saying in words how it ended."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

from ..program import listening
from ..spatial import Array
from .interrupting import interruptible
from .loops import places as at
from .methods import Method
from .problem import Problem
from .seldom import troubles

_PAUSE = 0.1  # seconds between two looks at the clock and at the keyboard
FINISHED = "finished"
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Budget:
    """How long a run may take."""

    steps: int
    seconds: float


class Marching(Protocol):
    """A run on its way: `begin` looks at the start, `to` goes on for so many steps; both answer as places.py says."""

    problem: Problem
    method: Method
    tally: Array
    clock: Array
    y: Array

    @property
    def t(self) -> float: ...

    @property
    def saved(self) -> tuple[Array, Array]: ...

    def begin(self, t_end: float) -> int: ...

    def to(self, t_end: float, steps: int) -> int: ...


def go(march: Marching, t_end: float, budget: Budget, progress: bool, met: Callable[[Any], str] | None = None) -> str:
    """The status at its end; `met` acts on events that end the loop and says why the run stops there, or ""."""
    began = time.perf_counter()

    def pause() -> None:
        march.tally[at.UNTIL] = 0

    try:
        with interruptible(pause) as interrupted:
            said = march.begin(t_end)
            if said:
                return f"stopped at t = {march.t:.6g} s: {trouble(march, said)}"
            with _shown(progress, march.t, t_end) as show:
                why = _gone(march, t_end, budget, began, show, interrupted, met)
    except KeyboardInterrupt:
        why = "interrupted"
    return f"stopped at t = {march.t:.6g} s: {why}" if why else FINISHED


def _gone(
    march: Marching,
    t_end: float,
    budget: Budget,
    began: float,
    show: Callable[[float], None],
    interrupted: Callable[[], bool],
    met: Callable[[Any], str] | None,
) -> str:
    """Go on until the end; why it stopped before it, or ""."""
    steps = 100
    while not interrupted():
        left = budget.steps - int(march.tally[at.STEPS])
        if left <= 0:
            return f"{budget.steps} steps were taken, all allowed (max_steps)"
        tick = time.perf_counter()
        said = march.to(t_end, min(steps, left))
        taken = time.perf_counter() - tick
        show(march.t)
        if said == at.FINISHED:
            return ""
        if said == at.EVENT_MET and met is not None:
            stopped = met(march)
            if stopped:
                return stopped
        elif said != at.PAUSED:
            return ended(march, said)
        if time.perf_counter() - began > budget.seconds:
            return f"{budget.seconds:g} s of computing were used, as many as allowed (max_seconds)"
        steps = max(1, min(10_000_000, int(steps * min(10.0, _PAUSE / max(taken, 1e-6)))))
    return "interrupted"


def ended(march: Marching, said: int) -> str:
    """Why a loop ended early."""
    if said == at.COLLAPSED:
        unsaid = f"the error stays too large{march.problem.where(march.y)}"
        why = trouble(march, int(march.tally[at.TROUBLE])) if march.tally[at.TROUBLE] else unsaid
        return f"no step is short enough ({why})"
    why = trouble(march, int(march.tally[at.TROUBLE]))
    return f"{why} with steps of {march.clock[at.H]:.3g} s; try shorter ones" if march.method.fixed else why


def trouble(march: Marching, said: int) -> str:
    """Why the flow could not be computed."""
    if said == at.RAISED:
        failure = march.problem.failure or troubles
        return (
            f"a function of yours failed: {type(failure[-1]).__name__}: {failure[-1]}"
            if failure
            else "a function of yours failed"
        )
    return {
        at.NOT_FINITE: "the accelerations are not numbers; look at tau, the loads and bodies without mass",
        at.SINGULAR: "the mechanism stands at a singular position, where its loops leave the accelerations open",
        at.NOT_CLOSED: "the loops cannot be closed beyond this position",
        at.MEETING: "branches of the motion meet here",
        at.NOT_SOLVED: f"the step of {march.clock[at.H]:.3g} s is too long for its equations to be solved",
    }[said] + (march.problem.where(march.y) if said in (at.SINGULAR, at.NOT_CLOSED, at.MEETING) else "")


def announced(work: Callable[P, R]) -> Callable[P, R]:
    """The work, telling on the terminal what it is waiting for, unless it is asked for with progress=False."""

    @wraps(work)
    def telling(*given: P.args, **options: P.kwargs) -> R:
        told: set[str] = set()

        def listener(message: str) -> None:
            if message not in told and options.get("progress", True) and sys.stderr and sys.stderr.isatty():
                print(message, file=sys.stderr, flush=True)  # noqa: T201
            told.add(message)

        with listening(listener):
            return work(*given, **options)

    return telling


@contextmanager
def _shown(progress: bool, t: float, t_end: float) -> Iterator[Any]:
    """A bar on the terminal once it takes more than a moment; nothing where there is none."""
    if not (progress and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda now: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulating", total=t_end - t)
        yield lambda now: bar.update(task, completed=now - t)
