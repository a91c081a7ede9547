"""Steps of one length of the semi-implicit Euler method: velocities first, then positions along the new ones."""

from __future__ import annotations

from typing import Any

from ...program.memory import address, floats, flow, wholes
from . import places as at
from .control import arrived, fitted
from .vectors import copied, finite


def step(plan_at: int, tally_at: int, clock_at: int) -> int:
    """v' = v + h a(t, q, v),   q' = q along v' for the time h."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    y, old = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n)
    dy, before = floats(plan[at.DY], n), floats(plan[at.WORK], n)
    if tally[at.FRESH] == 0:
        said = _rated(plan, tally, clock[at.T], plan[at.DY])
        if said != 0:
            tally[at.TROUBLE] = said
            return at.FLOW_FAILED
    copied(old, y)
    copied(before, dy)
    h = fitted(clock, clock[at.H])
    t = arrived(clock, h)
    for i in range(plan[at.POSITIONS], plan[at.COUNTED]):
        y[i] = old[i] + h * dy[i]
    said = _carried(plan, tally, clock[at.T], h)
    if said == 0 and plan[at.SETTLE] != 0:
        said = flow(plan[at.SETTLE], t, plan[at.Y], 1, plan[at.CONTEXT])
    if said == 0:
        said = _rated(plan, tally, t, plan[at.DY])
    if said == 0 and not (finite(y) and finite(dy)):
        said = at.NOT_FINITE
    if said != 0:
        tally[at.TROUBLE], tally[at.FRESH] = said, 0
        copied(y, old)
        return at.FLOW_FAILED
    # integrals along the way, by the mean of both ends
    for i in range(plan[at.COUNTED], n):
        y[i] = old[i] + 0.5 * h * (before[i] + dy[i])
    clock[at.T_OLD], clock[at.T], clock[at.H_DONE] = clock[at.T], t, h
    tally[at.FRESH] = 1
    return 0


def _carried(plan: Any, tally: Any, t: float, h: float) -> int:
    """Positions along the velocities that stand in y; what cannot say how is asked for their rates there."""
    n, first = plan[at.SIZE], plan[at.POSITIONS]
    if plan[at.CARRY] != 0:
        return flow(plan[at.CARRY], h, plan[at.Y], plan[at.Y] + 8 * first, plan[at.CONTEXT])
    y, rates = floats(plan[at.Y], n), floats(plan[at.WORK] + 8 * n, n)
    said = _rated(plan, tally, t, address(rates))
    for i in range(first):
        y[i] += h * rates[i]
    return said


def _rated(plan: Any, tally: Any, t: float, out: int) -> int:
    """dy/dt where y stands."""
    tally[at.EVALUATIONS] += 1
    return flow(plan[at.FLOW], t, plan[at.Y], out, plan[at.CONTEXT])


def dense(plan_at: int, tally_at: int, clock_at: int, share: float, out_at: int) -> int:
    """The state within the last step: the cubic through both ends and their rates."""
    plan, clock = wholes(plan_at, at.LENGTH), floats(clock_at, at.CLOCK_LENGTH)
    n, h = plan[at.SIZE], clock[at.H_DONE]
    y, old, out = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n), floats(out_at, n)
    dy, before = floats(plan[at.DY], n), floats(plan[at.WORK], n)
    s, r = share, 1.0 - share
    for i in range(n):
        ends = r * r * (1.0 + 2.0 * s) * old[i] + s * s * (1.0 + 2.0 * r) * y[i]
        out[i] = ends + h * s * r * (r * before[i] - s * dy[i])
    return 0
