"""The ways of joints between the boxes of bodies."""

from __future__ import annotations

from collections.abc import Mapping

from ..mechanism import GROUND, Joint
from .sketch import Sketch
from .svg import Box, Curve, Point

Boxes = Mapping[str, Box]

_ALMOST_LEVEL = 7.0


def route(s: Sketch, joint: Joint, boxes: Boxes) -> Curve:
    """From side to side between neighbouring columns, straight down in one column, or around."""
    a, b = s.ends(joint)
    band, last = s.cell(s.level[a])[0], s.cell(s.level[b])[0]
    if s.upright(joint) or (band != last and _alone(s, a, b)):
        return Curve.line((boxes[a].x, boxes[a].bottom), (boxes[b].x, boxes[b].top))
    if s.level[a] == s.level[b] or band != last:
        return _around(s, joint, boxes)
    side = 1.0 if band % 2 == 0 else -1.0
    x, y = _port(s, a, joint, boxes, s.away[a], side)
    to_x, to_y = _port(s, b, joint, boxes, s.towards[b], -side)
    if a == GROUND:
        y = to_y  # the wall is everywhere
    if abs(to_y - y) < _ALMOST_LEVEL:
        y = to_y = (y + to_y) / 2
    half = (to_x - x) / 2
    return Curve(((x, y), (x + half, y), (to_x - half, to_y), (to_x, to_y)))


def _alone(s: Sketch, a: str, b: str) -> bool:
    single = all(len(s.layers[s.level[name]]) == 1 for name in (a, b))
    return single and s.together[frozenset((a, b))] == 1


def _port(s: Sketch, name: str, joint: Joint, boxes: Boxes, ends: list[Joint], side: float) -> Point:
    """Where on a node's side a joint ends: in the order of the bodies at the other ends."""
    box = boxes[name]

    def across(j: Joint) -> float:
        return boxes[j.child if j.parent == name else j.parent].y

    y = box.y - sum(map(s.port, ends)) / 2
    for j in sorted(ends, key=across):
        if j is joint:
            break
        y += s.port(j)
    return box.x + side * box.width / 2, y + s.port(joint) / 2


def _around(s: Sketch, joint: Joint, boxes: Boxes) -> Curve:
    """A bow on the far side of the column: within a layer, or from the end of a band to the next."""
    a, b = s.ends(joint)
    side = 1.0 if s.cell(s.level[a])[0] % 2 == 0 else -1.0
    same = [j.name for j in s.joints if {j.parent, j.child} == {a, b}]
    k = same.index(joint.name)
    width = s.labels[joint.name][0]
    x, y = boxes[a].x + side * boxes[a].width / 2, boxes[a].y + 5.0 * k
    to_x, to_y = boxes[b].x + side * boxes[b].width / 2, boxes[b].y - 5.0 * k
    out = side * (width * (0.65 + 1.4 * k) + 30.0 + 14.0 * abs(s.row[a] - s.row[b]))
    far = (max(x, to_x) if side > 0 else min(x, to_x)) + out
    return Curve(((x, y), (far, y), (far, to_y), (to_x, to_y)))
