"""Whether the loops and the driven coordinates determine the motion at one position, and how far they are from not.

    J v = 0 for what the loops allow,    E v for the rates of the driven coordinates

In general position J has its full rank, and E its own on what J allows. Where J loses rank, motions branch; where
E does, some driven rates cannot be had and the driven coordinates stand still in some motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..spatial import Array, svd

source = "Gosselin, Angeles 1990; Park, Kim 1999: actuator and configuration singularities"

_NEAR = 1e-7  # of the distances below: half of the digits, as an angle found from its cosine has
_MOVES = 1e-3  # of the largest part of a motion: what counts as moving in it


@dataclass(frozen=True)
class Standing:
    """Where a position stands towards singular ones.

    `type` is "regular"; "actuator": with the driven coordinates held still the mechanism can move, so that they do not
    determine the motion; "output", a dead point: besides, some of the driven coordinates stand still in every motion.
    `branching` tells that the loops themselves leave more freedoms than elsewhere: several motions meet here.
    `joints` are the coordinates that move while all driven ones stand still, `still` the driven ones that cannot
    move. `distance` is 0 at singular positions and at most 1: the least share of the driven coordinates in a motion
    of unit length, or the least singular value of the loops' rows against their largest if that is smaller.
    """

    type: str
    branching: bool
    distance: float
    of_loops: float
    of_driven: float
    joints: tuple[str, ...]
    still: tuple[str, ...]
    motion: Array  # a unit motion, at singular positions one that the driven coordinates do not determine

    @property
    def regular(self) -> bool:
        return self.type == "regular"


def classified(
    J: Array, E: Array, names: Sequence[str], driven: Sequence[str], rank: int, near: float = _NEAR
) -> Standing:
    """Of one position: J the rows of all loops, E v the rates of the coordinates `driven`, `names` those of v.

    `rank` is that of J in general position, so that redundant rows do not count. Slides are measured in metres and
    turns in radians unless the caller has scaled the columns of J and E alike.
    """
    n = J.shape[1]
    _, sizes, Vt = svd(J) if len(J) else (None, np.zeros(0), np.eye(n))
    of_loops = float(sizes[rank - 1] / sizes[0]) if rank and sizes[0] > 0.0 else float(rank == 0)
    branching = of_loops <= near
    # where motions branch, all of them count
    N = Vt[int(np.count_nonzero(sizes > near * sizes.max(initial=0.0))) if branching else rank :].T
    lengths = np.linalg.norm(E, axis=1)
    U, shares, Wt = svd((E / np.where(lengths > 0.0, lengths, 1.0)[:, None]) @ N)
    usual = min(len(E), n - rank)
    of_driven = float(shares[usual - 1]) if usual else 1.0
    made = int(np.count_nonzero(shares > near))
    stuck = made < usual
    undetermined = N @ Wt[made:].T if stuck or branching else np.zeros((n, 0))
    motion = undetermined[:, 0] if undetermined.size else np.zeros(n)
    return Standing(
        "output" if stuck else "actuator" if branching else "regular",
        branching,
        min(of_loops, of_driven),
        of_loops,
        of_driven,
        _moving(names, np.abs(undetermined).max(axis=1, initial=0.0)),
        _moving(driven, np.abs(U[:, made:usual]).max(axis=1, initial=0.0)),
        motion,
    )


def _moving(names: Sequence[str], parts: Array) -> tuple[str, ...]:
    least = _MOVES * parts.max(initial=0.0)
    return tuple(name for name, part in zip(names, parts, strict=True) if part > least)
