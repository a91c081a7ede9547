"""How far virtual springs let the loops open, over their stiffness: fig. 6 of [Wang2002] for any mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import Mechanism, State
from ..spatial import Array
from ..verbs import Dynamics
from .drives import drive
from .front import simulate
from .going import FINISHED

_LOOKS = 200  # moments at which the gap is looked at


@dataclass(frozen=True)
class SpringSweep:
    """For every `stiffness`: the gap's length at the end, the greatest on the way, and where the springs would rest.

    `rest` is |lambda| / k with the multipliers of closed loops at the start. `slope` is that of log(greatest) over
    log(stiffness): theory says -1, for springs that carry the same force.
    """

    stiffness: Array
    end: Array
    greatest: Array
    rest: Array

    @property
    def slope(self) -> float:
        return float(np.polyfit(np.log(self.stiffness), np.log(self.greatest), 1)[0])


def spring_sweep(
    mech: Mechanism,
    state: Any = None,
    stiffness: Sequence[float] = (1e3, 1e4, 1e5, 1e6),
    t: float = 0.1,
    *,
    damping: Any = 0.0,
    tau: Any = None,
    rtol: float = 1e-8,
) -> SpringSweep:
    """Simulates for `t` seconds from a closed state with each stiffness (N/m and N m/rad) in turn."""
    start = State.of(mech, state)
    if not (np.isfinite(t) and t > 0.0):
        raise LoopwrightError(f"t is how many seconds to simulate, a positive number, got {t!r}")
    rest = _carried(mech, start, tau)
    found = [gaps(mech, start, float(k), t, damping, tau, rtol) for k in stiffness]
    k = np.array(stiffness, dtype=float)
    return SpringSweep(k, np.array([g[-1] for g in found]), np.array([g.max() for g in found]), rest / k)


def _carried(mech: Mechanism, start: State, tau: Any) -> float:
    """|lambda| of closed loops at the start."""
    dynamics = Dynamics(mech, formulation="system")
    forces = drive(dynamics.mechanism, tau).at(np.array([start.t]), start.q[None], start.v[None])[0]
    exact = dynamics.forward(start.q, start.v, forces, t=start.t, details=True)
    return float(np.linalg.norm(exact.multipliers))


def gaps(
    mech: Mechanism, start: State, stiffness: Any, t: float, damping: Any = None, tau: Any = None, rtol: float = 1e-8
) -> Array:
    """How far the loops are open over time, all rows as one length."""
    run = simulate(
        mech,
        start,
        start.t + t,
        formulation="springs",
        stiffness=stiffness,
        damping=damping,
        method="dopri5",
        rtol=rtol,
        atol=1e-12,
        tau=tau,
        save=start.t + np.linspace(0.0, t, _LOOKS + 1),
        progress=False,
    )
    if run.status != FINISHED:
        raise LoopwrightError(f"with springs of {stiffness!r} N/m the simulation {run.status}")
    found = Dynamics(mech, formulation="springs", stiffness=stiffness, damping=damping).closure(run.q)
    return np.asarray(np.linalg.norm(found, axis=-1))
