"""Every mechanism its own recursion: all equations at once, eliminated where that fills in least.

The pivots are chosen when a program is made, from numbers at several closed positions, and stay as they are; `health`
watches them where they are used. On symbols what is not there costs nothing, so the program has only the operations
that this mechanism needs, in an order that is its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dynamics import Link
from ..dynamics.composite_body import mass_blocks
from ..spatial import Number, array
from . import articulated
from .loaded import Loaded, Solution
from .pivoted import least
from .saddle import Pivot, Saddle, Step, solved

source = "[Koul2014, (10)]; the order of elimination is ours"

Entries = dict[tuple[int, int], Number]


def forward_dynamics(at: Loaded) -> Solution:
    """[[I, J^T], [J, 0]] [a; -lambda] = [phi; -d]"""
    n = at.nv
    steps, shares = articulated.steps(at) if articulated.is_deep(at.links) else _steps(at)
    x = solved(steps, {**dict(enumerate(at.phi)), **dict(enumerate(-at.d, start=n))})
    return Solution(array([x[k] for k in range(n)]), array([-x[n + k] for k in range(len(at.d))]), least(shares))


def _steps(at: Loaded) -> tuple[list[Step], list[Number]]:
    saddle = Saddle.of(entries(at.links, at.parts), at.nv, len(at.parts))
    steps: list[Step] = []
    shares: list[Number] = []
    for pivot in at.order().pivots:
        if pivot[-1] in saddle.rows:
            shares += _shares(at, saddle, pivot)
        steps.append(saddle.eliminate(pivot))
    return steps, shares


def _shares(at: Loaded, saddle: Saddle, pivot: Pivot) -> list[Number]:
    """What is left of a row when its turn comes: of its usual length, or of what its coordinates made of it."""
    *coordinate, row = pivot
    if coordinate:
        b = saddle.entry(row, coordinate[0])
        return [at.of_usual(row - at.nv, b * b)]
    return [at.reached(row - at.nv), saddle.share(row)]


def entries(links: list[Link], J: Sequence[dict[int, Number]]) -> Entries:
    """What is there of one triangle: coordinates first, then rows."""
    n = sum(link.v.stop - link.v.start for link in links)
    found: Entries = {}
    for (i, j), block in mass_blocks(links).items():
        for a, line in zip(range(links[i].v.start, links[i].v.stop), block, strict=True):
            for b, x in zip(range(links[j].v.start, links[j].v.stop), line, strict=True):
                if (b, a) not in found:  # of a link's own block one triangle is enough
                    found[a, b] = x
    return found | {(n + r, k): x for r, row in enumerate(J) for k, x in row.items()}
