"""`lw.assemble`: the states in which a mechanism's loops are closed, at values of some of its coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Integral
from typing import Any, NoReturn

import numpy as np

from ..closure import Closing, close, constructed, nearest
from ..closure.searching import CLOSED, Known, found_from, free_directions, settled
from ..errors import LoopwrightError
from ..mechanism import Mechanism, Named, State, named, require_mechanism, standing
from ..spatial import Array, Pose
from .driving import Driving
from .loops import Loops, loops_of
from .open_loops import apart, between, widest
from .rates import Rates
from .reaching import reach_of

_SEED = 0
_STARTS = 300
_HINTS = 3  # coordinates of which is said how far they may go
_HINTED = 3  # branches on which that is looked for
_LOOKS = 20  # starts from which the nearest gap is looked for when nothing closes
_ROUGHLY = 1e-6  # radians or metres: what closed forms leave where circles touch


def assemble(
    mechanism: Mechanism,
    positions: Mapping[str, Any] | None = None,
    v: Mapping[str, Any] | None = None,
    a: Mapping[str, Any] | None = None,
    *,
    poses: Mapping[str, Any] | None = None,
    near: Any = None,
    strict: bool = False,
    most: int = 16,
    t: float = 0.0,
) -> list[State]:
    """Every closed state found at these values of coordinates, by name, the best first.

    Coordinates are the tree's or those of cut joints; `poses` puts bodies where they should stand, {body: Pose} or
    {body: (xyz, rpy)}, as inverse kinematics does. `near` is a State, a position or positions by name, neutral if
    left out. Better are states within the joints' limits, then regular ones, then those nearer to `near`. A freedom
    that `positions` leaves open stands as near to `near` as its branch allows, or is an error when `strict`.
    `v` and `a` give rates and accelerations of independent coordinates; the dependent ones follow, and what is left
    open stands still. At most `most` states are returned.
    """
    require_mechanism("assemble", mechanism)
    if isinstance(most, bool) or not isinstance(most, Integral) or most < 1:
        raise LoopwrightError(f"most is how many states to look for, a whole number from 1 up, got {most!r}")
    request = Request.of(mechanism, named(mechanism, positions), near, placed_bodies(mechanism, poses))
    found = request.branches(most)
    if not found:
        request.explain()
    if strict:
        request.require_determined(found[0])
    rates = Rates(request.loops, v, a)
    return [State(mechanism, q, *rates.at(q, t)) for q in found]


@dataclass(frozen=True)
class Request:
    """What is wanted of one mechanism: coordinates that are set and stay, others that are brought to a value."""

    loops: Loops
    wanted: tuple[Named, ...]
    near: Array  # where every search begins: with what is set in its place
    fixed: Array  # places in v
    poses: Mapping[str, Pose]
    given: Array | None  # `near` as it was, before anything was set

    @staticmethod
    def of(
        mechanism: Mechanism, wanted: Sequence[Named], near: Any = None, poses: Mapping[str, Pose] | None = None
    ) -> Request:
        given = None if near is None else State.of(mechanism, near).q
        q = _within_limits(mechanism) if given is None else given.copy()
        fixed: list[int] = []
        for one in wanted:
            if _is_set(one):
                q[list(one.at)] = one.values
                fixed += one.rates
        return Request(loops_of(mechanism), tuple(wanted), q, np.array(sorted(fixed), dtype=int), poses or {}, given)

    @property
    def mechanism(self) -> Mechanism:
        return self.loops.mechanism

    @property
    def held(self) -> list[Named]:
        """Coordinates brought to their values by rows of their own."""
        return [one for one in self.wanted if not _is_set(one)]

    @property
    def closing(self) -> Closing:
        """The gap of the loops, and of what is brought to its value."""
        return self.loops.holding(self.held, self.poses)

    def branches(self, most: int) -> list[Array]:
        """Closed positions, the best first."""
        if not self.loops.any and not self.held and not self.poses:
            return [self.near]
        closing = self.closing
        built = self._constructed(closing, most)
        if built is not None:
            return sorted(built, key=self._order)[:most]
        return sorted(self._searched(closing, most), key=self._order)[:most]

    def _searched(self, closing: Closing, most: int) -> list[Array]:
        """From many starts."""
        known, found = Known(self.mechanism.fingerprint), []
        for q in found_from(closing, self._starts(), self.fixed, self.mechanism.fingerprint, 2 * most):
            rested = self._turned(settled(closing, q, self.away, self.fixed))
            if known.is_new(rested):
                found.append(rested)
        return found

    def _constructed(self, closing: Closing, most: int) -> list[Array] | None:
        """By closed forms, where rings of three do it."""
        whole = [one for one in self.wanted if len(one.places) == one.kind.nq]
        if len(whole) < len(self.wanted):
            return None
        given = {one.joint: np.array(one.values) for one in whole}
        ways = constructed(self.mechanism, given, self.poses, self.loops.bodies_at(self.near), most)
        if ways is None:
            return None
        known, found = Known(self.mechanism.fingerprint), []
        for q in [*(self._placed(X) for X in ways), close(closing, self.near, self.fixed).q]:
            if np.abs(closing.gap(q)).max(initial=0.0) > _ROUGHLY:
                continue
            ended = close(closing, q, self.fixed)
            if ended.left > CLOSED:
                continue
            rested = self._turned(settled(closing, ended.q, self.away, self.fixed))
            if known.is_new(rested):
                found.append(rested)
        return found

    def _placed(self, X: Mapping[str, Pose]) -> Array:
        q = standing(self.mechanism, X)
        for one in self.wanted:
            if _is_set(one):
                q[list(one.at)] = one.values
        return q

    def away(self, q: Array) -> Array:
        """The motion from `near` to q, angles by the shorter way."""
        d = self.mechanism.difference(self.near, q)
        turning = [j for _, j in self.mechanism.full_turns]
        d[turning] = (d[turning] + np.pi) % (2.0 * np.pi) - np.pi
        return d

    def _turned(self, q: Array) -> Array:
        """q with full turns taken off, so that every angle is within half a turn of `near`."""
        places = [i for i, j in self.mechanism.full_turns if j not in self.fixed]
        q = q.copy()
        q[places] -= 2.0 * np.pi * np.round((q[places] - self.near[places]) / (2.0 * np.pi))
        return self._unwound(q, set(places))

    def _unwound(self, q: Array, places: set[int]) -> Array:
        """The same for springs of cut joints: an angle of their loop that no spring or limit knows takes the turns."""
        forest, (low, high) = self.loops.topology.forest, self.mechanism.limits
        counted = {k for spring in forest.joint_springs for k in range(spring.q.start, spring.q.stop)}
        asked = {
            (one.joint, place): value
            for one in self.wanted
            if one.cut
            for place, value in zip(one.places, one.values, strict=True)
        }
        for cut in forest.cuts:
            if cut.winding is not None:
                usual = 0.0 if self.given is None else cut.winding.angle(self.given)
                away = float(cut.winding.angle(q) - asked.get((cut.joint, cut.winding.place), usual))
                turns = round(away / (2.0 * np.pi))
                for k, sign in cut.winding.signs:
                    if turns and k in places and k not in counted and low[k] == -np.inf and high[k] == np.inf:
                        q[k] -= 2.0 * np.pi * sign * turns
                        break
        return q

    def _order(self, q: Array) -> tuple[bool, bool, float]:
        return not self.loops.within_limits(q), self.loops.branching(q), float(np.linalg.norm(self.away(q)))

    def _starts(self) -> Iterator[Array]:
        """`near` itself, then places around it, then anywhere; the same at every run."""
        rng = np.random.default_rng(_SEED)
        size = self.loops.spread.copy()
        size[self.fixed] = 0.0
        yield self.near
        for k in range(_STARTS):
            spread = size * (0.25 if k % 4 == 0 else 1.0)
            yield self.mechanism.integrate(self.near, rng.uniform(-spread, spread))

    def require_determined(self, q: Array) -> None:
        """Refuse values that leave something free."""
        N = free_directions(self.closing.slope(q), self.fixed)
        if N.size:
            names = [n for n, row in zip(self.mechanism.velocities, N, strict=True) if np.abs(row).max() > 1e-6]
            raise LoopwrightError(
                f"these values leave {N.shape[1]} freedom{'s' if N.shape[1] > 1 else ''} of '{self.mechanism.name}' "
                f"open, in which {', '.join(names)} move: give values for {N.shape[1]} of them, or leave strict out"
            )

    def explain(self) -> NoReturn:
        """Say which loop stays open, which values contradict each other, or how far a coordinate may go."""
        ends = [nearest(self.closing, start, self.fixed) for start in islice(self._starts(), _LOOKS)]
        best = min(ends, key=lambda ended: float(np.linalg.norm(self.closing.gap(ended.q))))
        at = ", ".join([*(one.said for one in self.wanted), *(f"{body} as placed" for body in self.poses)])
        loop, gap = widest(self.loops, best.q)
        if np.linalg.norm(gap) > CLOSED:
            what = f"loop '{loop.name}' of '{self.mechanism.name}' cannot close{' at ' if at else ''}{at}"
            what += f": nearest gap {apart(loop, gap)} {between(loop)}"
        else:
            what = f"'{self.mechanism.name}' cannot stand at {at}: something else is {best.left:.3g} away from there"
        hints = [hint for one in self.wanted[:_HINTS] for hint in [self._without(one)] if hint]
        raise LoopwrightError("; ".join([what, *hints]))

    def _without(self, one: Named) -> str:
        """What is known of a coordinate when all others have their values."""
        if len(one.values) != 1 or not one.kind.flat:
            return ""
        others = [other for other in self.wanted if other is not one]
        freed = Request.of(self.mechanism, others, self.near, self.poses)
        found = freed.branches(_HINTED)
        if not found:
            return ""
        here = [driving_to(freed, one, q) for q in found]
        if any(driving.free(q) for driving, q in zip(here, found, strict=True)):
            found_ranges = [reach_of(self.loops, driving, q).nearest() for driving, q in zip(here, found, strict=True)]
            told = dict.fromkeys(str(one) for one in found_ranges)
            first, *rest = told
            return " or ".join([first, *(other.split(" can reach ")[-1] for other in rest)])
        values = sorted({f"{driving.begin[0]:.6g}" for driving in here}, key=float)
        return f"it contradicts the other values, with which {one.label} can only be {' or '.join(values)} {one.unit}"


def driving_to(request: Request, one: Named, q: Array) -> Driving:
    """A coordinate driven from q while what a request wants stays."""
    made = Driving(request.loops, (one,), np.zeros(1), np.zeros(1), request.fixed, tuple(request.held), request.poses)
    begin = made.values(q, np.array(one.values))
    return replace(made, begin=begin, to=begin)


def placed_bodies(mechanism: Mechanism, poses: Mapping[str, Any] | None) -> dict[str, Pose]:
    """Poses of bodies as the user gave them."""
    if poses is not None and not isinstance(poses, Mapping):
        raise LoopwrightError(f"poses go by name, {{body: Pose}} or {{body: (xyz, rpy)}}; got {poses!r}")
    found = {}
    for name, given in (poses or {}).items():
        mechanism.body(name)
        found[name] = given if isinstance(given, Pose) else _pose(name, given)
    return found


def _pose(name: str, given: Any) -> Pose:
    try:
        xyz, rpy = (np.asarray(part, dtype=float).reshape(3) for part in given)
    except (TypeError, ValueError):
        raise LoopwrightError(
            f"the pose of body '{name}' is a Pose, as dyn.pose returns it, or (xyz, rpy); got {given!r}"
        ) from None
    return Pose.at(xyz, rpy)


def _is_set(one: Named) -> bool:
    """Whether its velocities stand still when its entries of q do."""
    return not one.cut and (one.kind.flat or len(one.places) == one.kind.nq)


def _within_limits(mechanism: Mechanism) -> Array:
    """The neutral position, or where limits exclude it the nearest that they allow."""
    return np.clip(mechanism.neutral(), *mechanism.limits)
