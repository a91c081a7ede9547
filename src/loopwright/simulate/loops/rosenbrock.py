"""Rosenbrock steps of any tableau: stages that are each one linear system, all with the same matrix.

In the local coordinates x of a state (local.py), so that quaternions and closed loops need nothing of their own:

    (1/(gamma h) - f_x) u_i = f(t + alpha_i h, sum_j a_ij u_j) + sum_j c_ij u_j / h + gamma_i h f_t   [Hairer1996, IV.7]
    x = sum_j m_j u_j,   x(theta) = sum_j u_j sum_k P_jk theta^(k+1),   error sum_j e_j u_j

Table: s stages, p powers, order of the error estimate, gamma; then A and C (s x s), alpha, gamma_i, m, e (s each) and
P (s x p). f_x is exact, f_t a forward difference, taken only where the flow depends on time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, flow, grid, wholes
from . import places as at
from .algebra import factor_behind, solved_behind
from .control import SAFETY, arrived, fitted, longer, measured, nudged, shorter, shortest
from .settling import settled
from .vectors import copied, finite

_HEAD = 4
_LATER = 1e-8  # of a second, or of the time: the step of the difference by time

# rows of n in the work memory, then the stages, f_x, the matrix and its order
HERE, RATES, BY_TIME, GUESS = range(4)
_ROWS = 4


def room(stages: int, n: int) -> int:
    """Numbers of work memory for n entries."""
    return (_ROWS + stages + 2) * n + 2 * n * n


def step(plan_at: int, tally_at: int, clock_at: int) -> int:
    """One accepted step."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    order = floats(plan[at.TABLE], _HEAD)[2]
    y, old = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n)
    copied(old, y)
    said = _begun(plan, tally, clock)
    if said != 0:
        tally[at.TROUBLE] = said
        return at.FLOW_FAILED
    failures, rejected = 0, False
    h = clock[at.H]
    while True:
        h = fitted(clock, h)
        said, error = _stages(plan, tally, clock, h), 0.0
        if said == 0:
            error = _ended(plan, clock)
            if not (np.isfinite(error) and finite(y)):
                said = at.NOT_FINITE
        if said == 0 and error <= 1.0:
            said = settled(plan, tally, arrived(clock, h))
            if said == 0:
                break
        tally[at.REJECTED] += 1
        if said != 0:
            tally[at.TROUBLE] = said
            failures += 1
            h *= nudged(failures)
        else:
            h *= shorter(error, order, SAFETY)
        rejected = True
        if said == at.RAISED or h < shortest(clock):
            copied(y, old)
            return at.FLOW_FAILED if said == at.RAISED else at.COLLAPSED
    tally[at.FRESH] = 0
    clock[at.T_OLD], clock[at.T], clock[at.H_DONE] = clock[at.T], arrived(clock, h), h
    clock[at.H] = min(clock[at.H_MAX], h * longer(clock, error, order, rejected, SAFETY))
    clock[at.ERROR] = error
    return 0


def _row(plan: Any, k: int) -> int:
    """Where a row of the work memory begins; those from _ROWS on are the stages."""
    return plan[at.WORK] + 8 * k * plan[at.SIZE]


def _slope(plan: Any) -> int:
    """Where f_x begins, behind the stages; then the matrix, then how its rows were exchanged."""
    return _row(plan, _ROWS + int(floats(plan[at.TABLE], 1)[0]))


def _matrix(plan: Any) -> int:
    return _slope(plan) + 8 * plan[at.SIZE] ** 2


def _order(plan: Any) -> int:
    return _matrix(plan) + 8 * plan[at.SIZE] ** 2


def _begun(plan: Any, tally: Any, clock: Any) -> int:
    """The rates at the start of the step, and what they change with."""
    n = plan[at.X_SIZE]
    here, rates, by_time = (
        floats(_row(plan, HERE), n),
        floats(_row(plan, RATES), n),
        floats(_row(plan, BY_TIME), n),
    )
    t, context = clock[at.T], plan[at.CONTEXT]
    if flow(plan[at.CHART], t, plan[at.Y], 0, context) != 0:
        tally[at.STARTED] = 0
    for i in range(n):
        here[i] = by_time[i] = 0.0
    if plan[at.TIMED] != 0:
        later = min(_LATER * max(1.0, abs(t)), clock[at.T_END] - t)
        tally[at.EVALUATIONS] += 1
        said = flow(plan[at.LOCAL], t + later, address(here), address(by_time), context)
        if said != 0:
            return said
    tally[at.EVALUATIONS] += 1
    said = flow(plan[at.LOCAL], t, address(here), address(rates), context)
    if said != 0:
        return said
    if plan[at.TIMED] != 0:
        later = t + later - t
        for i in range(n):
            by_time[i] = (by_time[i] - rates[i]) / later
    return sloped(plan, tally, t, address(here), _slope(plan))


