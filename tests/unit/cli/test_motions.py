import csv
import math

import numpy as np
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright import zoo
from loopwright.cli.motions import read_motion

ARM = zoo.planar_3r()


def table(path, heads, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([heads, *rows])
    return str(path)


def smooth(t):
    """Three coordinates, their rates and accelerations."""
    k = np.array([1.0, 2.0, 3.0])
    x = np.outer(t, k)
    return np.sin(x), k * np.cos(x), -(k**2) * np.sin(x)


def test_the_cycloid_by_default():
    motion = read_motion(ARM, "cycloid")
    assert (motion.t[0], motion.t[-1]) == (0.0, 1.0)
    np.testing.assert_allclose(motion.q[0], 0.0)
    np.testing.assert_allclose(motion.q[-1], math.pi / 3)
    for ends in (motion.v[[0, -1]], motion.a[[0, -1]]):
        np.testing.assert_allclose(ends, 0.0, atol=1e-14)
    # halfway the rate of the cycloid is twice the mean one
    np.testing.assert_allclose(motion.v[50], 2 * math.pi / 3)


def test_rates_and_accelerations_of_the_cycloid_are_its_derivatives():
    motion = read_motion(ARM, "cycloid:-30deg:pi/2:20")
    np.testing.assert_allclose(motion.q[[0, -1], 0], [-math.pi / 6, math.pi / 2])
    np.testing.assert_allclose(np.gradient(motion.q[:, 0], motion.t, edge_order=2), motion.v[:, 0], atol=1e-3)
    np.testing.assert_allclose(np.gradient(motion.v[:, 0], motion.t, edge_order=2), motion.a[:, 0], atol=1e-3)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        ("-1e-3", -1e-3),
        ("1/4", 0.25),
        ("90deg", math.pi / 2),
        ("pi", math.pi),
        ("π", math.pi),
        ("-pi/2", -math.pi / 2),
        ("2pi/3", 2 * math.pi / 3),
        ("2*pi", 2 * math.pi),
        (" +0.5pi ", math.pi / 2),
    ],
)
def test_numbers_as_people_write_them(text, value):
    assert read_motion(ARM, f"cycloid:0:{text}:1").q[-1, 0] == pytest.approx(value)


@pytest.mark.parametrize(
    "given",
    ["", "1", "1:2", "1:2:3:4", "a:1:1", "0:1:0", "0:1:-1", "0:1/0:1", "nan:1:1", "0:inf:1", "..:1:1", "0:1e999:1"],
)
def test_cycloids_typed_wrong(given):
    with pytest.raises(typer.BadParameter, match="cycloid"):
        read_motion(ARM, f"cycloid:{given}")


def test_balls_and_floating_bodies_are_held_still_by_the_cycloid():
    motion = read_motion(zoo.quadruped(), "cycloid")
    mechanism = zoo.quadruped()
    floating = [k for k, name in enumerate(mechanism.coordinates) if name.startswith("body_joint.")]
    np.testing.assert_array_equal(motion.q[:, floating], np.tile([0, 0, 0, 0, 0, 0, 1], (101, 1)))
    assert not motion.v[:, :6].any()
    assert "body_joint held still" in motion.source


def test_positions_alone_are_splined(tmp_path):
    t = np.linspace(0.0, 2.0, 81)
    q, v, a = smooth(t)
    motion = read_motion(ARM, table(tmp_path / "m.csv", ["t", *ARM.coordinates], np.column_stack([t, q])))
    np.testing.assert_array_equal(motion.q, q)
    np.testing.assert_allclose(motion.v, v, atol=1e-4)
    np.testing.assert_allclose(motion.a, a, atol=1e-2)
    np.testing.assert_allclose(motion.a[5:-5], a[5:-5], atol=1e-4)


