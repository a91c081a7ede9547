"""How far a coordinate can be driven, along the branch on which a mechanism stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..spatial import Array
from .driving import MOST_STEPS, Driving
from .loops import Loops

_FAR = 1e3  # times the mechanism's size: a slide that has gone so far goes on for ever
_TURNS = 4  # full turns after which a coordinate is believed to go round for ever


@dataclass(frozen=True)
class Reach:
    """How far a coordinate goes from `low` to `high`, and what stops it there; both are infinite after a full turn."""

    joint: str
    low: float
    high: float
    at_low: str
    at_high: str
    unit: str = "rad"

    def nearest(self) -> Reach:
        """The same range, full turns away, that lies nearest to zero."""
        middle = (self.low + self.high) / 2.0
        if self.unit != "rad" or not np.isfinite(middle):
            return self
        turns = 2.0 * np.pi * np.round(middle / (2.0 * np.pi))
        return replace(self, low=self.low - turns, high=self.high - turns)

    def __str__(self) -> str:
        if np.isinf(self.low) and np.isinf(self.high):
            return f"{self.joint} goes all the way {'round' if self.unit == 'rad' else 'on'}"
        return f"{self.joint} can reach {self.low:.4g} … {self.high:.4g} {self.unit}".rstrip()


def reach_of(loops: Loops, driving: Driving, q: Array) -> Reach:
    """The same along a way that is known."""
    (low, at_low), (high, at_high) = (
        _furthest(loops, replace(driving, to=np.array([sign * np.inf]), sign=sign), q) for sign in (-1.0, 1.0)
    )
    if np.isinf(low) or np.isinf(high):  # round one way is round the other
        low, high = (-np.inf, np.inf) if driving.turning[0] else (low, high)
    return Reach(driving.labels[0], low, high, at_low, at_high, driving.unit)


def _furthest(loops: Loops, driving: Driving, q: Array) -> tuple[float, str]:
    """Value and reason of the end in one direction."""
    begin = value = float(driving.begin[0])
    prints = loops.mechanism.fingerprint(q)
    steps = 0
    for leg, value, why in driving.legs(q):
        steps += 1
        if why:
            return value, why
        gone = abs(value - begin)
        back = np.abs(loops.mechanism.fingerprint(leg.q) - prints).max() < 2.0 * leg.length
        round_ = driving.turning[0] and gone > 2.0 * np.pi - 2.0 * leg.length and (back or gone > _TURNS * 2.0 * np.pi)
        if round_ or gone > (_FAR * loops.size if not driving.turning[0] else np.inf):
            return driving.sign * np.inf, ""
    if steps == MOST_STEPS:  # a screw turns and turns while its nut goes a little way
        return driving.sign * np.inf, ""
    return value, "the motion cannot be followed further"
