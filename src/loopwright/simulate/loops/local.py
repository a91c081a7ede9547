"""Local coordinates of a state, in which implicit methods take their steps.

From a base state, positions go by the exponential and velocities by addition:

    q = q_0 exp(s),  v = v_0 + r,      s' = dexp^-1(s) v = v + s x v / 2 + ...,   r' = a        [Iserles2000, B.11]

so a unit quaternion counts as the three coordinates that it has, and no step leaves the unit sphere. Of a free joint,
with (d, s) for s, the origin goes to p_0 + R_0 (d + s x d / 2): the exponential to second order, so that d'' = dv/dt
and s'' = dw/dt at the base. In x stand first
the s and r of the coordinates that act back on the motion; behind them, where loops are closed, those that follow from
these; at the end the work done, which nothing depends on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import floats, flow, wholes
from . import motion
from .carrying import carried
from .closed import DEPENDENT
from .motion import JOINT_COUNT, JOINTS, NQ, NV, POWERS
from .vectors import copied

# context, behind that of the others: the flow in whole coordinates and the state and rates it is asked
# for; the position and velocity that it then stands at; how many coordinates follow, and the orders
FLOWING, LIFTED, RATED, AT_Q, AT_V, BASE, FOLLOWING, ORDERED, SEATS, TURN = range(64, 74)

_SMALL = 1e-4  # radians: below, the series


def chart(t: float, y: int, none: int, context: int) -> int:
    """From now on x counts from y. Says 1 when its entries stand for other coordinates than before."""
    c = wholes(context, motion.LENGTH)
    nv, following = c[NV], c[FOLLOWING]
    size = c[NQ] + nv + c[POWERS]
    copied(floats(c[BASE], size), floats(y, size))
    if following == 0:
        return 0
    places, seats, dependent = wholes(c[ORDERED], nv), wholes(c[SEATS], 2 * nv), wholes(c[DEPENDENT], following)
    acting, followers, changed = 0, 0, 0
    for j in range(nv):
        follows = False
        for i in range(following):
            follows = follows or dependent[i] == j
        place = nv - following + followers if follows else acting
        if follows:
            followers += 1
        else:
            acting += 1
        if places[place] != j:
            changed = 1
        places[place] = j
    k = nv - following
    for place in range(nv):
        first, among = (0, k) if place < k else (k, following)
        seats[places[place]] = first + place
        seats[nv + places[place]] = first + place + among
    return changed


def lift(t: float, x: int, y: int, context: int) -> int:
    """The state at x."""
    c = wholes(context, motion.LENGTH)
    nq, nv, works = c[NQ], c[NV], c[POWERS]
    given, seats, step = floats(x, 2 * nv + works), wholes(c[SEATS], 2 * nv), floats(c[TURN], nv)
    copied(floats(y, nq + nv + works), floats(c[BASE], nq + nv + works))
    v, done = floats(y + 8 * nq, nv), floats(y + 8 * (nq + nv), works)
    for j in range(nv):
        step[j] = given[seats[j]]
        v[j] += given[seats[nv + j]]
    joints = wholes(c[JOINTS], 3 * c[JOINT_COUNT])
    for k in range(c[JOINT_COUNT]):
        if joints[3 * k + 2] == 2:
            j = joints[3 * k + 1]
            _half_crossed(step[j + 3 : j + 6], step[j : j + 3], step[j : j + 3])
    carried(1.0, y, c[TURN], context)
    for k in range(works):
        done[k] += given[2 * nv + k]
    return 0


def local(t: float, x: int, dx: int, context: int) -> int:
    """dx/dt"""
    c = wholes(context, motion.LENGTH)
    nq, nv, works = c[NQ], c[NV], c[POWERS]
    lift(t, x, c[LIFTED], context)
    said = flow(c[FLOWING], t, c[LIFTED], c[RATED], context)
    if said != 0:
        return said
    out, seats = floats(dx, 2 * nv + works), wholes(c[SEATS], 2 * nv)
    rates, v = floats(c[RATED] + 8 * nq, nv + works), floats(c[AT_V], nv)
    joints, turn = wholes(c[JOINTS], 3 * c[JOINT_COUNT]), floats(c[TURN], 16)
    for k in range(c[JOINT_COUNT]):
        i, j, kind = joints[3 * k], joints[3 * k + 1], joints[3 * k + 2]
        if kind == 0:
            out[seats[j]] = v[j]
        else:
            ball = 3 if kind == 2 else 0
            base, q = floats(c[BASE], nq), floats(c[AT_Q], nq)
            _turned_by(base[i + ball : i + ball + 4], q[i + ball : i + ball + 4], turn)
            _unrolled(turn, v[j + ball : j + ball + 3], out, seats[j + ball : j + ball + 3])
            if kind == 2:
                _moved(base[i : i + 7], q[i : i + 3], turn, v[j : j + 3], out, seats[j : j + 6])
    for j in range(nv):
        out[seats[nv + j]] = rates[j]
    for k in range(works):
        out[2 * nv + k] = rates[nv + k]
    return 0


def _turned_by(base: Any, q: Any, turn: Any) -> int:
    """turn = base^-1 q, the shorter way: first as a quaternion, then behind it as a rotation vector."""
    X, Y, Z, W = base[0], base[1], base[2], base[3]
    x, y, z, w = q[0], q[1], q[2], q[3]
    real = W * w + X * x + Y * y + Z * z
    way = -1.0 if real < 0.0 else 1.0
    turn[0] = way * (W * x - X * w - Y * z + Z * y)
    turn[1] = way * (W * y + X * z - Y * w - Z * x)
    turn[2] = way * (W * z - X * y + Y * x - Z * w)
    turn[3] = way * real
    sine = np.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    half = np.arctan2(sine, turn[3])
    grown = 2.0 * half / sine if half > _SMALL else 2.0 + half * half / 3.0
    for i in range(3):
        turn[4 + i] = grown * turn[i]
    return 0


def _unrolled(turn: Any, w: Any, out: Any, seats: Any) -> int:
    """The rate of the rotation vector s, from the angular velocity w in the axes of the body."""
    # s' = w + s x w / 2 + (1 - (s/2) cot(s/2)) / s^2  s x (s x w)
    a, b, d = turn[4], turn[5], turn[6]
    squared = a * a + b * b + d * d
    half = 0.5 * np.sqrt(squared)
    bend = (1.0 - half * np.cos(half) / np.sin(half)) / squared if half > _SMALL else 1.0 / 12.0 + squared / 720.0
    e0, e1, e2 = b * w[2] - d * w[1], d * w[0] - a * w[2], a * w[1] - b * w[0]
    out[seats[0]] = w[0] + 0.5 * e0 + bend * (b * e2 - d * e1)
    out[seats[1]] = w[1] + 0.5 * e1 + bend * (d * e0 - a * e2)
    out[seats[2]] = w[2] + 0.5 * e2 + bend * (a * e1 - b * e0)
    return 0


def _moved(base: Any, p: Any, turn: Any, v: Any, out: Any, seats: Any) -> int:
    """The rate of d, where the origin stands at p."""
    # d + s x d / 2 = R_0^T (p - p_0) = r,    d' + s x d' / 2 = R v - s' x d / 2
    s, d, rate = turn[4:7], turn[7:10], turn[10:13]
    for i in range(3):
        d[i] = p[i] - base[i]
        rate[i] = out[seats[3 + i]]
    _rotated(base[3:7], -1.0, d)
    _uncrossed(s, d)
    for i in range(3):
        # R v in place, between
        turn[13 + i] = v[i]
    _rotated(turn[:4], 1.0, turn[13:16])
    for i in range(3):
        rate[i] = -rate[i]
    _half_crossed(rate, d, turn[13:16])
    _uncrossed(s, turn[13:16])
    for i in range(3):
        out[seats[i]] = turn[13 + i]
    return 0


def _rotated(u: Any, way: float, d: Any) -> int:
    """d becomes R d of a unit quaternion, or R^T d."""
    # R d = d + 2 u x (u x d + w d)
    u0, u1, u2, w = way * u[0], way * u[1], way * u[2], u[3]
    e0 = u1 * d[2] - u2 * d[1] + w * d[0]
    e1 = u2 * d[0] - u0 * d[2] + w * d[1]
    e2 = u0 * d[1] - u1 * d[0] + w * d[2]
    d[0] += 2.0 * (u1 * e2 - u2 * e1)
    d[1] += 2.0 * (u2 * e0 - u0 * e2)
    d[2] += 2.0 * (u0 * e1 - u1 * e0)
    return 0


def _half_crossed(s: Any, d: Any, out: Any) -> int:
    """out += s x d / 2"""
    e0, e1, e2 = s[1] * d[2] - s[2] * d[1], s[2] * d[0] - s[0] * d[2], s[0] * d[1] - s[1] * d[0]
    out[0] += 0.5 * e0
    out[1] += 0.5 * e1
    out[2] += 0.5 * e2
    return 0


def _uncrossed(s: Any, r: Any) -> int:
    """r becomes d with d + s x d / 2 = r."""
    # (1 + a~)^-1 = (1 - a~ + a a^T) / (1 + a^2)
    a, b, d = 0.5 * s[0], 0.5 * s[1], 0.5 * s[2]
    share, along = 1.0 / (1.0 + a * a + b * b + d * d), a * r[0] + b * r[1] + d * r[2]
    e0, e1, e2 = b * r[2] - d * r[1], d * r[0] - a * r[2], a * r[1] - b * r[0]
    r[0] = share * (r[0] - e0 + along * a)
    r[1] = share * (r[1] - e1 + along * b)
    r[2] = share * (r[2] - e2 + along * d)
    return 0
