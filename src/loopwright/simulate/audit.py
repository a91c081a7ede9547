"""What makes a run believable: its energy balance, how closed its loops stayed, and the same motion computed again.

The motion is computed again three times: a stretch of it with a second formulation, the same stretch with tighter
tolerances, and all of it with tighter tolerances. Where two runs agree to so many digits, so many are believed;
in chaotic motion the last comparison says when there are none left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array
from ..verbs import Dynamics
from .comparing import apart, digits, sizes

if TYPE_CHECKING:
    from .run import Run

_TIGHTER = 100.0
_TIGHTEST = 1e-13  # below, rounding decides
_STRETCH = 0.1  # of the run
_PATIENCE = 4.0  # times what the run took
_LEAST_SECONDS = 5.0
_STATES = 200  # at which a second algorithm is asked
_SECOND = ("embedding", "multiplier")
_SECOND_ALGORITHM = "denoc"  # which no default is


@dataclass(frozen=True)
class Again:
    """The motion from `start` to `end` computed another way: how far apart it is there, and digits that agree."""

    how: str
    start: float
    end: float
    apart: float
    digits: float


@dataclass(frozen=True)
class Audit:
    """What was found.

    `drift`: the largest energy gained or lost beyond the work done, in joules; `drift_relative`: of the energy that
    moved. `gap`, `gap_rate`: how far loops were open at the most. `digits`: believed at the end, None if the motion
    was not computed again; fewer than one since `lost`; `digits_over_time` for every moment saved. `notes` say what
    was not done, and why.
    """

    drift: float
    drift_relative: float
    gap: float
    gap_rate: float
    steps: int
    rejected: int
    evaluations: int
    slopes: int
    wall_time: float
    real_time_factor: float
    second: Again | None = None
    tighter: Again | None = None
    whole: Again | None = None
    digits: float | None = None
    lost: float | None = None
    digits_over_time: Array = field(default_factory=lambda: np.zeros(0), repr=False)
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The table: what, and how much."""
        return _rows(self)

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.rows)
        return "\n".join(f"{what:{width}}  {much}" for what, much in self.rows)


def audited(run: Run) -> Audit:
    """The audit of a run, computing it again where that is possible."""
    found = _kept(run)
    why_not = _not_again(run)
    if why_not:
        return Audit(**found, notes=(*run.notes, why_not))
    notes = list(run.notes)
    second, tighter, whole, over_time = None, None, None, np.zeros(0)
    try:
        second = _second(run)
        tighter = _stretch(run, _tightened(run))
        whole, over_time = _whole(run, notes)
    except LoopwrightError as error:
        notes.append(f"could not be computed again: {error}")
    believed = float(over_time[-1]) if len(over_time) == len(run) else None
    lost = float(run.t[int(np.argmax(over_time < 1.0))]) if np.any(over_time < 1.0) else None
    return Audit(
        **found,
        second=second,
        tighter=tighter,
        whole=whole,
        digits=believed,
        lost=lost,
        digits_over_time=over_time,
        notes=tuple(notes),
    )


def _kept(run: Run) -> dict[str, Any]:
    """What the run itself tells."""
    m, counts = run.measured, run.counts
    drift = float(np.abs(m.imbalance).max(initial=0.0))
    exchanged = m.exchanged
    ended = float(run.t[-1] - run.t[0]) if len(run) else 0.0
    return {
        "drift": drift,
        "drift_relative": drift / exchanged if exchanged > 0.0 else 0.0,
        "gap": float(np.abs(m.gap).max(initial=0.0)),
        "gap_rate": float(np.abs(m.gap_rate).max(initial=0.0)),
        "steps": counts.steps,
        "rejected": counts.rejected,
        "evaluations": counts.evaluations,
        "slopes": counts.slopes,
        "wall_time": counts.wall_time,
        "real_time_factor": ended / counts.wall_time if counts.wall_time > 0.0 else np.inf,
    }


def _not_again(run: Run) -> str:
    if run.again is None:
        return "not computed again: the run comes from a file, which does not hold what drove it"
    if len(run) < 2:
        return "not computed again: fewer than two moments were saved"
    if "interrupted" in run.status:
        return "not computed again: the run was interrupted"
    return ""


def _tightened(run: Run) -> dict[str, Any]:
    """Settings that make smaller errors."""
    s = run.settings
    if s.step is not None:
        return {"step": s.step / 2.0}
    return {"rtol": max(s.rtol / _TIGHTER, _TIGHTEST), "atol": max(s.atol / _TIGHTER, _TIGHTEST**1.2)}


