"""Adams, Bashforth and Moulton: every step asks twice, and remembers what earlier ones asked."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..loops import adams
from .method import Method

HIGHEST = 12


def abm(highest: int = HIGHEST, name: str = "abm") -> Method:
    """Orders from 1 up to `highest`, 12 at the most, as the motion allows."""
    table = np.array([highest, *_star(highest + 1)], dtype=float)
    return Method(
        name,
        highest + 1,  # by local extrapolation, one more than that of the predictor
        adams.step,
        adams.dense,
        table,
        adams.room,
        source="[Shampine1975]: the program STEP, the papers' SHAMGOR",
        variable=True,
        also=("adams", "shamgor"),
    )


def _star(count: int) -> list[Fraction]:
    """|gamma*_i| of the correctors.    gamma*_0 = 1,   sum_{j=0..m} gamma*_{m-j} / (j + 1) = 0   [Hairer1993, III.1]"""
    found = [Fraction(1)]
    for m in range(1, count + 1):
        found.append(-sum((found[m - j] / (j + 1) for j in range(1, m + 1)), Fraction(0)))
    return [abs(x) for x in found[1:]]


ABM = abm()
