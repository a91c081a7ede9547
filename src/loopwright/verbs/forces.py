"""Forces from motions and motions from forces, with what happens in the joints."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..dynamics import INVERSE, named
from ..errors import LoopwrightError
from ..mechanism import floats, unknown
from ..spatial import Array
from . import closed
from . import quantities as ask
from .completing import Completing
from .details import Reactions, reactions_of, standing_at
from .pointwise import Found, Pointwise, settled
from .results import ForwardResult, InverseResult, Solved, each
from .states import read

_MET = 1e-9  # of the largest force: less is rounding


class Forces(Completing):
    """Inverse and forward dynamics."""

    def inverse(
        self,
        q: Any,
        v: Any,
        a: Any = None,
        t: Any = 0.0,
        algorithm: str | None = None,
        details: bool = False,
        by: str | None = None,
        weights: Any = None,
        preload: Any = None,
        compliance: Mapping[str, Any] | None = None,
    ) -> Any:
        """Actuator forces for a motion; `algorithm` is "rnea" or "gibbs_appell" in a tree.

        With loops, the motion must be one that they allow, or v and a name only as many coordinates as there are
        freedoms, see `complete`. With as many motors, the forces are found in small sets of equations,
        `by="subsystems"`, or from those of the freedoms, `by="freedoms"`; with more, they have the least sum of
        weights * (tau - preload)^2. Raises when there are motions that no motor makes, but marks states among many as
        no numbers where only a singular position does that; `details=True` returns what is lacking, with multipliers
        and the wrench in every joint, which `compliance` of joints (m/N, rad/(N m)) settles where redundant constraints
        leave it open.
        """
        if not details and by is None and type(t) is float:
            known = self._from_kernel(("inverse", algorithm), q, v, a)
            if known is not None:
                return known
        lost: Array = np.zeros(())
        v, a = self._whole(q, v, a)
        if not self.topology.loops:
            self._require_loops(by)
            forces = self._forces(q, v, a, t, algorithm)
            tau = forces[..., self.mechanism.actuated]
            driven, entries = set(self.mechanism.actuated), each(forces)
            unmet = {name: entries[k] for k, name in enumerate(self.mechanism.velocities) if k not in driven}
            scale = float(np.abs(forces).max(initial=0.0))
        else:
            self._require_tree(algorithm)
            tau, unmet, lost = self._loop_forces(q, v, a, t, weights, preload, by)
            scale = float(np.abs(tau).max(initial=0.0))
        if not details:
            if tau.ndim > 1 and unmet:
                tau, unmet = self._marked(q, tau, unmet, scale)
            self._require_met(unmet, scale)
            return tau
        inside = self._inside(q, v, a, tau, t, compliance)
        return InverseResult(
            tau, unmet, inside.multipliers, inside.wrenches, inside.determinate, lost > 0, inside.standing
        )

    def _loop_forces(
        self, q: Any, v: Any, a: Any, t: Any, weights: Any, preload: Any, by: str | None
    ) -> tuple[Array, dict[str, Array], Array]:
        """The motors' forces, what they leave, and the rows that are lost where the position is singular."""
        q, v, a = floats("q", q), floats("v", v), floats("a", a)
        if q.ndim == v.ndim == a.ndim == 1:
            self._require_closed(q, v, a)
        nu = self.mechanism.nu
        w, p = self._motor_numbers("weights", weights), self._motor_numbers("preload", preload)
        both = self._answer(self._by(by, w, p), q=q, v=v, a=a, t=t)
        self._require_rows(both, q)

        def solve(q: Array, v: Array, a: Array, t: Array) -> Found:
            return self._pointwise.inverse(q, v, a, float(t), *closed.motor_numbers(nu, w, p))

        lost = self._settled(both, solve, q=q, v=v, a=a, t=t)
        lacking = both[..., nu:]
        some = np.abs(lacking).max(axis=tuple(range(lacking.ndim - 1)), initial=0.0) > 0.0
        entries = each(lacking)
        return both[..., :nu], {self.mechanism.velocities[k]: entries[k] for k in np.flatnonzero(some)}, lost

    def _whole(self, q: Any, v: Any, a: Any) -> tuple[Any, Any]:
        """A motion of which only some coordinates are given, completed."""
        if isinstance(v, Mapping) or isinstance(a, Mapping) or a is None:
            return self.complete(q, v, a)
        if self.topology.loops and self.mechanism.nv != len(self.independent):
            shapes = [floats(name, x).shape for name, x in (("v", v), ("a", a))]
            if any(shape and shape[-1] == len(self.independent) for shape in shapes):
                return self.complete(q, v, a)
        return v, a

    def subsystem_order(self) -> tuple[Solved, ...]:
        """In which order `inverse(…, by="subsystems")` solves, and what every set of equations gives."""
        self._require_loops("subsystems")
        rows = [f"{loop.name}[{k}]" for loop in self.topology.loops for k in range(loop.rows)]
        kept = self.loops.structure(self._forest).rows
        unknowns = [*self.mechanism.actuators, *(rows[k] for k in kept)]
        return tuple(
            Solved(
                tuple(body for k in step.subsystems for body in self.topology.subsystems[k]),
                tuple(self.mechanism.velocities[k] for k in step.coordinates),
                tuple(unknowns[k] for k in step.unknowns),
            )
            for step in self.loops.by_subsystems(self._forest)
        )

    def _require_loops(self, by: str | None) -> None:
        if by is not None and not self.topology.loops:
            raise LoopwrightError(f"by='{by}' is for loops; '{self.mechanism.name}' has none: leave it out")

    def _motor_numbers(self, name: str, given: Any) -> tuple[float, ...] | None:
        """One number for every motor, from a list or from a mapping by name."""
        if given is None:
            return None
        names, usual = self.mechanism.actuators, 1.0 if name == "weights" else 0.0
        if isinstance(given, Mapping):
            for key in given:
                if key not in names:
                    raise LoopwrightError(unknown(key, "actuator", list(names), self.mechanism.name))
            given = [given.get(key, usual) for key in names]
        values = floats(name, given)
        if values.shape != (len(names),) or not np.isfinite(values).all():
            raise LoopwrightError(f"{name} needs one number for each of the motors {', '.join(names)}, got {given!r}")
        if name == "weights" and not (values > 0.0).all():
            raise LoopwrightError(f"weights must be positive, got {given!r}")
        return tuple(float(x) for x in values)

    def _inside(self, q: Any, v: Any, a: Any, tau: Any, t: Any, compliance: Mapping[str, Any] | None) -> Reactions:
        """Multipliers and reactions, state by state."""
        given = {"q": q, "v": v, "a": a, "tau": tau, "t": t}
        return reactions_of(self.loops, {name: read(self.mechanism, name, x) for name, x in given.items()}, compliance)

    def _forces(self, q: Any, v: Any, a: Any, t: Any, algorithm: str | None) -> Array:
        quantity = ask.inverse(named(INVERSE, algorithm, "inverse dynamics"))
        found = self._answer(quantity, q=q, v=v, a=a, t=t)
        if list(self.mechanism.actuated) == list(range(self.mechanism.nv)):
            self._note_ready(("inverse", algorithm), quantity)
        return found

    def _marked(self, q: Any, tau: Array, unmet: dict[str, Array], scale: float) -> tuple[Array, dict[str, Array]]:
        """States where only a singular position lets motors that suffice elsewhere do nothing: no numbers there."""
        lacks = np.any([np.abs(force) > _MET * max(scale, 1e-300) for force in unmet.values()], axis=0)
        if not self.topology.loops or lacks.all() or self.mechanism.nu < len(self.independent):
            return tau, unmet
        given = read(self.mechanism, "q", q)
        at = np.broadcast_to(given, (*lacks.shape, given.shape[-1]))
        dead = np.zeros(lacks.shape, dtype=bool)
        for index in zip(*np.nonzero(lacks), strict=True):
            dead[index] = not standing_at(self.loops, at[index]).regular
        return np.where(dead[..., None], np.nan, tau), {
            name: np.where(dead, 0.0, force) for name, force in unmet.items()
        }

    def _require_met(self, unmet: dict[str, Array], scale: float) -> None:
        lacking = {name: float(np.abs(force).max()) for name, force in unmet.items()}
        worst = {name: force for name, force in lacking.items() if force > _MET * max(scale, 1e-300)}
        if worst:
            shown = ", ".join(f"{name} lacks {force:.4g}" for name, force in list(worst.items())[:6])
            raise LoopwrightError(
                f"the actuators of '{self.mechanism.name}' cannot make this motion: {shown}. Change the accelerations "
                "of the coordinates without actuator, or ask with details=True for the forces and what is lacking"
            )

    def forward(
        self,
        q: Any,
        v: Any,
        tau: Any = None,
        t: Any = 0.0,
        algorithm: str | None = None,
        details: bool = False,
        compliance: Mapping[str, Any] | None = None,
    ) -> Any:
        """Accelerations under the actuators' forces; "aba", "denoc", or a mass matrix "crba", "gah", "noc" in a tree.

        Left out, it is "crba" below ten coordinates, where that costs fewer operations, and "aba" above. With
        `details=True`: .a, .multipliers, .reactions and .determinate, see `inverse`.
        """
        if not details and type(t) is float:
            known = self._from_kernel(("forward", algorithm), q, v, tau)
            if known is not None and (known.ndim > 1 or math.isfinite(known.dot(known))):
                return known
        forces = np.zeros(self.mechanism.nu) if tau is None else tau
        q, v, forces = floats("q", q), floats("v", v), floats("tau", forces)
        chosen = self._forward(algorithm)
        exact = self.formulation is not None and not self.formulation.open
        if exact and q.ndim == v.ndim == 1:
            self._require_closed(q, v)
        a = self._answer(chosen, q=q, v=v, tau=forces, t=t)
        lost: Array = np.zeros(a.shape[:-1], dtype=int)
        if exact:
            self._require_rows(a, q)
            lost = self._settled(a, lambda *state: self._pointwise.forward(*state), q=q, v=v, tau=forces, t=t)
            self._require_regular(a, {"q": q, "v": v, "tau": forces, "t": t})
        if not details:
            self._note_ready(("forward", algorithm), chosen)
            return a
        inside = self._inside(q, v, a, forces, t, compliance)
        return ForwardResult(a, inside.multipliers, inside.wrenches, inside.determinate, lost > 0, inside.standing)

    @cached_property
    def _pointwise(self) -> Pointwise:
        return Pointwise(self.loops, self._forest)

    def _settled(self, answer: Array, solve: Callable[..., Found], **given: Any) -> Array:
        """Solves the states that came out as no number; how many rows each of them has lost."""
        lost = np.zeros(answer.shape[:-1], dtype=int)
        if not np.isfinite(answer).all():
            values = {name: read(self.mechanism, name, x) for name, x in given.items()}
            for index, found in settled(answer, values, solve).items():
                lost[index] = found.lost
        return lost

    def _require_rows(self, answer: Array, q: Any) -> None:
        """Let no answer stand where the loops have other rows than those that were found to be enough elsewhere."""
        given = read(self.mechanism, "q", q)
        if given.size and not self.loops.fits(given.reshape(-1, self.mechanism.nq)[0]):
            answer[...] = np.nan

    def _require_closed(self, q: Any, v: Any, a: Any = None) -> None:
        opening = self._answer(closed.OPENING, q=q, v=v)
        closed.require_closed(self.loops, opening, np.asarray(v, dtype=float))
        if a is not None:
            rate = self._answer(closed.OPENING_RATE, q=q, v=v, a=a)
            closed.require_kept(self.loops, rate, np.concatenate([np.ravel(v), np.ravel(a)]))
