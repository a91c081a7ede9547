"""The system approach: accelerations and multipliers from one set of equations."""

from __future__ import annotations

import numpy as np

from ..spatial import block, ldl, substituted
from .loaded import Loaded, Solution
from .pivoted import least

source = "[Koul2014, (10)]"


def forward_dynamics(at: Loaded) -> Solution:
    """[[I, J^T], [J, 0]] [a; -lambda] = [phi; -d]"""
    n, m = at.nv, len(at.d)
    # coordinates from the tips inwards, so that branches do not mix
    inwards = [*reversed(range(n)), *range(n, n + m)]
    K = block(at.I, at.J.T, at.J, np.zeros((m, m)))[np.ix_(inwards, inwards)]
    L, D = ldl(K)
    x = substituted(L, D, np.concatenate([at.phi, -at.d])[inwards])
    # the pivots of the rows are those of -J I^-1 J^T, whose diagonal is what the coordinates left there
    before = [sum(L[n + k][j] * L[n + k][j] * D[j] for j in range(n)) for k in range(m)]
    return Solution(x[:n][::-1], -x[n:], least([at.reach, *(-D[n + k] / before[k] for k in range(m))]))
