"""How the rates of local coordinates change with them: the matrix that implicit methods solve with.

Exact at x = 0, from kernels of this mechanism. What a law makes of the state is a function of the user's, or native
code that nobody has differentiated: forward differences.

    ds' = dr + ds x w / 2       of a ball;  of the origin of a free joint  dd' = dr + (ds x v + dd x w) / 2
    dr' = da
"""

from __future__ import annotations

from typing import Any

from ...program.memory import address, floats, grid, run, wholes
from . import motion
from . import places as at
from .carrying import carried
from .local import AT_Q, AT_V, SEATS
from .motion import JOINT_COUNT, JOINTS, LAW, NOW, NQ, NU, NV, POWERS, TAU, TIMED, lawful
from .vectors import copied, finite

# context, behind that of local.py: kernels of derivatives, and memory for what they and the law give
SLOPES, POWER_SLOPES, VARIED, POWERS_VARIED, BY_LAW, ASIDE, SPAN, WEIGHT, RIGHT = range(74, 83)

_SMALL = 1.5e-8  # the step of differences, of a coordinate of size 1


def slope(t: float, x: int, J: int, context: int) -> int:
    """Of a tree, or of loops held together by springs: every coordinate acts back."""
    c = wholes(context, motion.LENGTH)
    nv, wide = c[NV], 2 * c[NV] + c[NU]
    D, seats = grid(c[VARIED], nv, wide), wholes(c[SEATS], 2 * nv)
    asked_slopes(c, c[SLOPES], c[VARIED])
    said = ready(c, D, floats(c[VARIED], nv * wide), context)
    if said != 0:
        return said
    aside, W = grid(c[ASIDE], 4, nv), grid(c[POWERS_VARIED], c[POWERS], wide)
    dq, dv, da = aside[0], aside[1], aside[2]
    out = grid(J, 2 * nv + c[POWERS], 2 * nv)
    for j in range(2 * nv):
        for i in range(nv):
            dq[i] = 1.0 if i == j else 0.0
            dv[i] = 1.0 if nv + i == j else 0.0
            da[i] = D[i, j]
        column(c, out, seats[j], dq, dv, da)
        for p in range(c[POWERS]):
            out[2 * nv + p, seats[j]] = W[p, j]
    return 0


def asked_slopes(c: Any, kernel: int, out: int) -> int:
    """A kernel of (q, v, tau) or (q, v, tau, t), where the flow was asked last."""
    if c[TIMED] != 0:
        run(kernel, (c[AT_Q], c[AT_V], c[TAU], c[NOW], out))
    else:
        run(kernel, (c[AT_Q], c[AT_V], c[TAU], out))
    return 0


def ready(c: Any, D: Any, every: Any, context: int) -> int:
    """Derivatives by (q, v, tau) made such by (q, v), and those of the powers beside them."""
    nv, works, wide = c[NV], c[POWERS], 2 * c[NV] + c[NU]
    W = grid(c[POWERS_VARIED], works, wide)
    if works != 0:
        asked_slopes(c, c[POWER_SLOPES], c[POWERS_VARIED])
    if c[LAW] != 0:
        if _law_slopes(c, context) != 0:
            return at.RAISED
        _chained(c, D, nv)
        _chained(c, W, works)
    return 0 if finite(every) and finite(floats(c[POWERS_VARIED], works * wide)) else at.NOT_FINITE


def _law_slopes(c: Any, context: int) -> int:
    """dtau/d(q, v), by forward differences."""
    nq, nv, nu = c[NQ], c[NV], c[NU]
    T, now, tau = grid(c[BY_LAW], nu, 2 * nv), floats(c[TAU], nu), floats(c[BY_LAW] + 8 * 2 * nv * nu, nu)
    room = c[BY_LAW] + 8 * (2 * nv + 1) * nu
    q, v, step = floats(room, nq), floats(room + 8 * nq, nv), floats(room + 8 * (nq + nv), nv)
    for j in range(2 * nv):
        copied(q, floats(c[AT_Q], nq))
        copied(v, floats(c[AT_V], nv))
        small = _SMALL
        if j < nv:
            for i in range(nv):
                step[i] = small if i == j else 0.0
            carried(1.0, room, address(step), context)
        else:
            small *= max(1.0, abs(v[j - nv]))
            v[j - nv] += small
        if lawful(c, room, address(v), address(tau)) != 0:
            return 1
        for k in range(nu):
            T[k, j] = (tau[k] - now[k]) / small
    return 0


def _chained(c: Any, A: Any, rows: int) -> int:
    """To what the state does, what it does through the law."""
    nv, nu = c[NV], c[NU]
    T = grid(c[BY_LAW], nu, 2 * nv)
    for i in range(rows):
        for k in range(nu):
            for j in range(2 * nv):
                A[i, j] += A[i, 2 * nv + k] * T[k, j]
    return 0


def column(c: Any, J: Any, place: int, dq: Any, dv: Any, da: Any) -> int:
    """What the rates of x do, but for integrals, when position, velocity and acceleration vary by dq, dv, da."""
    nv = c[NV]
    seats, v = wholes(c[SEATS], 2 * nv), floats(c[AT_V], nv)
    joints = wholes(c[JOINTS], 3 * c[JOINT_COUNT])
    for j in range(nv):
        J[seats[j], place] = dv[j]
        J[seats[nv + j], place] = da[j]
    for k in range(c[JOINT_COUNT]):
        j, kind = joints[3 * k + 1], joints[3 * k + 2]
        if kind == 2:
            _crossed(J, place, seats, j, dq[j + 3 : j + 6], v[j : j + 3])
            _crossed(J, place, seats, j, dq[j : j + 3], v[j + 3 : j + 6])
            _crossed(J, place, seats, j + 3, dq[j + 3 : j + 6], v[j + 3 : j + 6])
        elif kind == 1:
            _crossed(J, place, seats, j, dq[j : j + 3], v[j : j + 3])
    return 0


def _crossed(J: Any, place: int, seats: Any, j: int, s: Any, v: Any) -> int:
    """To the rows of three coordinates from j on, s x v / 2."""
    J[seats[j], place] += 0.5 * (s[1] * v[2] - s[2] * v[1])
    J[seats[j + 1], place] += 0.5 * (s[2] * v[0] - s[0] * v[2])
    J[seats[j + 2], place] += 0.5 * (s[0] * v[1] - s[1] * v[0])
    return 0
