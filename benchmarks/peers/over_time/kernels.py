"""Our own kernels, driven from Python by SciPy: what our time loops add to our dynamics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

import loopwright as lw

from ...models.swinging import Case
from .contestant import TOLERANCES, Contestant, Poses

METHODS = ("DOP853", "RK45", "LSODA")


def contestants(case: Case) -> list[Contestant]:
    """On all coordinates of the tree, the loops left to drift, which costs SciPy nothing."""
    mechanism, dynamics = case.mechanism, lw.Dynamics(case.mechanism)
    nq, nv = mechanism.nq, mechanism.nv
    forward = dynamics.kernel("forward").raw
    rates = dynamics.kernel("rates").raw if nq != nv else None
    tau = np.zeros(mechanism.nu)

    def flow(t: float, y: np.ndarray) -> np.ndarray:
        dy = np.empty(nq + nv)
        forward(y[:nq], y[nq:], tau, dy[nq:])
        if rates is None:
            dy[:nq] = y[nq:]
        else:
            rates(y[:nq], y[nq:], dy[:nq])
        return dy

    turns = [k for k, name in enumerate(mechanism.coordinates) if name.endswith(".qw")]

    def poses(y: np.ndarray) -> Poses:
        q = y[:nq].copy()
        for k in turns:  # drifted from unit length
            q[k - 3 : k + 1] /= np.linalg.norm(q[k - 3 : k + 1])
        found = {body.name: dynamics.pose(body.name, q) for body in mechanism.bodies}
        return {name: (X.R, X.p) for name, X in found.items()}

    start = np.concatenate([case.start.q, case.start.v])
    return [
        Contestant("our kernels in SciPy", name, "rtol", TOLERANCES, by_scipy(flow, start, case.seconds, name), poses)
        for name in METHODS
    ]


def by_scipy(
    flow: Callable[[float, np.ndarray], np.ndarray], start: np.ndarray, seconds: float, method: str
) -> Callable[[float], Callable[[], np.ndarray]]:
    """`solve_ivp` to the end, nothing saved on the way but what it saves."""

    def ready(rtol: float) -> Callable[[], np.ndarray]:
        def solved() -> np.ndarray:
            found = solve_ivp(flow, (0.0, seconds), start, method, t_eval=(seconds,), rtol=rtol, atol=rtol / 100.0)
            if not found.success:
                raise ArithmeticError(found.message)
            return found.y[:, -1]

        return solved

    return ready
