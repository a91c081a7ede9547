"""The spatial chain of n revolute joints."""

from __future__ import annotations

import math

import numpy as np

from ..mechanism import Mechanism, Row, modified_dh
from ..spatial import from_rpy, numbers
from .keywords import positive, whole

START = {f"joint{k}": 0.0 for k in range(1, 7)}


def chain(
    n: int = 6, length: float = 0.3, offset: float = 0.1, twist: float = math.pi / 2, mass: float = 1.0
) -> Mechanism:
    r"""Spatial chain of n revolute joints whose axes turn by +twist, -twist in turn; nothing in it is special.

    ::

         axis 1                axis 3
           |      ___________    |     ___________
           |     /           \   |    /           \
        ===o====o             o==o===o             o==  ...
                 \___________/        \___________/
                 axis 2 across        axis 4 across

    Every link has a length, an offset along its axis, a mass centre off every axis and a full inertia tensor, so
    it serves to count operations and to compare algorithms. Links grow lighter towards the tip.
    Source: the general chain for which operation counts are given, e.g. in [Featherstone2008].
    """
    n = whole("chain", "n", n)
    length, mass = positive("chain", "length", length), positive("chain", "mass", mass)
    R = from_rpy(numbers((0.3, 0.5, 0.7)))
    tensor = R @ np.diag([0.4, 1.0, 1.2]) @ R.T  # of a unit mass and length, times 12: a bar's, and a little more
    shape = [float(tensor[i, j]) / 12.0 for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    rows = [
        Row(
            alpha=0.0 if k == 0 else twist * (-1.0) ** k,
            a=0.0 if k == 0 else length,
            d=offset,
            mass=mass / (1.0 + k / n),
            com=(0.5 * length, 0.1 * length, -0.2 * length),
            inertia=[mass / (1.0 + k / n) * length**2 * entry for entry in shape],
        )
        for k in range(n)
    ]
    return modified_dh("chain", rows, source="general chain for operation counts [Featherstone2008]")
