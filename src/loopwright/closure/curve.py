"""Following closed positions along one freedom, by the length of the way and not by any coordinate.

Every step goes along the tangent and is then brought back to where the loops close. Steps are short enough for the
direction to turn little, so that no step ends on another branch, and where two branches cross the way goes straight on.
A coordinate that drives the motion may reach an end on the way and go back: the way itself goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from .closing import Closing, close
from .searching import CLOSED, free_directions

_LONGEST = 0.1  # radians or metres of one step
_SHORTEST = 1e-9
_STRAIGHT = 0.95  # least cosine between the directions before and after a step
_VERY_STRAIGHT = 0.995
_ASIDE = 0.25  # of a step: the most by which closing the loops may move its end


@dataclass(frozen=True)
class Way:
    """The positions that `loops` allow when the coordinates `fixed` stand still; `scale` is the longest step."""

    loops: Closing
    fixed: Array
    difference: Callable[[Array, Array], Array]
    scale: float = _LONGEST

    def tangent(self, q: Array, towards: Array) -> Array:
        """The unit motion at q that is most along `towards`."""
        N = free_directions(self.loops.slope(q), self.fixed)
        along = N @ (N.T @ towards)
        size = float(np.linalg.norm(along))
        if size > 1e-9 * float(np.linalg.norm(towards)):
            return along / size
        return N[:, 0] if N.size else np.zeros(len(towards))

    def leg(self, q: Array, t: Array, length: float) -> Leg | None:
        """A step of that length along t, if it stays on the way."""
        aimed = self.loops.integrate(q, length * t)
        ended = close(self.loops, aimed, self.fixed)
        if ended.left > CLOSED or np.linalg.norm(self.difference(aimed, ended.q)) > _ASIDE * length:
            return None
        onward = self.tangent(ended.q, t)
        return Leg(self, q, t, length, ended.q, onward) if onward @ t > _STRAIGHT else None

    def walk(self, q: Array, t: Array) -> Iterator[Leg]:
        """Steps from q on, along t at first; it ends where no step is short enough."""
        length = 0.1 * self.scale
        while np.any(t) and length > _SHORTEST:
            leg = self.leg(q, t, length)
            if leg is None:
                length /= 2.0
                continue
            yield leg
            if leg.onward @ t > _VERY_STRAIGHT:
                length = min(2.0 * length, self.scale)
            q, t = leg.q, leg.onward


@dataclass(frozen=True)
class Leg:
    """From `start` along `t` by `length` to `q`, where the way goes on along `onward`."""

    way: Way
    start: Array
    t: Array
    length: float
    q: Array
    onward: Array

    def part(self, length: float) -> Leg:
        """The same step, shorter."""
        if length >= self.length:
            return self
        made = self.way.leg(self.start, self.t, length) if length > 0.0 else None
        return made or Leg(self.way, self.start, self.t, 0.0, self.start, self.t)

    def where(self, value: Callable[[Leg], float]) -> Leg:
        """The part of this step at whose end `value`, which changes sign along it, is zero."""
        from scipy.optimize import brentq

        first, last = value(self.part(0.0)), value(self)
        if first == 0.0 or np.sign(first) == np.sign(last):
            return self.part(0.0) if abs(first) <= abs(last) else self
        return self.part(float(brentq(lambda length: value(self.part(length)), 0.0, self.length, xtol=1e-14)))
