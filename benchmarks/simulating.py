"""Ten seconds of motion: how long it takes to an error, against peers that carry the same mechanism to the same moment.

Every contestant runs at several tolerances or steps. Its error is where points of the bodies end, against where they
should, over the mechanism's size; its time is that of the processor, so that a busy machine lengthens nobody's. What
counts is the time for equal errors, between runs on a straight line of logarithms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import loopwright as lw

from .models.swinging import CASES, Case
from .peers.over_time import Contestant, Poses, ours, peers
from .row import Row, Taken, Target

LEVELS = (1e-2, 1e-4, 1e-6, 1e-8)
QUICK = Target(times=20.0)
_LONGEST = 20.0  # seconds of one run, after which no finer one is made
_SAMPLED, _LEAST = 0.3, 3  # seconds and times that one setting is run
_BEYOND = 3.0  # times what the references differ by: an error that can be told


@dataclass(frozen=True)
class Point:
    """One setting of one contestant: seconds of the processor, and the error."""

    setting: float
    taken: Taken
    error: float


@dataclass(frozen=True)
class Curve:
    """All settings of one contestant."""

    who: Contestant
    points: tuple[Point, ...]
    stopped: str = ""

    @property
    def name(self) -> str:
        return f"{self.who.library}, {self.who.method}"

    def at(self, error: float) -> float | None:
        """Seconds to an error; None where no setting reaches it."""
        better = [p for p in self.points if p.error <= error]
        if not better:
            return None
        last = min(better, key=lambda p: p.taken.best)
        worse = [p for p in self.points if p.error > error and p.taken.best < last.taken.best]
        if not worse:
            return last.taken.best
        before = max(worse, key=lambda p: p.taken.best)
        share = np.log(before.error / error) / np.log(before.error / max(last.error, 1e-300))
        return float(np.exp(np.log(before.taken.best) + share * np.log(last.taken.best / before.taken.best)))


@dataclass(frozen=True)
class Reference:
    """Where bodies end, by our tightest run, and how far other formulations and methods end from there."""

    poses: Poses
    size: float
    uncertain: float


def simulating() -> list[Row]:
    """Seconds for equal errors, one section a mechanism."""
    return [row for make in CASES for row in rows(make())]


def rows(case: Case) -> list[Row]:
    """Ours against every library at every error that both reach; the quickest of them has the target."""
    reference = referenced(case)
    mine = [curve(who, reference) for who in ours(case)]
    others = [curve(who, reference) for who in peers(case)]
    adaptive = [one for one in mine if one.who.setting == "rtol"]
    found = []
    for level in LEVELS:
        if level >= _BEYOND * reference.uncertain:
            found += _at_level(case, level, adaptive, others, reference)
    return [*found, *_at_equal_steps(case, mine, others), *_points(case, [*mine, *others])]


def referenced(case: Case) -> Reference:
    """Three runs at the tightest tolerances, which share neither formulation nor method."""
    names: Sequence[str | None] = ("embedding", "multiplier") if case.mechanism.tree.cuts else (None,)
    runs = [_tight(case, formulation=name, method=method) for name in names for method in ("dop853", "abm")]
    dynamics = lw.Dynamics(case.mechanism)
    size = float(dynamics.loops.size)
    ends = [{b.name: _pose(dynamics, b.name, run) for b in case.mechanism.bodies} for run in runs]
    apart = max(distance(ends[0], other, size) for other in ends[1:])
    return Reference(ends[0], size, apart)


def _tight(case: Case, **how: Any) -> lw.Run:
    return lw.simulate(
        case.mechanism, case.start, case.seconds, rtol=1e-13, atol=1e-15, save=None, progress=False, **how
    )


def _pose(dynamics: lw.Dynamics, body: str, run: lw.Run) -> tuple[np.ndarray, np.ndarray]:
    X = dynamics.pose(body, run.q[-1])
    return np.asarray(X.R, dtype=float), np.asarray(X.p, dtype=float)


def distance(one: Poses, other: Poses, size: float) -> float:
    """The farthest apart that a body's origin, or a point `size` away from it on an axis, is; over that size."""
    ends = np.concatenate([np.zeros((3, 1)), size * np.eye(3)], axis=1)
    apart = [
        (R @ ends + p[:, None]) - (other[body][0] @ ends + other[body][1][:, None]) for body, (R, p) in one.items()
    ]
    worst = float(np.linalg.norm(apart, axis=1).max())  # not a number where any is none
    return worst / size if np.isfinite(worst) else np.inf


