"""Closed loops in motion: dependent coordinates solved in every state, or all of them projected after a step.

The context of motion.py, with more behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, grid, run, wholes
from . import motion
from . import places as at
from .algebra import back, factor, halfway, pivots, rooted, solved
from .carrying import carried
from .fitting import CLOSE, FAR, FITTED, FITTING, ROUNDS, SAME, STANDING, USUAL, drawn, fitted
from .motion import asked, guided, powers, settle, turned_rates
from .vectors import copied, finite

# context, behind that of motion.py
ROWS, CLOSING, GAP, SLOPE, DEPENDENT, LU, ORDER, STEP, POSITION, VELOCITY = range(16, 26)
FOUND, SECOND, MASS, INERTIA, Y, S, WATCHED, ACROSS, LENGTHS = range(28, 37)

# what is watched: the least pivot now, the one when coordinates were chosen, the best so far; the best so far of
# any choice, against the largest; Baumgarte's rate; 1 while the dependent coordinates are the usual ones
LEAST, CHOSEN, MOST, BEST, PULL, AS_USUAL = range(6)
WATCHES = 6

_SOUND = 0.03  # quality of accelerations below which the second way is asked, too
_REGULAR = 1e-6  # below it hardly any digit is good
_REACHED = 1e-4  # below it, by the rows that drive too, forces grow beyond all bounds: a dead point of what is driven
_MEETING = 0.02  # of the best that the least pivot has been: branches meet close by
_POOR = 0.06  # quality of accelerations below which that is looked at
_ASIDE = 0.06  # radians or metres from there to where all can be solved
_AT_REST = 1e-9  # where branches meet, nothing decides between them
_LEAVING = 2.0 * STANDING  # quality at which the usual dependent coordinates are given up at the end of a step
_WORSE = 0.05  # of what the pivots were when they were chosen, or the other way round: choose again


def minimal(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt, from the independent coordinates alone: the others are made to fit first."""
    c = wholes(context, motion.LENGTH)
    _taken(c, t, y)
    if floats(c[WATCHED], WATCHES)[AS_USUAL] != 0.0:
        if fitted(c, c[POSITION], c[VELOCITY], c[motion.LAW] != 0):
            return _accelerated(t, c, c[POSITION], c[VELOCITY], dy, True)
        _taken(c, t, y)
    if _between_branches(c, c[POSITION]):
        return _carried_across(t, c, c[POSITION], c[VELOCITY], dy)
    if _fitted(c) != 0:
        return at.NOT_CLOSED
    return _accelerated(t, c, c[POSITION], c[VELOCITY], dy, False)


def minimal_settle(t: float, y: int, stepping: int, context: int) -> int:
    """Dependent coordinates made to fit; at the end of a step other ones are chosen where these go bad."""
    c = wholes(context, motion.LENGTH)
    nq, nv = c[motion.NQ], c[motion.NV]
    _taken(c, t, y)
    quick = floats(c[WATCHED], WATCHES)[AS_USUAL] != 0.0 and fitted(c, c[POSITION], c[VELOCITY], True)
    if not quick:
        _taken(c, t, y)
        if _between_branches(c, c[POSITION]):
            said = _carried_across(t, c, c[POSITION], c[VELOCITY], 0)
            if said != 0:
                return said
        elif _fitted(c) != 0:
            return at.NOT_CLOSED
    copied(floats(y, nq), floats(c[POSITION], nq))
    copied(floats(y + 8 * nq, nv), floats(c[VELOCITY], nv))
    settle(t, y, 0, context)
    guided(t, c, y, y + 8 * nq)
    if stepping != 0:
        _chosen_again(c, quick)
    return 0


def _taken(c: Any, t: float, y: int) -> int:
    """A state to be made to fit."""
    nq, nv = c[motion.NQ], c[motion.NV]
    copied(floats(c[POSITION], nq), floats(y, nq))
    copied(floats(c[VELOCITY], nv), floats(y + 8 * nq, nv))
    settle(t, c[POSITION], 0, address(c))
    return guided(t, c, c[POSITION], c[VELOCITY])


def _chosen_again(c: Any, quick: bool) -> int:
    """After a step: other dependent coordinates where these stand badly, the usual ones where they stand well."""
    watched = floats(c[WATCHED], WATCHES)
    usual = watched[AS_USUAL] != 0.0
    if quick:
        if floats(c[FITTED], 2 * c[motion.NV] + 1)[2 * c[motion.NV]] > _LEAVING:
            return 0
        run(c[CLOSING], (c[POSITION], c[GAP]))
    if usual or not _WORSE * watched[CHOSEN] <= watched[LEAST] <= watched[CHOSEN] / _WORSE:
        _choose(c)
        watched[AS_USUAL] = 0.0
    if not usual and c[FITTING] != 0:
        _return(c)
    return 0


