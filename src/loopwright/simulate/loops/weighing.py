"""Loops closed by numbers, by as little kinetic energy as can be, where the program made for it does not serve."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, grid, run, wholes
from . import motion
from . import places as at
from .algebra import back, halfway, rooted
from .branches import between_branches
from .carrying import carried
from .closed import CLOSING, GAP, INERTIA, LEAST, MASS, POOR, PULL, ROWS, SLOPE, STEP, WATCHED, WATCHES, S, Y, whole
from .fitting import CLOSE, FAR, ROUNDS, SAME
from .motion import settle
from .vectors import copied, finite


def stabilised(t: float, y: int, dy: int, context: int) -> int:
    """The same with Baumgarte's correction: J a + d = -2 k J v - k^2 gap."""
    c = wholes(context, motion.LENGTH)
    nq, nv, m = c[motion.NQ], c[motion.NV], c[ROWS]
    said = whole(t, y, dy, context)
    if said != 0:
        return said
    if _weighed(c, y) != 0:
        return at.SINGULAR
    k = floats(c[WATCHED], WATCHES)[PULL]
    gap, J = floats(c[GAP], m), grid(c[SLOPE], m, nv)
    v, a = floats(y + 8 * nq, nv), floats(dy + 8 * nq, nv)
    right = floats(c[STEP] + 8 * nv, m)
    for i in range(m):
        right[i] = k * k * gap[i]
        for j in range(nv):
            right[i] += 2.0 * k * J[i, j] * v[j]
    _nearest(c, right)
    step = floats(c[STEP], nv)
    for j in range(nv):
        a[j] -= step[j]
    return 0


def projected(t: float, y: int, stepping: int, context: int) -> int:
    """Positions, then velocities, moved to where the loops are closed, by as little kinetic energy as can be."""
    c = wholes(context, motion.LENGTH)
    nq, nv, m = c[motion.NQ], c[motion.NV], c[ROWS]
    gap, J = floats(c[GAP], m), grid(c[SLOPE], m, nv)
    right, step = floats(c[STEP] + 8 * nv, m), floats(c[STEP], nv)
    watched = floats(c[WATCHED], WATCHES)
    before, size = np.inf, 0.0
    done = False
    for _ in range(ROUNDS):
        if _weighed(c, y) != 0:
            return at.SINGULAR
        if watched[LEAST] < POOR * POOR and between_branches(c, y):
            return at.MEETING
        copied(right, gap)
        _nearest(c, right)
        size = 0.0
        for j in range(nv):
            size = max(size, abs(step[j]))
        if not size <= FAR:
            return at.NOT_CLOSED
        for j in range(nv):
            step[j] = -step[j]
        carried(1.0, y, c[STEP], address(c))
        if size <= CLOSE or (size >= 0.5 * before and size <= 1e-9):
            done = True
            break
        before = size
    if not done:
        return at.NOT_CLOSED
    if size > SAME and _weighed(c, y) != 0:
        return at.SINGULAR
    v = floats(y + 8 * nq, nv)
    for i in range(m):
        right[i] = 0.0
        for j in range(nv):
            right[i] += J[i, j] * v[j]
    _nearest(c, right)
    for j in range(nv):
        v[j] -= step[j]
    settle(t, y, 0, context)
    return 0


def _weighed(c: Any, q: int) -> int:
    """gap and J at q, I = L L^T, Y = L^-1 J^T, and Y^T Y = S S^T."""
    nv, m = c[motion.NV], c[ROWS]
    run(c[CLOSING], (q, c[GAP]))
    run(c[MASS], (q, c[INERTIA]))
    L, J, Yt, S_ = grid(c[INERTIA], nv, nv), grid(c[SLOPE], m, nv), grid(c[Y], m, nv), grid(c[S], m, m)
    rooted(L, 1e-14)
    for i in range(m):
        copied(Yt[i], J[i])
        halfway(L, Yt[i])
    for i in range(m):
        for k in range(i + 1):
            S_[i, k] = 0.0
            for j in range(nv):
                S_[i, k] += Yt[i, j] * Yt[k, j]
    floats(c[WATCHED], WATCHES)[LEAST] = rooted(S_, 1e-14)
    return 0 if finite(floats(c[GAP], m)) and finite(floats(c[S], m * m)) else 1


def _nearest(c: Any, right: Any) -> int:
    """step = I^-1 J^T (J I^-1 J^T)^-1 right: the shortest, weighed by masses, with J step = right."""
    nv, m = c[motion.NV], c[ROWS]
    L, Yt, S_ = grid(c[INERTIA], nv, nv), grid(c[Y], m, nv), grid(c[S], m, m)
    step = floats(c[STEP], nv)
    halfway(S_, right)
    back(S_, right)
    for j in range(nv):
        step[j] = 0.0
        for i in range(m):
            step[j] += Yt[i, j] * right[i]
    back(L, step)
    return 0
