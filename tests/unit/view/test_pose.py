import numpy as np
import pytest

import loopwright as lw
from loopwright import zoo
from loopwright.view import pose_figure, save, skeleton

from .samples import floating, odd_names


def at_start(name: str) -> tuple[lw.Mechanism, np.ndarray]:
    mechanism, start = zoo.MECHANISMS[name](), zoo.start(name)
    return mechanism, np.array([start[c] for c in mechanism.coordinates])


@pytest.mark.parametrize("name", [m.__name__ for m in zoo.CLOSED])
def test_loops_close_where_the_published_motion_starts(name):
    mechanism, q = at_start(name)
    assert skeleton(mechanism, q).gaps == {}


def test_a_loop_that_does_not_close_shows_its_gap():
    mechanism, q = at_start("four_bar")
    q[0] += 0.3
    gaps = skeleton(mechanism, q).gaps
    assert list(gaps) == ["rocker_pin"]
    assert np.linalg.norm(gaps["rocker_pin"][1] - gaps["rocker_pin"][0]) > 0.01


def test_bars_are_as_long_as_they_are():
    mechanism, q = at_start("four_bar")
    bodies = skeleton(mechanism, q).bodies
    lengths = {name: np.linalg.norm(ends[1] - ends[0]) for name, ends in bodies.items()}
    assert lengths == pytest.approx({"crank": 0.3, "coupler": 1.0, "rocker": 0.6})


def test_a_plate_is_drawn_around_its_corners():
    mechanism, q = at_start("three_rrr")
    plate = skeleton(mechanism, q).bodies["platform"]
    assert plate.shape == (4, 3)
    np.testing.assert_array_equal(plate[0], plate[-1])


def test_points_inside_a_body_or_along_its_edge_are_no_corners():
    b = lw.Builder("plate")
    b.body("plate", 1.0, inertia=(1, 1, 1))
    b.revolute("pivot", "ground", "plate", child_xyz=(0.5, 0.5, 0))
    for k, point in enumerate([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0, 0)]):
        b.body(f"tip{k}", 1.0, inertia=(1, 1, 1))
        b.revolute(f"hinge{k}", "plate", f"tip{k}", xyz=point)
    mechanism = b.build()
    outline = skeleton(mechanism, mechanism.neutral()).bodies["plate"]
    assert len(outline) == 5  # four corners, closed


def test_a_slide_is_drawn_between_its_ends():
    mechanism, q = at_start("stewart")
    slides = skeleton(mechanism, q).slides
    strokes = {name: np.linalg.norm(ends[1] - ends[0]) for name, ends in slides.items()}
    assert len(strokes) == 6
    for name, stroke in strokes.items():
        assert stroke == pytest.approx(abs(q[mechanism.coordinates.index(name)]))


def test_planar_mechanisms_are_drawn_flat_and_others_in_space():
    flat = pose_figure(*at_start("four_bar")).axes[0]
    space = pose_figure(*at_start("bricard")).axes[0]
    assert (flat.name, space.name) == ("rectilinear", "3d")
    assert (flat.get_xlabel(), flat.get_ylabel()) == ("x (m)", "y (m)")
    assert flat.get_aspect() == 1.0


def test_several_positions_fade_in():
    arm = zoo.planar_3r()
    one = pose_figure(arm, np.zeros(3)).axes[0]
    three = pose_figure(arm, np.outer([0.0, 0.5, 1.0], np.ones(3))).axes[0]
    assert len(three.lines) == 3 * len(one.lines)
    assert three.lines[0].get_alpha() < three.lines[-1].get_alpha() == 1.0


@pytest.mark.parametrize("make", [floating, odd_names, zoo.hexapod, zoo.pendulum])
def test_anything_can_be_drawn(make, tmp_path):
    mechanism = make()
    assert save(pose_figure(mechanism, mechanism.neutral()), tmp_path / "pose.png").stat().st_size > 1000


def test_a_body_on_one_spot_does_no_harm(tmp_path):
    b = lw.Builder("spot")
    b.body("spot", 1.0, inertia=(1, 1, 1))
    b.spherical("ball", "ground", "spot")
    mechanism = b.build()
    save(pose_figure(mechanism, mechanism.neutral()), tmp_path / "spot.png")
