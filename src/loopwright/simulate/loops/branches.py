"""Where the usual dependent coordinates stand badly: others are chosen, and where branches meet the motion is carried
across.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, grid, run, wholes
from . import motion
from . import places as at
from .algebra import factor, pivots, solved
from .carrying import carried
from .closed import (
    ACROSS,
    AS_USUAL,
    BEST,
    CHOSEN,
    CLOSING,
    DEPENDENT,
    GAP,
    LEAST,
    LEAVING,
    LENGTHS,
    LU,
    MOST,
    ORDER,
    ORIGIN,
    POSITION,
    ROWS,
    SLOPE,
    STEP,
    VELOCITY,
    WATCHED,
    WATCHES,
    Y,
    accelerated,
    taken,
)
from .fitting import CLOSE, FAR, FITTED, FITTING, ROUNDS, SAME, USUAL
from .vectors import copied, finite

_MEETING = 0.003  # of the best that the least pivot has been: branches meet close by; else solving is the more exact
_ASIDE = 0.06  # radians or metres from there to where all can be solved
_AT_REST = 1e-9  # where branches meet, nothing decides between them
_WORSE = 0.05  # of what the pivots were when they were chosen, or the other way round: choose again


def minimal(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt from the independent coordinates, whichever they are now."""
    c = wholes(context, motion.LENGTH)
    taken(c, t, y)
    if between_branches(c, c[POSITION]):
        return carried_across(t, c, c[POSITION], c[VELOCITY], dy, False)
    if _fitted(c) != 0:
        return at.NOT_CLOSED
    return accelerated(t, c, c[POSITION], c[VELOCITY], dy, False)


def minimal_settle(t: float, y: int, stepping: int, context: int) -> int:
    """The dependent coordinates made to fit, whichever they are now."""
    c = wholes(context, motion.LENGTH)
    taken(c, t, y)
    if between_branches(c, c[POSITION]):
        return carried_across(t, c, c[POSITION], c[VELOCITY], 0, False)
    return at.NOT_CLOSED if _fitted(c) != 0 else 0


