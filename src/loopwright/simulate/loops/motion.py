"""The flow of a mechanism on its tree coordinates: y = (q, v, work done), dy = (rates, accelerations, powers)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import floats, grid, run, wholes
from ...program.memory import flow as called
from . import places as at
from .vectors import copied, finite

# context
NQ, NV, RATES, FORWARD, TIMED, TAU, LAW, RAISED, NOW, POWER, POWERS, BALLS, BALL_COUNT, LIMITS, LIMIT_COUNT, WATCHER = (
    range(16)
)
JOINTS, JOINT_COUNT = 40, 41  # rows (first in q, first in v, kind) of every coordinate or ball
# STRETCH: where the first and the last moment stand of the stretch in which all is smooth;
# PATH: what gives the drive's values over time, WANTED, from its TABLE;
# CUT_POSITIONS: what gives the coordinates of cut joints that have limits, and room for them
STRETCH, PATH, TABLE, WANTED, NU, CUT_POSITIONS, CUT_Q, CUT_COUNT = range(48, 56)
# GUIDE: what gives the motion of DRIVEN coordinates, GIVEN, from its table; PLACES: where each stands in q and in v
GUIDE, GUIDE_TABLE, GIVEN, DRIVEN, PLACES = range(56, 61)
POWERS_AT = 88  # where FORWARD's answer has the powers; 0: nowhere, POWER gives them
LENGTH = 96


def flow(t: float, y: int, dy: int, context: int) -> int:
    """Of an open tree."""
    c = wholes(context, LENGTH)
    nq, nv = c[NQ], c[NV]
    v, a = y + 8 * nq, dy + 8 * nq
    said = asked(t, c, y, v)
    if said != 0:
        return said
    if c[TIMED] != 0:
        run(c[FORWARD], (y, v, c[TAU], c[NOW], a))
    else:
        run(c[FORWARD], (y, v, c[TAU], a))
    if wholes(c[RAISED], 1)[0] != 0:
        return at.RAISED
    if not finite(floats(a, nv)):
        return at.NOT_FINITE
    turned_rates(c, y, v, dy)
    if c[POWERS_AT] == 0:  # else they stand there already
        powers(c, y, v, a + 8 * nv)
    return 0


def asked(t: float, c: Any, q: int, v: int) -> int:
    """The time noted, and the actuators' forces set: values over time, or by a law that may look at such values."""
    smooth = floats(c[STRETCH], 2)
    now = min(max(t, smooth[0]), smooth[1])
    floats(c[NOW], 1)[0] = now
    if c[PATH] != 0:
        called(c[PATH], now, c[WANTED], 0, c[TABLE])
    if c[LAW] == 0:
        if c[PATH] != 0:
            copied(floats(c[TAU], c[NU]), floats(c[WANTED], c[NU]))
        return 0
    return lawful(c, q, v, c[TAU])


def lawful(c: Any, q: int, v: int, tau: int) -> int:
    """What the law says now."""
    if c[PATH] != 0:
        run(c[LAW], (c[NOW], q, v, c[WANTED], tau))
    else:
        run(c[LAW], (c[NOW], q, v, tau))
    return at.RAISED if wholes(c[RAISED], 1)[0] != 0 else 0


def guided(t: float, c: Any, q_at: int, v_at: int) -> int:
    """Driven coordinates put where their motion has them, at its rates."""
    count = c[DRIVEN]
    if count == 0:
        return 0
    smooth = floats(c[STRETCH], 2)
    called(c[GUIDE], min(max(t, smooth[0]), smooth[1]), c[GIVEN], 0, c[GUIDE_TABLE])
    q, v = floats(q_at, c[NQ]), floats(v_at, c[NV])
    given, places = grid(c[GIVEN], 3, count), wholes(c[PLACES], 2 * count)
    for k in range(count):
        q[places[2 * k]] = given[0, k]
        v[places[2 * k + 1]] = given[1, k]
    return 0


def turned_rates(c: Any, q: int, v: int, dq: int) -> int:
    """dq/dt: v itself but for quaternions."""
    if c[RATES] != 0:
        run(c[RATES], (q, v, dq))
    else:
        copied(floats(dq, c[NQ]), floats(v, c[NV]))
    return 0


def powers(c: Any, q: int, v: int, out: int) -> int:
    """What does work, if that is kept."""
    if c[POWERS] != 0:
        if c[TIMED] != 0:
            run(c[POWER], (q, v, c[TAU], c[NOW], out))
        else:
            run(c[POWER], (q, v, c[TAU], out))
    return 0


def settle(t: float, y: int, stepping: int, context: int) -> int:
    """Quaternions of unit length."""
    c = wholes(context, LENGTH)
    places = wholes(c[BALLS], c[BALL_COUNT])
    for k in range(c[BALL_COUNT]):
        x = floats(y + 8 * places[k], 4)
        length = np.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3])
        for i in range(4):
            x[i] /= length
    return 0


def watch(t: float, y: int, g: int, context: int) -> int:
    """What changes sign at events: how far limits are, then what functions of the user's say."""
    c = wholes(context, LENGTH)
    count = c[LIMIT_COUNT]
    bounds, q, out = grid(c[LIMITS], count, 4), floats(y, c[NQ]), floats(g, count)
    own = floats(c[CUT_Q], c[CUT_COUNT])
    if c[CUT_COUNT] > 0:
        run(c[CUT_POSITIONS], (y, c[CUT_Q]))
    for k in range(count):
        i = int(bounds[k, 0])
        x = q[i] if i < c[NQ] else own[i - c[NQ]]
        middle = bounds[k, 3]
        if middle < np.inf:
            # the angle of a cut joint is known but for full turns: within half a turn of the middle of its range
            x -= 2.0 * np.pi * np.round((x - middle) / (2.0 * np.pi))
        out[k] = bounds[k, 2] * (x - bounds[k, 1])
    if c[WATCHER] != 0:
        floats(c[NOW], 1)[0] = t
        run(c[WATCHER], (c[NOW], y, y + 8 * c[NQ], g + 8 * count))
        if wholes(c[RAISED], 1)[0] != 0:
            return at.RAISED
    return 0
