"""`lw.singularities`: where, over a range of driven coordinates, the motion is not determined or stands still."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

import numpy as np

from ..closure import Standing, classified
from ..closure.curve import Leg
from ..errors import LoopwrightError
from ..mechanism import Mechanism, State, floats, named
from ..spatial import Array
from .assembly import Request
from .driving import Driving, driving_alone, reading
from .following import follow
from .loops import Loops, loops_of

_AT = 1e-6  # distance at which a refined position counts as singular
_SUSPECT = 0.2  # distance below which a least one is looked at
_MOST_LEGS = 5_000
_SAME = 1e-4  # radians or metres
_ON_THE_WAY = 0.05  # the same: half a step, so that a position on a branch already seen is known


@dataclass(frozen=True)
class Singularity:
    """A singular position: its state, the values of the driven coordinates there, and how it `stands`.

    `type` is "actuator" or "output" as in `Standing`, or "rest" where the driven coordinates move and one of the
    `outputs` asked about does not. `joints` are the coordinates that can move while the driven ones stand still, or the
    output at rest.
    """

    type: str
    values: dict[str, float]
    joints: tuple[str, ...]
    standing: Standing
    state: State = field(repr=False)
    everywhere: bool = False  # not only here, but on the whole branch

    def __str__(self) -> str:
        at = "everywhere on the branch with " if self.everywhere else "at "
        at += ", ".join(f"{name} = {round(value, 7) + 0.0:.6g}" for name, value in self.values.items())
        joints, still = ", ".join(self.joints), self.standing.still
        if self.type == "rest":
            return f"{at}: {joints} at rest"
        if self.type == "output":
            they = "they stand" if len(still) > 1 else "it stands"
            what = f"dead point of {', '.join(still)}: {joints} may move while {they} still"
        else:
            what = f"the driven coordinates do not determine {joints}"
        return f"{at}: {what}{', branches of the motion meet' if self.standing.branching else ''}"


@dataclass(frozen=True)
class Traced:
    """One branch on which was looked: values of the driven coordinates, one row a position, and the distances there."""

    values: Array
    distance: Array


@dataclass(frozen=True)
class Singularities:
    """All that were found over the range, and how far the positions between are from singular ones."""

    driven: tuple[str, ...]
    found: tuple[Singularity, ...]
    branches: tuple[Traced, ...]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Singularity]:
        return iter(self.found)

    def __getitem__(self, k: int) -> Singularity:
        return self.found[k]

    def __str__(self) -> str:
        least = min((float(one.distance.min()) for one in self.branches), default=1.0)
        head = f"{len(self.found)} singular position{'' if len(self.found) == 1 else 's'} over {', '.join(self.driven)}"
        if not self.found:
            head += f"; the nearest comes to a distance of {least:.3g}"
        return "\n".join([head, *(f"  {one}" for one in self.found)])


def singularities(
    mechanism: Mechanism,
    over: str | Mapping[str, tuple[float, float]],
    state: Any = None,
    outputs: Sequence[str] = (),
    lines: int = 5,
) -> Singularities:
    """Singular positions where a coordinate is driven over a range, or as far as it goes.

    `over` names a coordinate, or several with their ranges: then the first is driven along `lines` values of each of
    the others. Other coordinates with motors stand still. `state` chooses the branch, all that are found if left
    out. Each position is refined until its distance is below 1e-6.
    """
    loops = loops_of(mechanism)
    ranges = {over: (-np.inf, np.inf)} if isinstance(over, str) else _ranges(over)
    first, *others = ranges
    if any(not np.isfinite(ranges[name]).all() for name in others):
        raise LoopwrightError(f"{', '.join(others)} need ranges with two ends: {others[0]}=(low, high)")
    search = _Search(loops, tuple(ranges), ranges[first], tuple(outputs))
    for start in _starts(mechanism, ranges, state, lines):
        search.along(start)
    return Singularities(tuple(ranges), tuple(search.found), tuple(search.traced))


def _ranges(over: Any) -> dict[str, tuple[float, float]]:
    if not isinstance(over, Mapping) or not over:
        raise LoopwrightError(
            f"over is the name of a coordinate, or ranges by name, {{joint: (low, high)}}; got {over!r}"
        )
    ends = {name: floats(f"the range of '{name}'", given) for name, given in over.items()}
    for name, pair in ends.items():
        if pair.shape != (2,):
            raise LoopwrightError(f"the range of '{name}' is (low, high), got {over[name]!r}")
    return {name: (float(low), float(high)) for name, (low, high) in ends.items()}


def _starts(mechanism: Mechanism, ranges: Mapping[str, tuple[float, float]], state: Any, lines: int) -> Iterator[Array]:
    """Closed positions to begin at: one for every line and branch."""
    loops = loops_of(mechanism)
    first, *others = ranges
    grids = [np.linspace(*ranges[name], lines) for name in others]
    for values in product(*grids):
        held = dict(zip(others, map(float, values), strict=True))
        if state is not None:
            begin = State.of(mechanism, state)
            course = follow(mechanism, begin, held) if held else None
            if course is None or course.done:
                yield (course.states[-1] if course else begin).q
            continue
        # with freedoms left over, one state must do: it says where the others stand
        several = mechanism.nv - loops.generic_rank == len(ranges)
        spare: list[Array] = []
        any_good = False
        for value in _within(mechanism, first, ranges[first]):
            states = Request.of(mechanism, named(mechanism, held | {first: value})).branches(16 if several else 1)
            # where branches meet there is no telling which way to go
            good = [q for q in states if loops.within_limits(q) and not loops.branching(q)]
            yield from good
            any_good |= bool(good)
            spare += states
            if any_good and not several:
                break
        if not any_good:
            yield from spare[:1]


def _within(mechanism: Mechanism, name: str, ends: tuple[float, float]) -> list[float]:
    """Values of a coordinate to begin at."""
    low, high = ends
    if np.isfinite([low, high]).all():
        return [low + share * (high - low) for share in (0.5, 0.2, 0.8)]
    loops = loops_of(mechanism)
    one = reading(loops, name)
    known = [float(one.values(q)[0]) for q in loops.positions] if loops.any else [0.0]
    return [float(np.angle(np.exp(1j * x))) if one.turning[0] else x for x in known]


class _Search:
    """Goes along branches and keeps what it meets."""

    def __init__(
        self, loops: Loops, driven: tuple[str, ...], ends: tuple[float, float], outputs: tuple[str, ...]
    ) -> None:
        self.loops, self.driven, self.ends = loops, driven, ends
        self.outputs = [reading(loops, name) for name in outputs]
        self.found: list[Singularity] = []
        self.traced: list[Traced] = []
        self._prints: list[Array] = []

    def along(self, q: Array) -> None:
        """Both ways from q, through dead points, until the branch closes, leaves the range or ends."""
        if any(np.abs(self._print(q) - known).max() < _ON_THE_WAY for known in self._prints):
            return
        driving = driving_alone(self.loops, q, self.driven[0])
        line = _Line(self, driving, reading(self.loops, *dict.fromkeys((*self.driven, *driving.still))))
        legs = line.legs(q)
        self._prints += [self._print(leg.q) for leg in legs]
        standings = [line.standing(leg.q) for leg in legs]
        distance = np.array([one.distance for one in standings])
        self.traced.append(Traced(np.stack([line.values(leg.q) for leg in legs]), distance))
        if np.median(distance) <= _AT:
            self.keep(replace(line.named(legs[0]), everywhere=True))
            return
        line.keep(legs[0])
        for leg in legs:
            line.look(leg)
        line.look_for_branching(legs, [one.of_loops for one in standings])

    def keep(self, one: Singularity) -> None:
        """Unless it is known, or outside the range."""
        low, high = self.ends
        if not low - _SAME <= one.values[self.driven[0]] <= high + _SAME:
            return
        known = (
            other.type == one.type and np.abs(self._print(other.state.q) - self._print(one.state.q)).max() < _SAME
            for other in self.found
        )
        if not any(known):
            self.found.append(one)

    def _print(self, q: Array) -> Array:
        return self.loops.mechanism.fingerprint(q)


@dataclass(frozen=True)
class _Line:
    """One branch along which one coordinate is driven; `all_driven` are it, the others asked about and what is held."""

    search: _Search
    driving: Driving
    all_driven: Driving

    def legs(self, q: Array) -> list[Leg]:
        """Steps both ways from q."""
        way = self.driving.way()
        t = way.tangent(q, self.driving.rates(q)[0])
        start = Leg(way, q, t, 0.0, q, t)
        ahead, closed = self._one_way(start)
        back = [] if closed else self._one_way(Leg(way, q, -t, 0.0, q, -t))[0]
        return [*reversed(back), start, *ahead]

    def _one_way(self, start: Leg) -> tuple[list[Leg], bool]:
        """Steps until the branch closes, which is told, leaves the range or ends."""
        loops, (low, high) = self.search.loops, self.search.ends
        limited = loops.least_room(start.q) >= 0.0
        far = 1e3 * loops.size if not self.driving.turning[0] else 8.0 * np.pi
        begin = value = float(self.driving.values(start.q)[0])
        found: list[Leg] = []
        gone = 0.0
        for leg in islice(start.way.walk(start.q, start.t), _MOST_LEGS):
            value = float(self.driving.values(leg.q, np.array([value]))[0])
            if (limited and loops.least_room(leg.q) < 0.0) or abs(value - begin) > far:
                break
            found.append(leg)
            gone += leg.length
            if gone > 4.0 * leg.length and self._home(start.q, leg):
                return found, True
            if not low <= value <= high:
                break
        return found, False

    def _home(self, q: Array, leg: Leg) -> bool:
        """Whether a step came past q."""
        prints = self.search.loops.mechanism.fingerprint
        return all(bool(np.abs(prints(end) - prints(q)).max() <= leg.length + 1e-9) for end in (leg.start, leg.q))

    def standing(self, q: Array) -> Standing:
        """How one position stands."""
        loops = self.search.loops
        names = self.all_driven.labels
        J, E = loops.closing.slope(q), self.all_driven.rates(q)
        return classified(J, E, loops.mechanism.velocities, names, loops.generic_rank, _AT)

    def values(self, q: Array) -> Array:
        """Of the coordinates asked about."""
        return self.all_driven.values(q)[: len(self.search.driven)]

    def look(self, leg: Leg) -> None:
        """Keep where, within a step, the driven coordinate or an output turns back."""
        for coordinate, output in ((self.driving, ""), *((one, one.labels[0]) for one in self.search.outputs)):

            def rate(part: Leg, coordinate: Driving = coordinate) -> float:
                return float(coordinate.rates(part.q)[0] @ part.onward)

            if leg.length and rate(leg.part(0.0)) * rate(leg) <= 0.0:
                self.keep(leg.where(rate), output)

    def look_for_branching(self, legs: list[Leg], of_loops: list[float]) -> None:
        """Keep where the loops' rows come to depend on each other: next to the least distance of those around."""
        for k, here in enumerate(of_loops):
            around = of_loops[max(k - 1, 0) : k + 2]
            if here <= _SUSPECT and here == min(around):
                for leg in (legs[k], *legs[k + 1 : k + 2]):
                    self._least(leg)

    def _least(self, leg: Leg) -> None:
        from scipy.optimize import minimize_scalar

        def distance(share: float) -> float:
            return self.standing(leg.part(share * leg.length).q).of_loops

        if leg.length:
            least = minimize_scalar(distance, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-10})
            best = min((distance(0.0), 0.0), (distance(1.0), 1.0), (float(least.fun), float(least.x)))
            if best[0] <= _AT:
                self.keep(leg.part(best[1] * leg.length))

    def keep(self, leg: Leg, output: str = "") -> None:
        """The end of a step, if it is singular or an output rests there."""
        one = self.named(leg, output)
        if output or not one.standing.regular:
            self.search.keep(one)

    def named(self, leg: Leg, output: str = "") -> Singularity:
        """The end of a step, in words."""
        standing = self.standing(leg.q)
        mechanism = self.search.loops.mechanism
        values = dict(zip(self.search.driven, map(float, self.values(leg.q)), strict=True))
        state = State(mechanism, leg.q, np.zeros(mechanism.nv))
        joints = (output,) if output else standing.joints
        return Singularity("rest" if output else standing.type, values, joints, standing, state)