def _return(c: Any) -> int:
    """The dependent coordinates of the program, where they stand well."""
    nv, m = c[motion.NV], c[ROWS]
    run(c[FITTING], (c[POSITION], c[VELOCITY], c[FITTED]))
    if floats(c[FITTED], 2 * nv + 1)[2 * nv] > 2.0 * _LEAVING:
        copied(wholes(c[DEPENDENT], m), wholes(c[USUAL], m))
        floats(c[WATCHED], WATCHES)[AS_USUAL] = 1.0
    return 0


def choose(context: int) -> int:
    """Dependent coordinates for the rows as they stand, at the start."""
    c = wholes(context, motion.LENGTH)
    watched = floats(c[WATCHED], WATCHES)
    watched[BEST] = _choose(c)
    watched[MOST] = watched[CHOSEN]
    if c[FITTING] != 0:
        _return(c)
    return 0


def _choose(c: Any) -> float:
    """Dependent coordinates by the pivots of the rows as they stand; says how the least compares with the largest."""
    found = _pivots(c, wholes(c[DEPENDENT], c[ROWS]), c[motion.DRIVEN])
    watched = floats(c[WATCHED], WATCHES)
    # what factoring them gives, to be compared with what it gives later
    watched[CHOSEN] = _factored(c)
    return found


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


def _between_branches(c: Any, q: int) -> bool:
    """Whether the rows nearly depend on each other here, as they do where branches of the motion meet."""
    run(c[CLOSING], (q, c[GAP]))
    watched = floats(c[WATCHED], WATCHES)
    watched[LEAST] = _factored(c)
    watched[MOST] = max(watched[MOST], watched[LEAST])
    if watched[LEAST] > 0.1 * watched[MOST]:
        return False
    found = _pivots(c, wholes(c[ORDER] + 8 * c[ROWS], c[ROWS]), 0)
    watched[BEST] = max(watched[BEST], found)
    return bool(found < _MEETING * watched[BEST])


def _carried_across(t: float, c: Any, q: int, v: int, dy: int) -> int:
    """The motion where branches meet: the limit of what it is before and after, along the branch that v is on.

    Solved at the position itself, everything would be divided by powers of the distance to where they meet. But the
    motion is smooth: means of states ahead and behind, even in the distance s, extrapolated to s = 0. Replaces q
    and v, and gives dy unless that is 0.
    """
    nq, nv = c[motion.NQ], c[motion.NV]
    n = nq + nv + c[motion.POWERS]
    here, total, rates = floats(c[ACROSS], n), floats(c[ACROSS] + 8 * n, n), floats(c[ACROSS] + 16 * n, n)
    rate = c[ACROSS] + 24 * n
    copied(here, floats(q, nq))
    copied(here[nq:], floats(v, nv))
    speed = 0.0
    for j in range(nv):
        speed = max(speed, abs(here[nq + j]))
    if speed < _AT_REST:
        return at.SINGULAR
    for i in range(n):
        total[i] = rates[i] = 0.0
    position, velocity, step = floats(c[POSITION], nq), floats(c[VELOCITY], nv), floats(c[STEP], nv)
    for k in range(-4, 5):
        if k != 0:
            # (56 m_1 - 28 m_2 + 8 m_3 - m_4) / 35 of the means m_k at distances k s: wrong by the eighth power of s
            weight = (56.0 if abs(k) == 1 else -28.0 if abs(k) == 2 else 8.0 if abs(k) == 3 else -1.0) / 70.0
            copied(position, here)
            copied(velocity, here[nq:])
            for j in range(nv):
                step[j] = k * _ASIDE * velocity[j] / speed
            carried(1.0, c[POSITION], c[STEP], address(c))
            if _fitted(c) != 0:
                return at.SINGULAR
            for i in range(nq):
                total[i] += weight * position[i]
            for j in range(nv):
                total[nq + j] += weight * velocity[j]
            if dy != 0:
                said = _accelerated(t, c, c[POSITION], c[VELOCITY], rate, False)
                if said != 0:
                    return said
                for i in range(n):
                    rates[i] += weight * floats(rate, n)[i]
    copied(floats(q, nq), total)
    copied(floats(v, nv), total[nq:])
    if dy != 0:
        copied(floats(dy, n), rates)
    return 0


