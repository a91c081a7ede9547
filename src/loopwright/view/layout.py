"""A mechanism's graph laid out: boxes for bodies and curves for joints, from the ground at the left to the right.

Layers that would run too wide for a page continue in bands below, in turn to the left and to the right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..mechanism import GROUND, Mechanism
from .layers import heights
from .routes import route
from .sketch import LABEL_HEIGHT, NODE_HEIGHT, Sketch, sketch
from .svg import Box, Curve

Size = tuple[float, float]

_BETWEEN = 36.0  # nodes of one layer
_BETWEEN_BANDS = 56.0
_WIDEST = 1400.0
_TURNING = 3  # edges that may go around the end of a band


@dataclass(frozen=True)
class Layout:
    """Bodies by name, joints by name."""

    boxes: Mapping[str, Box]
    curves: Mapping[str, Curve]


def layout(mechanism: Mechanism) -> Layout:
    """Every body and joint in its place; the same mechanism always gives the same picture."""
    drawn = sketch(mechanism)
    folded = _folded(drawn)
    boxes = _boxes(folded)
    return Layout(boxes, {joint.name: route(folded, joint, boxes) for joint in mechanism.joints})


def _folded(s: Sketch) -> Sketch:
    """With as many layers side by side as a page is wide, where few edges would have to turn."""
    widths = [max(s.sizes[name][0] for name in layer) + s.gap(k) for k, layer in enumerate(s.layers)]
    total = sum(widths)
    if total <= _WIDEST:
        return s
    mean = total / len(widths)
    tall = max(len(layer) for layer in s.layers) * (NODE_HEIGHT + _BETWEEN) + _BETWEEN_BANDS
    pleasing = (tall / mean * len(widths) * 1.6) ** 0.5  # width over height near 1.6
    per_band = max(4, min(round(pleasing), int(_WIDEST / mean)))
    turning = [sum(len(s.away[name]) for name in s.layers[k]) for k in range(per_band - 1, len(s.layers), per_band)]
    return s.folded_at(per_band) if max(turning, default=0) <= _TURNING else s


def _boxes(s: Sketch) -> dict[str, Box]:
    upright = {frozenset((j.parent, j.child)) for j in s.joints if s.upright(j)}

    def apart(a: str, b: str) -> float:
        clear = LABEL_HEIGHT + 30.0 if frozenset((a, b)) in upright else _BETWEEN
        return (s.sizes[a][1] + s.sizes[b][1]) / 2 + clear

    x = _columns(s)
    y = heights(s.layers, [s.ends(joint) for joint in s.joints], apart)
    down = _bands(s, y)
    found = {}
    for name, k in s.level.items():
        band, column = s.cell(k)
        found[name] = Box(x[column], y[name] + down[band], *s.sizes[name])
    return {**found, GROUND: _wall(s, found)}


def _columns(s: Sketch) -> list[float]:
    """The middle of every column."""
    count = min(s.per_band, len(s.layers))
    widths, gaps = [0.0] * count, [0.0] * count
    for k, layer in enumerate(s.layers):
        band, column = s.cell(k)
        widths[column] = max(widths[column], *(s.sizes[name][0] for name in layer))
        # the room a layer needs is on its far side: where the band runs to the left, on the left of its column
        side = column if band % 2 == 0 else column - 1
        if 0 <= side < count:
            gaps[side] = max(gaps[side], s.gap(k))
    middles, edge = [], 0.0
    for width, gap in zip(widths, gaps, strict=True):
        middles.append(edge + width / 2)
        edge += width + gap
    return middles


def _bands(s: Sketch, y: Mapping[str, float]) -> list[float]:
    """How far down each band is moved."""
    down: list[float] = []
    edge = 0.0
    for start in range(0, len(s.layers), s.per_band):
        names = [name for layer in s.layers[start : start + s.per_band] for name in layer]
        top = min(y[name] - s.sizes[name][1] / 2 for name in names)
        bottom = max(y[name] + s.sizes[name][1] / 2 for name in names)
        down.append(edge - top)
        edge += bottom - top + _BETWEEN_BANDS
    return down


def _wall(s: Sketch, boxes: Mapping[str, Box]) -> Box:
    """The ground is a wall along everything that stands on it."""
    own = boxes[GROUND]
    beside = [boxes[name] for layer in s.layers[1:2] for name in layer]
    if not beside:
        return own
    top, bottom = min(box.top for box in beside), max(box.bottom for box in beside)
    return Box(own.x, (top + bottom) / 2, own.width, max(bottom - top, own.height))
