"""Integrators of other libraries on our problems: steps of SciPy, and pieces of a run by SUNDIALS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...errors import LoopwrightError
from ...mechanism import State
from ...spatial import Array
from ...verbs import Dynamics
from ..drives import Drive
from ..methods import Method
from ..run import Happened
from .equations import Equations, ordinary
from .gear_gupta import NAME as DAE
from .gear_gupta import GearGupta, require_loops
from .glances import Glances
from .on_symbols import forces_on_symbols
from .scipy_steps import ScipyMarch
from .sundials import SundialsMarch


def by_sundials(
    dynamics: Dynamics,
    method: Method,
    tau: Any,
    drive: Drive,
    start: State,
    stabilise: str | None,
    events: Sequence[Any],
    limits: str,
    steps: tuple[float, float, float, float, Array],
) -> tuple[SundialsMarch, Callable[[], tuple[Happened, ...]]]:
    """A run on its way, and what will have happened when it has ended."""
    glances = Glances(dynamics, method.name, events, limits)
    equations = _equations(dynamics, method.name, tau, drive, start, stabilise)
    march = SundialsMarch(equations, method, drive, start, *steps)
    return march, partial(glances.all, march)


def _equations(
    dynamics: Dynamics, method: str, tau: Any, drive: Drive, start: State, stabilise: str | None
) -> Callable[[Array], Equations]:
    """What is solved from a position on."""
    forces = forces_on_symbols(dynamics.mechanism, tau, drive, start, method)
    if method == "idas":
        require_loops(dynamics.mechanism)
        return GearGupta(dynamics, forces)
    if stabilise == "baumgarte":
        raise LoopwrightError(
            f"method '{method}' closes loops where states are saved (stabilise='project') or lets them drift (None); "
            "stabilise='baumgarte' is for dop853, dopri5, rk4 and SciPy's"
        )
    return ordinary(dynamics, forces, stabilise)


__all__ = ["DAE", "ScipyMarch", "by_sundials"]
