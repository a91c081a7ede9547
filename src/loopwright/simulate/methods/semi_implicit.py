"""The semi-implicit Euler method: where the mass matrix is constant, energy stays within bounds for ever."""

from __future__ import annotations

import numpy as np

from ..loops import semi_implicit
from .method import Method

SEMI_IMPLICIT_EULER = Method(
    "semi_implicit_euler",
    1,
    semi_implicit.step,
    semi_implicit.dense,
    np.zeros(1),
    lambda n: 2 * n,
    source="[Hairer2006, I.1.2 and VI.3]",
    fixed=True,
    also=("symplectic_euler",),
)
