"""The picture of a mechanism's bodies, joints, loops and cuts, as SVG that stands alone."""

from __future__ import annotations

from collections.abc import Collection
from xml.etree import ElementTree

from ..mechanism import GROUND, Joint, Mechanism
from ..topology import Loop, Topology
from .labels import on_curves
from .layout import Layout, layout
from .sketch import KIND_TEXT, LABEL_TEXT, LONGEST, MARK, NODE_TEXT, label_size
from .svg import FONT, Box, Curve, Element, around, clean, element, number, shortened, width_of

INK, GREY, PAPER, ACCENT = "#22303c", "#66727d", "#ffffff", "#b4531a"
NODE_FILL, NODE_LINE = "#eef3f8", "#3d5a78"
COLOURS = ("#c8404f", "#2474b5", "#2f9150", "#8a55b3", "#d9822b", "#0e9494", "#b0437c", "#77682c")

_MARGIN = 28.0
_LISTED = 14  # loops named under the picture
_NARROWEST = 520.0


def graph_svg(mechanism: Mechanism, cuts: Collection[str] | None = None) -> str:
    """Bodies as boxes, the ground as a wall, joints as lines: solid in the tree, dashed where a loop is cut.

    Every loop has a colour, which runs along its joints. `cuts` names the joints at which to open the loops.
    """
    topology = Topology.of(mechanism, cuts)
    mechanism = topology.mechanism
    placed = layout(mechanism)
    colours = {loop.name: COLOURS[k % len(COLOURS)] for k, loop in enumerate(topology.loops)}
    joints = mechanism.joints
    labels = on_curves(
        [placed.curves[joint.name] for joint in joints],
        [label_size(joint) for joint in joints],
        list(placed.boxes.values()),
    )

    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": FONT})
    element(svg, "title", mechanism.name)
    paper = element(svg, "rect", fill=PAPER)
    _loops(element(svg, "g"), topology.loops, colours, placed)
    lines = element(svg, "g", fill="none", stroke_linecap="round")
    for joint in joints:
        _line(lines, placed.curves[joint.name], colours.get(joint.name))
    bodies = element(svg, "g", text_anchor="middle")
    for name, box in placed.boxes.items():
        _ground(bodies, box) if name == GROUND else _body(bodies, name, box)
    tags = element(svg, "g", text_anchor="middle")
    for joint, box in zip(joints, labels, strict=True):
        _label(tags, joint, box, placed.curves[joint.name], colours.get(joint.name))
    drawn = around([*placed.boxes.values(), *labels, *_extent(placed)])
    frame = _words(svg, topology, colours, drawn)

    svg.set("viewBox", " ".join(map(number, (frame.left, frame.top, frame.width, frame.height))))
    svg.set("width", number(frame.width))
    svg.set("height", number(frame.height))
    for key, value in (("x", frame.left), ("y", frame.top), ("width", frame.width), ("height", frame.height)):
        paper.set(key, number(value))
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _extent(placed: Layout) -> list[Box]:
    return [Box(*curve.at(s), 12.0, 12.0) for curve in placed.curves.values() for s in (0.25, 0.5, 0.75)]


def _loops(group: Element, loops: tuple[Loop, ...], colours: dict[str, str], placed: Layout) -> None:
    """A band of the loop's colour along each of its joints, beside those of the other loops."""
    through: dict[str, list[str]] = {}
    for loop in loops:
        for name in (*loop.joints, loop.name):
            through.setdefault(name, []).append(loop.name)
    for name, names in through.items():
        width = min(9.0, 30.0 / len(names))
        for k, loop_name in enumerate(names):
            element(
                group,
                "path",
                d=placed.curves[name].beside((k - (len(names) - 1) / 2) * width).path,
                fill="none",
                stroke=colours[loop_name],
                stroke_width=width,
                stroke_opacity="0.28",
            )


def _line(group: Element, curve: Curve, cut: str | None) -> None:
    if cut is None:
        element(group, "path", d=curve.path, stroke=INK, stroke_width="1.8")
    else:
        element(group, "path", d=curve.path, stroke=cut, stroke_width="2.6", stroke_dasharray="7 6")


def _body(group: Element, name: str, box: Box) -> None:
    one = element(group, "g")
    element(one, "title", name)
    element(
        one,
        "rect",
        x=box.left,
        y=box.top,
        width=box.width,
        height=box.height,
        rx="8",
        fill=NODE_FILL,
        stroke=NODE_LINE,
        stroke_width="1.6",
    )
    element(one, "text", shortened(name, LONGEST), x=box.x, y=box.y + NODE_TEXT * 0.36, font_size=NODE_TEXT, fill=INK)


