"""How a mechanism can move and what its joints leave to stiffness, from the rank of the constraints.

Counting bodies and joints tells what holds in general position; many linkages are not in general position. So the
rank is looked at in several closed ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..closure import motors, rank
from ..closure.constraints import Constraints, constraints, everywhere, redundant_forces
from ..closure.remedies import Replacement, remedies
from ..closure.sides import common
from ..dynamics import links_at
from ..errors import LoopwrightError
from ..mechanism import GROUND
from ..spatial import Array, svd
from ..topology import BASE, Cut
from .loops import Loops

_NOTHING = 1e-7  # of the largest: what a motion or a force is without
_LOOKED_AT = 3  # positions
_POINTS = ("spherical", "universal")
_SLIDES = {"all": "xyz", "across": "xy", "along": "z", "none": ""}


@dataclass(frozen=True)
class Freedoms:
    """`mobility` by the rank at so many `positions`; rows, joints and bodies by name.

    `redundant`: by cut joint, what its repeated rows would hold. `idle`: bodies that spin about themselves and move
    nothing else. `undriven`: how many freedoms the motors leave, and which coordinates move in them. `open_forces`: by
    joint, the moments and forces that stiffness decides. `remedy`: what to replace so that nothing is left open, None
    if nothing known does it.
    """

    mobility: int
    positions: int
    redundant: dict[str, list[str]]
    idle: list[str]
    undriven: int
    loose: list[str]
    open_forces: dict[str, list[str]]
    remedy: list[Replacement] | None


def freedoms(loops: Loops) -> Freedoms:
    """Raises where no closed position is found."""
    if not loops.any:
        return Freedoms(loops.mechanism.nv, 0, {}, [], *_undriven(loops, [loops.mechanism.neutral()]), {}, [])
    positions = loops.positions[:_LOOKED_AT]
    seen = everywhere([constraints(loops.mechanism, loops.bodies_at(q), loops.size) for q in positions])
    mobility = loops.mechanism.nv - loops.generic_rank
    if seen[0].freedoms != mobility:
        raise LoopwrightError(
            f"the rank of the closure rows of '{loops.mechanism.name}' is not clear: they leave {mobility} freedoms, "
            f"and all joints together {seen[0].freedoms}. Lengths that differ by many powers of ten may be the cause"
        )
    return Freedoms(
        mobility,
        len(loops.positions),
        _redundant(loops),
        _idle(loops, seen[0]),
        *_undriven(loops, positions),
        _open_forces(seen),
        remedies(seen) if seen[0].redundant else [],
    )


def _redundant(loops: Loops) -> dict[str, list[str]]:
    laid_out = loops.topology.forest
    repeated = set(loops.structure(laid_out).redundant)
    found: dict[str, list[str]] = {}
    first = 0
    for cut in laid_out.cuts:
        own = [words for k, words in enumerate(_rows_of(loops, cut)) if first + k in repeated]
        if own:
            found[cut.joint] = own
        first += cut.rows
    return found


def _rows_of(loops: Loops, cut: Cut) -> list[str]:
    """What every row of a cut joint holds, in words."""
    slides, turns = _SLIDES[cut.kind.slides_held], _SLIDES[cut.kind.turns_held]
    common = _common(loops, cut)
    where = "" if common == GROUND else f" of {common}"

    def said(what: str, axis: str, held: str) -> str:
        return f"{what} {axis}{where}" if held == "all" else f"{what} its {axis}"

    words = [said("shift along", axis, cut.kind.slides_held) for axis in slides]
    words += [said("turn about", axis, cut.kind.turns_held) for axis in turns]
    more = {"universal": "turn across both axes", "screw": "shift along its thread"}
    return words + [more.get(cut.kind.name, "")] * (cut.rows - len(words))


def _common(loops: Loops, cut: Cut) -> str:
    """The body in whose axes a joint's rows are said: the last that both sides hang from."""
    laid_out = loops.topology.forest
    links = links_at(laid_out, loops.mechanism.neutral())
    shared = common(links, cut.parent.node, cut.child.node)
    return GROUND if shared == BASE else laid_out.nodes[shared].body


def _idle(loops: Loops, seen: Constraints) -> list[str]:
    """Bodies, or bodies in line, that turn between points while everything else stands."""
    V = seen.motions
    bodies: dict[int, list[str]] = {}
    for body, link in seen.links.items():
        bodies.setdefault(link, []).append(body)
    joined = [(seen.links[h.joint.parent], seen.links[h.joint.child], h.joint.kind) for h in seen.held]
    found: list[str] = []
    alone: set[int] = set()
    for link in range(max(bodies) + 1):
        if _spins(V, (link,)) and _between_points(joined, (link,)):
            alone.add(link)
            found.append(" and ".join(bodies[link]))
    for pair in combinations(range(max(bodies) + 1), 2):
        near = any({a, b} == set(pair) for a, b, _ in joined)
        if near and not alone & set(pair) and _between_points(joined, pair) and _spins(V, pair):
            found.append(" with ".join(" and ".join(bodies[link]) for link in pair))
    return found


def _between_points(joined: Sequence[tuple[int, int, str]], group: tuple[int, ...]) -> bool:
    """Whether a group hangs between two points, at least one of them a ball."""
    outside = [kind for a, b, kind in joined if (a in group) != (b in group)]
    return len(outside) == 2 and all(kind in _POINTS for kind in outside) and "spherical" in outside


def _spins(V: Array, group: tuple[int, ...]) -> bool:
    """Whether there is a motion of these links alone, as one body."""
    own = np.concatenate([np.arange(6 * link, 6 * link + 6) for link in group])
    others = np.delete(V, own, axis=0)
    apart = [V[6 * a : 6 * a + 6] - V[6 * b : 6 * b + 6] for a, b in combinations(group, 2)]
    held = np.concatenate([others, *apart])
    return rank(held, _NOTHING) < V.shape[1]


def _undriven(loops: Loops, positions: Sequence[Array]) -> tuple[int, list[str]]:
    """Freedoms that the motors leave when they stand, and the coordinates that move in them."""
    mechanism, laid_out = loops.mechanism, loops.topology.forest
    if mechanism.nu >= mechanism.nv:
        return 0, []
    q = positions[0]
    J = loops.closing.slope(q) if loops.any else np.zeros((0, mechanism.nv))
    E = np.asarray(motors(laid_out, links_at(laid_out, q), mechanism.nu), dtype=float).T
    A = np.concatenate([J, E])
    _, sizes, Vt = svd(A)
    r = int(np.count_nonzero(sizes > _NOTHING * sizes.max(initial=0.0)))
    parts = np.abs(Vt[r:]).max(axis=0, initial=0.0)
    return len(Vt) - r, [n for n, part in zip(mechanism.velocities, parts, strict=True) if part > _NOTHING]


def _open_forces(seen: Sequence[Constraints]) -> dict[str, list[str]]:
    names = [f"{what} {axis}" for what in ("moment", "force") for axis in "xyz"]
    found = {}
    parts = {
        held.joint.name: np.max([redundant_forces(one, one.held[k]) for one in seen], axis=0)
        for k, held in enumerate(seen[0].held)
    }
    largest = max((float(part.max()) for part in parts.values()), default=0.0)
    for joint, part in parts.items():
        own = [name for name, x in zip(names, part, strict=True) if x > _NOTHING * largest]
        if own:
            found[joint] = own
    return found
