"""Loopwright as a user calls it: the whole of `lw.simulate`, kernels loaded, and the last state alone saved."""

from __future__ import annotations

from collections.abc import Callable

import loopwright as lw

from ...models.swinging import Case
from .contestant import TOLERANCES, Contestant, Poses

METHODS = ("dop853", "dopri5", "abm")
STEPS = (3e-3, 1e-3, 3e-4, 1e-4)


def contestants(case: Case) -> list[Contestant]:
    """The adaptive methods, and RK4 to be compared with others at equal steps."""
    dynamics = lw.Dynamics(case.mechanism)

    def poses(run: lw.Run) -> Poses:
        found = {body.name: dynamics.pose(body.name, run.q[-1]) for body in case.mechanism.bodies}
        return {name: (X.R, X.p) for name, X in found.items()}

    adaptive = [
        Contestant("loopwright", name, "rtol", TOLERANCES, _ready(case, name), poses, "the whole call")
        for name in METHODS
    ]
    return [*adaptive, Contestant("loopwright, fixed step", "rk4", "step", STEPS, _ready(case, "rk4"), poses)]


def _ready(case: Case, method: str) -> Callable[[float], Callable[[], lw.Run]]:
    def ready(setting: float) -> Callable[[], lw.Run]:
        how = {"step": setting} if method == "rk4" else {"rtol": setting, "atol": setting / 100.0}
        return lambda: run(case, method=method, **how)

    return ready


def run(case: Case, **options: object) -> lw.Run:
    """To the end of the case, without pictures on the way."""
    return lw.simulate(case.mechanism, case.start, case.seconds, save=None, progress=False, **options)