def _factored(c: Any) -> float:
    """The columns of the dependent coordinates, factored."""
    m, nv = c[ROWS], c[motion.NV]
    J, LU_, dependent = grid(c[SLOPE], m, nv), grid(c[LU], m, m), wholes(c[DEPENDENT], m)
    for i in range(m):
        for k in range(m):
            LU_[i, k] = J[i, dependent[k]]
    return factor(LU_, wholes(c[ORDER], m))


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


def _accelerated(t: float, c: Any, q: int, v: int, dy: int, completing: bool) -> int:
    """Rates of positions, velocities and work in a state; the way of least trouble to the accelerations.

    `completing`: the formulation's program has solved for the dependent velocities, too.
    """
    nq, nv = c[motion.NQ], c[motion.NV]
    said = asked(t, c, q, v)
    if said != 0:
        return said
    forces = c[motion.NU] if c[motion.DRIVEN] != 0 else 0
    answer = nv + 1 + forces
    found = floats(c[FOUND], answer)
    _formulated(c, c[motion.FORWARD], q, v, c[FOUND])
    if completing:
        copied(floats(v, nv), floats(c[FOUND] + 8 * (nv + 1), nv))
    if not found[nv] > _SOUND and c[SECOND] != 0:
        other = floats(c[FOUND] + 8 * (answer + nv), answer)
        _formulated(c, c[SECOND], q, v, address(other))
        if not found[nv] >= other[nv]:
            copied(found, other)
    if wholes(c[motion.RAISED], 1)[0] != 0:
        return at.RAISED
    if not found[nv] > (_REGULAR if c[motion.DRIVEN] == 0 else _REACHED):
        return at.SINGULAR
    a = dy + 8 * nq
    copied(floats(a, nv), found)
    if not finite(floats(a, nv)):
        return at.NOT_FINITE
    copied(floats(c[motion.TAU], forces), found[nv + 1 :])
    turned_rates(c, q, v, dy)
    powers(c, q, v, a + 8 * nv)
    return 0


def driven(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt of an open tree of which some coordinates move as they are told."""
    c = wholes(context, motion.LENGTH)
    nq, nv = c[motion.NQ], c[motion.NV]
    copied(floats(c[POSITION], nq), floats(y, nq))
    copied(floats(c[VELOCITY], nv), floats(y + 8 * nq, nv))
    guided(t, c, c[POSITION], c[VELOCITY])
    return _accelerated(t, c, c[POSITION], c[VELOCITY], dy, False)


def driven_settle(t: float, y: int, stepping: int, context: int) -> int:
    """Driven coordinates put where they belong."""
    c = wholes(context, motion.LENGTH)
    settle(t, y, 0, context)
    return guided(t, c, y, y + 8 * c[motion.NQ])


def _formulated(c: Any, kernel: int, q: int, v: int, out: int) -> int:
    given = c[motion.GIVEN] + 16 * c[motion.DRIVEN]  # accelerations
    if c[motion.DRIVEN] != 0 and c[motion.TIMED] != 0:
        run(kernel, (q, v, given, c[motion.TAU], c[motion.NOW], out))
    elif c[motion.DRIVEN] != 0:
        run(kernel, (q, v, given, c[motion.TAU], out))
    elif c[motion.TIMED] != 0:
        run(kernel, (q, v, c[motion.TAU], c[motion.NOW], out))
    else:
        run(kernel, (q, v, c[motion.TAU], out))
    return 0


def whole(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt on all tree coordinates, as they stand."""
    c = wholes(context, motion.LENGTH)
    nq, nv = c[motion.NQ], c[motion.NV]
    said = _accelerated(t, c, y, y + 8 * nq, dy, False)
    if (said == 0 or said == at.SINGULAR) and floats(c[FOUND], nv + 1)[nv] < _POOR and _between_branches(c, y):
        copied(floats(c[POSITION], nq), floats(y, nq))
        copied(floats(c[VELOCITY], nv), floats(y + 8 * nq, nv))
        return _carried_across(t, c, c[POSITION], c[VELOCITY], dy)
    return said


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
    settle(t, y, 0, context)
    if drawn(c, y, y + 8 * nq):
        return settle(t, y, 0, context)
    gap, J = floats(c[GAP], m), grid(c[SLOPE], m, nv)
    right, step = floats(c[STEP] + 8 * nv, m), floats(c[STEP], nv)
    watched = floats(c[WATCHED], WATCHES)
    before, size = np.inf, 0.0
    done = False
    for _ in range(ROUNDS):
        if _weighed(c, y) != 0:
            return at.SINGULAR
        if watched[LEAST] < _POOR * _POOR and _between_branches(c, y):
            return _carried_across(t, c, y, y + 8 * nq, 0)
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
