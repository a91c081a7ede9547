"""`lw.simulate`: a mechanism, a state, a time; and the Run that comes of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import Mechanism, State
from ..verbs import Dynamics
from ..verbs.closed import require_closed
from ..verbs.powers import KINDS
from . import request
from .drives import Drive, drive
from .given import Answering, given_of, require_possible, start_of
from .going import FINISHED, Budget, Marching, announced, go
from .loops import places as at
from .march import March
from .methods import Method, method
from .motion import accelerations, begun, in_loops, on_tree, with_motion
from .outlook import Outlook
from .problem import Problem
from .references import DAE, ScipyMarch, by_sundials
from .run import Counts, Run, Settings


@announced
def simulate(
    mech: Mechanism,
    state: Any = None,
    t_end: float = 1.0,
    *,
    formulation: str | None = None,
    method: str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    tau: Any = None,
    motion: Any = None,
    save: Any = 0.01,
    events: Sequence[Any] = (),
    limits: str = "report",
    restitution: float = 0.5,
    stabilise: str | None = "project",
    baumgarte: float = 20.0,
    stiffness: Any = None,
    damping: Any = None,
    step: float | None = None,
    max_step: float = np.inf,
    progress: bool = True,
    max_steps: int = 10_000_000,
    max_seconds: float = np.inf,
) -> Run:
    """The motion from a state until t_end, saved every `save` seconds (or at the moments given).

    `state` is a State, positions by name, or (q, v). Methods with fixed steps need `step`. `tau`: a number for each
    actuator; values over time, as (times, values), `Samples`, a DataArray over time or another trajectory; any of
    these by name, {actuator: …}; a law (`lw.law`); or a Python function of (t, q, v), which is slower.

    `motion`: {coordinate: trajectory, function of t, or number} of coordinates with actuators. They move exactly so,
    the others freely, and `run.tau` has the forces that it takes; left out, the state is one where the motion begins.

    `events`: `Event`s, or functions of (t, q, v) whose changes of sign are reported. `limits` of joints: "report",
    "stop", "bounce" with `restitution` of the speed, or "ignore". `stiffness` and `damping` are those of the
    formulation "springs".

    `method`: "dop853" when none is named, "dopri5", "abm", "rk4" …; of other libraries "scipy:Radau" …, "cvodes", and
    "idas" with the formulation "dae". Tolerances left out are 1e-11 relative and 1e-13 absolute, of SUNDIALS' methods
    1e-10 both.
    """
    asked = {name: given for name, given in locals().items() if name not in ("mech", "state", "t_end")}
    given = None if motion is None else given_of(mech, motion)
    start = start_of(mech, given) if given is not None and state is None else State.of(mech, state)
    chosen = _method(method, formulation, step)
    end = request.ended(t_end, start.t)
    rtol, atol = request.tolerances(chosen, rtol, atol)
    request.require_positive(max_step=max_step, max_steps=max_steps, max_seconds=max_seconds)
    way = None if chosen.name == "idas" else formulation or _usual(mech, chosen, given is not None)
    own = stiffness is not None or damping is not None
    dynamics = Dynamics(mech, way, stiffness=stiffness, damping=damping) if own else _kept(mech, way)
    if dynamics.loops.any and not dynamics.loops.belongs(start.q):
        dynamics = Dynamics(mech, way, stiffness=stiffness, damping=damping, near=start)
    drives = drive(dynamics.mechanism, tau)
    request.require_answering(drives, start)
    _require_consistent(dynamics, start, stabilise)
    answering = None
    if given is not None:
        request.require_projection(chosen, stabilise, limits)
        require_possible(given, drives, start, end)
        request.require_explicit(chosen)
        answering = Answering(dynamics, given)
    moments = request.moments(save, start.t, end, mech.nq + mech.nv + len(KINDS))
    steps = (rtol, atol, step or 0.0, max_step, moments)
    march: Marching
    if chosen.library == "sundials":
        march, happened = by_sundials(dynamics, chosen, tau, drives, start, stabilise, events, limits, steps)
        met = None
    else:
        problem = _problem(dynamics, drives, answering, start, stabilise, baumgarte, chosen.implicit)
        outlook = Outlook(dynamics, problem, events, limits, restitution)
        make = ScipyMarch if chosen.library else March
        if not chosen.library and answering is None and problem.chosen is None and not problem.rests:
            problem.otherwise = partial(_independent, dynamics, drives, start, outlook)
        march = make(problem, chosen, start.t, np.concatenate([start.q, start.v]), *steps)
        outlook.prepare(march)
        met, happened = outlook.met, partial(outlook.all, march)
    began = time.perf_counter()
    status = go(march, end, Budget(max_steps, max_seconds), progress, met)
    name = DAE if chosen.name == "idas" else _name(dynamics)
    settings = Settings(name, chosen.name, rtol, atol, step, stabilise, end)
    run = _run(dynamics, drives, answering, march, status, settings, time.perf_counter() - began)
    return replace(
        run, events=happened(), again=lambda *given, **changes: simulate(mech, *given, **{**asked, **changes})
    )


@lru_cache(maxsize=8)
def _kept(mech: Mechanism, formulation: str | None) -> Dynamics:
    """With its structure found and its kernels loaded, when the same mechanism is simulated again."""
    return Dynamics(mech, formulation)


def _run(
    dynamics: Dynamics,
    drives: Drive,
    answering: Answering | None,
    march: Marching,
    status: str,
    settings: Settings,
    seconds: float,
) -> Run:
    m = dynamics.mechanism
    t, y = (x.copy() for x in march.saved)
    if status != FINISHED and march.t > (t[-1] if len(t) else -np.inf):
        t, y = np.append(t, march.t), np.concatenate([y, march.y[None]])
    q, v = y[:, : m.nq], y[:, m.nq : m.nq + m.nv]
    tau = request.forces(drives, t, q, v)
    if answering is not None:
        a, tau = answering.at(t, q, v, tau)
    elif march.problem.flow:
        a = accelerations(march.problem, q, v, tau, t)
    else:
        a = dynamics.forward(q, v, tau, t)
    n = march.tally
    counts = Counts(int(n[at.STEPS]), int(n[at.EVALUATIONS]), int(n[at.REJECTED]), int(n[at.SLOPES]), seconds)
    done = y[:, m.nq + m.nv :].T
    work = dict(zip(KINDS, done, strict=True)) if len(done) else {kind: np.zeros(len(t)) for kind in KINDS}
    asked = bool(march.problem.flow)  # in every evaluation; others write the forces out beforehand
    return Run(
        m, t, q, v, a, tau, status, counts, settings, work, notes=(drives.note,) if drives.note and asked else ()
    )


def _problem(
    dynamics: Dynamics,
    drives: Drive,
    answering: Answering | None,
    start: State,
    stabilise: str | None,
    rate: float,
    implicit: bool,
) -> Problem:
    if dynamics.formulation is None:
        problem = on_tree(dynamics, drives, implicit) if answering is None else with_motion(dynamics, drives, answering)
    else:
        if answering is None:
            problem = in_loops(dynamics, drives, stabilise, rate, implicit)
        else:
            problem = with_motion(dynamics, drives, answering)
        begun(problem, start.q)
    if drives.failure is not None:
        problem.failure = drives.failure
    return problem


def _independent(dynamics: Dynamics, drives: Drive, start: State, outlook: Outlook) -> Problem:
    """The same problem in independent coordinates."""
    problem = in_loops(dynamics, drives, "project", 0.0, independent=True)
    begun(problem, start.q)
    if drives.failure is not None:
        problem.failure = drives.failure
    outlook.watch(problem)
    return problem


def _require_consistent(dynamics: Dynamics, start: State, stabilise: str | None) -> None:
    """A start with closed loops, and a way that is known to keep them so."""
    if stabilise not in ("project", "baumgarte", None):
        raise LoopwrightError(f"stabilise is 'project', 'baumgarte' or None, not {stabilise!r}")
    if dynamics.topology.loops:
        closing = dynamics.loops.closing
        rates = closing.slope(start.q) @ start.v
        require_closed(dynamics.loops, np.concatenate([closing.gap(start.q), rates]), start.v)


def _usual(mech: Mechanism, chosen: Method, moved: bool) -> str | None:
    """The formulation when none is named; None leaves the choice to `Dynamics`.

    Independent coordinates make the others fit in every stage of a step, which costs more than all projections.
    """
    if not mech.tree.cuts or chosen.library == "sundials":
        return None
    if moved or chosen.variable:  # what is remembered of earlier steps does not go with projections
        return "embedding"
    return None if chosen.implicit else "sparse"


def _name(dynamics: Dynamics) -> str:
    return "tree" if dynamics.formulation is None else dynamics.formulation.name


def _method(name: str | None, formulation: str | None, step: float | None) -> Method:
    """The one named, or the usual one."""
    chosen = method(name or ("idas" if formulation == DAE else "dop853"))
    if (chosen.name == "idas") != (formulation == DAE) and not (chosen.name == "idas" and formulation is None):
        raise LoopwrightError(
            f"formulation '{DAE}' and method 'idas' belong together, as differential-algebraic equations and what "
            f"solves them; got formulation={formulation!r}, method='{chosen.name}'"
        )
    if chosen.fixed and not (step is not None and np.isfinite(step) and step > 0.0):
        raise LoopwrightError(f"method '{chosen.name}' takes steps of one length: say which, step=1e-3 for one")
    return chosen
