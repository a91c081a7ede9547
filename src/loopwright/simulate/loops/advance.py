"""The loop over time that all methods share: step, settle, look for events, save."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import floats, grid, move, wholes
from . import places as at
from .vectors import copied
from .within import state


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
        if plan[at.WATCHED] > 0 and move(plan[at.MEET], plan_at, tally_at, clock_at) != 0:
            if tally[at.EVENT] < 0:
                return at.FLOW_FAILED
            _save(plan, tally, clock, plan_at, tally_at, clock_at, clock[at.EVENT_T])
            # go back to the event, and begin anew from there
            state(plan, clock, plan_at, tally_at, clock_at, clock[at.EVENT_T], plan[at.DY])
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


def _save(plan: Any, tally: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int, until: float) -> int:
    """Every moment to save up to `until`."""
    n = plan[at.SIZE]
    moments = floats(plan[at.SAVE_T], plan[at.SAVES])
    while tally[at.SAVED] < plan[at.SAVES] and moments[tally[at.SAVED]] <= until:
        row = tally[at.SAVED]
        state(plan, clock, plan_at, tally_at, clock_at, moments[row], plan[at.SAVE_Y] + 8 * n * row)
        tally[at.SAVED] += 1
    return 0
