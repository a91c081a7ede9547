"""SLM: all multipliers at once, then the forward dynamics of the tree."""

from __future__ import annotations

from .loaded import Loaded, Solution
from .pivoted import least, watched

source = "[Koul2014, (11)-(12)]"


def forward_dynamics(at: Loaded) -> Solution:
    """lambda = -(J I^-1 J^T)^-1 (J I^-1 phi + d)"""
    # with I = U D U^T:  Y = U^-1 J^T,  y = U^-1 phi,  S = Y^T D^-1 Y
    Y, y = at.factor.halfway(at.J.T), at.factor.halfway(at.phi)
    scaled = at.factor.scaled(Y)
    S = watched(Y.T @ scaled)
    multipliers = S.solve(-(scaled.T @ y + at.d))
    # a = I^-1 (phi + J^T lambda)
    a = at.factor.back(at.factor.scaled(y + Y @ multipliers))
    return Solution(a, multipliers, least([S.health, at.reach]))
