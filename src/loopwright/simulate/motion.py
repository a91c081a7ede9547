"""A mechanism as a problem to integrate: its kernels and its drive laid out for loops/motion.py and closed.py."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ..closure import formulation
from ..errors import LoopwrightError
from ..mechanism import BY_NAME
from ..program import Kernel, looped
from ..spatial import Array
from ..verbs import Dynamics
from ..verbs.closed import CUT_POSITIONS, REGULAR
from ..verbs.powers import KINDS
from ..verbs.quantities import Quantity
from .drives import Drive
from .events import Event, Limit, watcher
from .given import Answering
from .local import localised
from .loops import branches, weighing
from .loops import closed as closed_text
from .loops import fitting as fitting_text
from .loops import motion as text
from .loops.carrying import carried
from .problem import Problem
from .quantities import MINIMAL, closing, fitting, flowing, nearest, sound, working
from .seldom import FLOW, seldom
from .standing import crossing, leading
from .trajectory import ORDERS, Trajectory

# asked where the first way stands badly: its pivots are sums of squares, which no choice made beforehand spoils
_SECOND = ("multiplier", "embedding")
_TOGETHER = 20  # velocities up to which accelerations and powers are one program; those of more are made of loops


class Context:
    """Whole numbers and addresses that a flow reads, with what must live as long as they do."""

    def __init__(self, dynamics: Dynamics, drive: Drive) -> None:
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.numbers = np.zeros(text.LENGTH, dtype=np.int64)
        self.drive, self.keep = drive, list[Any]([drive])
        self.kernels: dict[int, Kernel] = {}
        self.usual = self.origin = self.watched = np.zeros(0)  # of loops: see loops/closed.py
        m = self.mechanism
        raised = np.zeros(1, dtype=np.int64) if drive.raised is None else drive.raised
        self.numbers[[text.NQ, text.NV, text.LAW]] = m.nq, m.nv, drive.law
        self.holds(text.TAU, drive.values)
        self.raised = self.holds(text.RAISED, raised)
        self.holds(text.NOW, np.zeros(1))
        self.stretch = self.holds(text.STRETCH, np.array([-np.inf, np.inf]))
        self.numbers[text.NU] = m.nu
        if drive.path is not None:
            self.follows(text.PATH, drive.path)
        places = balls(dynamics)
        self.holds(text.BALLS, places)
        self.numbers[text.BALL_COUNT] = len(places)
        joints = _joints(dynamics)
        self.holds(text.JOINTS, joints)
        self.numbers[text.JOINT_COUNT] = len(joints) // 3
        if len(places):
            self.calls(text.RATES, dynamics.kernel("rates"))

    @cached_property
    def works(self) -> bool:
        """Whether anything but gravity does work."""
        return _worked(self.dynamics, self.drive, bool(self.numbers[text.DRIVEN]))

    def holds(self, place: int, array: Array) -> Array:
        """An array whose address stands there."""
        self.keep.append(array)
        self.numbers[place] = array.ctypes.data
        return array

    def calls(self, place: int, kernel: Kernel) -> None:
        """A kernel whose address stands there."""
        self.kernels[place] = kernel
        self.numbers[place] = kernel.single
        if any(name == "t" for name, _ in kernel.face.inputs):
            self.numbers[text.TIMED] = 1

    def asks(self, place: int, quantity: Quantity) -> None:
        """A quantity of the mechanism, compiled."""
        self.calls(place, self.dynamics.kernel_of(quantity))

    def seldom(self, place: int, text: Any) -> None:
        """A text that is compiled when it is first called."""
        self.numbers[place] = seldom(text, place)

    def follows(self, place: int, path: Trajectory) -> None:
        """A trajectory: its text, its table and room for its values stand there, one after the other."""
        native = path.native()
        loop = looped(native.text)
        self.keep += [native, loop]
        self.numbers[place : place + 2] = loop.address, native.table.ctypes.data
        self.holds(place + 2, np.zeros(ORDERS * path.width))

    def problem(self, flow: Any, settle: Any, rests: bool) -> Problem:
        """With these two texts."""
        m = self.mechanism
        works = len(KINDS) if self.works else 0
        self.numbers[text.POWERS] = works
        if works and not self.numbers[text.POWERS_AT]:
            self.calls(text.POWER, self.dynamics.kernel("power"))
        flowing, settling = looped(flow), looped(settle) if settle is not None else None
        carrying = looped(carried)
        self.keep += [flowing, settling, carrying]
        size = m.nq + m.nv
        address = settling.address if settling is not None else 0
        return Problem(
            size + works, size, m.nq, flowing.address, self.numbers, address, rests,
            breaks=self.drive.breaks, stretch=self.stretch, carry=carrying.address, keep=[self],
        )  # fmt: skip


def watching(problem: Problem, limits: Sequence[Limit], events: Sequence[Event]) -> None:
    """Look out for limits, then for these events."""
    context: Context = problem.keep[0]
    table = np.array([[one.coordinate, one.bound, one.sign, one.middle] for one in limits]).reshape(-1, 4)
    context.holds(text.LIMITS, table)
    context.numbers[text.LIMIT_COUNT] = len(limits)
    cuts = len(context.mechanism.cut_coordinates)
    if any(one.coordinate >= context.mechanism.nq for one in limits):
        context.asks(text.CUT_POSITIONS, CUT_POSITIONS)
        context.holds(text.CUT_Q, np.zeros(cuts))
        context.numbers[text.CUT_COUNT] = cuts
    if events:
        address, keep = watcher(context.mechanism, events, context.raised, problem.failure)
        context.numbers[text.WATCHER] = address
        context.keep.append(keep)
    looking = looped(text.watch)
    context.keep.append(looking)
    problem.watch, problem.watched = looking.address, len(limits) + len(events)


def _worked(dynamics: Dynamics, drive: Drive, driven: bool) -> bool:
    """Whether anything but gravity does work."""
    given = driven or drive.law or drive.path or np.any(drive.values)
    return bool(given) or _works_by_itself(dynamics)


@lru_cache(maxsize=8)
def _works_by_itself(dynamics: Dynamics) -> bool:
    forest = dynamics.topology.forest
    at_cuts = any(
        np.any(cut.damping != 0.0) or np.any(cut.friction != 0.0) or np.any(cut.stiffness != 0.0) or cut.efforts
        for cut in forest.cuts
    )
    loads = forest.joint_springs or forest.point_springs or forest.pushes or forest.extras
    rubs = np.any(forest.damping != 0.0) or np.any(forest.friction != 0.0)
    return bool(at_cuts or loads or rubs)


def balls(dynamics: Dynamics) -> Array:
    """Where in q the quaternions begin."""
    names = dynamics.mechanism.coordinates
    return np.array([k - 3 for k, name in enumerate(names) if name.endswith(".qw")], dtype=np.int64)


def on_tree(dynamics: Dynamics, drive: Drive, implicit: bool = False) -> Problem:
    """An open tree: nothing to settle but quaternions."""
    c = Context(dynamics, drive)
    if c.works and dynamics.mechanism.nv <= _TOGETHER:
        c.asks(text.FORWARD, working(dynamics.question("forward")))
        c.numbers[text.POWERS_AT] = dynamics.mechanism.nv
    else:
        c.calls(text.FORWARD, dynamics.kernel("forward"))
    problem = c.problem(text.flow, text.settle if c.numbers[text.BALL_COUNT] else None, rests=True)
    if implicit:
        localised(problem, c)
    return problem


def in_loops(
    dynamics: Dynamics,
    drive: Drive,
    stabilise: str | None,
    rate: float,
    implicit: bool = False,
    independent: bool = False,
) -> Problem:
    """Closed loops, by the formulation; see loops/closed.py. Implicit methods go by independent coordinates."""
    c = Context(dynamics, drive)
    chosen = dynamics.formulation
    assert chosen is not None
    if chosen.open:
        stabilise = None
    elif implicit and stabilise != "project":
        raise LoopwrightError(
            "implicit methods close loops in every state, by their independent coordinates: leave stabilise='project'"
        )
    minimal = stabilise == "project" and (chosen.name in MINIMAL or implicit or independent)
    works, nv = c.works, dynamics.mechanism.nv
    c.asks(text.FORWARD, (flowing if minimal else sound)(chosen, dynamics.loops, works))
    if works:
        c.numbers[text.POWERS_AT] = 2 * nv + 1 if minimal else nv + 1
    if not chosen.open:
        second = next(name for name in _SECOND if name != chosen.name)
        c.asks(closed_text.SECOND, sound(formulation(second), dynamics.loops))
    dependent = _lay_loops(c, rate)
    if minimal:
        c.asks(fitting_text.FITTING, fitting(dynamics.loops))
        _independent(c)
        problem = c.problem(closed_text.minimal, closed_text.minimal_settle, rests=True)
        problem.chosen = dependent
    elif stabilise == "project":
        c.calls(closed_text.MASS, dynamics.kernel("mass_matrix"))
        c.asks(fitting_text.NEAREST, nearest(dynamics.loops))
        c.seldom(closed_text.OTHERWISE, branches.meeting)
        c.seldom(closed_text.SETTLED_OTHERWISE, weighing.projected)
        problem = c.problem(closed_text.whole, closed_text.projected, rests=False)
    else:
        c.calls(closed_text.MASS, dynamics.kernel("mass_matrix"))
        c.seldom(closed_text.OTHERWISE, branches.whole)
        flow = weighing.stabilised if stabilise == "baumgarte" else closed_text.whole
        problem = c.problem(flow, text.settle if c.numbers[text.BALL_COUNT] else None, rests=True)
    problem.where = lambda y: crossing(dynamics, y[: dynamics.mechanism.nq])
    if implicit:
        localised(problem, c)
    return problem


def with_motion(dynamics: Dynamics, drive: Drive, answering: Answering) -> Problem:
    """Coordinates driven as they are told; dependent ones made to fit in every state."""
    c = Context(dynamics, drive)
    m, given = c.mechanism, answering.given
    c.follows(text.GUIDE, given.path)
    places = np.array([given.driven.q, given.driven.v], dtype=np.int64).T
    c.holds(text.PLACES, np.ascontiguousarray(places))
    c.numbers[text.DRIVEN] = len(places)
    c.calls(text.FORWARD, answering.first)
    if answering.second is not None:
        c.calls(closed_text.SECOND, answering.second)
        dependent = _lay_loops(c, 0.0)
    else:
        dependent = None
        c.holds(closed_text.POSITION, np.zeros(m.nq))
        c.holds(closed_text.VELOCITY, np.zeros(m.nv))
    c.holds(closed_text.FOUND, np.zeros(2 * (m.nv + 1 + m.nu) + m.nv + len(KINDS)))
    texts = (closed_text.driven, closed_text.driven_settle)
    if dynamics.formulation is not None:
        _independent(c)
        texts = (closed_text.minimal, closed_text.minimal_settle)
    problem = c.problem(*texts, rests=True)
    problem.chosen = dependent
    problem.breaks = tuple({*drive.breaks, *given.path.breaks})
    # where all moves as it is told only the work of the forces tells whether a step was short enough
    problem.counted = problem.size
    problem.where = lambda y: leading(dynamics, given, y[: m.nq])
    return problem


def _lay_loops(c: Context, rate: float) -> Array:
    """Memory and kernels for closing the loops; gives where the dependent coordinates stand."""
    m, loops = c.mechanism, c.dynamics.loops
    structure = loops.structure(loops.topology.forest)
    rows = len(structure.rows)
    at = closed_text
    c.numbers[at.ROWS] = rows
    c.asks(at.CLOSING, closing(loops))
    found = c.holds(at.GAP, np.zeros(rows * (m.nv + 1)))
    c.numbers[at.SLOPE] = found[rows:].ctypes.data
    sizes = {
        at.LU: rows * rows, at.STEP: m.nv + rows, at.POSITION: m.nq, at.VELOCITY: m.nv,
        at.FOUND: 3 * m.nv + 2 + len(KINDS), at.ACROSS: 4 * (m.nq + m.nv + len(KINDS)), at.INERTIA: m.nv * m.nv,
        at.Y: rows * m.nv, at.S: rows * rows,
    }  # fmt: skip
    for place, size in sizes.items():
        c.holds(place, np.zeros(size))
    dependent, _ = (c.holds(place, np.zeros(2 * rows, dtype=np.int64)) for place in (at.DEPENDENT, at.ORDER))
    for place in (fitting_text.FITTED, fitting_text.NEAR):
        c.holds(place, np.zeros(2 * m.nv + 1))
    c.usual = c.holds(fitting_text.USUAL, np.array(structure.dependent, dtype=np.int64))
    c.holds(at.LENGTHS, np.array([structure.lengths[row] for row in structure.rows]))
    c.watched = c.holds(at.WATCHED, np.zeros(at.WATCHES))
    c.watched[at.PULL] = rate
    c.origin = c.holds(at.ORIGIN, np.zeros(m.nq))
    return dependent[:rows]


def _independent(c: Context) -> None:
    """Where the usual dependent coordinates stand badly."""
    c.seldom(closed_text.OTHERWISE, branches.minimal)
    c.seldom(closed_text.SETTLED_OTHERWISE, branches.minimal_settle)
    c.seldom(closed_text.CHOOSING, branches.chosen_again)


def _joints(dynamics: Dynamics) -> Array:
    """(first in q, first in v, kind) of every coordinate or ball; see loops/carrying.py."""
    rows, i, j = [], 0, 0
    for branch in dynamics.mechanism.tree.branches:
        kind = BY_NAME[branch.joint.kind]
        if kind.flat:
            rows += [(i + k, j + k, 0) for k in range(kind.nv)]
        else:
            rows.append((i, j, 2 if kind.nv == 6 else 1))
        i, j = i + kind.nq, j + kind.nv
    return np.array(rows, dtype=np.int64).ravel()


def begun(problem: Problem, q: Array) -> None:
    """Where the motion begins: there the usual dependent coordinates, or others where these stand badly."""
    c: Context = problem.keep[0]
    c.origin[:] = q
    if problem.chosen is None:
        return
    program = c.kernels.get(fitting_text.FITTING)
    if program is not None and program(q, np.zeros(c.mechanism.nv))[-1] > 2.0 * closed_text.LEAVING:
        problem.chosen[:] = c.usual
        c.watched[closed_text.AS_USUAL] = 1.0
    else:
        FLOW(looped(branches.choose).address)(0.0, 0, 0, problem.context.ctypes.data)


def accelerations(problem: Problem, q: Array, v: Array, tau: Array, t: Array) -> Array:
    """In the states saved, one a row: by the kernel that the loop has used, and more slowly where it stands badly."""
    context: Context = problem.keep[0]
    dynamics, kernel, n = context.dynamics, context.kernels[text.FORWARD], context.mechanism.nv
    timed = [t] if any(name == "t" for name, _ in kernel.face.inputs) else []
    with np.errstate(all="ignore"):
        found: Array = kernel(q, v, tau, *timed)
    if dynamics.formulation is None:
        return np.ascontiguousarray(found[:, :n])
    a, poor = np.ascontiguousarray(found[:, :n]), ~(found[:, n] > np.sqrt(REGULAR))
    if poor.any():
        a[poor] = dynamics.forward(q[poor], v[poor], tau[poor], t[poor])
    return a