def _said(run: Run, changes: dict[str, Any]) -> str:
    if "step" in changes:
        return f"half the step, {changes['step']:.3g} s"
    if changes["rtol"] < run.settings.rtol:
        return f"rtol {changes['rtol']:.0e}"
    return f"atol {changes['atol']:.0e}"


def _budget(run: Run) -> float:
    return max(_LEAST_SECONDS, _PATIENCE * run.counts.wall_time)


def _ends(run: Run) -> tuple[int, int]:
    """The stretch in the middle, at least one saved moment to the next."""
    count = len(run) - 1
    length = max(1, round(_STRETCH * count))
    first = (count - length) // 2
    return first, first + length


def _stretch(run: Run, changes: dict[str, Any], how: str = "") -> Again | None:
    i, j = _ends(run)
    again = run.recomputed(i, run.t[i : j + 1], **changes, max_seconds=_budget(run))
    if len(again) != j + 1 - i:
        return None
    size = sizes(run.mechanism, run.q)
    far = float(apart(run.mechanism, run.q[i : j + 1], again.q, size).max())
    return Again(how or _said(run, changes), float(run.t[i]), float(run.t[j]), far, float(digits(np.array(far))))


def _second(run: Run) -> Again | None:
    if run.settings.formulation == "tree":
        return _second_algorithm(run)
    name = next(name for name in _SECOND if name != run.settings.formulation)
    # IDAS solves nothing but the formulation that it came with
    changes = {"formulation": name} | ({"method": None} if run.settings.method == "idas" else {})
    return _stretch(run, changes, name)


def _second_algorithm(run: Run) -> Again:
    """A tree has no formulations to choose from: accelerations by another recursion, all through the run."""
    every = max(1, len(run) // _STATES)
    q, v, a, tau, t = (x[::every] for x in (run.q, run.v, run.a, run.tau, run.t))
    other = Dynamics(run.mechanism).forward(q, v, tau, t=t, algorithm=_SECOND_ALGORITHM)
    far = float(np.abs(other - a).max() / max(float(np.abs(a).max()), 1e-300))
    return Again(f"accelerations by {_SECOND_ALGORITHM}", float(t[0]), float(t[-1]), far, float(digits(np.array(far))))


def _whole(run: Run, notes: list[str]) -> tuple[Again | None, Array]:
    changes = _tightened(run)
    again = run.recomputed(0, run.t, **changes, max_seconds=_budget(run))
    # the state in which a run stopped early stands behind those of the moments that were asked for
    n = int(np.searchsorted(run.t, again.t[-1], side="right")) if len(again) else 0
    if n < len(run):
        notes.append(f"the tighter run {again.status}")
    if not n:
        return None, np.zeros(0)
    size = sizes(run.mechanism, run.q)
    # what was once apart is not believed again because two paths happen to cross
    far = np.maximum.accumulate(apart(run.mechanism, run.q[:n], again.q[:n], size))
    end = Again(_said(run, changes), float(run.t[0]), float(run.t[n - 1]), float(far[-1]), float(digits(far[-1:])[0]))
    return end, digits(far)


def _rows(a: Audit) -> list[tuple[str, str]]:
    rows = [("energy balance", f"{a.drift:.2g} J, {a.drift_relative:.1e} of the energy that moved")]
    if a.gap > 0.0 or a.gap_rate > 0.0:
        rows.append(("loops open by", f"{a.gap:.1e}, at {a.gap_rate:.1e} per second"))
    others = {"second formulation": a.second, "tighter on a stretch": a.tighter, "tighter all the way": a.whole}
    for what, again in others.items():
        if again is not None:
            rows.append((what, f"{again.apart:.1e} apart ({again.how}, {again.start:.4g} to {again.end:.4g} s)"))
    if a.digits is not None:
        lost = f"; fewer than one from t = {a.lost:.4g} s on" if a.lost is not None else ""
        rows.append(("digits believed", f"{a.digits:.1f} at the end{lost}"))
    rows.append(("steps", f"{a.steps}, {a.rejected} rejected, {a.evaluations} evaluations"))
    rows.append(("time", f"{a.wall_time:.3g} s, {a.real_time_factor:.3g} times real time"))
    return rows + [("note", note) for note in a.notes]
