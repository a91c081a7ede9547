"""Minimal order for any mechanism: the equations of the independent coordinates alone."""

from __future__ import annotations

from ..spatial import solve
from .elimination import eliminated
from .loaded import Loaded, Solution

source = "[Saha2001, section II]; independent coordinates by pivoting are ours"


def forward_dynamics(at: Loaded) -> Solution:
    """(N^T I N) a_i = N^T (phi - I g),   a = N a_i + g"""
    loops = eliminated(at.J, at.structure)
    N, g = loops.N, loops.drift(at.d)
    NI = N.T @ at.I
    a = N @ solve(NI @ N, N.T @ at.phi - NI @ g) + g
    # J^T lambda = I a - phi
    return Solution(a, loops.multipliers(at.I @ a - at.phi), loops.health)
