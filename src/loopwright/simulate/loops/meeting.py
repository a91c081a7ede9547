"""Events: what changes sign within a step, and when."""

from __future__ import annotations

from typing import Any

from ...program.memory import address, floats, flow, grid, wholes
from . import places as at
from .within import state

_LOOKS = 4  # within a step, for events that come and go again
_HALVINGS = 200


def met(plan_at: int, tally_at: int, clock_at: int) -> int:
    """Looks for changes of sign in the last step; logs them, or finds the first that ends the loop and says 1."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    m, n = plan[at.WATCHED], plan[at.SIZE]
    g = grid(plan[at.G], 4, m)
    seen = floats(plan[at.DY] + 8 * n, n)  # room for one state
    t0, t1 = clock[at.T_OLD], clock[at.T]
    before, first, found = t0, t1, -1
    for look in range(1, _LOOKS + 1):
        t = t1 if look == _LOOKS else t0 + (t1 - t0) * look / _LOOKS
        state(plan, clock, plan_at, tally_at, clock_at, t, address(seen))
        said = flow(plan[at.WATCH], t, address(seen), address(g[1]), plan[at.CONTEXT])
        if said != 0:
            tally[at.TROUBLE] = said
            clock[at.EVENT_T] = t
            tally[at.EVENT] = -1
            return 1
        for k in range(m):
            if _crossed(g[0, k], g[1, k], g[2, k]):
                moment = _moment(plan, clock, plan_at, tally_at, clock_at, k, before, t)
                if wholes(plan[at.ENDS], m)[k] == 0:
                    _log(plan, tally, clock, plan_at, tally_at, clock_at, k, moment)
                elif found < 0 or moment < first:
                    first, found = moment, k
        for k in range(m):
            g[0, k] = g[1, k]
        before = t
        if found >= 0:
            clock[at.EVENT_T] = first
            tally[at.EVENT] = found
            return 1
    return 0


def _crossed(old: float, new: float, direction: float) -> bool:
    """From one side of zero to the other; a start at zero is on no side."""
    rising = old < 0.0 <= new
    falling = old > 0.0 >= new
    return (rising and direction >= 0.0) or (falling and direction <= 0.0)


def _moment(plan: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int, k: int, a: float, b: float) -> float:
    """The last time at which the sign has not changed yet, to rounding: by halving."""
    m, n = plan[at.WATCHED], plan[at.SIZE]
    g = grid(plan[at.G], 4, m)
    seen = floats(plan[at.DY] + 8 * n, n)
    side = g[0, k]
    for _ in range(_HALVINGS):
        middle = 0.5 * (a + b)
        if middle <= a or middle >= b:
            break
        state(plan, clock, plan_at, tally_at, clock_at, middle, address(seen))
        flow(plan[at.WATCH], middle, address(seen), address(g[3]), plan[at.CONTEXT])
        if (g[3, k] > 0.0) == (side > 0.0) and g[3, k] != 0.0:
            a = middle
        else:
            b = middle
    return b


def _log(plan: Any, tally: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int, k: int, moment: float) -> int:
    if tally[at.LOGGED] >= plan[at.LOG_ROOM]:
        return 0
    row = floats(plan[at.LOG] + 8 * (plan[at.SIZE] + 2) * tally[at.LOGGED], plan[at.SIZE] + 2)
    row[0] = k
    row[1] = moment
    state(plan, clock, plan_at, tally_at, clock_at, moment, address(row[2:]))
    tally[at.LOGGED] += 1
    return 0
