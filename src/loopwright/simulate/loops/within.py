"""The state at a time within the last step, settled."""

from __future__ import annotations

from typing import Any

from ...program.memory import between, floats, flow
from . import places as at
from .vectors import copied


def state(plan: Any, clock: Any, plan_at: int, tally_at: int, clock_at: int, t: float, out: int) -> int:
    """Written to `out`."""
    if t == clock[at.T]:
        copied(floats(out, plan[at.SIZE]), floats(plan[at.Y], plan[at.SIZE]))
        return 0
    share = (t - clock[at.T_OLD]) / (clock[at.T] - clock[at.T_OLD])
    between(plan[at.DENSE], plan_at, tally_at, clock_at, share, out)
    if plan[at.SETTLE] != 0:
        return flow(plan[at.SETTLE], t, out, 0, plan[at.CONTEXT])
    return 0
