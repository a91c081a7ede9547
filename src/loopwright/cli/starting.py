"""--set and --rate: the state that a simulation starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ..errors import LoopwrightError
from .motions import angle

if TYPE_CHECKING:
    from ..mechanism import Mechanism, State


def starting(
    mechanism: Mechanism,
    model: str,
    positions: Sequence[str],
    rates: Sequence[str],
    driven: Mapping[str, Any] | None = None,
) -> State:
    """Where the ready mechanism's published motion begins, changed to what was typed; loops are closed.

    Coordinates that are set, and those driven along trajectories, stay; the others move as little as the loops allow.
    """
    from .. import zoo
    from ..mechanism import State
    from ..verbs import assemble

    q, v = values(mechanism, positions, "--set"), values(mechanism, rates, "--rate")
    for name, path in (driven or {}).items():
        if name in q or name in v:
            raise typer.BadParameter(f"the motion of '{name}' says where it starts", param_hint="--set, --rate")
        q[name], v[name] = float(path(0.0)), float(path.velocity(0.0))
    usual, moving = (zoo.start(model), zoo.rates(model)) if model in zoo.MECHANISMS else ({}, {})
    known = {name: value for name, value in usual.items() if name in mechanism.coordinates}
    v = v or (moving if not positions else {})
    if not mechanism.tree.cuts:
        return State.of(mechanism, {**known, **q}, v)
    if not (q or v) and len(known) == mechanism.nq:
        published = State.of(mechanism, known)
        if _closed(mechanism, published):
            return published
    found = assemble(mechanism, q, v, near=known or None)
    if not found:
        raise LoopwrightError(f"the loops of '{mechanism.name}' cannot be closed at {', '.join(positions) or 'any'}")
    return found[0]


def _closed(mechanism: Mechanism, state: State) -> bool:
    import numpy as np

    from ..verbs import Dynamics

    return bool(np.abs(Dynamics(mechanism).closure(state.q)).max(initial=0.0) < 1e-9)


def values(mechanism: Mechanism, given: Sequence[str], option: str) -> dict[str, Any]:
    """NAME=NUMBER, or NAME=NUMBER,NUMBER… for a joint of several coordinates."""
    found: dict[str, Any] = {}
    for pair in given:
        name, sign, text = pair.partition("=")
        name = name.strip()
        if not sign or not name or not text.strip():
            raise typer.BadParameter(f"'{pair}' should be JOINT=VALUE", param_hint=option)
        if name in found:
            raise typer.BadParameter(f"'{name}' is given twice", param_hint=option)
        parts = [angle(part, pair, option) for part in text.split(",")]
        found[name] = parts[0] if len(parts) == 1 else parts
    return found
