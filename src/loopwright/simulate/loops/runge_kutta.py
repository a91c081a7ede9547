"""Explicit Runge-Kutta steps of any tableau, with a fixed step or an adaptive one, and the state within them.

Table: s stages, S rows with those for the state within a step, p powers of its polynomials, order of the error
estimate (0: the step is fixed), which estimate (1: e, 2: e5 and e3); then A (S x S), b, c, e, e3 (S each) and P
(S x p):   y(theta) = y + h sum_i k_i sum_j P_ij theta^(j+1).   Row s of A and b is the state at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import floats, flow, grid, wholes
from . import places as at
from .control import SAFETY, arrived, fitted, longer, nudged, shorter, shortest
from .settling import settled
from .vectors import copied, finite

_HEAD = 5
_CAREFUL = 0.8  # safety of order 8, whose steps are rejected so often with more that it costs more


def step(plan_at: int, tally_at: int, clock_at: int) -> int:
    """One accepted step."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    head = floats(plan[at.TABLE], _HEAD)
    s, S, order, kind = int(head[0]), int(head[1]), head[3], int(head[4])
    K = grid(plan[at.WORK], S, n)
    y, old, dy = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n), floats(plan[at.DY], n)
    if tally[at.FRESH] == 0:
        tally[at.EVALUATIONS] += 1
        said = flow(plan[at.FLOW], clock[at.T], plan[at.Y], plan[at.DY], plan[at.CONTEXT])
        if said != 0:
            tally[at.TROUBLE] = said
            return at.FLOW_FAILED
        tally[at.FRESH] = 1
    copied(old, y)
    copied(K[0], dy)
    # the rates at the end wait for the state to be settled where the error does without them
    late = plan[at.RESTS] == 0 and plan[at.SETTLE] != 0 and not _judged_by(plan, s, S)
    safety = _CAREFUL if kind == 2 else SAFETY
    failures, rejected = 0, False
    h = clock[at.H]
    while True:
        h = fitted(clock, h)
        said = _stages(plan, tally, clock, h, 1, s if late else s + 1)
        if late:
            _formed(plan, h, s)
        error = 0.0
        if said == 0 and kind > 0:
            error = _error(plan, clock, h, s, S, kind)
        if said == 0 and not (np.isfinite(error) and finite(y)):
            said = at.NOT_FINITE
        if said == 0 and error <= 1.0:
            said = settled(plan, tally, arrived(clock, h))
            if said == 0:
                break
        tally[at.REJECTED] += 1
        if said != 0:
            tally[at.TROUBLE] = said
            if said == at.RAISED or said == at.MEETING or kind == 0:
                copied(y, old)
                return at.FLOW_FAILED
            failures += 1
            h *= nudged(failures)
        else:
            h *= shorter(error, order, safety)
        rejected = True
        if h < shortest(clock):
            copied(y, old)
            return at.COLLAPSED
    if late:
        copied(K[s], dy)
    elif plan[at.RESTS] != 0 or plan[at.SETTLE] == 0:
        copied(dy, K[s])
    clock[at.T_OLD] = clock[at.T]
    clock[at.T] = arrived(clock, h)
    clock[at.H_DONE] = h
    if kind > 0:
        clock[at.H] = min(clock[at.H_MAX], h * longer(clock, error, order, rejected, safety))
        clock[at.ERROR] = error
    return 0


def _stages(plan: Any, tally: Any, clock: Any, h: float, first: int, last: int) -> int:
    """Rates at the stages; the state of the latest stands in y."""
    n = plan[at.SIZE]
    S = int(floats(plan[at.TABLE], _HEAD)[1])
    c = floats(plan[at.TABLE] + 8 * (_HEAD + S * S + S), S)
    for k in range(first, last):
        _formed(plan, h, k)
        tally[at.EVALUATIONS] += 1
        rate = plan[at.WORK] + 8 * n * k
        said = flow(plan[at.FLOW], clock[at.T] + c[k] * h, plan[at.Y], rate, plan[at.CONTEXT])
        if said != 0:
            return said
    return 0


def _formed(plan: Any, h: float, k: int) -> int:
    """y_k = y + h sum_j a_kj f_j,   f_k = f(t + c_k h, y_k)"""
    n = plan[at.SIZE]
    S = int(floats(plan[at.TABLE], _HEAD)[1])
    A, K = grid(plan[at.TABLE] + 8 * _HEAD, S, S), grid(plan[at.WORK], S, n)
    y, old = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n)
    for i in range(n):
        y[i] = 0.0
    for j in range(k):
        a = A[k, j]
        if a != 0.0:
            for i in range(n):
                y[i] += a * K[j, i]
    for i in range(n):
        y[i] = old[i] + h * y[i]
    return k


def _judged_by(plan: Any, k: int, S: int) -> bool:
    """Whether stage k counts in the error."""
    e = floats(plan[at.TABLE] + 8 * (_HEAD + S * S + 2 * S), 2 * S)
    return e[k] != 0.0 or e[S + k] != 0.0


def _error(plan: Any, clock: Any, h: float, s: int, S: int, kind: int) -> float:
    n, count = plan[at.SIZE], plan[at.COUNTED]
    e = floats(plan[at.TABLE] + 8 * (_HEAD + S * S + 2 * S), S)
    e3 = floats(plan[at.TABLE] + 8 * (_HEAD + S * S + 3 * S), S)
    K = grid(plan[at.WORK], S, n)
    y, old, atol = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n), floats(plan[at.ATOL], n)
    five, three = 0.0, 0.0
    for i in range(count):
        high, low = 0.0, 0.0
        for j in range(s + 1):
            high += e[j] * K[j, i]
            low += e3[j] * K[j, i]
        allowed = atol[i] + clock[at.RTOL] * max(abs(old[i]), abs(y[i]))
        five += (high / allowed) ** 2
        three += (low / allowed) ** 2
    if kind == 1:
        return abs(h) * np.sqrt(five / max(count, 1))
    # [Hairer1993, II.10, (10.17)]
    if five == 0.0 and three == 0.0:
        return 0.0
    return abs(h) * five / np.sqrt((five + 0.01 * three) * max(count, 1))


def dense(plan_at: int, tally_at: int, clock_at: int, share: float, out_at: int) -> int:
    """The state within the last step."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    head = floats(plan[at.TABLE], _HEAD)
    s, S, powers = int(head[0]), int(head[1]), int(head[2])
    K = grid(plan[at.WORK], S, n)
    P = grid(plan[at.TABLE] + 8 * (_HEAD + S * S + 4 * S), S, powers)
    out, old = floats(out_at, n), floats(plan[at.Y_OLD], n)
    if tally[at.READY] == 0:
        tally[at.READY] = 1
        if s + 1 < S:
            y = floats(plan[at.Y], n)
            kept = floats(plan[at.WORK] + 8 * S * n, n)
            copied(kept, y)
            now = clock[at.T]
            clock[at.T] = clock[at.T_OLD]
            _stages(plan, tally, clock, clock[at.H_DONE], s + 1, S)
            clock[at.T] = now
            copied(y, kept)
    for i in range(n):
        out[i] = 0.0
    for j in range(S):
        weight = 0.0
        for p in range(powers - 1, -1, -1):
            weight = (weight + P[j, p]) * share
        if weight != 0.0:
            for i in range(n):
                out[i] += weight * K[j, i]
    for i in range(n):
        out[i] = old[i] + clock[at.H_DONE] * out[i]
    return 0
