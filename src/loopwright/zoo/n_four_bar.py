"""A row of n four-bar linkages."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .keywords import whole


def start(n: int) -> dict[str, float]:
    """Upright bars, level couplers: every coordinate is zero there."""
    return dict.fromkeys([*_joints("pivot", 0, n), *_joints("left", 1, n)], 0.0)


def rates(n: int) -> dict[str, float]:
    """The tops move at 1 m/s along x; the couplers stay level."""
    return dict.fromkeys(_joints("pivot", 0, n), -1.0) | dict.fromkeys(_joints("left", 1, n), 1.0)


def _joints(name: str, first: int, last: int) -> list[str]:
    return [f"{name}_{k}" for k in range(first, last + 1)]


START = start(2)
RATES = rates(2)


def n_four_bar(n: int = 2) -> Mechanism:
    """Row of n four-bar linkages: n + 1 upright bars, joined at their tops by n level ones.

    ::

          left_1     right_1, left_2   right_2
             o===========o===========o
             |           |           |
             |           |           |         all bars 1 m, 1 kg, slender
             o           o           o
          pivot_0     pivot_1     pivot_2

    It moves as one parallelogram until all bars lie in one line; there it gains n freedoms, and a solver must
    carry on through. The uprights' angles are counted from the vertical. It starts upright, the tops moving along x
    at 1 m/s; `start(n)` and `rates(n)` of this file give that for any n.
    Source: IFToMM library of benchmark problems, A02 [Gonzalez2006].
    """
    n = whole("n_four_bar", "n", n)
    b = Builder("n_four_bar", gravity=(0, -9.81, 0), source="IFToMM benchmark library, A02 [Gonzalez2006]")
    for k in range(n + 1):
        b.rod(f"upright_{k}", 1.0, to=(0, 1, 0))
        b.revolute(f"pivot_{k}", "ground", f"upright_{k}", xyz=(k, 0, 0))
    for k in range(1, n + 1):
        b.rod(f"level_{k}", 1.0, to=(1, 0, 0))
        b.revolute(f"left_{k}", f"upright_{k - 1}", f"level_{k}", xyz=(0, 1, 0))
        b.revolute(f"right_{k}", f"level_{k}", f"upright_{k}", xyz=(1, 0, 0), child_xyz=(0, 1, 0))
    return b.build()
