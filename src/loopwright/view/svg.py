"""The pieces of an SVG picture: elements, curves, boxes, and text that any viewer can show."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree

Element = ElementTree.Element
Point = tuple[float, float]

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
_WIDE = set("mwMW@%—")
_NARROW = set("fijlrtI.,:;|!'()[] ")


@dataclass(frozen=True)
class Box:
    """A rectangle by its middle and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2

    def overlap(self, other: Box) -> float:
        """The area in common."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)


@dataclass(frozen=True)
class Curve:
    """A cubic Bézier curve by its four points."""

    points: tuple[Point, Point, Point, Point]

    @staticmethod
    def line(a: Point, b: Point) -> Curve:
        """The straight one."""

        def between(s: float) -> Point:
            return (a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]))

        return Curve((a, between(1 / 3), between(2 / 3), b))

    def at(self, s: float) -> Point:
        """The point at s from 0 to 1."""
        r = 1 - s
        weights = (r**3, 3 * r * r * s, 3 * r * s * s, s**3)
        x, y = (sum(w * p[k] for w, p in zip(weights, self.points, strict=True)) for k in (0, 1))
        return x, y

    def beside(self, distance: float) -> Curve:
        """The same curve moved across the line between its ends."""
        (x0, y0), (x1, y1) = self.points[0], self.points[3]
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
        dx, dy = -(y1 - y0) / length * distance, (x1 - x0) / length * distance
        a, b, c, d = ((x + dx, y + dy) for x, y in self.points)
        return Curve((a, b, c, d))

    @property
    def level(self) -> bool:
        """Whether it runs straight across."""
        heights = [y for _, y in self.points]
        return max(heights) - min(heights) < 1.0

    @property
    def path(self) -> str:
        """The `d` of a path element."""
        a, b, c, d = (f"{number(x)} {number(y)}" for x, y in self.points)
        return f"M {a} C {b}, {c}, {d}"


def number(value: float) -> str:
    """Tenths are as fine as a screen shows."""
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 1e5 else f"{value:.0f}"


def element(parent: Element, tag: str, text: str = "", **attributes: str | float) -> Element:
    """A child element; `_` in the names of attributes stands for `-`."""
    made = ElementTree.SubElement(
        parent,
        tag,
        {
            name.rstrip("_").replace("_", "-"): value if isinstance(value, str) else number(value)
            for name, value in attributes.items()
        },
    )
    if text:
        made.text = clean(text)
    return made


def clean(text: str) -> str:
    """Characters that XML cannot hold, or that would break a line, shown as a replacement sign."""

    def shown(c: str) -> str:
        kind = unicodedata.category(c)
        if kind[0] == "C" or kind in ("Zl", "Zp"):
            return "\N{REPLACEMENT CHARACTER}"
        return " " if kind == "Zs" else c

    return "".join(map(shown, text))


def width_of(text: str, size: float) -> float:
    """About how wide a text is in the widest of the usual fonts, in pixels."""

    def units(c: str) -> float:
        if c in _NARROW:
            return 0.4
        if c in _WIDE:
            return 0.95
        return 1.05 if unicodedata.east_asian_width(c) in "WF" else 0.64

    return size * sum(map(units, text))


def shortened(text: str, most: int) -> str:
    """The text, its middle left out when it is longer than `most` characters."""
    if len(text) <= most:
        return text
    head = (most - 1) * 2 // 3
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds them all."""
    held = list(boxes)
    left, right = min(b.left for b in held), max(b.right for b in held)
    top, bottom = min(b.top for b in held), max(b.bottom for b in held)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
