"""What a run looks out for: joint limits and functions of the user's, and what happens when they are met."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism
from ..spatial import Array
from ..verbs import Dynamics
from .drives import BODY

LIMITS = ("report", "stop", "bounce", "ignore")


@dataclass(frozen=True)
class Event:
    """`function(t, q, v)` changes sign there; `direction` 1 counts only rising ones, -1 falling ones, 0 both.

    A `terminal` event ends the run.
    """

    function: Callable[[float, Array, Array], float]
    name: str = ""
    direction: int = 0
    terminal: bool = False
    counts: Callable[[Array], bool] = lambda q: True  # whether it is one at the position where it was found

    @staticmethod
    def singular(mechanism: Mechanism, terminal: bool = False) -> Event:
        """Singular positions: where motions branch, or where motors, one for every freedom, do not determine them."""
        from .singular import towards, vanishes

        return Event(towards(mechanism), "singular position", 1, terminal, vanishes(mechanism))


@dataclass(frozen=True)
class Limit:
    """`sign * (x - bound)` is positive inside; x is q[coordinate], or behind q a coordinate of a cut joint.

    Angles of cut joints are taken within half a turn of `middle`, that of their range.
    """

    coordinate: int
    bound: float
    sign: float
    name: str
    middle: float = np.inf

    def near(self, x: float) -> float:
        """x within half a turn of the middle."""
        return x - 2.0 * np.pi * round((x - self.middle) / (2.0 * np.pi)) if self.middle < np.inf else x

    def meets(self, x: float) -> bool:
        """Whether it is the bound that x has come to, and not the half turn where its angle begins anew."""
        return self.middle == np.inf or abs(self.near(x) - self.bound) < 0.5 * (np.pi - abs(self.bound - self.middle))


def limits_of(mechanism: Mechanism) -> list[Limit]:
    """Both bounds of every coordinate that has any, cut joints' included where half a turn tells them apart."""
    joints = [*(branch.joint for branch in mechanism.tree.branches), *mechanism.tree.cuts]
    names = (*mechanism.coordinates, *mechanism.cut_coordinates)
    found, i = [], 0
    for joint in joints:
        kind = BY_NAME[joint.kind]
        for k, (low, high) in enumerate(joint.limits):
            middle = np.inf
            if i >= mechanism.nq and k in kind.full_turns:
                middle = 0.5 * (low + high)
                if not high - low < 2.0 * np.pi:
                    continue
            for bound, sign, which in ((low, 1.0, "lower"), (high, -1.0, "upper")):
                if np.isfinite(bound):
                    found.append(Limit(i + k, float(bound), sign, f"{names[i + k]} at its {which} limit", middle))
        i += kind.nq
    return found


def read_events(given: Sequence[Any]) -> list[Event]:
    """Events, or plain functions of (t, q, v)."""
    found = []
    for k, one in enumerate(given):
        event = one if isinstance(one, Event) else Event(one) if callable(one) else None
        if event is None or not callable(event.function):
            raise LoopwrightError(f"events[{k}] must be an Event or a function of (t, q, v), got {one!r}")
        name = event.name or getattr(event.function, "__name__", "") or f"event {k}"
        if len(inspect.signature(event.function).parameters) < 3:
            raise LoopwrightError(f"event '{name}' must take (t, q, v)")
        found.append(replace(event, name=name))
    return found


def watcher(
    mechanism: Mechanism, events: Sequence[Event], raised: Array, failure: list[BaseException]
) -> tuple[int, Any]:
    """The address of what asks all functions, and what keeps it."""
    nq, nv = mechanism.nq, mechanism.nv

    def called(t: int, q: int, v: int, out: int) -> None:
        try:
            state = float(_at(t, 1)[0]), _at(q, nq).copy(), _at(v, nv).copy()
            _at(out, len(events))[:] = [float(event.function(*state)) for event in events]
        except BaseException as error:  # noqa: BLE001 - told when the loop has ended
            failure.append(error)
            raised[0] = 1

    body = BODY(called)
    return ctypes.cast(body, ctypes.c_void_p).value or 0, body


def _at(address: int, count: int) -> Array:
    return np.ctypeslib.as_array((ctypes.c_double * count).from_address(address)) if count else np.zeros(0)


def bounced(dynamics: Dynamics, q: Array, v: Array, limit: Limit, restitution: float) -> Array:
    """v after the shock of a limit: an impulse at its coordinate, whose rate is F v, carried through the loops.

    v+ = v - (1 + e) K F^T (F v) / (F K F^T),   K = N (N^T I N)^-1 N^T   what impulses do to velocities
    """
    F = rate_of(dynamics, q, limit)
    M = dynamics.mass_matrix(q)
    N = np.eye(len(v))
    if dynamics.topology.loops:
        J = dynamics.closure_jacobian(q)
        rank = len(dynamics.loops.structure(dynamics.topology.forest).rows)
        N = np.linalg.svd(J)[2][rank:].T
    K = N @ np.linalg.solve(N.T @ M @ N, N.T)
    return v - (1.0 + restitution) * (F @ v) * (K @ F) / (F @ K @ F)


def rate_of(dynamics: Dynamics, q: Array, limit: Limit) -> Array:
    """F of the rate F v of the coordinate that is limited."""
    m = dynamics.mechanism
    if limit.coordinate >= m.nq:
        behind: Array = dynamics.loops.cut_rates(q, np.zeros(m.nv)).F[limit.coordinate - m.nq]
        return behind
    return np.eye(m.nv)[m.velocities.index(m.coordinates[limit.coordinate])]
