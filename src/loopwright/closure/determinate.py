"""Inverse dynamics subsystem by subsystem, where the equations of one suffice for what is unknown in it.

    F_s = B_s tau + J_s^T lambda      for every subsystem s

Its unknowns are its motors and the multipliers of its loops that no subsystem before it has given. A subsystem with
as many unknowns as coordinates is solved alone; where none is, the fewest that are so together are solved as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array, Number
from .elimination import eliminated
from .pivoted import least
from .structure import Structure, structure

source = "[Chaudhary2007]; the order of the subsystems is found, not given"

_NOTHING = 1e-9  # of the largest entry of a column
_MOST_TOGETHER = 5000  # sets of subsystems looked at before all that are left are taken as one


@dataclass(frozen=True)
class Step:
    """One set of equations: `subsystems` by number, their coordinates, and the unknowns that they give.

    Unknowns count through the motors first, then the rows kept; `pivots` solve for them.
    """

    subsystems: tuple[int, ...]
    coordinates: tuple[int, ...]
    unknowns: tuple[int, ...]
    pivots: Structure


def order(A: Sequence[Array], groups: Sequence[Sequence[int]]) -> tuple[Step, ...]:
    """From A = [B, J^T] at several positions, and the coordinates of every subsystem."""
    every = [np.asarray(one, dtype=float) for one in A]
    n, unknowns = every[0].shape
    if n != unknowns:
        raise LoopwrightError(
            f"{n} equations for {unknowns} motors and multipliers: subsystem by subsystem can only be solved what has "
            "one motor for every freedom; leave by= out for least forces, or for what no motor supplies"
        )
    size = np.max([np.abs(one) for one in every], axis=0)
    touched = size > _NOTHING * size.max(axis=0, initial=0.0)
    steps: list[Step] = []
    known: set[int] = set()
    left = list(range(len(groups)))
    while left:
        step = _next(every, touched, groups, left, known)
        steps.append(step)
        known.update(step.unknowns)
        left = [k for k in left if k not in step.subsystems]
    return tuple(steps)


def _next(
    every: list[Array], touched: Array, groups: Sequence[Sequence[int]], left: list[int], known: set[int]
) -> Step:
    """The fewest subsystems, then the fewest equations, that balance and can be solved."""
    looked_at = 0
    for count in range(1, len(left)):
        sets = sorted(combinations(left, count), key=lambda some: sum(len(groups[k]) for k in some))
        for some in sets:
            looked_at += 1
            if looked_at > _MOST_TOGETHER:
                return _whole(every, groups, left, known)
            step = _step(every, touched, groups, some, known)
            if step is not None:
                return step
    return _whole(every, groups, left, known)


def _step(
    every: list[Array], touched: Array, groups: Sequence[Sequence[int]], some: tuple[int, ...], known: set[int]
) -> Step | None:
    """These subsystems' equations for what they touch, if they give it."""
    coordinates = [k for s in some for k in groups[s]]
    unknowns = [int(k) for k in np.flatnonzero(touched[coordinates].any(axis=0)) if k not in known]
    if len(unknowns) != len(coordinates):
        return None
    pivots = structure([one[coordinates][:, unknowns] for one in every])
    if len(pivots.rows) < len(coordinates):
        return None
    return Step(some, tuple(coordinates), tuple(unknowns), pivots)


def _whole(every: list[Array], groups: Sequence[Sequence[int]], left: list[int], known: set[int]) -> Step:
    coordinates = [k for s in left for k in groups[s]]
    unknowns = [k for k in range(every[0].shape[1]) if k not in known]
    pivots = structure([one[coordinates][:, unknowns] for one in every])
    if len(pivots.rows) < len(coordinates):
        raise LoopwrightError(
            "the motors do not drive every freedom of these loops, so no forces are determined subsystem by subsystem; "
            "leave by= out for what the motors can do"
        )
    return Step(tuple(left), tuple(coordinates), tuple(unknowns), pivots)


def solved(A: Array, F: Array, steps: Sequence[Step]) -> tuple[list[Number], Number]:
    """x with A x = F, step by step, and the least health of the steps."""
    x: list[Number] = [0.0] * len(F)
    shares: list[Number] = []
    known: list[int] = []
    for step in steps:
        rows, columns = list(step.coordinates), list(step.unknowns)
        right = F[rows]
        for k in known:
            right = right - A[rows, k] * x[k]
        pivots = list(step.pivots.rows)
        own = eliminated(A[rows][:, columns][pivots], step.pivots)
        for k, value in zip(columns, own.drift(-right[pivots]), strict=True):
            x[k] = value
        shares.append(own.health)
        known += columns
    return x, least(shares)
