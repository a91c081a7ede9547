"""The same of closed loops, by their independent coordinates u: all others follow, dq = N du.

A kernel differentiates what vanishes in motion, a and lambda held, by every coordinate of the tree:

    e = I a + h - f - J^T lambda,    c = J a + d        dc = J da + ...  = 0

and along each way that the loops allow,   da = N da_u + p,   J p = -dc,   N^T I N da_u = -N^T (de + I p).
So this holds for whichever coordinates are the independent ones now.
"""

from __future__ import annotations

from typing import Any

from ...program.memory import floats, grid, run, wholes
from . import motion
from . import places as at
from .algebra import back, factor, halfway, rooted, solved
from .closed import DEPENDENT, LU, ORDER, ROWS
from .local import AT_Q, AT_V, ORDERED, RATED
from .motion import NOW, NQ, NU, NV, POWERS, TAU, TIMED
from .slopes import ASIDE, POWERS_VARIED, RIGHT, SLOPES, SPAN, VARIED, WEIGHT, column, ready
from .vectors import finite

_REGULAR = 1e-13  # of its diagonal entry, for a pivot of N^T I N


def loop_slope(t: float, x: int, J: int, context: int) -> int:
    """Columns for the independent coordinates, then for their rates."""
    c = wholes(context, motion.LENGTH)
    nv, m, wide = c[NV], c[ROWS], 2 * c[NV] + c[NU]
    k, a = nv - m, c[RATED] + 8 * c[NQ]
    if c[TIMED] != 0:
        run(c[SLOPES], (c[AT_Q], c[AT_V], a, c[TAU], c[NOW], c[VARIED]))
    else:
        run(c[SLOPES], (c[AT_Q], c[AT_V], a, c[TAU], c[VARIED]))
    # I, J, d(J v)/dq, de/d(q, v, tau), dc/d(q, v)
    sizes = nv * nv, m * nv
    I, rows = grid(c[VARIED], nv, nv), grid(c[VARIED] + 8 * sizes[0], m, nv)
    rate_at = c[VARIED] + 8 * (sizes[0] + sizes[1])
    e_at = rate_at + 8 * sizes[1]
    E = grid(e_at, nv, wide)
    said = ready(c, E, floats(c[VARIED], sizes[0] + nv * wide + 4 * sizes[1]), context)
    if said == at.NOT_FINITE:
        return at.SINGULAR
    if said != 0:
        return said
    N, S = grid(c[SPAN], k, nv), grid(c[WEIGHT], k, k)
    if _spanned(c, rows, N) != 0 or _weighed(c, I, N, S) != 0:
        return at.SINGULAR
    aside, W = grid(c[ASIDE], 4, nv), grid(c[POWERS_VARIED], c[POWERS], wide)
    dq, dv, da = aside[0], aside[1], aside[2]
    out = grid(J, 2 * nv + c[POWERS], 2 * k)
    for j in range(2 * k):
        for i in range(nv):
            dq[i] = N[j, i] if j < k else 0.0
            dv[i] = 0.0 if j < k else N[j - k, i]
            da[i] = 0.0
        if j < k:
            # the rates of u held:  J dv + dJ v = 0
            _made_up(c, grid(rate_at, m, nv), dv, False)
        _made_up(c, grid(e_at + 8 * nv * wide, m, 2 * nv), da, True)
        _accelerated(c, E, I, N, S)
        column(c, out, j, dq, dv, da)
        for p in range(c[POWERS]):
            out[2 * nv + p, j] = 0.0
            for i in range(nv):
                out[2 * nv + p, j] += W[p, i] * dq[i] + W[p, nv + i] * dv[i]
    return 0


def _spanned(c: Any, rows: Any, N: Any) -> int:
    """N, a row for every independent coordinate: that one moves, and the dependent ones, J_d dq_d = -J_u dq_u."""
    m, nv = c[ROWS], c[NV]
    A, order = grid(c[LU], m, m), wholes(c[ORDER], m)
    places, dependent, x = wholes(c[ORDERED], nv), wholes(c[DEPENDENT], m), floats(c[RIGHT], m)
    for i in range(m):
        for n in range(m):
            A[i, n] = rows[i, dependent[n]]
    if factor(A, order) == 0.0:
        return 1
    for r in range(nv - m):
        for i in range(m):
            x[i] = -rows[i, places[r]]
        solved(A, order, x)
        for i in range(nv):
            N[r, i] = 1.0 if i == places[r] else 0.0
        for i in range(m):
            N[r, dependent[i]] = x[i]
    return 0 if finite(floats(c[SPAN], (nv - m) * nv)) else 1


def _weighed(c: Any, I: Any, N: Any, S: Any) -> int:
    """N^T I N = S S^T"""
    k, nv = N.shape
    x = grid(c[ASIDE], 4, nv)[3]
    for r in range(k):
        for i in range(nv):
            x[i] = 0.0
            for n in range(nv):
                x[i] += I[i, n] * N[r, n]
        for n in range(r, k):
            S[n, r] = 0.0
            for i in range(nv):
                S[n, r] += N[n, i] * x[i]
    return 0 if rooted(S, _REGULAR) > _REGULAR else 1


def _made_up(c: Any, A: Any, out: Any, both: bool) -> int:
    """At the dependent coordinates, out with J out = -A (dq, dv)."""
    m, nv = c[ROWS], c[NV]
    dependent, x, state = wholes(c[DEPENDENT], m), floats(c[RIGHT], m), grid(c[ASIDE], 4, nv)
    for i in range(m):
        x[i] = 0.0
        for j in range(nv):
            x[i] -= A[i, j] * state[0, j]
            if both:
                x[i] -= A[i, nv + j] * state[1, j]
    solved(grid(c[LU], m, m), wholes(c[ORDER], m), x)
    for i in range(m):
        out[dependent[i]] = x[i]
    return 0


def _accelerated(c: Any, E: Any, I: Any, N: Any, S: Any) -> int:
    """da, so far p, becomes N da_u + p."""
    k, nv = N.shape
    state, u = grid(c[ASIDE], 4, nv), floats(c[RIGHT], k)
    dq, dv, da, de = state[0], state[1], state[2], state[3]
    for i in range(nv):
        de[i] = 0.0
        for j in range(nv):
            de[i] += E[i, j] * dq[j] + E[i, nv + j] * dv[j] + I[i, j] * da[j]
    for r in range(k):
        u[r] = 0.0
        for i in range(nv):
            u[r] -= N[r, i] * de[i]
    halfway(S, u)
    back(S, u)
    for r in range(k):
        for i in range(nv):
            da[i] += N[r, i] * u[r]
    return 0
