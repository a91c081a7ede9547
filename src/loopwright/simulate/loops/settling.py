"""The end of a step brought to where it belongs: loops closed, quaternions of unit length."""

from __future__ import annotations

from typing import Any

from ...program.memory import flow
from . import places as at


def settled(plan: Any, tally: Any, t: float) -> int:
    """0 when the state could be settled and, where that changes its rates, these were found anew."""
    if plan[at.SETTLE] == 0:
        return 0
    said = flow(plan[at.SETTLE], t, plan[at.Y], 1, plan[at.CONTEXT])
    if said != 0 or plan[at.RESTS] != 0:
        return said
    tally[at.EVALUATIONS] += 1
    return flow(plan[at.FLOW], t, plan[at.Y], plan[at.DY], plan[at.CONTEXT])
