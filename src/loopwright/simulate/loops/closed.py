"""Closed loops in motion: dependent coordinates solved in every state, or all of them projected after a step.

The context of motion.py, with more behind it. What is done where these fail stands in branches.py and weighing.py. It
is called by address, and compiled when it is first needed (seldom.py).
"""

from __future__ import annotations

from typing import Any

from ...program.memory import address, floats, run, wholes
from ...program.memory import flow as called
from . import motion
from . import places as at
from .fitting import FITTED, STANDING, drawn, fitted
from .motion import asked, guided, powers, settle, turned_rates
from .vectors import copied, finite

# context, behind that of motion.py
ROWS, CLOSING, GAP, SLOPE, DEPENDENT, LU, ORDER, STEP, POSITION, VELOCITY = range(16, 26)
FOUND, SECOND, MASS, INERTIA, Y, S, WATCHED, ACROSS, LENGTHS = range(28, 37)
# what answers in place of the flow, of what settles a state, and what looks at the choice of coordinates after a step
OTHERWISE, SETTLED_OTHERWISE, CHOOSING, ORIGIN = range(89, 93)  # ORIGIN: q where the motion began

# what is watched: the least pivot now, the one when coordinates were chosen, the best so far; the best so far of
# any choice, against the largest; Baumgarte's rate; 1 while the dependent coordinates are the usual ones
LEAST, CHOSEN, MOST, BEST, PULL, AS_USUAL = range(6)
WATCHES = 6

SOUND = 0.03  # quality of accelerations below which the second way is asked, too
REGULAR = 1e-6  # below it hardly any digit is good
REACHED = 1e-4  # below it, by the rows that drive too, forces grow beyond all bounds: a dead point of what is driven
POOR = 0.06  # quality of accelerations below which branches are looked for
LEAVING = 2.0 * STANDING  # quality at which the usual dependent coordinates are given up at the end of a step


def minimal(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt, from the independent coordinates alone: the others are made to fit first."""
    c = wholes(context, motion.LENGTH)
    taken(c, t, y)
    usual = floats(c[WATCHED], WATCHES)[AS_USUAL] != 0.0
    if usual and fitted(c, c[POSITION], c[VELOCITY], c[motion.LAW] != 0):
        return accelerated(t, c, c[POSITION], c[VELOCITY], dy, True)
    return called(c[OTHERWISE], t, y, dy, context)


def minimal_settle(t: float, y: int, stepping: int, context: int) -> int:
    """Dependent coordinates made to fit; at the end of a step other ones are chosen where these go bad."""
    c = wholes(context, motion.LENGTH)
    nq, nv = c[motion.NQ], c[motion.NV]
    taken(c, t, y)
    quick = floats(c[WATCHED], WATCHES)[AS_USUAL] != 0.0 and fitted(c, c[POSITION], c[VELOCITY], True)
    if not quick:
        said = called(c[SETTLED_OTHERWISE], t, y, 0, context)
        if said != 0:
            return said
    copied(floats(y, nq), floats(c[POSITION], nq))
    copied(floats(y + 8 * nq, nv), floats(c[VELOCITY], nv))
    settle(t, y, 0, context)
    guided(t, c, y, y + 8 * nq)
    if stepping != 0 and not (quick and floats(c[FITTED], 2 * nv + 1)[2 * nv] > LEAVING):
        called(c[CHOOSING], t, y, 1 if quick else 0, context)
    return 0


def taken(c: Any, t: float, y: int) -> int:
    """A state to be made to fit."""
    nq, nv = c[motion.NQ], c[motion.NV]
    copied(floats(c[POSITION], nq), floats(y, nq))
    copied(floats(c[VELOCITY], nv), floats(y + 8 * nq, nv))
    settle(t, c[POSITION], 0, address(c))
    return guided(t, c, c[POSITION], c[VELOCITY])


def accelerated(t: float, c: Any, q: int, v: int, dy: int, completing: bool) -> int:
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
    if not found[nv] > SOUND and c[SECOND] != 0:
        other = floats(c[FOUND] + 8 * (answer + nv + c[motion.POWERS]), answer)
        _formulated(c, c[SECOND], q, v, address(other))
        if not found[nv] >= other[nv]:
            copied(found, other)
    if wholes(c[motion.RAISED], 1)[0] != 0:
        return at.RAISED
    if not found[nv] > (REGULAR if c[motion.DRIVEN] == 0 else REACHED):
        return at.SINGULAR
    a = dy + 8 * nq
    copied(floats(a, nv), found)
    if not finite(floats(a, nv)):
        return at.NOT_FINITE
    copied(floats(c[motion.TAU], forces), found[nv + 1 :])
    turned_rates(c, q, v, dy)
    if c[motion.POWERS_AT] != 0:
        copied(floats(a + 8 * nv, c[motion.POWERS]), floats(c[FOUND] + 8 * c[motion.POWERS_AT], c[motion.POWERS]))
    else:
        powers(c, q, v, a + 8 * nv)
    return 0


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
    said = accelerated(t, c, y, y + 8 * nq, dy, False)
    if (said == 0 or said == at.SINGULAR) and floats(c[FOUND], nv + 1)[nv] < POOR:
        other = called(c[OTHERWISE], t, y, dy, context)
        if other >= 0:
            return other
    return said


def projected(t: float, y: int, stepping: int, context: int) -> int:
    """Positions, then velocities, moved to where the loops are closed, by as little kinetic energy as can be."""
    c = wholes(context, motion.LENGTH)
    settle(t, y, 0, context)
    if drawn(c, y, y + 8 * c[motion.NQ]):
        return settle(t, y, 0, context)
    return called(c[SETTLED_OTHERWISE], t, y, 0, context)


def driven(t: float, y: int, dy: int, context: int) -> int:
    """dy/dt of an open tree of which some coordinates move as they are told."""
    c = wholes(context, motion.LENGTH)
    nq, nv = c[motion.NQ], c[motion.NV]
    copied(floats(c[POSITION], nq), floats(y, nq))
    copied(floats(c[VELOCITY], nv), floats(y + 8 * nq, nv))
    guided(t, c, c[POSITION], c[VELOCITY])
    return accelerated(t, c, c[POSITION], c[VELOCITY], dy, False)


def driven_settle(t: float, y: int, stepping: int, context: int) -> int:
    """Driven coordinates put where they belong."""
    c = wholes(context, motion.LENGTH)
    settle(t, y, 0, context)
    return guided(t, c, y, y + 8 * c[motion.NQ])