def _ground(group: Element, box: Box) -> None:
    one = element(group, "g")
    element(one, "title", GROUND)
    step = 9.0
    count = int(box.height // step)
    hatch = " ".join(
        f"M {number(box.left)} {number(box.top + step * k)} l -9 9" for k in range(count) if k * step + 9 <= box.height
    )
    element(one, "path", d=hatch, stroke=GREY, stroke_width="1.2", fill="none")
    element(one, "rect", x=box.left, y=box.top, width=box.width, height=box.height, rx="2", fill=INK)
    turned = f"rotate(-90 {number(box.x)} {number(box.y)})"
    element(
        one,
        "text",
        GROUND,
        x=box.x,
        y=box.y + NODE_TEXT * 0.36,
        font_size=NODE_TEXT,
        fill=PAPER,
        transform=turned,
        letter_spacing="1",
    )


def _label(group: Element, joint: Joint, box: Box, curve: Curve, cut: str | None) -> None:
    """The name over the line and the kind under it where it is level; on paper of its own where it is not."""
    one = element(group, "g")
    element(one, "title", f"{joint.name}: {joint.kind}, {joint.parent} to {joint.child}")
    if not curve.level:
        element(one, "rect", x=box.left, y=box.top, width=box.width, height=box.height, rx="5", fill=PAPER)
    over, under = (5.0, KIND_TEXT + 4.0) if curve.level else (2.0, KIND_TEXT + 1.0)
    driven = any(joint.actuated)
    middle = box.x + (MARK / 2 if driven else 0.0)
    name = shortened(joint.name, LONGEST)
    element(one, "text", name, x=middle, y=box.y - over, font_size=LABEL_TEXT, fill=cut or INK)
    element(one, "text", joint.kind, x=middle, y=box.y + under, font_size=KIND_TEXT, fill=GREY)
    if driven:
        text = max(width_of(name, LABEL_TEXT), width_of(joint.kind, KIND_TEXT))
        _mark(one, middle - text / 2 - 9.0, box.y)


def _mark(group: Element, x: float, y: float) -> None:
    """An M in a circle, as circuit diagrams draw a motor."""
    element(group, "circle", cx=x, cy=y, r="7.5", fill=ACCENT)
    element(group, "text", "M", x=x, y=y + 3.4, font_size="9.5", font_weight="bold", fill=PAPER, text_anchor="middle")


def _words(svg: Element, topology: Topology, colours: dict[str, str], drawn: Box) -> Box:
    """The title above, the legend below; returns the whole picture's box."""
    mechanism = topology.mechanism
    left, wide = drawn.left, max(drawn.width, _NARROWEST)
    group = element(svg, "g")
    top = drawn.top - 62.0
    element(
        group,
        "text",
        shortened(mechanism.name, 60),
        x=left,
        y=top + 16.0,
        font_size="17",
        font_weight="bold",
        fill=INK,
    )
    element(group, "text", _counts(topology), x=left, y=top + 35.0, font_size="12", fill=GREY)
    y = _keys(group, topology, left, drawn.bottom + 34.0)
    for loop in topology.loops[:_LISTED]:
        y += 19.0
        _loop_line(group, loop, colours[loop.name], left, y, wide)
    more = len(topology.loops) - _LISTED
    if more > 0:
        y += 19.0
        element(group, "text", f"and {more} more loops", x=left + 44.0, y=y + 4.0, font_size="11.5", fill=GREY)
    bottom = y + 10.0
    return Box(left + wide / 2, (top + bottom) / 2, wide + 2 * _MARGIN, bottom - top + 2 * _MARGIN)


def _counts(topology: Topology) -> str:
    mechanism = topology.mechanism
    driven = sum(any(joint.actuated) for joint in mechanism.joints)
    parts = [
        _many(len(mechanism.bodies), "body", "bodies"),
        _many(len(mechanism.joints), "joint", "joints"),
        _many(len(topology.loops), "loop", "loops"),
        f"{driven} actuated" if driven else "no joint declared actuated",
    ]
    return ", ".join(parts)


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _keys(group: Element, topology: Topology, left: float, y: float) -> float:
    """What the lines and signs mean, those that occur."""
    x = left
    _line(group, Curve.line((x, y), (x + 32.0, y)), None)
    x = _said(group, "joint of the tree", x + 44.0, y)
    if topology.loops:
        _line(group, Curve.line((x, y), (x + 32.0, y)), GREY)
        x = _said(group, "cut joint, closes a loop", x + 44.0, y)
    if any(any(joint.actuated) for joint in topology.mechanism.joints):
        _mark(group, x + 8.0, y)
        _said(group, "actuated", x + 22.0, y)
    return y


def _said(group: Element, text: str, x: float, y: float) -> float:
    element(group, "text", text, x=x, y=y + 4.0, font_size="11.5", fill=GREY)
    return x + width_of(text, 11.5) + 22.0


def _loop_line(group: Element, loop: Loop, colour: str, left: float, y: float, wide: float) -> None:
    _swatch(group, colour, left, y)
    path = " – ".join(loop.bodies)
    most = int((wide - 44.0) / (0.64 * 11.5))
    text = shortened(f"loop {clean(loop.name)}, {loop.rows} rows: {clean(path)}", max(most, 40))
    element(group, "text", text, x=left + 44.0, y=y + 4.0, font_size="11.5", fill=INK)


def _swatch(group: Element, colour: str, left: float, y: float) -> None:
    element(group, "rect", x=left, y=y - 4.5, width=32.0, height=9.0, fill=colour, fill_opacity="0.28")
    _line(group, Curve.line((left + 1.0, y), (left + 31.0, y)), colour)
