"""The motion of all coordinates of a mechanism with loops, from that of some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import LoopwrightError
from .motions import Motion, Some

if TYPE_CHECKING:
    from ..mechanism import Mechanism, State

_AT_ONCE = 20  # rows followed between two steps of the progress bar


def completed(mechanism: Mechanism, some: Some, near: Mapping[str, Any] | None) -> Motion:
    """Along the branch that starts nearest to `near`; other coordinates with motors stand still."""
    import numpy as np

    from ..verbs import Dynamics
    from . import screen

    dynamics = Dynamics(mechanism)
    _require_free(dynamics, tuple(some.values), some.source)
    start = _start(mechanism, some, near)
    rows, last = [start.q], start
    for k in screen.progress(range(1, len(some.t), _AT_ONCE), "closing the loops"):
        states = _followed(mechanism, last, some, slice(k, k + _AT_ONCE))
        rows += [state.q for state in states]
        last = states[-1]
    q = np.array(rows)
    still = dict.fromkeys(_still(dynamics, start, tuple(some.values)), 0.0)
    v, a = dynamics.complete(q, {**some.rates, **still}, {**some.gains, **still})
    held = f"; {', '.join(still)} held still" if still else ""
    return Motion(some.t, q, v, a, some.source + held)


def drives(dynamics: Any) -> list[str]:
    """As many coordinates as there are freedoms: those with motors where these are as many."""
    m = dynamics.mechanism
    motors = [name for name in m.actuators if name in m.coordinates]
    return motors if len(motors) == m.nu == len(dynamics.independent) else list(dynamics.independent)


def _require_free(dynamics: Any, names: Sequence[str], source: str) -> None:
    count = len(dynamics.independent)
    if len(names) > count:
        raise LoopwrightError(
            f"{source}: {', '.join(names)} are more than the {count} freedom{'s' * (count != 1)} of "
            f"'{dynamics.mechanism.name}', and less than all its coordinates: give independent ones, "
            f"{', '.join(drives(dynamics))} for one, or all of {', '.join(dynamics.mechanism.coordinates)}"
        )


def _start(mechanism: Mechanism, some: Some, near: Mapping[str, Any] | None) -> State:
    from ..verbs import assemble

    return assemble(mechanism, {name: float(x[0]) for name, x in some.values.items()}, near=near or None)[0]


def _followed(mechanism: Mechanism, last: State, some: Some, rows: slice) -> list[State]:
    """The states in these rows."""
    from ..verbs import follow

    course = follow(mechanism, last, {name: list(x[rows]) for name, x in some.values.items()})
    if course.stopped:
        reached = rows.start + len(course.states) - 1
        raise LoopwrightError(f"{some.source}: no further than t = {some.t[reached]:g} s: {course.stopped}")
    return course.states[1:]


def _still(dynamics: Any, start: State, names: Sequence[str]) -> list[str]:
    """What stands still while these drive."""
    from ..mechanism import named
    from ..verbs.driving import Driving

    driving = Driving.of(dynamics.loops, start.q, named(dynamics.mechanism, dict.fromkeys(names, 0.0)))
    return driving.still


def made_whole(mechanism: Mechanism, motion: Motion) -> Motion:
    """A motion of which all positions are given: refused where a loop is open, its rates made to fit the loops."""
    import numpy as np

    from ..verbs import Dynamics
    from ..verbs.closed import CLOSE_ENOUGH

    dynamics = Dynamics(mechanism)
    gaps = np.abs(dynamics.closure(motion.q))
    open_ = np.flatnonzero(gaps.max(axis=1, initial=0.0) > CLOSE_ENOUGH)
    if len(open_):
        row, first = int(open_[0]), 0
        for loop in dynamics.topology.loops:
            widest, first = float(gaps[row, first : first + loop.rows].max(initial=0.0)), first + loop.rows
            if widest > CLOSE_ENOUGH:
                raise LoopwrightError(
                    f"{motion.source}: at t = {motion.t[row]:g} s loop '{loop.name}' is open by {widest:.3g} between "
                    f"'{loop.cut.parent}' and '{loop.cut.child}': give the motion of independent coordinates only, "
                    f"{', '.join(drives(dynamics))} for one, and the others follow"
                )
    places = [mechanism.velocities.index(name) for name in dynamics.independent]
    rates, gains = (dict(zip(dynamics.independent, x[:, places].T, strict=True)) for x in (motion.v, motion.a))
    v, a = dynamics.complete(motion.q, rates, gains)
    return replace(motion, v=v, a=a)
