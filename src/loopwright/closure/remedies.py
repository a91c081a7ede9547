"""Which joints to replace so that no constraint is redundant and nothing moves that did not before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from .constraints import Constraints, Held

_NOTHING = 1e-6  # of the largest singular value: less than this is not settled


@dataclass(frozen=True)
class Replacement:
    """A joint that should be of another kind."""

    joint: str
    kind: str
    by: str


def remedies(several: Sequence[Constraints]) -> list[Replacement] | None:
    """Joints to replace, or None when none of those known will do.

    Freeing a direction settles one redundancy when it takes part in it, and adds a freedom when it does not: so what
    is freed must be independent on the balanced forces, at every position.
    """
    count = several[0].redundant
    freed = [np.zeros((0, count)) for _ in several]
    found: list[Replacement] = []
    # motors stay what they are when they can
    order = sorted(range(len(several[0].held)), key=lambda k: any(several[0].held[k].joint.actuated))
    for k in order:
        left = count - len(freed[0])
        if not left:
            break
        for by, choices in _looser(several, k):
            grown = [
                np.concatenate([old, new @ one.balanced]) for old, new, one in zip(freed, choices, several, strict=True)
            ]
            if len(choices[0]) <= left and all(_independent(F) for F in grown):
                held = several[0].held[k]
                found.append(Replacement(held.joint.name, held.joint.kind, by))
                freed = grown
                break
    return found if len(freed[0]) == count else None


def _independent(F: Array) -> bool:
    sizes = np.linalg.svd(F, compute_uv=False)
    return bool(len(F) <= F.shape[1] and sizes.min(initial=np.inf) > _NOTHING * max(sizes.max(initial=0.0), 1e-3))


def _looser(several: Sequence[Constraints], k: int) -> list[tuple[str, list[Array]]]:
    """Kinds that hold less, with what they free as combinations of all rows, at every position."""
    per_position = [_frees(one, one.held[k]) for one in several]
    return [(by, [choices[n][1] for choices in per_position]) for n, (by, _) in enumerate(per_position[0])]


def _frees(one: Constraints, held: Held) -> list[tuple[str, Array]]:
    z = held.frame.R[:, 2]
    slide, turn = held.rows.start, held.rows.start + held.slides

    def rows(first: int, *combinations: Array) -> Array:
        found = np.zeros((len(combinations), len(one.C)))
        for row, c in zip(found, combinations, strict=True):
            row[first : first + len(c)] = c
        return found

    x, y = np.eye(2)
    if held.joint.kind == "revolute":
        return [
            ("spherical", rows(turn, x, y)),
            ("universal", rows(turn, x)),
            ("universal", rows(turn, y)),
            ("cylindrical", rows(slide, z)),
        ]
    if held.joint.kind == "prismatic":
        return [("cylindrical", rows(turn, z))]
    if held.joint.kind == "universal":
        return [("spherical", rows(turn, np.ones(1)))]
    if held.joint.kind == "screw":
        return [("cylindrical", rows(held.rows.stop - 1, np.ones(1)))]
    return []
