"""One state a call, as a controller asks."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from .models import ROBOTS
from .row import Row, Target
from .states import TAKES, Subject, subject
from .timing import Call, in_turn

PINOCCHIO = {
    "forward": "aba",
    "inverse": "rnea",
    "mass_matrix": "crba",
    "forward_derivatives": "computeABADerivatives",
}
NO_SLOWER = Target(times=1.0)
SIX_AXES = Target(at_most=1.5e-6)  # of forward dynamics into an array that is there already


def single_call() -> list[Row]:
    """Seconds per call from Python."""
    return [row for name in ROBOTS for quantity in TAKES for row in _rows(name, subject(name), quantity)]


def _rows(name: str, robot: Subject, quantity: str) -> list[Row]:
    given = [x[0].copy() for x in robot.states.of(quantity)]
    calls = _ours(robot, quantity, given)
    peers = _pinocchio(robot, quantity, given)
    taken = in_turn(calls | peers, seconds=0.1)
    rows = [Row(f"{name} {quantity}, {way}", taken[way], "s") for way in calls]
    for peer in peers:
        rows = [Row(r.case, r.taken, "s", peer, taken[peer], NO_SLOWER) for r in rows]
    if (name, quantity) == ("ur5", "forward"):
        rows.append(Row(f"{name} {quantity}, kernel with out", taken["kernel with out"], "s", target=SIX_AXES))
    return rows


def _ours(robot: Subject, quantity: str, given: list[np.ndarray]) -> dict[str, Call]:
    kernel = robot.dynamics.kernel(quantity)
    names: dict[str, Any] = {"kernel": kernel, "x": given, "out": np.empty(kernel.face.output)}
    names |= {"ask": getattr(robot.dynamics, quantity)} | {f"x{k}": x for k, x in enumerate(given)}
    listed = ", ".join(f"x{k}" for k in range(len(given)))
    calls = {
        "kernel with out": Call(f"kernel({listed}, out=out)", names),
        "kernel": Call(f"kernel({listed})", names),
        "Dynamics": Call(f"ask({listed})", names),
    }
    if hasattr(kernel, "raw"):
        calls = {"raw kernel": Call(f"raw({listed}, out)", names | {"raw": kernel.raw})} | calls
    return calls


def _pinocchio(robot: Subject, quantity: str, given: list[np.ndarray]) -> dict[str, Call]:
    if not find_spec("pinocchio"):
        return {}
    import pinocchio as pin

    from tests.peers.pinocchio_model import PinocchioModel

    peer = PinocchioModel(robot.mechanism)
    function = PINOCCHIO[quantity]
    names = {"f": getattr(pin, function), "model": peer.model, "data": peer.data}
    names |= {f"x{k}": x for k, x in enumerate(given)}
    listed = ", ".join(f"x{k}" for k in range(len(given)))
    return {f"pinocchio.{function}": Call(f"f(model, data, {listed})", names)}