def whole(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt where branches meet; less than 0 elsewhere."""
    c = wholes(context, motion.LENGTH)
    nq = c[motion.NQ]
    if not between_branches(c, y):
        return -1
    copied(floats(c[POSITION], nq), floats(y, nq))
    copied(floats(c[VELOCITY], c[motion.NV]), floats(y + 8 * nq, c[motion.NV]))
    return carried_across(t, c, c[POSITION], c[VELOCITY], dy, True)


def meeting(t: float, y: int, dy: int, context: int) -> int:
    """Says whether branches meet here; less than 0 where they do not."""
    return at.MEETING if between_branches(wholes(context, motion.LENGTH), y) else -1


def choose(t: float, y: int, out: int, context: int) -> int:
    """Dependent coordinates where the motion begins."""
    return _begun(wholes(context, motion.LENGTH))


def between_branches(c: Any, q: int) -> bool:
    """Whether the rows nearly depend on each other here, as they do where branches of the motion meet."""
    if floats(c[WATCHED], WATCHES)[BEST] == 0.0:
        _begun(c)
    run(c[CLOSING], (q, c[GAP]))
    watched = floats(c[WATCHED], WATCHES)
    watched[LEAST] = _factored(c)
    watched[MOST] = max(watched[MOST], watched[LEAST])
    if watched[LEAST] > 0.1 * watched[MOST]:
        return False
    found = _pivots(c, wholes(c[ORDER] + 8 * c[ROWS], c[ROWS]), 0)
    watched[BEST] = max(watched[BEST], found)
    return bool(found < _MEETING * watched[BEST])


def carried_across(t: float, c: Any, q: int, v: int, dy: int, anew: bool) -> int:
    """The motion where branches meet: the limit of what it is before and after, along the branch that v is on.

    Solved at the position itself, everything would be divided by powers of the distance to where they meet. But the
    motion is smooth: means of states ahead and behind, even in the distance s, extrapolated to s = 0. Replaces q
    and v, and gives dy unless that is 0.
    """
    nq, nv = c[motion.NQ], c[motion.NV]
    n = nq + nv + c[motion.POWERS]
    here, total, rates = floats(c[ACROSS], n), floats(c[ACROSS] + 8 * n, n), floats(c[ACROSS] + 16 * n, n)
    rate = c[ACROSS] + 24 * n
    copied(here[:nq], floats(q, nq))
    copied(here[nq : nq + nv], floats(v, nv))
    speed = 0.0
    for j in range(nv):
        speed = max(speed, abs(here[nq + j]))
    if speed < _AT_REST:
        return at.SINGULAR
    for i in range(n):
        total[i] = rates[i] = 0.0
    position, velocity = floats(c[POSITION], nq), floats(c[VELOCITY], nv)
    if anew:
        # the dependent coordinates were chosen far from here
        _put_aside(c, here, _ASIDE / speed)
        run(c[CLOSING], (c[POSITION], c[GAP]))
        _choose(c)
    for k in range(-4, 5):
        if k != 0:
            # (56 m_1 - 28 m_2 + 8 m_3 - m_4) / 35 of the means m_k at distances k s: wrong by the eighth power of s
            weight = (56.0 if abs(k) == 1 else -28.0 if abs(k) == 2 else 8.0 if abs(k) == 3 else -1.0) / 70.0
            _put_aside(c, here, k * _ASIDE / speed)
            if _fitted(c) != 0:
                return at.SINGULAR
            for i in range(nq):
                total[i] += weight * position[i]
            for j in range(nv):
                total[nq + j] += weight * velocity[j]
            if dy != 0:
                said = accelerated(t, c, c[POSITION], c[VELOCITY], rate, False)
                if said != 0:
                    return said
                for i in range(n):
                    rates[i] += weight * floats(rate, n)[i]
    copied(floats(q, nq), total)
    copied(floats(v, nv), total[nq:])
    if dy != 0:
        copied(floats(dy, n), rates)
    return 0


def _put_aside(c: Any, here: Any, time: float) -> int:
    """POSITION as far from there as the motion goes in that time, and its velocity."""
    nq, nv = c[motion.NQ], c[motion.NV]
    copied(floats(c[POSITION], nq), here)
    copied(floats(c[VELOCITY], nv), here[nq:])
    step = floats(c[STEP], nv)
    for j in range(nv):
        step[j] = time * here[nq + j]
    return carried(1.0, c[POSITION], c[STEP], address(c))


def _fitted(c: Any) -> int:
    """Newton's method on the dependent coordinates, then J_d v_d = -J_i v_i."""
    m, nv = c[ROWS], c[motion.NV]
    J, LU_, order = grid(c[SLOPE], m, nv), grid(c[LU], m, m), wholes(c[ORDER], m)
    gap, step, dependent = floats(c[GAP], m), floats(c[STEP], nv), wholes(c[DEPENDENT], m)
    watched = floats(c[WATCHED], WATCHES)
    x = floats(c[STEP] + 8 * nv, m)
    before, size = np.inf, 0.0
    done = False
    for _ in range(ROUNDS):
        run(c[CLOSING], (c[POSITION], c[GAP]))
        if not finite(gap):
            return 1
        watched[LEAST] = _factored(c)
        if watched[LEAST] == 0.0:
            return 1
        for k in range(m):
            x[k] = -gap[k]
        solved(LU_, order, x)
        size = 0.0
        for k in range(m):
            size = max(size, abs(x[k]))
        if not size <= FAR:
            return 1
        for i in range(nv):
            step[i] = 0.0
        for k in range(m):
            step[dependent[k]] = x[k]
        carried(1.0, c[POSITION], c[STEP], address(c))
        # the last correction squares the error; near singular positions rounding of the gap is what is left of it
        if size <= CLOSE or (size >= 0.5 * before and size <= 1e-9):
            done = True
            break
        before = size
    if not done:
        return 1
    if size > SAME:
        run(c[CLOSING], (c[POSITION], c[GAP]))
        watched[LEAST] = _factored(c)
    v = floats(c[VELOCITY], nv)
    for k in range(m):
        v[dependent[k]] = 0.0
    for i in range(m):
        x[i] = 0.0
        for j in range(nv):
            x[i] -= J[i, j] * v[j]
    solved(LU_, order, x)
    for k in range(m):
        v[dependent[k]] = x[k]
    return 0 if finite(v) else 1


def _begun(c: Any) -> int:
    """Dependent coordinates for the rows as they were where the motion began, and how well they stood there."""
    run(c[CLOSING], (c[ORIGIN], c[GAP]))
    watched = floats(c[WATCHED], WATCHES)
    watched[BEST] = _choose(c)
    watched[MOST] = watched[CHOSEN]
    if c[FITTING] != 0:
        _return(c, c[ORIGIN])
    return 0


def _choose(c: Any) -> float:
    """Dependent coordinates by the pivots of the rows as they stand; says how the least compares with the largest."""
    found = _pivots(c, wholes(c[DEPENDENT], c[ROWS]), c[motion.DRIVEN])
    watched = floats(c[WATCHED], WATCHES)
    # what factoring them gives, to be compared with what it gives later
    watched[CHOSEN] = _factored(c)
    return found


def chosen_again(t: float, y: int, quick: int, context: int) -> int:
    """After a step: other dependent coordinates where these stand badly, the usual ones where they stand well."""
    c = wholes(context, motion.LENGTH)
    watched = floats(c[WATCHED], WATCHES)
    if watched[BEST] == 0.0:
        _begun(c)
    usual = watched[AS_USUAL] != 0.0
    if quick != 0:
        run(c[CLOSING], (c[POSITION], c[GAP]))
    if usual or not _WORSE * watched[CHOSEN] <= watched[LEAST] <= watched[CHOSEN] / _WORSE:
        _choose(c)
        watched[AS_USUAL] = 0.0
    if not usual and c[FITTING] != 0:
        _return(c, c[POSITION])
    return 0


def _return(c: Any, q: int) -> int:
    """The dependent coordinates of the program, where they stand well."""
    nv, m = c[motion.NV], c[ROWS]
    run(c[FITTING], (q, c[VELOCITY], c[FITTED]))
    if floats(c[FITTED], 2 * nv + 1)[2 * nv] > 2.0 * LEAVING:
        copied(wholes(c[DEPENDENT], m), wholes(c[USUAL], m))
        floats(c[WATCHED], WATCHES)[AS_USUAL] = 1.0
    return 0


def _pivots(c: Any, columns: Any, driven: int) -> float:
    """Of the rows as they stand, each by the longest that it is known to be; not in columns that are driven."""
    m, nv = c[ROWS], c[motion.NV]
    used, J, lengths = grid(c[Y], m, nv), grid(c[SLOPE], m, nv), floats(c[LENGTHS], m)
    for i in range(m):
        length = 0.0
        for j in range(nv):
            length += J[i, j] * J[i, j]
        lengths[i] = max(lengths[i], np.sqrt(length))
        for j in range(nv):
            used[i, j] = J[i, j] / lengths[i]
        for k in range(driven):
            used[i, wholes(c[motion.PLACES], 2 * driven)[2 * k + 1]] = 0.0
    return pivots(used, columns)


def _factored(c: Any) -> float:
    """The columns of the dependent coordinates, factored."""
    m, nv = c[ROWS], c[motion.NV]
    J, LU_, dependent = grid(c[SLOPE], m, nv), grid(c[LU], m, m), wholes(c[DEPENDENT], m)
    for i in range(m):
        for k in range(m):
            LU_[i, k] = J[i, dependent[k]]
    return factor(LU_, wholes(c[ORDER], m))
