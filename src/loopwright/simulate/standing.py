"""Which motions meet where a run came to an end, and where one that is given leads."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ..closure import classified
from ..errors import LoopwrightError
from ..spatial import Array
from ..verbs import Dynamics, reach
from .given import Given

_CLOSE_BY = 0.02  # of the largest singular value of the rows: what a run ended near
_MOST_NAMES = 6


def crossing(dynamics: Dynamics, q: Array) -> str:
    """In words, the coordinates that may move in more ways than the loops leave elsewhere; "" far from such places."""
    loops, names = dynamics.loops, dynamics.mechanism.velocities
    if not loops.any or not np.isfinite(q).all():
        return ""
    J, nothing = loops.closing.slope(q), np.zeros((0, len(names)))
    of_loops = classified(J, nothing, names, (), loops.generic_rank).of_loops
    if of_loops > _CLOSE_BY:
        return ""
    here = classified(J, nothing, names, (), loops.generic_rank, near=1.01 * of_loops + 1e-9)
    some = ", ".join(here.joints[:_MOST_NAMES]) + (" and others" if len(here.joints) > _MOST_NAMES else "")
    return f"; motions branch {'there' if of_loops < 1e-6 else 'near by'}: {some} may go on in more ways than one"


def leading(dynamics: Dynamics, given: Given, q: Array) -> str:
    """In words, where a motion that is given leads, and how far it may go."""
    names = given.driven.names
    stands = ", ".join(f"{name} = {q[k]:.6g}" for name, k in zip(names, given.driven.q, strict=True))
    said = f"; the motion of {given.driven.said} leads there, at {stands}"
    if len(names) == 1 and dynamics.loops.any:
        with suppress(LoopwrightError):
            said += f"; {reach(dynamics.mechanism, names[0], q)}"
    return said + crossing(dynamics, q)
