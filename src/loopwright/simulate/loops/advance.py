"""The loop over time that all methods share: step, settle, look for events, save."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, between, floats, flow, grid, move, wholes
from . import places as at
from .vectors import copied

_LOOKS = 4  # within a step, for events that come and go again
_HALVINGS = 200


def advance(plan_at: int, tally_at: int, clock_at: int) -> int:
    """Steps until LAST, an event that ends it, a pause or trouble."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    y = floats(plan[at.Y], n)
    while clock[at.T] < clock[at.LAST]:
        if tally[at.STEPS] >= tally[at.UNTIL]:
            return at.PAUSED
        if clock[at.T] >= clock[at.T_END]:
            stretch(plan_at, tally_at, clock_at)
            tally[at.FRESH] = tally[at.STARTED] = 0
        tally[at.READY] = 0
        said = move(plan[at.STEP], plan_at, tally_at, clock_at)
        if said != 0:
            return said
        tally[at.STEPS] += 1
        if plan[at.WATCHED] > 0 and _met(plan, tally, clock, plan_at, tally_at, clock_at):
            if tally[at.EVENT] < 0:
                return at.FLOW_FAILED
            _save(plan, tally, clock, plan_at, tally_at, clock_at, clock[at.EVENT_T])
            # go back to the event, and begin anew from there
            _state(plan, clock, plan_at, tally_at, clock_at, clock[at.EVENT_T], plan[at.DY])
            copied(y, floats(plan[at.DY], n))
            clock[at.T] = clock[at.EVENT_T]
            tally[at.FRESH] = tally[at.STARTED] = 0
            return at.EVENT_MET
        _save(plan, tally, clock, plan_at, tally_at, clock_at, clock[at.T])
    return at.FINISHED


def stretch(plan_at: int, tally_at: int, clock_at: int) -> int:
    """Go on to the next break or the end; the flow is told, so that it sees one side of either."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    breaks = grid(plan[at.BREAKS], plan[at.BREAK_COUNT], 3)
    while tally[at.BREAK] < plan[at.BREAK_COUNT] and breaks[tally[at.BREAK], 1] <= clock[at.T]:
        tally[at.BREAK] += 1
    k = tally[at.BREAK]
    first, last = -np.inf, np.inf
    clock[at.T_END] = clock[at.LAST]
    if k > 0:
        first = breaks[k - 1, 2]
    if k < plan[at.BREAK_COUNT]:
        last = breaks[k, 0]
        clock[at.T_END] = min(breaks[k, 1], clock[at.LAST])
    if plan[at.STRETCH] != 0:
        smooth = floats(plan[at.STRETCH], 2)
        smooth[0] = first
        smooth[1] = last
    return 0


def _state(plan: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int, t: float, out: int) -> int:
    """The state at a time within the last step, settled."""
    if t == clock[at.T]:
        copied(floats(out, plan[at.SIZE]), floats(plan[at.Y], plan[at.SIZE]))
        return 0
    share = (t - clock[at.T_OLD]) / (clock[at.T] - clock[at.T_OLD])
    between(plan[at.DENSE], plan_at, tally_at, clock_at, share, out)
    if plan[at.SETTLE] != 0:
        return flow(plan[at.SETTLE], t, out, 0, plan[at.CONTEXT])
    return 0


def _save(plan: Any, tally: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int, until: float) -> int:
    """Every moment to save up to `until`."""
    n = plan[at.SIZE]
    moments = floats(plan[at.SAVE_T], plan[at.SAVES])
    while tally[at.SAVED] < plan[at.SAVES] and moments[tally[at.SAVED]] <= until:
        row = tally[at.SAVED]
        _state(plan, clock, plan_at, tally_at, clock_at, moments[row], plan[at.SAVE_Y] + 8 * n * row)
        tally[at.SAVED] += 1
    return 0


def _met(plan: Any, tally: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int) -> bool:
    """Looks for changes of sign in the last step; logs them, or finds the first that ends the loop."""
    m, n = plan[at.WATCHED], plan[at.SIZE]
    g = grid(plan[at.G], 4, m)
    seen = floats(plan[at.DY] + 8 * n, n)  # room for one state
    t0, t1 = clock[at.T_OLD], clock[at.T]
    before, first, found = t0, t1, -1
    for look in range(1, _LOOKS + 1):
        t = t1 if look == _LOOKS else t0 + (t1 - t0) * look / _LOOKS
        _state(plan, clock, plan_at, tally_at, clock_at, t, address(seen))
        said = flow(plan[at.WATCH], t, address(seen), address(g[1]), plan[at.CONTEXT])
        if said != 0:
            tally[at.TROUBLE] = said
            clock[at.EVENT_T] = t
            tally[at.EVENT] = -1
            return True
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
            return True
    return False


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
        _state(plan, clock, plan_at, tally_at, clock_at, middle, address(seen))
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
    _state(plan, clock, plan_at, tally_at, clock_at, moment, address(row[2:]))
    tally[at.LOGGED] += 1
    return 0
