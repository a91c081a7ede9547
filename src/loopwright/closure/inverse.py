"""Which actuator forces make a motion that the loops allow.

    I a + h = B tau + J^T lambda     and so     N^T (I a + h) = (N^T B) tau

One equation for every freedom of the mechanism, one column for every motor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Number, array, blockwise, where
from .elimination import Eliminated, eliminated
from .pivoted import watched
from .structure import Structure

source = "[Saha2001, IDA]; more or fewer motors than freedoms are ours"


@dataclass(frozen=True)
class Driven:
    """`tau` of the motors; `unmet` generalised forces at the tree's coordinates that no motor supplies."""

    tau: Array
    unmet: Array
    health: Number


def driven(loops: Eliminated, B: Array, F: Array, motors: Structure, weights: Array, preload: Array) -> Driven:
    """F = I a + h; `motors` is the structure of N^T B.

    More motors than freedoms: of all forces that do it, those with the least  sum w (tau - preload)^2.
    Fewer: as many freedoms as there are motors are driven, the others lack what `unmet` says.
    """
    N = loops.N
    reach, needed = N.T @ B, N.T @ F
    if len(motors.independent):
        tau, health = _least(reach, needed, weights, preload)
        return Driven(tau, np.zeros(len(F)), _worse(health, loops.health))
    solved = eliminated(reach[list(motors.rows)], motors)
    tau = solved.drift(-array([needed[r] for r in motors.rows]))
    lacking = needed - reach @ tau
    places = loops.structure.independent
    unmet = blockwise(1, len(F), [(0, places[r], lacking[r]) for r in motors.redundant])[0]
    return Driven(tau, unmet, _worse(solved.health, loops.health))


def _least(reach: Array, needed: Array, weights: Array, preload: Array) -> tuple[Array, Number]:
    # tau = p + W^-1 R^T (R W^-1 R^T)^-1 (f - R p)
    light = (reach / weights).T
    S = watched(reach @ light)
    return preload + light @ S.solve(needed - reach @ preload), S.health


def _worse(a: Number, b: Number) -> Number:
    return where(a >= b, b, a)
