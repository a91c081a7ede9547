"""Coordinates that drive a mechanism along a way: their values, what stands still meanwhile, and where it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

import numpy as np

from ..closure import Closing, close, rank
from ..closure.curve import Leg, Way
from ..closure.searching import CLOSED, free_directions
from ..errors import LoopwrightError
from ..mechanism import Named, named
from ..spatial import Array, Pose
from .loops import Loops

_BACK = 1e-9  # of a unit motion: less of it along the driven coordinates is none
MOST_STEPS = 5_000
_MOVES = 1e-6  # of a unit motion
_TRIED = 1e-3  # radians or metres: the length of a first step at a dead point
_DEPENDENT = 1e-7  # of the largest singular value


@dataclass(frozen=True)
class Driving:
    """Coordinates that go from where they are towards `to`, all in proportion, while `fixed` and `held` stand still."""

    loops: Loops
    wanted: tuple[Named, ...]
    begin: Array
    to: Array
    fixed: Array
    held: tuple[Named, ...] = ()
    poses: Mapping[str, Pose] = field(default_factory=dict)
    sign: float = 1.0

    @staticmethod
    def of(loops: Loops, q: Array, wanted: Sequence[Named], near: Array | None = None) -> Driving:
        """From q to the values named; angles of cut joints begin within half a turn of `near`, else of zero."""
        for one in wanted:
            if len(one.values) != 1 or not one.kind.flat:
                raise LoopwrightError(f"'{one.label}' cannot drive a motion: name single turns and slides")
        to = np.array([one.values[0] for one in wanted])
        fixed, held = standing_still(loops, q, wanted)
        made = Driving(loops, tuple(wanted), to, to, fixed, held)
        return replace(made, begin=made.values(q, near))

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.wanted]

    @property
    def still(self) -> list[str]:
        """Names of what stands still meanwhile."""
        return [self.loops.mechanism.velocities[k] for k in self.fixed] + [one.label for one in self.held]

    @property
    def turning(self) -> list[bool]:
        return [one.places[0] in one.kind.full_turns for one in self.wanted]

    @property
    def unit(self) -> str:
        return self.wanted[0].unit if len({one.unit for one in self.wanted}) == 1 else ""

    def said(self, q: Array) -> str:
        """Where the driven coordinates stop, in words."""
        values = zip(self.labels, self.values(q, self.begin), strict=True)
        return ", ".join(f"{label} stops at {x:.6g} {self.unit}".rstrip() for label, x in values)

    def values(self, q: Array, near: Array | None = None) -> Array:
        """Of the driven coordinates; angles of cut joints within half a turn of `near`."""
        cut = self.loops.cut_positions(q) if any(one.cut for one in self.wanted) else np.zeros(0)
        found = np.array([(cut if one.cut else q)[one.at[0]] for one in self.wanted])
        for k, one in enumerate(self.wanted):
            if near is not None and one.cut and self.turning[k]:
                found[k] -= 2.0 * np.pi * np.round((found[k] - near[k]) / (2.0 * np.pi))
        return found

    def rates(self, q: Array) -> Array:
        """E: the rates of the driven coordinates are E v."""
        n = self.loops.mechanism.nv
        F = self.loops.cut_rates(q, np.zeros(n)).F if any(one.cut for one in self.wanted) else np.zeros((0, n))
        return np.stack([(F if one.cut else np.eye(n))[one.rates[0]] for one in self.wanted])

    @property
    def direction(self) -> Array:
        """The unit vector along which the driven coordinates move together."""
        if len(self.to) == 1 and np.isinf(self.to[0]):
            return np.array([self.sign])
        away = self.to - self.begin
        size = float(np.linalg.norm(away))
        return away / size if size else away

    @property
    def closing(self) -> Closing:
        """The gap of the loops and of what is held."""
        return self.loops.holding(self.held, self.poses)

    def free(self, q: Array) -> bool:
        """Whether the driven coordinates can move at all."""
        N = free_directions(self.closing.slope(q), self.fixed)
        return bool(np.abs(self.rates(q) @ N).max(initial=0.0) > _MOVES)

    def way(self) -> Way:
        """Closed positions at which the driven coordinates keep their proportion."""
        closing, d = self.closing, self.direction
        across = np.linalg.svd(d[None])[2][1:]  # what must not change: others than along d
        mechanism = self.loops.mechanism
        if len(across):
            inner = closing

            def gap(q: Array) -> Array:
                return np.concatenate([inner.gap(q), across @ (self.values(q, self.begin) - self.begin)])

            def slope(q: Array) -> Array:
                return np.concatenate([inner.slope(q), across @ self.rates(q)])

            closing = Closing(gap, slope, mechanism.integrate)
        return Way(closing, self.fixed, mechanism.difference)

    def legs(self, q: Array, heading: Array | None = None) -> Iterator[tuple[Leg, float, str]]:
        """Steps on the way, how far each brings the driven coordinates, and why it is the last, if it is.

        How far is the share of the way to the target, or the value itself on the way to infinity. `heading` is the
        motion in which q was reached, which goes on.
        """
        way = self.way()
        start = self._beginning(way, q, heading)
        if self._rate(start) <= 0.0:
            yield start, self._far(self.begin), self.reason(q)
            return
        limited = self._room(start) >= -CLOSED
        last = self.begin
        for leg in islice(way.walk(q, start.t), MOST_STEPS):
            here = self.values(leg.q, last)
            if self._far(here) >= 1.0 and not self.endless:
                arrived = leg.where(partial(self._beyond, last))
                if not limited or self._room(arrived) >= -CLOSED:
                    yield arrived, 1.0, ""
                    return
            if limited and self._room(leg) < -CLOSED:
                room = self.loops.room(leg.q)
                met = leg.where(self._room)
                yield met, self._far(self.values(met.q, last)), f"'{min(room, key=room.__getitem__)}' is at its limit"
                return
            if self._rate(leg) < 0.0:
                end = leg.where(self._rate)
                yield end, self._far(self.values(end.q, last)), self.reason(end.q)
                return
            yield leg, self._far(here), ""
            last = here

    def _beginning(self, way: Way, q: Array, heading: Array | None) -> Leg:
        """No step yet, but its direction; at a dead point the one of two that leads towards the target."""
        d = self.direction
        towards = self.rates(q).T @ d
        t = way.tangent(q, towards if heading is None or towards @ heading < 0.0 else heading)
        if towards @ t > _BACK or not np.any(t):
            return Leg(way, q, t, 0.0, q, t)
        for side in (t, -t):
            leg = way.leg(q, side, _TRIED)
            if leg is not None and d @ (self.values(leg.q, self.begin) - self.begin) > 0.0 and self._rate(leg) > 0.0:
                return Leg(way, q, side, 0.0, leg.q, leg.onward)
        return Leg(way, q, t, 0.0, q, np.zeros(len(t)))

    def _rate(self, leg: Leg) -> float:
        return float(self.direction @ (self.rates(leg.q) @ leg.onward))

    def _beyond(self, last: Array, leg: Leg) -> float:
        return float(self.direction @ (self.values(leg.q, last) - self.to))

    @property
    def endless(self) -> bool:
        """Whether there is no target, but to go as far as can be."""
        return bool(np.isinf(self.to).any())

    def _far(self, values: Array) -> float:
        if self.endless:
            return float(values[0])
        whole = float(np.linalg.norm(self.to - self.begin))
        return float(self.direction @ (values - self.begin)) / whole if whole else 1.0

    def _room(self, leg: Leg) -> float:
        return self.loops.least_room(leg.q)

    def settled(self, q: Array) -> Array:
        """q with the driven coordinates exactly at their target."""
        moved, fixed = q.copy(), list(self.fixed)
        for one, value in zip(self.wanted, self.to, strict=True):
            if not one.cut:
                moved[one.at[0]] = value
                fixed.append(one.rates[0])
        ended = close(self.way().loops, moved, np.array(sorted(fixed), dtype=int))
        near = np.linalg.norm(self.loops.mechanism.difference(q, ended.q)) < 1e-6
        return ended.q if ended.left <= CLOSED and near else q

    def reason(self, q: Array) -> str:
        """Why the driven coordinates go no further at q."""
        N = free_directions(self.closing.slope(q), self.fixed)
        if not N.size:
            return "nothing can move"
        moving = np.abs(N).max(axis=1)
        names = [name for name, part in zip(self.loops.mechanism.velocities, moving, strict=True) if part > 1e-3]
        stuck = ", ".join(self.labels)
        others = [name for name in names if name not in self.labels]
        return (
            f"a dead point, where {stuck} stands still while {', '.join(others[:6])} move" if others else "it is held"
        )


def reading(loops: Loops, *labels: str) -> Driving:
    """Coordinates whose values and rates are read only."""
    wanted = tuple(one for label in labels for one in named(loops.mechanism, {label: 0.0}))
    nothing = np.zeros(len(wanted))
    return Driving(loops, wanted, nothing, nothing, np.zeros(0, dtype=int))


def driving_alone(loops: Loops, q: Array, label: str) -> Driving:
    """One coordinate, to be driven either way."""
    if not isinstance(label, str):
        raise LoopwrightError(f"a coordinate goes by its name, got {label!r}")
    made = Driving.of(loops, q, named(loops.mechanism, {label: 0.0}))
    begin = made.values(q)
    return replace(made, begin=begin, to=np.array([np.inf]))


def standing_still(loops: Loops, q: Array, driven: Sequence[Named]) -> tuple[Array, tuple[Named, ...]]:
    """Which coordinates stay where they are while others drive: places in v, and those of cut joints.

    They are the others with motors; where none is declared, as many independent ones as leave one freedom.
    """
    mechanism = loops.mechanism
    n = mechanism.nv
    F = loops.cut_rates(q, np.zeros(n)).F if mechanism.cut_velocities else np.zeros((0, n))
    rates = dict(zip(mechanism.velocities, np.eye(n), strict=True))
    rates |= dict(zip(mechanism.cut_velocities, F, strict=True))
    cuts = dict(zip(mechanism.cut_coordinates, loops.cut_positions(q), strict=True)) if len(F) else {}
    own = [one.label for one in driven]
    taken = np.concatenate([loops.closing.slope(q), *(rates[label][None] for label in own)])
    spare = n - loops.generic_rank - len(own)
    fixed: list[int] = []
    held: list[Named] = []
    for label in mechanism.actuators if mechanism.nu < n else mechanism.velocities:
        known = label in mechanism.coordinates or label in cuts
        if label in own or not known or len(fixed) + len(held) >= spare:
            continue
        grown = np.concatenate([taken, rates[label][None]])
        if rank(grown, _DEPENDENT) == rank(taken, _DEPENDENT):
            continue
        taken = grown
        if label in cuts:
            held += named(mechanism, {label: float(cuts[label])})
        else:
            fixed.append(mechanism.velocities.index(label))
    return np.array(sorted(fixed), dtype=int), tuple(held)
