"""Saying which loop is open, between which bodies and how far."""

from __future__ import annotations

import numpy as np

from ..mechanism import BY_NAME
from ..spatial import Array
from ..topology import Loop
from .loops import Loops

_NOTHING = 1e-6  # of the whole: what is not worth saying beside it


def widest(loops: Loops, q: Array) -> tuple[Loop, Array]:
    """The loop that is open most at q, and its part of the gap."""
    gaps = loops.closing.gap(q)
    ends = np.cumsum([loop.rows for loop in loops.topology.loops])[:-1]
    parts = np.split(gaps, ends)
    k = int(np.argmax([np.linalg.norm(part) for part in parts]))
    return loops.topology.loops[k], parts[k]


def apart(loop: Loop, gap: Array) -> str:
    """How far, in words: metres along what the cut joint holds, radians about it."""
    slides = np.array(BY_NAME[loop.cut.kind].rows_are_slides, dtype=bool)
    sizes = {"m": float(np.linalg.norm(gap[slides])), "rad": float(np.linalg.norm(gap[~slides]))}
    most = max(sizes.values())
    return " and ".join(f"{size:.3g} {unit}" for unit, size in sizes.items() if size > _NOTHING * most) or "0"


def between(loop: Loop) -> str:
    """The two bodies that should meet."""
    return f"between '{loop.cut.parent}' and '{loop.cut.child}'"
