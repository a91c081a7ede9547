"""`lw.follow` and `lw.reach`: along one branch of a mechanism, and how far a coordinate goes on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import Mechanism, State, floats, named
from ..spatial import Array
from .assembly import assemble
from .driving import Driving, driving_alone
from .loops import Loops, loops_of
from .open_loops import apart, between, widest
from .reaching import Reach, reach_of


@dataclass(frozen=True)
class Course:
    """A motion along one branch: `states` in order, the first being where it began; `stopped` says why it ended early.

    Angles go on through full turns.
    """

    states: list[State]
    stopped: str = ""

    @property
    def done(self) -> bool:
        """Whether it arrived."""
        return not self.stopped

    @property
    def q(self) -> Array:
        """Positions, one a row."""
        return np.stack([state.q for state in self.states])


def follow(mechanism: Mechanism, state: Any, to: Mapping[str, Any]) -> Course:
    """From a closed state along its branch, driving coordinates to other values.

    `to` gives for every one of them a target, or a list of values, as many for each, to pass through; it then has the
    states there, else those of all steps. All move in proportion, and other coordinates with motors stand still. It
    stops where the branch ends or a joint's limit is met, and says how far they can be driven.
    """
    start = State.of(mechanism, state)
    loops = loops_of(mechanism)
    _require_closed(loops, start.q)
    targets, listed = _targets(to)
    states, q, heading, last = [start], start.q, None, None
    for values in targets:
        driving = Driving.of(loops, q, named(mechanism, values), last)
        passed, why, heading = _to_the_end(driving, q, heading)
        if not listed or not why:
            states += [State(mechanism, x, np.zeros(mechanism.nv)) for x in (passed[-1:] if listed else passed)]
        if why:
            return Course(states, why + _range(loops, driving, start.q))
        q, last = passed[-1], driving.to
    return Course(states)


def _range(loops: Loops, driving: Driving, q: Array) -> str:
    """How far it goes, in words."""
    return f"; {reach_of(loops, driving_alone(loops, q, driving.labels[0]), q)}" if len(driving.labels) == 1 else ""


def reach(mechanism: Mechanism, joint: str, state: Any = None) -> Reach:
    """How far a coordinate can be driven from a closed state, along its branch, both ways.

    Other coordinates with motors stand still. It ends where the loops let it go no further or a joint's limit is
    met. Left out, `state` is the nearest closed one to neutral.
    """
    start = State.of(mechanism, assemble(mechanism, most=1)[0] if state is None else state)
    loops = loops_of(mechanism)
    _require_closed(loops, start.q)
    driving = driving_alone(loops, start.q, joint)
    return reach_of(loops, driving, start.q)


def _to_the_end(driving: Driving, q: Array, heading: Array | None) -> tuple[list[Array], str, Array | None]:
    """Positions on the way to the target, why it was not reached, and in which motion the last was."""
    if np.array_equal(driving.begin, driving.to):
        return [q], "", heading
    found: list[Array] = []
    for leg, share, why in driving.legs(q, heading):
        found.append(driving.settled(leg.q) if share >= 1.0 and not why else leg.q)
        if why:
            return found, f"{driving.said(leg.q)}: {why}", None
        if share >= 1.0:
            return found, "", leg.onward
    return found, "the motion cannot be followed further", None


def _targets(to: Mapping[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    if not isinstance(to, Mapping) or not to:
        raise LoopwrightError(f"where to drive goes by name, {{joint: value}} or {{joint: [values]}}; got {to!r}")
    given = {name: floats(f"'{name}'", value) for name, value in to.items()}
    lists = {name: values for name, values in given.items() if values.ndim}
    if not lists:
        return [dict(to)], False
    for name, values in lists.items():
        if values.ndim > 1:
            raise LoopwrightError(f"'{name}' is driven to one value after another, a list of numbers; got {to[name]!r}")
    lengths = {len(values) for values in lists.values()}
    if len(lengths) > 1:
        raise LoopwrightError(f"the lists of values of {', '.join(lists)} must be equally long, got {sorted(lengths)}")
    count = lengths.pop()
    return [
        {name: float(lists[name][k]) if name in lists else value for name, value in to.items()} for k in range(count)
    ], True


def _require_closed(loops: Loops, q: Array) -> None:
    if not loops.any:
        return
    loop, gap = widest(loops, q)
    if np.linalg.norm(gap) > 1e-6:
        raise LoopwrightError(
            f"loop '{loop.name}' is open at this state by {apart(loop, gap)} {between(loop)}: start from a "
            "closed one, lw.assemble(mech, {joint: value})"
        )