def test_what_the_file_gives_is_taken_as_it_is(tmp_path):
    t = np.linspace(0.0, 2.0, 81)
    q, v, a = smooth(t)
    names = ARM.coordinates
    heads = ["t", *names, f"{names[0]}'", f"{names[1]}''"]
    rows = np.column_stack([t, q, v[:, 0] + 1.0, a[:, 1] + 1.0])
    motion = read_motion(ARM, table(tmp_path / "m.csv", heads, rows))
    np.testing.assert_array_equal(motion.v[:, 0], v[:, 0] + 1.0)
    np.testing.assert_array_equal(motion.a[:, 1], a[:, 1] + 1.0)
    np.testing.assert_allclose(motion.v[:, 1], v[:, 1], atol=1e-3)
    np.testing.assert_allclose(motion.a[:, 0], a[:, 0], atol=1e-2)  # from the rates given


def test_columns_in_any_order_with_blanks_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "m.csv"
    names = ARM.coordinates
    lines = [f" {names[2]} ,t, {names[0]},{names[1]} "] + [f"{3 * k},{k}, {k},{2 * k}" for k in range(5)]
    path.write_text("\ufeff" + "\n".join(lines) + "\n\n", encoding="utf-8")
    motion = read_motion(ARM, str(path))
    np.testing.assert_allclose(motion.q, np.outer(np.arange(5.0), [1, 2, 3]))
    np.testing.assert_allclose(motion.v, np.tile([1.0, 2, 3], (5, 1)), atol=1e-12)


def test_a_turning_ball_has_the_angular_velocity_in_its_own_axes(tmp_path):
    b = lw.Builder("ball")
    b.body("head", 1.0, inertia=(1, 2, 2))
    b.spherical("neck", "ground", "head")
    ball = b.build()
    t = np.linspace(0.0, 1.0, 41)
    # about a fixed axis by t^2 radians: rate 2 t, acceleration 2
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    q = np.column_stack([np.outer(np.sin(t**2 / 2), axis), np.cos(t**2 / 2)])
    motion = read_motion(ball, table(tmp_path / "m.csv", ["t", *ball.coordinates], np.column_stack([t, q])))
    np.testing.assert_allclose(motion.v, np.outer(2 * t, axis), atol=1e-6)
    np.testing.assert_allclose(motion.a, np.tile(2 * axis, (41, 1)), atol=1e-4)


def wrong(text, path):
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    with pytest.raises(lw.LoopwrightError) as failure:
        read_motion(zoo.pendulum(), str(path))
    return str(failure.value)


NAME = zoo.pendulum().coordinates[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("t,x\n", f"lacks the column {NAME}"),
        (f"time,{NAME}\n0,0\n", "lacks the column t"),
        (f"t,{NAME}\n0,0\n1,1\n2,2\n", "3 rows; a motion needs at least 4"),
        (f"t,{NAME}\n0,0\n1,1\n1,2\n3,3\n", "line 4: t must increase, and 1 comes after 1"),
        (f"t,{NAME}\n0,0\n1,one\n2,2\n3,3\n", f"line 3, column '{NAME}': 'one' is not a number"),
        (f"t,{NAME}\n0,0\n1,\n2,2\n3,3\n", "'' is not a number"),
        (f"t,{NAME}\n0,0\n1,nan\n2,2\n3,3\n", "nan is not a finite number"),
        (f"t,{NAME}\n0,0\n1\n2,2\n3,3\n", "line 3: 1 entries under 2 columns"),
        (f"t,{NAME},{NAME}\n0,0,0\n", "stands there 2 times"),
        (f"t,{NAME},other\n0,0,0\n1,1,1\n2,2,2\n3,3,3\n", "no coordinate for column 'other'"),
        (b"\xff\xfe\x00t", "not a CSV file in UTF-8"),
    ],
)
def test_files_that_are_wrong(text, said, tmp_path):
    assert said in wrong(text, tmp_path / "m.csv")


def test_no_file_and_no_readable_file(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(lw.LoopwrightError, match="cannot read the motion"):
            read_motion(ARM, str(path))


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_no_file_is_met_with_anything_but_words(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "m.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    with pytest.raises(lw.LoopwrightError):
        read_motion(ARM, str(path))


@given(st.text(max_size=20))
def test_no_cycloid_either(text):
    try:
        motion = read_motion(ARM, f"cycloid:{text}")
    except typer.BadParameter:
        return
    assert np.all(np.isfinite(motion.q))
