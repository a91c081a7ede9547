"""Steps of Adams, Bashforth and Moulton of any order up to twelve, over whatever lengths the steps before had.

Predict, evaluate, correct, evaluate, in modified divided differences with local extrapolation: the algorithm of the
program STEP, its order and its step chosen by the same rules.    [Shampine1975, ch. 5, 7, 10]

    psi_i   = h_{n+1} + ... + h_{n+2-i},   alpha_i = h_{n+1} / psi_i
    phi_i   = psi_1 ... psi_{i-1} f[t_n, ..., t_{n-i+1}]   with the psi of the step that ended at t_n
    phi*_i  = beta_i phi_i,   beta_i = beta_{i-1} psi_{i-1} / (psi_{i-1} of the step before)
    p       = y_n + h sum_{i=1..k} g_i phi*_i,   phi^p_i = phi*_i + phi^p_{i+1},   phi^p_{k+1} = 0
    y_{n+1} = p + h g_{k+1} (f(p) - phi^p_1)

Rows of i count from 1 here, as they do there. The table: the highest order, then |gamma*_i| for i = 1, 2, ...
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import address, floats, flow, grid, wholes
from . import places as at
from .control import arrived, fitted, measured, nudged, shortest
from .vectors import copied, finite

_DEEP = 15  # rows of differences: 1 ... 14, and row 0 to compute in
_WIDE = 16

# rows of a small grid behind the differences phi and phi^p
STEPS, PSI, ALPHA, BETA, SIGMA, G, ERRORS, STATE, ROW = range(9)
_ROWS = 9
# in STATE
LAST_ORDER, RAISING = range(2)


def room(n: int) -> int:
    """Numbers of work memory for n entries."""
    return 2 * _DEEP * n + _ROWS * _WIDE


def step(plan_at: int, tally_at: int, clock_at: int) -> int:
    """One accepted step."""
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    if tally[at.STARTED] == 0:
        said = _begun(plan, tally, clock)
        if said != 0:
            tally[at.TROUBLE] = said
            return at.FLOW_FAILED
    y, old = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n)
    state = grid(_small(plan), _ROWS, _WIDE)[STATE]
    copied(old, y)
    failures, troubles = 0, 0
    h = clock[at.H]
    while True:
        h = fitted(clock, h)
        t, k = arrived(clock, h), int(tally[at.ORDER])
        _coefficients(plan, h, k)
        _predicted(plan, h, k)
        said, error = _rated(plan, tally, t), 0.0
        if said == 0:
            error = _errors(plan, clock, h, k)
            if not np.isfinite(error):
                said = at.NOT_FINITE
        if said == 0 and error <= 1.0:
            said = _corrected(plan, tally, t, h, k)
            if said == 0:
                break
        tally[at.REJECTED] += 1
        state[RAISING] = 0.0
        if said == 0:
            failures += 1
            h *= _shorter(plan, tally, failures)
        else:
            tally[at.TROUBLE] = said
            troubles += 1
            h *= nudged(troubles)
        over = said == at.RAISED or said == at.MEETING
        if over or h < shortest(clock):
            copied(y, old)
            tally[at.STARTED] = tally[at.FRESH] = 0
            return at.FLOW_FAILED if over else at.COLLAPSED
    clock[at.T_OLD], clock[at.T], clock[at.H_DONE], clock[at.ERROR] = clock[at.T], t, h, error
    clock[at.H] = min(clock[at.H_MAX], _chosen(plan, tally, clock, h, k))
    _remembered(plan, h)
    return 0


def _ahead(plan: Any) -> int:
    """Where phi^p begins; phi stands before it."""
    return plan[at.WORK] + 8 * _DEEP * plan[at.SIZE]


def _small(plan: Any) -> int:
    """Where the small grid begins."""
    return plan[at.WORK] + 16 * _DEEP * plan[at.SIZE]


def _begun(plan: Any, tally: Any, clock: Any) -> int:
    """Order 1 and a step so short that this is enough: nothing is known of the time before."""
    n = plan[at.SIZE]
    y, dy = floats(plan[at.Y], n), floats(plan[at.DY], n)
    past, small = grid(plan[at.WORK], 3, n), grid(_small(plan), _ROWS, _WIDE)
    if tally[at.FRESH] == 0:
        said = _rated(plan, tally, clock[at.T])
        if said != 0:
            return said
    copied(past[1], dy)
    for i in range(n):
        past[2, i] = 0.0
    size = measured(dy, y, y, floats(plan[at.ATOL], n), clock[at.RTOL], plan[at.COUNTED])
    if 16.0 * size * clock[at.H] ** 2 > 1.0:
        clock[at.H] = max(0.25 / np.sqrt(size), shortest(clock))
    for i in range(_WIDE):
        small[STEPS, i] = 0.0
    small[STATE, RAISING] = 1.0
    tally[at.ORDER] = tally[at.STARTED] = tally[at.FRESH] = 1
    return 0


def _rated(plan: Any, tally: Any, t: float) -> int:
    """dy/dt where y stands."""
    tally[at.EVALUATIONS] += 1
    return flow(plan[at.FLOW], t, plan[at.Y], plan[at.DY], plan[at.CONTEXT])


def _coefficients(plan: Any, h: float, k: int) -> int:
    small = grid(_small(plan), _ROWS, _WIDE)
    steps, psi, alpha, beta, sigma, g = small[STEPS], small[PSI], small[ALPHA], small[BETA], small[SIGMA], small[G]
    beta[1] = sigma[1] = 1.0
    psi[1], before = h, 0.0
    for i in range(1, k + 1):
        alpha[i] = h / psi[i]
        sigma[i + 1] = i * alpha[i] * sigma[i]
        before += steps[i]  # psi_i of the step before
        if i < k:
            beta[i + 1] = beta[i] * (psi[i] / before)
            psi[i + 1] = before + h
    # g_{1,q} = 1 / q,   g_{i,q} = g_{i-1,q} - alpha_{i-1} g_{i-1,q+1};   g_i = g_{i,1}    [Shampine1975, 5 (14)]
    row = small[ROW]
    for q in range(1, k + 2):
        row[q] = 1.0 / q
    g[1] = 1.0
    for i in range(2, k + 2):
        for q in range(1, k + 3 - i):
            row[q] -= alpha[i - 1] * row[q + 1]
        g[i] = row[1]
    return 0


def _predicted(plan: Any, h: float, k: int) -> int:
    """p stands in y, and the differences as the polynomial goes on, phi^p."""
    n, small = plan[at.SIZE], grid(_small(plan), _ROWS, _WIDE)
    past, ahead = grid(plan[at.WORK], _DEEP, n), grid(_ahead(plan), _DEEP, n)
    y, old, beta, g = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n), small[BETA], small[G]
    for i in range(n):
        ahead[k + 1, i] = y[i] = 0.0
    for j in range(k, 0, -1):
        for i in range(n):
            change = beta[j] * past[j, i]
            y[i] += g[j] * change
            ahead[j, i] = change + ahead[j + 1, i]
    for i in range(n):
        y[i] = old[i] + h * y[i]
    return 0


def _errors(plan: Any, clock: Any, h: float, k: int) -> float:
    """What this step does wrong, over what is allowed; ERRORS gets what those of order k, k - 1 and k - 2 would."""
    n, small = plan[at.SIZE], grid(_small(plan), _ROWS, _WIDE)
    ahead = grid(_ahead(plan), _DEEP, n)
    dy, room_, errors = floats(plan[at.DY], n), ahead[0], small[ERRORS]
    star, whole = floats(plan[at.TABLE], k + 1), 0.0
    for back in range(min(3, k)):
        order = k - back
        for i in range(n):
            room_[i] = dy[i] - ahead[1, i] + (ahead[order + 1, i] if back > 0 else 0.0)
        size = h * _sized(plan, clock, room_)
        errors[order] = small[SIGMA, order + 1] * star[order] * size
        if back == 0:
            whole = size
    return whole * (small[G, k] - small[G, k + 1])


def _sized(plan: Any, clock: Any, row: Any) -> float:
    n = plan[at.SIZE]
    y, old, atol = floats(plan[at.Y], n), floats(plan[at.Y_OLD], n), floats(plan[at.ATOL], n)
    return measured(row, old, y, atol, clock[at.RTOL], plan[at.COUNTED])


def _shorter(plan: Any, tally: Any, failures: int) -> float:
    """Half the step; from the third time on order 1, and as short as that needs."""
    k, errors = tally[at.ORDER], grid(_small(plan), _ROWS, _WIDE)[ERRORS]
    here = errors[k]
    tally[at.ORDER] = 1 if failures >= 3 else k - 1 if _falls(errors, k) else k
    return np.sqrt(0.5 / here) if failures > 3 and here > 2.0 else 0.5


def _falls(errors: Any, k: int) -> bool:
    """Whether the order before would have done no worse."""
    if k > 2:
        return bool(max(errors[k - 1], errors[k - 2]) <= errors[k])
    return bool(k == 2 and errors[1] <= 0.5 * errors[2])


def _corrected(plan: Any, tally: Any, t: float, h: float, k: int) -> int:
    """y and its rates at the end of the step; the differences there."""
    n, g = plan[at.SIZE], grid(_small(plan), _ROWS, _WIDE)[G]
    past, ahead = grid(plan[at.WORK], _DEEP, n), grid(_ahead(plan), _DEEP, n)
    y, dy = floats(plan[at.Y], n), floats(plan[at.DY], n)
    for i in range(n):
        y[i] += h * g[k + 1] * (dy[i] - ahead[1, i])
    if plan[at.SETTLE] != 0:
        said = flow(plan[at.SETTLE], t, plan[at.Y], 1, plan[at.CONTEXT])
        if said != 0:
            return said
    said = _rated(plan, tally, t)
    if said != 0:
        return said
    if not (finite(y) and finite(dy)):
        return at.NOT_FINITE
    for i in range(n):
        newest = dy[i] - ahead[1, i]
        past[k + 2, i] = newest - past[k + 1, i]
        past[k + 1, i] = newest
        for j in range(1, k + 1):
            past[j, i] = ahead[j, i] + newest
    return 0


def _chosen(plan: Any, tally: Any, clock: Any, h: float, k: int) -> float:
    """The order of the next step is written down; its length is the answer."""
    small = grid(_small(plan), _ROWS, _WIDE)
    errors, state = small[ERRORS], small[STATE]
    highest = int(floats(plan[at.TABLE], 1)[0])
    lower = _falls(errors, k)
    if lower or k == highest:
        state[RAISING] = 0.0
    state[LAST_ORDER] = k
    if state[RAISING] != 0.0:
        tally[at.ORDER] = k + 1
        return 2.0 * h
    order, error = k, errors[k]
    if lower:
        order, error = k - 1, errors[k - 1]
    elif _equal(small[STEPS], h, k):
        # only after k + 1 equal steps is the next difference a measure of the order above
        above = (
            h
            * floats(plan[at.TABLE], k + 2)[k + 1]
            * _sized(plan, clock, grid(plan[at.WORK], _DEEP, plan[at.SIZE])[k + 2])
        )
        if k > 1 and errors[k - 1] <= min(error, above):
            order, error = k - 1, errors[k - 1]
        elif k < highest and above < (error if k > 1 else 0.5 * error):
            order, error = k + 1, above
    tally[at.ORDER] = order
    if error * 2.0 ** (order + 1) <= 0.5:
        return 2.0 * h
    if error <= 0.5:
        return h
    return h * max(0.5, min(0.9, (0.5 / error) ** (1.0 / (order + 1))))


def _equal(steps: Any, h: float, k: int) -> bool:
    """Whether the k steps before were as long as this one."""
    equal = True
    for j in range(1, k + 1):
        equal = equal and steps[j] == h
    return equal


def _remembered(plan: Any, h: float) -> int:
    """Lengths of the latest steps, the newest first."""
    steps = grid(_small(plan), _ROWS, _WIDE)[STEPS]
    for j in range(_WIDE - 1, 1, -1):
        steps[j] = steps[j - 1]
    steps[1] = h
    return 0


def dense(plan_at: int, tally_at: int, clock_at: int, share: float, out_at: int) -> int:
    """The state within the last step: the integral of the polynomial through the latest k + 1 rates, back from its end.

    Where the step began, that differs from y_n by about its error; this difference is faded in, so that the motion
    and its rates go on without a jump from step to step.
    """
    plan, tally, clock = (
        wholes(plan_at, at.LENGTH),
        wholes(tally_at, at.TALLY_LENGTH),
        floats(clock_at, at.CLOCK_LENGTH),
    )
    n = plan[at.SIZE]
    missing, out, old = floats(plan[at.WORK], n), floats(out_at, n), floats(plan[at.Y_OLD], n)
    if tally[at.READY] == 0:
        tally[at.READY] = 1
        _back(plan, clock, 0.0, address(missing))
        for i in range(n):
            missing[i] = old[i] - missing[i]
    _back(plan, clock, share, out_at)
    fade = (1.0 - share) ** 2 * (1.0 + 2.0 * share)
    for i in range(n):
        out[i] += fade * missing[i]
    return 0


def _back(plan: Any, clock: Any, share: float, out_at: int) -> int:
    n, past, small = plan[at.SIZE], grid(plan[at.WORK], _DEEP, plan[at.SIZE]), grid(_small(plan), _ROWS, _WIDE)
    y, out, steps, row = floats(plan[at.Y], n), floats(out_at, n), small[STEPS], small[ROW]
    x = (share - 1.0) * clock[at.H_DONE]
    last = int(small[STATE, LAST_ORDER]) + 1
    for q in range(1, last + 1):
        row[q] = 1.0 / q
    for i in range(n):
        out[i] = past[1, i]
    # integrals of (t - t_n) (t - t_{n-1}) ... / (psi_1 psi_2 ...), divided by x    [Shampine1975, 5 (20)]
    psi, before = 0.0, 0.0
    for j in range(2, last + 1):
        before, psi = psi, psi + steps[j - 1]
        for q in range(1, last + 2 - j):
            row[q] = ((x + before) * row[q] - x * row[q + 1]) / psi
        for i in range(n):
            out[i] += row[1] * past[j, i]
    for i in range(n):
        out[i] = y[i] + x * out[i]
    return 0
