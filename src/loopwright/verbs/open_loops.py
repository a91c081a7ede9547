"""Saying which loop is open, between which bodies and how far."""

from __future__ import annotations

import numpy as np

from ..spatial import Array
from ..topology import Loop
from .loops import Loops


def widest(loops: Loops, q: Array) -> tuple[Loop, float]:
    """The loop that is open most at q, and by how much."""
    gaps = np.abs(loops.closing.gap(q))
    ends = np.cumsum([loop.rows for loop in loops.topology.loops])[:-1]
    sizes = [float(np.linalg.norm(part)) for part in np.split(gaps, ends)]
    k = int(np.argmax(sizes))
    return loops.topology.loops[k], sizes[k]


def nearest_gap(loop: Loop, size: float) -> str:
    """In words."""
    return f"nearest gap {size:.3g} between '{loop.cut.parent}' and '{loop.cut.child}'"
