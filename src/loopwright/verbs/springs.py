"""Virtual springs at the cuts as the user gives them, and which to take for a wanted error."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..closure import Springs, rows
from ..closure.springs import Pair
from ..errors import LoopwrightError
from ..mechanism import Mechanism, plain_number, unknown
from ..spatial import Array
from ..topology import Forest, Topology
from .closed import loaded
from .loops import Loops

ERROR = 1e-4  # metres that loops may open when nothing is said
_STANDARD = 9.81  # m/s^2, where a mechanism feels no force of its own
_NOTHING = 1e-9  # of the largest eigenvalue: a direction in which nothing can move


class Suggested(NamedTuple):
    """By cut joint, along its slides and about its turns: N/m and N m/rad, N s/m and N m s/rad."""

    stiffness: Mapping[str, Pair]
    damping: Mapping[str, Pair]


def suggest_springs(
    mechanism: Mechanism, error: float = ERROR, force: float | None = None, cuts: Collection[str] | None = None
) -> Suggested:
    """Springs that let loops open by `error` metres at most when they take over the forces of a cut joint at once.

    Such a spring swings to twice where it rests, so k = 2 F / error. F is `force`, the greatest in newtons that a cut
    joint will carry. Left out, it is what one carries when the mechanism is let go from rest at several closed
    positions, under its weight and loads; without any, its mass times 9.81 m/s^2. Fast motion takes more.

    Where J I^-1 J^T has the eigenvalue s, the gap swings at sqrt(k s), and b = 2 sqrt(k / s) damps it critically; s is
    the geometric mean of the least and greatest seen. Of turns, both are L^2 times those of slides, with
    L^2 = s of slides / s of turns, so that they swing alike.
    """
    topology = Topology.of(mechanism, cuts)
    if not topology.loops:
        raise LoopwrightError(f"'{mechanism.name}' has no loops, and so no cuts for springs to close")
    for what, value in (("error", error), ("force", force)):
        if value is not None and not plain_number("suggest_springs", what, value) > 0.0:
            raise LoopwrightError(f"{what} must be a positive number, got {value!r}")
    return suggested(Loops(topology), error, force)


def suggested(loops: Loops, error: float = ERROR, force: float | None = None) -> Suggested:
    """For the cuts of one topology."""
    laid_out = loops.topology.forest
    looks = [_look(laid_out, loops, q) for q in loops.positions]
    moment = 0.0
    if force is None:
        force, moment = max(max(look.forces) for look in looks), max(max(look.moments) for look in looks)
    if force == moment == 0.0:
        force = _STANDARD * sum(float(node.inertia.mass) for node in laid_out.nodes)
    stiffness, damping = {}, {}
    for i, cut in enumerate(laid_out.cuts):
        slides, turns = _middle([look.slides[i] for look in looks]), _middle([look.turns[i] for look in looks])
        s = slides or turns or 1.0
        square = slides / turns if slides and turns else 1.0
        k = 2.0 * max(force, moment / square**0.5) / error
        b = 2.0 * (k / s) ** 0.5
        stiffness[cut.joint], damping[cut.joint] = (k, k * square), (b, b * square)
    return Suggested(stiffness, damping)


@dataclass(frozen=True)
class _Look:
    """At one position, by cut: force and moment carried at rest; eigenvalues of J I^-1 J^T on slides and turns."""

    forces: list[float]
    moments: list[float]
    slides: list[Array]
    turns: list[Array]


def _look(laid_out: Forest, loops: Loops, q: Array) -> _Look:
    at = loaded(laid_out, loops, q, np.zeros(laid_out.nv), np.zeros(loops.mechanism.nu), 0.0)
    every = rows(at.links, at.cuts, at.nv)
    try:
        light = np.linalg.solve(at.I, np.column_stack([every.J.T, at.phi]))
    except np.linalg.LinAlgError:
        raise LoopwrightError(
            f"some motion of the tree of '{loops.mechanism.name}' moves no mass: give its bodies inertia, "
            "or the joints a rotor_inertia"
        ) from None
    S = every.J @ light[:, :-1]
    carried = np.linalg.lstsq(S, -(every.J @ light[:, -1] + every.drift), rcond=_NOTHING)[0]
    found = _Look([], [], [], [])
    first = 0
    for cut in at.cuts:
        along = np.array(cut.kind.rows_are_slides, dtype=bool)
        own = first + np.arange(cut.rows)
        first += cut.rows
        for chosen, sizes, values in (
            (own[along], found.forces, found.slides),
            (own[~along], found.moments, found.turns),
        ):
            sizes.append(float(np.linalg.norm(carried[chosen])))
            values.append(np.linalg.eigvalsh(S[np.ix_(chosen, chosen)]))
    return found


def _middle(eigenvalues: list[Array]) -> float:
    """The geometric mean of the least and the greatest that are not nothing; 0 where all are."""
    every = np.concatenate(eigenvalues)
    some = every[every > _NOTHING * max(every.max(initial=0.0), _NOTHING)]
    return float(np.sqrt(some.min() * some.max())) if some.size else 0.0


def given(loops: Loops, stiffness: Any, damping: Any) -> Springs:
    """From numbers, pairs (slides, turns), or mappings of cut joints to these; left out, as suggested."""
    fallback = suggested(loops) if stiffness is None else None
    K = fallback.stiffness if fallback else _read(loops, "stiffness", stiffness, positive=True)
    if damping is None:
        return Springs(K, fallback.damping if fallback else _read(loops, "damping", 0.0, positive=False))
    return Springs(K, _read(loops, "damping", damping, positive=False))


def _read(loops: Loops, what: str, value: Any, positive: bool) -> dict[str, Pair]:
    names = [loop.name for loop in loops.topology.loops]
    if isinstance(value, Mapping):
        for name in value:
            if name not in names:
                raise LoopwrightError(unknown(str(name), "cut joint", names, loops.mechanism.name))
        missing = [name for name in names if name not in value]
        if missing:
            raise LoopwrightError(f"{what} is said by cut joint, but not for '{missing[0]}'")
        return {name: _pair(what, value[name], positive) for name in names}
    return dict.fromkeys(names, _pair(what, value, positive))


def _pair(what: str, value: Any, positive: bool) -> Pair:
    """One number for both, or two."""
    try:
        slide, turn = np.broadcast_to(np.asarray(value, dtype=float), 2)
    except (TypeError, ValueError):
        raise LoopwrightError(
            f"{what} is a number, a pair of numbers (slides, turns), or one of these by cut joint; got {value!r}"
        ) from None
    if not all(np.isfinite(x) and (x > 0.0 if positive else x >= 0.0) for x in (slide, turn)):
        raise LoopwrightError(f"{what} must be {'positive' if positive else 'zero or more'}, got {value!r}")
    return float(slide), float(turn)
