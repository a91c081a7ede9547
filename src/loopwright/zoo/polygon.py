"""Links with more than two joints: slender bars welded into a polygon."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..mechanism import Builder, Shape

Point = tuple[float, float]


def polygon(b: Builder, name: str, corners: Sequence[Point], per_metre: float) -> None:
    """A body of bars from corner to corner and back to the first, in its x-y plane; `per_metre` is their mass.

    Two corners make a single bar.
    """
    sides = [(p, q) for p, q in zip(corners, (*corners[1:], corners[0]), strict=True)][: max(len(corners), 2)]
    if len(corners) == 2:
        sides = sides[:1]
    lengths = [math.dist(p, q) for p, q in sides]
    total = sum(lengths)
    cx, cy = (sum(s * (p[k] + q[k]) / 2 for s, (p, q) in zip(lengths, sides, strict=True)) / total for k in (0, 1))
    # a bar from p to q about any point c: m (u u + u w + w w) / 3 with u = p - c, w = q - c
    xx = yy = xy = 0.0
    for s, (p, q) in zip(lengths, sides, strict=True):
        (ux, uy), (wx, wy) = (p[0] - cx, p[1] - cy), (q[0] - cx, q[1] - cy)
        third = per_metre * s / 3
        xx += third * (uy * uy + uy * wy + wy * wy)
        yy += third * (ux * ux + ux * wx + wx * wx)
        xy -= third * (ux * uy + wx * wy + (ux * wy + wx * uy) / 2)
    lines = tuple(Shape("line", (*p, 0.0, *q, 0.0)) for p, q in sides)
    b.body(name, per_metre * total, (cx, cy, 0), (xx, yy, xx + yy, xy, 0, 0), shapes=lines)
