"""Loops closed by programs made for the mechanism, whose pivots were chosen beforehand: quick where these stand well.

Where they do not, and where a step leads too far, closed.py chooses anew and solves with numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, run
from . import motion
from .carrying import carried
from .vectors import copied

# context, behind that of closed.py: the programs, room for their answers, and the coordinates that the first solves
FITTING, FITTED, NEAREST, NEAR, USUAL = range(42, 47)

ROUNDS = 25
CLOSE = 1e-9  # radians or metres: what is left after a correction below it is rounding
SAME = 1e-14  # after one below it the rows are what they were
FAR = 0.5  # one above it does not lead to the nearest closed position
STANDING = 0.02  # quality of the pivots below which they are not used


def fitted(c: Any, q: int, v: int, rates: bool) -> bool:
    """Newton's method on the usual dependent coordinates of q; if asked for, v_d = -J_d^-1 J_i v_i after it."""
    nv = c[motion.NV]
    found = floats(c[FITTED], 2 * nv + 1)
    before, size = np.inf, np.inf
    for _ in range(ROUNDS):
        # [step, v, quality]
        run(c[FITTING], (q, v, c[FITTED]))
        if not found[2 * nv] > STANDING:
            return False
        size = _largest(found, nv)
        if not size <= FAR:
            return False
        done = size <= CLOSE or (size >= 0.5 * before and before <= CLOSE)
        if done and (not rates or size <= SAME or before <= CLOSE):
            if rates:
                copied(floats(v, nv), found[nv:])
            carried(1.0, q, c[FITTED], address(c))
            return True
        carried(1.0, q, c[FITTED], address(c))
        before = size
    return False


def drawn(c: Any, q: int, v: int) -> bool:
    """q and v moved to where the loops are closed, by as little kinetic energy as can be."""
    nv = c[motion.NV]
    found = floats(c[NEAR], 2 * nv + 1)
    before = np.inf
    for _ in range(ROUNDS):
        # [step, change of v, quality]
        run(c[NEAREST], (q, v, c[NEAR]))
        if not found[2 * nv] > STANDING:
            return False
        size = _largest(found, nv)
        if not size <= FAR:
            return False
        carried(1.0, q, c[NEAR], address(c))
        if size <= SAME or before <= CLOSE:
            speed = floats(v, nv)
            for j in range(nv):
                speed[j] += found[nv + j]
            return True
        before = size
    return False


def _largest(x: Any, count: int) -> float:
    """Of the first entries, by size."""
    size = 0.0
    for j in range(count):
        size = max(size, abs(x[j]))
    return size