def sloped(plan: Any, tally: Any, t: float, here: int, out: int) -> int:
    """The slope; where branches of the motion meet there is none, and the one of the last step serves."""
    tally[at.SLOPES] += 1
    said = flow(plan[at.SLOPE], t, here, out, plan[at.CONTEXT])
    if said == 0:
        tally[at.STARTED] = 1
    return 0 if said == at.SINGULAR and tally[at.STARTED] != 0 else said


def _stages(plan: Any, tally: Any, clock: Any, h: float) -> int:
    """Every u_i."""
    n, head = plan[at.X_SIZE], floats(plan[at.TABLE], _HEAD)
    s, gamma = int(head[0]), head[3]
    A, C = grid(plan[at.TABLE] + 8 * _HEAD, s, s), grid(plan[at.TABLE] + 8 * (_HEAD + s * s), s, s)
    nodes = grid(plan[at.TABLE] + 8 * (_HEAD + 2 * s * s), 4, s)
    x, rates, by_time = (
        floats(_row(plan, GUESS), n),
        floats(_row(plan, RATES), n),
        floats(_row(plan, BY_TIME), n),
    )
    acting = 2 * plan[at.X_ACTING]
    slope, M = grid(_slope(plan), n, acting), grid(_matrix(plan), acting, acting)
    order = wholes(_order(plan), 2 * acting)
    for i in range(acting):
        for j in range(acting):
            M[i, j] = -slope[i, j]
        M[i, i] += 1.0 / (gamma * h)
    if acting > 0 and factor_behind(M, order, plan[at.X_ACTING]) == 0.0:
        return at.NOT_FINITE
    for k in range(s):
        u = floats(_row(plan, _ROWS + k), n)
        if k == 0:
            copied(u, rates)
        else:
            _combined(plan, A[k], k, x)
            tally[at.EVALUATIONS] += 1
            t = clock[at.T] + nodes[0, k] * h
            said = flow(plan[at.LOCAL], t, address(x), address(u), plan[at.CONTEXT])
            if said != 0:
                return said
        for j in range(k):
            if C[k, j] != 0.0:
                other = floats(_row(plan, _ROWS + j), n)
                for i in range(n):
                    u[i] += C[k, j] / h * other[i]
        for i in range(n):
            u[i] += nodes[1, k] * h * by_time[i]
        solved_behind(M, order, plan[at.X_ACTING], u[:acting])
        # of what nothing depends on, straight away
        for i in range(acting, n):
            for j in range(acting):
                u[i] += slope[i, j] * u[j]
            u[i] *= gamma * h
    return 0


def _combined(plan: Any, weights: Any, count: int, x: Any) -> int:
    """x = sum_j w_j u_j"""
    n = plan[at.X_SIZE]
    for i in range(n):
        x[i] = 0.0
    for j in range(count):
        if weights[j] != 0.0:
            u = floats(_row(plan, _ROWS + j), n)
            for i in range(n):
                x[i] += weights[j] * u[i]
    return 0


def _ended(plan: Any, clock: Any) -> float:
    """The state at the end, in y, and its error."""
    s = int(floats(plan[at.TABLE], 1)[0])
    nodes = grid(plan[at.TABLE] + 8 * (_HEAD + 2 * s * s), 4, s)
    n, size = plan[at.X_SIZE], plan[at.SIZE]
    x, y, other = floats(_row(plan, GUESS), n), floats(plan[at.Y], size), floats(plan[at.DY], size)
    # both results as states, so that their difference is measured as that of any other method
    _combined(plan, nodes[2], s, x)
    flow(plan[at.LIFT], clock[at.T], address(x), plan[at.Y], plan[at.CONTEXT])
    for j in range(s):
        if nodes[3, j] != 0.0:
            u = floats(_row(plan, _ROWS + j), n)
            for i in range(n):
                x[i] -= nodes[3, j] * u[i]
    flow(plan[at.LIFT], clock[at.T], address(x), plan[at.DY], plan[at.CONTEXT])
    for i in range(size):
        other[i] -= y[i]
    old, atol = floats(plan[at.Y_OLD], size), floats(plan[at.ATOL], size)
    return measured(other, old, y, atol, clock[at.RTOL], plan[at.COUNTED])


def dense(plan_at: int, tally_at: int, clock_at: int, share: float, out_at: int) -> int:
    """The state within the last step."""
    plan, clock = wholes(plan_at, at.LENGTH), floats(clock_at, at.CLOCK_LENGTH)
    head, n = floats(plan[at.TABLE], _HEAD), plan[at.X_SIZE]
    x = floats(_row(plan, GUESS), n)
    s, powers = int(head[0]), int(head[1])
    P = grid(plan[at.TABLE] + 8 * (_HEAD + 2 * s * s + 4 * s), s, powers)
    for i in range(n):
        x[i] = 0.0
    for j in range(s):
        weight = 0.0
        for p in range(powers - 1, -1, -1):
            weight = (weight + P[j, p]) * share
        u = floats(_row(plan, _ROWS + j), n)
        for i in range(n):
            x[i] += weight * u[i]
    return flow(plan[at.LIFT], clock[at.T], address(x), out_at, plan[at.CONTEXT])
