"""Pinocchio: its parallel calls on one thread; what has none is called from Python, less an empty call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from tests.peers.pinocchio_model import PinocchioModel

from ..states import States, Subject
from ..timing import Call, quickest
from .rival import PROBE, Rival

NOTHING = pin.Model()  # asked the same, it costs the call and no work
EMPTY = np.zeros(0)


def rivals(subject: Subject, quantity: str) -> list[Rival]:
    """The parallel call where there is one, and else the faster of its two conventions."""
    peer = PinocchioModel(subject.mechanism)
    states = subject.states
    if quantity == "forward":
        return [_parallel(peer, states, quantity, "aba"), _looped(peer, states, quantity, "aba")]
    if quantity == "inverse":
        return [_parallel(peer, states, quantity, "rnea")]
    if quantity == "forward_derivatives":
        return [_derivatives(peer, states)]
    return [_looped(peer, states, quantity, "crba")]


def _parallel(peer: PinocchioModel, states: States, quantity: str, function: str) -> Rival:
    given = [np.asfortranarray(x.T) for x in states.of(quantity)]  # one state a column, as it wants them
    out = np.empty((peer.model.nv, len(states.q)), order="F")
    names = {
        "f": getattr(pin, f"{function}InParallel"),
        "pool": pin.ModelPool(peer.model, 1),
        "given": given,
        "out": out,
    }
    return Rival(
        f"pinocchio.{function}InParallel",
        Call("f(1, pool, *given, out)", names),
        lambda: out.T[PROBE],
    )


def _looped(peer: PinocchioModel, states: States, quantity: str, function: str) -> Rival:
    given = states.of(quantity)
    names = {
        "f": getattr(pin, function),
        "model": peer.model,
        "data": peer.data,
        "states": list(zip(*given, strict=True)),
        "nothing": NOTHING,
        "no_data": NOTHING.createData(),
        "empty": [EMPTY] * len(given),
        "M": np.zeros((peer.model.nv, peer.model.nv)),
    }
    copied = "; M.copy()" if function == "crba" else ""  # the binding gives out a copy
    ways = {
        way: Call(
            "for x in states: f(model, data, *x, way)",
            names | {"way": getattr(pin.Convention, way)},
            f"for x in states: f(nothing, no_data, *empty, way){copied}",
        )
        for way in ("LOCAL", "WORLD")
    }
    way = quickest(ways)
    note = "called from Python; an empty call" + (" and the copy of M" if copied else "") + " subtracted"
    return Rival(f"pinocchio.{function}, {way}, looped", ways[way], lambda: _asked(peer, states, quantity), note)


def _derivatives(peer: PinocchioModel, states: States) -> Rival:
    """Three matrices in its own memory, of which the last is half filled."""
    given = states.of("forward_derivatives")
    names = {
        "f": pin.computeABADerivatives,
        "model": peer.model,
        "data": peer.data,
        "states": list(zip(*given, strict=True)),
        "nothing": NOTHING,
        "no_data": NOTHING.createData(),
        "empty": [EMPTY] * len(given),
    }
    call = Call("for x in states: f(model, data, *x)", names, "for x in states: f(nothing, no_data, *empty)")
    note = "called from Python; an empty call subtracted"

    def answers() -> np.ndarray:
        probe = zip(*states[PROBE].of("forward_derivatives"), strict=True)
        return np.array([np.hstack(peer.forward_derivatives(*state)) for state in probe])

    return Rival("pinocchio.computeABADerivatives, looped", call, answers, note)


def _asked(peer: PinocchioModel, states: States, quantity: str) -> np.ndarray:
    ask: Any = getattr(peer, quantity)
    return np.array([ask(*state) for state in zip(*states[PROBE].of(quantity), strict=True)])
