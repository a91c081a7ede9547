import numpy as np
import pytest

import loopwright as lw
from loopwright import zoo
from loopwright.mechanism import force_units, position_units, velocity_units
from loopwright.view import motion_figure, save

from .samples import floating, odd_names


def some_motion(mechanism: lw.Mechanism, rows: int = 5):
    t = np.linspace(0.0, 1.0, rows)
    q = np.tile(mechanism.neutral(), (rows, 1))
    return t, q, np.ones((rows, mechanism.nv)), np.ones((rows, mechanism.nu))


def test_units_of_every_coordinate():
    mechanism = floating()
    units = dict(zip(mechanism.coordinates, position_units(mechanism), strict=True))
    assert (units["afloat.x"], units["afloat.qw"], units["neck.qx"]) == ("m", "", "")
    assert (units["rail.angle"], units["rail.slide"]) == ("rad", "m")
    assert (units["table.x"], units["table.angle"]) == ("m", "rad")
    rates = dict(zip(mechanism.velocities, velocity_units(mechanism), strict=True))
    assert (rates["afloat.vx"], rates["afloat.wx"], rates["rail.slide"]) == ("m/s", "rad/s", "m/s")
    forces = dict(zip(mechanism.velocities, force_units(mechanism), strict=True))
    assert (forces["afloat.vx"], forces["neck.wz"], forces["table.y"]) == ("N", "N·m", "N")


def test_a_turning_arm_has_three_panels_with_units():
    arm = zoo.planar_3r()
    figure = motion_figure(arm, *some_motion(arm))
    assert [ax.get_ylabel() for ax in figure.axes] == ["angle (rad)", "rate (rad/s)", "torque (N·m)"]
    assert figure.axes[-1].get_xlabel() == "time (s)"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(arm.coordinates)


def test_slides_have_panels_of_their_own():
    arm = zoo.stanford_arm()
    figure = motion_figure(arm, *some_motion(arm))
    labels = [ax.get_ylabel() for ax in figure.axes]
    assert labels[1::2] == ["position (m)", "rate (m/s)", "force (N)"]
    assert [len(ax.lines) for ax in figure.axes] == [5, 1] * 3


def test_lines_carry_the_numbers_given():
    arm = zoo.pendulum()
    t, q, v, tau = some_motion(arm)
    tau = tau * np.arange(5.0)[:, None]
    figure = motion_figure(arm, t, q, v, tau)
    drawn = figure.axes[2].lines[0]
    np.testing.assert_array_equal(drawn.get_ydata(), tau[:, 0])
    np.testing.assert_array_equal(drawn.get_xdata(), t)


@pytest.mark.parametrize("make", [floating, odd_names, zoo.hexapod, lambda: zoo.chain(80)])
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_any_mechanism_can_be_drawn(make, ending, tmp_path):
    mechanism = make()
    file = save(motion_figure(mechanism, *some_motion(mechanism)), tmp_path / f"new/folder/motion.{ending}")
    assert file.stat().st_size > 1000


def test_an_unactuated_joint_has_no_force():
    mechanism = zoo.four_bar()
    figure = motion_figure(mechanism, *some_motion(mechanism))
    assert [len(ax.lines) for ax in figure.axes] == [3, 3, 1]


def test_a_single_instant_is_visible(tmp_path):
    mechanism = zoo.pendulum()
    figure = motion_figure(mechanism, *some_motion(mechanism, rows=1))
    assert figure.axes[0].lines[0].get_marker() == "o"
    save(figure, tmp_path / "one.png")


def test_lines_that_lie_on_each_other_are_striped():
    arm = zoo.planar_3r()
    t, q, v, tau = some_motion(arm)
    tau[:, 2] += t
    lines = motion_figure(arm, t, q, v, tau).axes[2].lines
    assert [line.is_dashed() for line in lines] == [True, True, False]


def test_a_name_of_any_length_leaves_room_for_the_lines():
    figure = motion_figure(odd_names(), *some_motion(odd_names()))
    assert max(len(text.get_text()) for text in figure.legends[0].get_texts()) < 40
