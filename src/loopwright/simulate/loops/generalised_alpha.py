"""Steps of the generalised-alpha method, on local coordinates: a step's positions go by the exponential.

    s = h v_n + h^2 ((1/2 - beta) A_n + beta A),   v = v_n + h ((1 - gamma) A_n + gamma A)
    (1 - alpha_m) A + alpha_m A_n = (1 - alpha_f) a + alpha_f a_n,    a = a(t + h, s, v)      [Arnold2007, Bruls2012]

A stands for accelerations a little off the ends of the step. Newton's method finds it, with the slope at the start
of the step until that leads there too slowly. Table: alpha_m, alpha_f, beta, gamma. Integrals by the trapezoidal rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, flow, grid, wholes
from . import places as at
from .algebra import factor, solved
from .control import arrived, fitted
from .settling import settled
from .vectors import copied, finite

_ROUNDS = 30
_CLOSE = 1e-11  # of the velocities: a correction below it is the last
_SLOW = 0.2  # of the last correction: one above it asks for the slope where it stands
_ROUNDED = 1e-13  # of the positions, over the step: corrections below it that no longer shrink are rounding

# rows of n in the work memory; A and A_n in the order of x, each with room for n; then f_x, matrix, exchanges
HERE, BEFORE, AFTER, ALPHA, ALPHA_OLD, RESIDUAL = range(6)
_ROWS = 6


def room(n: int) -> int:
    """Numbers of work memory for n entries."""
    return (_ROWS + 1) * n + 2 * n * n


def step(plan_at: int, tally_at: int, clock_at: int) -> int:
    """One step."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    y, old = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n)
    copied(old, y)
    h = fitted(clock, clock[at.H])
    t = arrived(clock, h)
    said = _begun(plan, tally, clock[at.T])
    if said == 0:
        said = _solved(plan, tally, t, h)
    if said == 0:
        flow(plan[at.LIFT], t, _row(plan, HERE), plan[at.Y], plan[at.CONTEXT])
        said = settled(plan, tally, t) if finite(y) else at.NOT_FINITE
    if said != 0:
        tally[at.REJECTED] += 1
        tally[at.TROUBLE] = said
        copied(y, old)
        return at.FLOW_FAILED
    copied(floats(_row(plan, ALPHA_OLD), n), floats(_row(plan, ALPHA), n))
    tally[at.STARTED] = 1
    tally[at.FRESH] = 0
    clock[at.T_OLD], clock[at.T], clock[at.H_DONE] = clock[at.T], t, h
    return 0


def _row(plan: Any, k: int) -> int:
    """Where a row of the work memory begins."""
    return plan[at.WORK] + 8 * k * plan[at.SIZE]


def _matrix(plan: Any) -> int:
    return _row(plan, _ROWS) + 8 * plan[at.SIZE] ** 2


def _order(plan: Any) -> int:
    return _matrix(plan) + 8 * plan[at.SIZE] ** 2


def _begun(plan: Any, tally: Any, t: float) -> int:
    """Velocities and accelerations at the start of the step, and the slope there."""
    n = plan[at.X_SIZE]
    here, context = floats(_row(plan, HERE), n), plan[at.CONTEXT]
    if flow(plan[at.CHART], t, plan[at.Y], 0, context) != 0:
        tally[at.STARTED] = 0
    for i in range(n):
        here[i] = 0.0
    tally[at.EVALUATIONS] += 1
    said = flow(plan[at.LOCAL], t, address(here), _row(plan, BEFORE), context)
    if said != 0:
        return said
    tally[at.SLOPES] += 1
    said = flow(plan[at.SLOPE], t, address(here), _row(plan, _ROWS), context)
    if tally[at.STARTED] == 0:
        before, alpha = floats(_row(plan, BEFORE), n), floats(_row(plan, ALPHA_OLD), n)
        for i in range(_velocities(plan)):
            alpha[i] = before[_rate(plan, i)]
    # where branches of the motion meet there is no slope: the one before serves
    return 0 if said == at.SINGULAR and tally[at.STARTED] != 0 else said


def _velocities(plan: Any) -> int:
    return plan[at.X_ACTING] + plan[at.X_FOLLOWING]


def _place(plan: Any, i: int) -> int:
    """Where the position of the i-th velocity stands in x."""
    return i if i < plan[at.X_ACTING] else plan[at.X_ACTING] + i


def _rate(plan: Any, i: int) -> int:
    """Where that velocity stands."""
    k, m = plan[at.X_ACTING], plan[at.X_FOLLOWING]
    return k + i if i < k else k + m + i


