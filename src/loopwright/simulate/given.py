"""`motion=`: coordinates that move as they are told, and whether a run can do so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..closure import formulation
from ..errors import LoopwrightError
from ..mechanism import Mechanism, State
from ..program import Kernel
from ..spatial import Array
from ..verbs import Dynamics, assemble
from ..verbs.prescribed import Driven, driven_of, prescribed
from .drives import Drive, values_over_time
from .formula import of
from .joined import Joined
from .pieces import constant
from .samples import Samples
from .trajectory import Trajectory, table_of, wanted_width

_APART = 1e-5  # radians or metres, and per second of the largest rate: what a start may be off its motion
_JUMP = 1e-6  # of the size of a value or rate: more at a break is a jump and no rounding
_SECOND = {"embedding": "multiplier"}  # what is asked where the first way stands badly
_SOUND = 0.03  # quality below which that is


@dataclass(frozen=True)
class Given:
    """What is driven, and where it is over time."""

    driven: Driven
    path: Trajectory

    def where(self, t: float) -> str:
        """In words."""
        values = table_of(self.path, t)[0, 0]
        return ", ".join(f"{name} = {x:.6g}" for name, x in zip(self.driven.names, values, strict=True))


def given_of(mechanism: Mechanism, motion: Any) -> Given:
    """From {coordinate: trajectory}, or samples whose columns have names."""
    if hasattr(motion, "dims") and hasattr(motion, "coords"):
        motion = Samples.of(motion, "quintic")
    if isinstance(motion, Samples) and motion.names is not None:
        return Given(driven_of(mechanism, motion.names), motion)
    if not isinstance(motion, Mapping):
        raise LoopwrightError(f"motion goes by name, {{joint: trajectory}}; got {motion!r}")
    driven = driven_of(mechanism, list(motion))
    return Given(driven, Joined([_path(name, one) for name, one in motion.items()]))


def _path(name: str, given: Any) -> Trajectory:
    path = values_over_time(given)
    if path is None and callable(given):
        path = of(given)
    if path is None:
        try:
            path = constant(float(given))
        except (TypeError, ValueError):
            raise LoopwrightError(
                f"the motion of '{name}' must be a trajectory (lw.trajectory), Samples, a function of t, or a number "
                f"where it stands still; got {given!r}"
            ) from None
    wanted_width(path, 1, f"the motion of '{name}'")
    return path


def start_of(mechanism: Mechanism, given: Given) -> State:
    """A start that is on the motion; the loops closed by the first branch found."""
    values, rates, _ = table_of(given.path, 0.0)[0]
    q, v = (dict(zip(given.driven.names, map(float, row), strict=True)) for row in (values, rates))
    if not mechanism.tree.cuts:
        return State.of(mechanism, q, v)
    found = assemble(mechanism, q, v)
    if not found:
        raise LoopwrightError(
            f"the loops of '{mechanism.name}' cannot be closed where the motion begins, {given.where(0.0)}"
        )
    return found[0]


def require_possible(given: Given, drive: Drive, start: State, t_end: float) -> None:
    """Refuse a start off the motion, forces of what is driven, and a motion that jumps on the way."""
    _require_free(drive, given)
    values, rates, _ = table_of(given.path, start.t)[0]
    fastest = max(1.0, float(np.abs(rates).max(initial=0.0)))
    for k, name in enumerate(given.driven.names):
        q, v = start.q[given.driven.q[k]], start.v[given.driven.v[k]]
        if not abs(q - values[k]) <= _APART:
            raise LoopwrightError(_off(name, "stands at", q, values[k], start.t))
        if not abs(v - rates[k]) <= _APART * fastest:
            raise LoopwrightError(_off(name, "moves at", v, rates[k], start.t))
    for moment in given.path.breaks:
        if start.t < moment < t_end:
            _require_smooth(given, moment)


def _off(name: str, does: str, found: float, wanted: float, t: float) -> str:
    what = f"{{'{name}': {wanted:.9g}}}"
    start = f"lw.assemble(mech, {what}, …)" if does == "stands at" else f"lw.assemble(mech, …, v={what})"
    return (
        f"at the start '{name}' {does} {found:.6g}, where its motion has {wanted:.6g} at t = {t:g} s: start on the "
        f"motion, {start}, or leave the state out"
    )


def _require_smooth(given: Given, moment: float) -> None:
    before, after = (table_of(given.path, np.nextafter(moment, side))[0] for side in (-np.inf, np.inf))
    for order, what in enumerate(("position", "rate")):
        size = np.maximum(1.0, np.maximum(np.abs(before[order]), np.abs(after[order])))
        jumps = np.abs(after[order] - before[order]) > _JUMP * size
        if jumps.any():
            k = int(np.argmax(jumps))
            raise LoopwrightError(
                f"the motion of '{given.driven.names[k]}' jumps in {what} at t = {moment:g} s, from "
                f"{before[order, k]:.6g} to {after[order, k]:.6g}, which no force can do: take smoother samples, "
                "lw.Samples(t, values, 'quintic'), let a trajectory end at rest, or let the run end there"
            )


class Answering:
    """Accelerations and forces of one mechanism with a motion given: the kernels, and their answers in many states."""

    def __init__(self, dynamics: Dynamics, given: Given) -> None:
        self.dynamics, self.given = dynamics, given
        name = "embedding" if dynamics.formulation is None else dynamics.formulation.name
        self.first = self._kernel(name)
        self.second = self._kernel(_SECOND.get(name, "embedding")) if dynamics.formulation is not None else None

    def _kernel(self, name: str) -> Kernel:
        return self.dynamics.kernel_of(prescribed(formulation(name), self.dynamics.loops, self.given.driven))

    def at(self, t: Array, q: Array, v: Array, tau: Array) -> tuple[Array, Array]:
        """a, and tau with the forces that drive put in."""
        nv = self.dynamics.mechanism.nv
        states = {"q": q, "v": v, "given": table_of(self.given.path, t)[:, 2], "tau": tau, "t": t}
        found = self._asked(self.first, states)
        if self.second is not None:
            other = self._asked(self.second, states)
            worse = ~(found[:, nv] > _SOUND) & ~(found[:, nv] >= other[:, nv])
            found[worse] = other[worse]
        return found[:, :nv], found[:, nv + 1 :]

    def _asked(self, kernel: Kernel, states: Mapping[str, Array]) -> Array:
        with np.errstate(all="ignore"):
            return np.array(kernel(*(states[name] for name, _ in kernel.face.inputs)))


def _require_free(drive: Drive, given: Given) -> None:
    """Refuse numbers for the force of an actuator whose motion is given."""
    for k, name in zip(given.driven.actuators, given.driven.names, strict=True):
        if drive.values[k] != 0.0:
            raise LoopwrightError(
                f"tau of '{name}' is given as {drive.values[k]:g}, and so is its motion: give one of them"
            )