def curve(who: Contestant, reference: Reference) -> Curve:
    """Every setting from the loosest on, until runs last too long."""
    points: list[Point] = []
    for setting in who.settings:
        try:
            taken, end = timed(who.ready(setting))
        except (ArithmeticError, ValueError, lw.LoopwrightError) as trouble:
            if points:
                return Curve(who, tuple(points), f"at {who.setting} {setting:g}: {trouble}")
            continue
        points.append(Point(setting, taken, distance(reference.poses, who.poses(end), reference.size)))
        if taken.best > _LONGEST:
            return Curve(who, tuple(points), f"no finer {who.setting}: runs take more than {_LONGEST:g} s")
    return Curve(who, tuple(points))


def timed(run: Callable[[], Any]) -> tuple[Taken, Any]:
    """The best of some runs, in seconds of the processor."""
    samples: list[float] = []
    end = run()  # makes what is made once
    while not samples or (sum(samples) < _SAMPLED) or (len(samples) < _LEAST and sum(samples) < 2.0):
        start = time.process_time()
        end = run()
        samples.append(time.process_time() - start)
    return Taken.of(samples), end


def _at_level(case: Case, level: float, mine: list[Curve], others: list[Curve], reference: Reference) -> list[Row]:
    """The quickest method of each library."""
    best = _quickest(mine, level)
    if best is None:
        return []
    seconds, own = best
    libraries = list(dict.fromkeys(one.who.library for one in others))
    times = {name: _quickest([one for one in others if one.who.library == name], level) for name in libraries}
    reached = {name: found for name, found in times.items() if found is not None}
    fastest = min(reached, key=lambda name: reached[name][0], default="")
    found = []
    for name in libraries:
        theirs = times[name]
        note = f"ours {own.who.method}"
        if theirs is not None:
            taken, other = theirs
            target = QUICK if name == fastest else None
            row = Row(f"{case.name} to {level:.0e}", both(seconds), "s", other.name, both(taken), target)
            found.append(replace(row, note=f"{note}; {other.who.note}".rstrip("; ")))
        else:
            found.append(_unreached(case, level, seconds, [one for one in others if one.who.library == name]))
    return found


def _unreached(case: Case, level: float, seconds: float, curves: list[Curve]) -> Row:
    points = [(p.error, p.taken.best, one) for one in curves for p in one.points]
    if not points:
        return Row(f"{case.name} to {level:.0e}", both(seconds), "s", curves[0].who.library, note="did not arrive")
    error, taken, one = min(points, key=lambda found: found[0])
    return Row(
        f"{case.name} to {level:.0e}", both(seconds), "s", one.name,
        note=f"does not reach it: {error:.1e} in {taken:.3g} s at best",
    )  # fmt: skip


def both(seconds: float) -> Taken:
    """One number for the best and the median: it stands between measured ones."""
    return Taken(seconds, seconds)


def _quickest(curves: list[Curve], level: float) -> tuple[float, Curve] | None:
    reached = [(seconds, one) for one in curves if (seconds := one.at(level)) is not None]
    return min(reached, key=lambda found: found[0], default=None)


def _at_equal_steps(case: Case, mine: list[Curve], others: list[Curve]) -> list[Row]:
    """RK4 beside RK4."""
    found = []
    own = next(one for one in mine if one.who.method == "rk4")
    for other in others:
        if other.who.method not in ("RK4", "RK44"):
            continue
        theirs = {p.setting: p for p in other.points}
        for p in own.points:
            if p.setting in theirs:
                q = theirs[p.setting]
                note = f"errors {p.error:.0e} and {q.error:.0e}"
                found.append(
                    Row(f"{case.name}, step {p.setting:g}", p.taken, "s", other.name, q.taken, differ=None, note=note)
                )
    return found


def _points(case: Case, curves: list[Curve]) -> list[Row]:
    """What was measured."""
    found = []
    for one in curves:
        for p in one.points:
            found.append(
                Row(f"{case.name}: {one.name}", p.taken, "s", differ=p.error, note=f"{one.who.setting} {p.setting:g}")
            )
    return found
