import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright import zoo
from loopwright.testing import random_tree
from loopwright.view import graph_svg
from loopwright.view.labels import on_curves
from loopwright.view.layout import layout
from loopwright.view.sketch import label_size

from .samples import ODD, fan, odd_names, twice_joined

SVG = "{http://www.w3.org/2000/svg}"
READY = list(zoo.MECHANISMS)


def parsed(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    assert root.tag == SVG + "svg"
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(SVG + "text")]


def dashed(root: ElementTree.Element) -> list[str]:
    return [path.get("stroke") for path in root.iter(SVG + "path") if path.get("stroke-dasharray")]


@pytest.mark.parametrize("name", READY)
def test_every_body_and_joint_of_the_zoo_is_named(name):
    mechanism = zoo.MECHANISMS[name]()
    said = texts(parsed(graph_svg(mechanism)))
    for part in ("ground", *(b.name for b in mechanism.bodies), *(j.name for j in mechanism.joints)):
        assert part in said


@pytest.mark.parametrize("name", READY)
def test_in_the_zoo_no_label_lies_on_another_or_on_a_body(name):
    mechanism = zoo.MECHANISMS[name]()
    assert_clear(mechanism)


@pytest.mark.parametrize(
    "make", [odd_names, twice_joined, lambda: fan(4), lambda: zoo.chain(50), lambda: random_tree(3, 25)]
)
def test_elsewhere_too(make):
    assert_clear(make())


def assert_clear(mechanism: lw.Mechanism) -> None:
    drawn = layout(mechanism)
    bodies = list(drawn.boxes.values())
    curves = [drawn.curves[joint.name] for joint in mechanism.joints]
    labels = on_curves(curves, [label_size(joint) for joint in mechanism.joints], bodies)
    for k, label in enumerate(labels):
        assert all(label.overlap(body) == 0.0 for body in bodies)
        assert all(label.overlap(other) == 0.0 for other in labels[k + 1 :])
    for k, body in enumerate(bodies):
        assert all(body.overlap(other) == 0.0 for other in bodies[k + 1 :])


def test_cuts_are_dashed_in_the_colour_of_their_loop_and_tree_joints_are_not():
    mechanism = zoo.stewart()
    colours = dashed(parsed(graph_svg(mechanism)))
    loops = len(mechanism.tree.cuts)
    key, drawn, listed = 1, colours[:loops], colours[-loops:]
    assert len(colours) == loops + key + loops
    assert drawn == listed
    assert len(set(drawn)) == loops


def test_a_tree_has_no_dashes():
    assert dashed(parsed(graph_svg(zoo.puma560()))) == []


def test_the_user_may_cut_elsewhere():
    mechanism = zoo.four_bar()
    here, there = graph_svg(mechanism), graph_svg(mechanism, cuts=["crank_pin"])
    assert "loop rocker_pin" in here
    assert "loop crank_pin" in there
    with pytest.raises(lw.LoopwrightError, match="cannot cut"):
        graph_svg(mechanism, cuts=["crnk_pin"])


def test_each_actuated_joint_has_a_motor():
    motors = [text for text in texts(parsed(graph_svg(zoo.three_rrr()))) if text == "M"]
    assert len(motors) == 3 + 1  # and one in the legend
    assert "M" not in texts(parsed(graph_svg(zoo.puma560())))


def test_any_name_makes_a_picture_that_can_be_written():
    text = graph_svg(odd_names())
    root = parsed(text)
    text.encode("utf-8")
    shown = ODD.replace("\x00", "\ufffd").replace("\n", "\ufffd").replace("\ud800", "\ufffd")
    assert shown in [title.text for title in root.iter(SVG + "title")]
    assert any("…" in said for said in texts(root))


def test_it_stands_alone_and_is_readable_on_a_dark_page():
    root = parsed(graph_svg(zoo.andrews()))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "rect", "g", "path", "text", "circle"}
    left, top, width, height = map(float, root.get("viewBox").split())
    paper = root.find(SVG + "rect")
    assert paper.get("fill") == "#ffffff"
    assert [float(paper.get(key)) for key in ("x", "y", "width", "height")] == [left, top, width, height]


@pytest.mark.parametrize("make", [zoo.stewart, zoo.andrews, odd_names, twice_joined, lambda: fan(9), zoo.hexapod])
def test_nothing_is_drawn_outside(make):
    root = parsed(graph_svg(make()))
    left, top, width, height = map(float, root.get("viewBox").split())
    for element in root.iter():
        if element.tag == SVG + "rect":
            x, y, w, h = (float(element.get(key)) for key in ("x", "y", "width", "height"))
            assert left <= x and x + w <= left + width  # noqa: PT018
            assert top <= y and y + h <= top + height  # noqa: PT018
        if element.tag == SVG + "text":
            assert left <= float(element.get("x")) <= left + width
            assert top <= float(element.get("y")) <= top + height


def test_the_same_mechanism_gives_the_same_picture_in_every_process():
    code = "from loopwright import view, zoo; print(view.graph_svg(zoo.stewart()))"
    prints = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(prints) == 1


def test_long_chains_are_folded_to_the_width_of_a_page():
    root = parsed(graph_svg(zoo.chain(50)))
    _, _, width, height = map(float, root.get("viewBox").split())
    assert width < 1500
    assert 0.4 < height / width < 1.5


def test_a_mechanism_of_many_loops_names_the_first_ones():
    said = " ".join(texts(parsed(graph_svg(fan(20)))))
    assert re.search(r"and \d+ more loops", said)


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=12))
def test_any_graph_of_bodies_is_drawn_whole(bodies, extra):
    b = lw.Builder("any")
    names = ["ground", *(f"b{k}" for k in range(bodies))]
    for k, name in enumerate(names[1:]):
        b.body(name, 1.0, inertia=(1, 1, 1))
        b.revolute(f"j{k}", names[k // 2], name)
    for k, (i, j) in enumerate(extra):
        if i % len(names) != j % len(names):
            b.spherical(f"x{k}", names[i % len(names)], names[j % len(names)])
    mechanism = b.build()
    root = parsed(graph_svg(mechanism))
    assert {joint.name for joint in mechanism.joints} <= set(texts(root))
    boxes = list(layout(mechanism).boxes.values())
    assert all(a.overlap(b) == 0.0 for k, a in enumerate(boxes) for b in boxes[k + 1 :])