def _solved(plan: Any, tally: Any, t: float, h: float) -> int:
    """A, and x at the end of the step."""
    n, k, count = plan[at.X_SIZE], plan[at.X_ACTING], _velocities(plan)
    table = floats(plan[at.TABLE], 4)
    alpha_m, alpha_f, beta, gamma = table[0], table[1], table[2], table[3]
    before, after = floats(_row(plan, BEFORE), n), floats(_row(plan, AFTER), n)
    A, A_old, r = floats(_row(plan, ALPHA), n), floats(_row(plan, ALPHA_OLD), n), floats(_row(plan, RESIDUAL), n)
    slope, M, order = grid(_row(plan, _ROWS), n, 2 * k), grid(_matrix(plan), k, k), wholes(_order(plan), k)
    by_q, by_v = (1.0 - alpha_f) * h * h * beta, (1.0 - alpha_f) * h * gamma
    if _factored(plan, by_q, by_v, 1.0 - alpha_m) == 0.0:
        return at.NOT_SOLVED
    fastest, farthest, old = 0.0, 0.0, floats(plan[at.Y_OLD], plan[at.POSITIONS])
    for i in range(plan[at.POSITIONS]):
        farthest = max(farthest, abs(old[i]))
    for i in range(count):
        # to begin with, as if a stayed what it is
        A[i] = (before[_rate(plan, i)] - alpha_m * A_old[i]) / (1.0 - alpha_m)
        fastest = max(fastest, abs(before[_place(plan, i)]), h * abs(before[_rate(plan, i)]))
    rounded = max(100.0 * _CLOSE * fastest, _ROUNDED * farthest / h)
    last, slow = np.inf, False
    for _ in range(_ROUNDS):
        _moved(plan, h)
        tally[at.EVALUATIONS] += 1
        said = flow(plan[at.LOCAL], t, _row(plan, HERE), _row(plan, AFTER), plan[at.CONTEXT])
        if said != 0:
            return said
        for i in range(count):
            r[i] = (
                (1.0 - alpha_f) * after[_rate(plan, i)]
                + alpha_f * before[_rate(plan, i)]
                - (1.0 - alpha_m) * A[i]
                - alpha_m * A_old[i]
            )
        if slow:
            tally[at.SLOPES] += 1
            said = flow(plan[at.SLOPE], t, _row(plan, HERE), _row(plan, _ROWS), plan[at.CONTEXT])
            if said != 0:
                return said
            if _factored(plan, by_q, by_v, 1.0 - alpha_m) == 0.0:
                return at.NOT_SOLVED
        solved(M, order, r[:k])
        for i in range(k, count):
            for j in range(k):
                row = _rate(plan, i)
                r[i] += (by_q * slope[row, j] + by_v * slope[row, k + j]) * r[j]
            r[i] /= 1.0 - alpha_m
        size = 0.0
        for i in range(count):
            A[i] += r[i]
            size = max(size, h * gamma * abs(r[i]))
        if not np.isfinite(size):
            return at.NOT_FINITE
        if size <= _CLOSE * fastest or (size >= 0.5 * last and size <= rounded):
            _moved(plan, h)
            return 0
        slow = size > _SLOW * last
        last = size
    return at.NOT_SOLVED


def _factored(plan: Any, by_q: float, by_v: float, own: float) -> float:
    """What corrections of A are found with, factored."""
    k = plan[at.X_ACTING]
    slope, M = grid(_row(plan, _ROWS), plan[at.X_SIZE], 2 * k), grid(_matrix(plan), k, k)
    for i in range(k):
        for j in range(k):
            M[i, j] = -by_q * slope[k + i, j] - by_v * slope[k + i, k + j]
        M[i, i] += own
    return factor(M, wholes(_order(plan), k))


def _moved(plan: Any, h: float) -> int:
    """x at the end of the step, by A."""
    n, k, count = plan[at.X_SIZE], plan[at.X_ACTING], _velocities(plan)
    beta, gamma = floats(plan[at.TABLE], 4)[2], floats(plan[at.TABLE], 4)[3]
    x, before, after = floats(_row(plan, HERE), n), floats(_row(plan, BEFORE), n), floats(_row(plan, AFTER), n)
    A, A_old = floats(_row(plan, ALPHA), n), floats(_row(plan, ALPHA_OLD), n)
    for i in range(count):
        x[_place(plan, i)] = h * before[_place(plan, i)] + h * h * ((0.5 - beta) * A_old[i] + beta * A[i])
        x[_rate(plan, i)] = h * ((1.0 - gamma) * A_old[i] + gamma * A[i])
    for i in range(2 * count, n):
        x[i] = 0.5 * h * (before[i] + after[i])
    return k


def dense(plan_at: int, tally_at: int, clock_at: int, share: float, out_at: int) -> int:
    """The state within the last step, by the cubics through both ends and their rates."""
    plan, clock = wholes(plan_at, at.LENGTH), floats(clock_at, at.CLOCK_LENGTH)
    n, h = plan[at.X_SIZE], clock[at.H_DONE]
    x, before, after = floats(_row(plan, HERE), n), floats(_row(plan, BEFORE), n), floats(_row(plan, AFTER), n)
    inside = floats(_row(plan, RESIDUAL), n)
    s = share
    for i in range(n):
        inside[i] = (
            (3.0 - 2.0 * s) * s * s * x[i] + h * s * (1.0 - s) ** 2 * before[i] + h * s * s * (s - 1.0) * after[i]
        )
    return flow(plan[at.LIFT], clock[at.T], address(inside), out_at, plan[at.CONTEXT])
