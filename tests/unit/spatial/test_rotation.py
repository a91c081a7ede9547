import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from loopwright.spatial import (
    EULER_SEQUENCES,
    about,
    about_x,
    about_y,
    about_z,
    euler_rates,
    from_euler,
    from_rpy,
    is_rotation,
    to_euler,
    turn_between,
    unskew,
)

from .samples import EPS, angles, assert_close, largest, numbers_within, rotations, units, vectors

sequences = pytest.mark.parametrize("sequence", EULER_SEQUENCES)


def is_proper(sequence):
    """Whether the first axis comes back as the third, as in ZXZ."""
    return sequence[0] == sequence[2]


@given(angles())
def test_rotations_about_the_axes_are_rodrigues(angle):
    for ours, axis in zip((about_x, about_y, about_z), np.eye(3), strict=True):
        assert_close(ours(angle), about(axis, angle))
        assert_close(ours(angle), Rotation.from_rotvec(angle * axis).as_matrix(), scale=largest(angle))


@given(units(), angles())
def test_a_rotation_leaves_its_axis_and_turns_what_is_across(axis, angle):
    R = about(axis, angle)
    assert is_rotation(R, tolerance=32 * EPS)
    assert_close(R @ axis, axis)
    across = np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
    assert_close(R @ across, np.cos(angle) * across + np.sin(angle) * np.cross(axis, across))


def test_there_are_twelve_sequences():
    every = {i + j + k for i in "XYZ" for j in "XYZ" for k in "XYZ" if i != j != k}
    assert set(EULER_SEQUENCES) == every
    assert len(EULER_SEQUENCES) == 12


@sequences
@given(three=vectors(2.0 * np.pi))
def test_euler_angles_turn_about_moving_axes(sequence, three):
    assert_close(from_euler(sequence, three), Rotation.from_euler(sequence, three).as_matrix())


@given(vectors(2.0 * np.pi))
def test_roll_pitch_yaw_turn_about_fixed_axes(rpy):
    assert_close(from_rpy(rpy), Rotation.from_euler("xyz", rpy).as_matrix())


@sequences
@given(R=rotations())
def test_euler_angles_say_the_rotation_again(sequence, R):
    first, middle, last = to_euler(sequence, R)
    assert_close(from_euler(sequence, (first, middle, last)), R)
    low, high = (0.0, np.pi) if is_proper(sequence) else (-np.pi / 2, np.pi / 2)
    assert low <= middle <= high
    assert max(abs(first), abs(last)) <= np.pi


@sequences
@given(first=numbers_within(3.1), middle=st.floats(0.01, 1.5), last=numbers_within(3.1))
def test_euler_angles_come_back_away_from_the_singularity(sequence, first, middle, last):
    given_angles = np.array([first, middle, last])
    # An error of EPS in the matrix is one of EPS / sin(middle), or / cos(middle), in the outer angles.
    reach = np.sin(middle) if is_proper(sequence) else np.cos(middle)
    assert_close(to_euler(sequence, from_euler(sequence, given_angles)), given_angles, scale=4.0 / reach)


@sequences
@pytest.mark.parametrize("side", [0, 1], ids=["low end", "high end"])
@pytest.mark.parametrize("away", [0.0, 1e-17, 1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6, 1e-3])
def test_euler_angles_are_exact_at_their_singularity_and_near_it(sequence, side, away):
    ends = (0.0, np.pi) if is_proper(sequence) else (-np.pi / 2, np.pi / 2)
    middle = ends[side] + (away if side == 0 else -away)
    R = from_euler(sequence, (0.7, middle, -2.1))
    assert_close(from_euler(sequence, to_euler(sequence, R)), R)


@sequences
def test_the_first_angle_takes_the_whole_turn_at_the_singularity(sequence):
    middle = 0.0 if is_proper(sequence) else np.pi / 2
    first, _, last = to_euler(sequence, from_euler(sequence, (0.7, middle, -0.4)))
    # The rotation is then one by 0.7 - 0.4 about the first axis, or 0.7 + 0.4 where the last axis points back along it.
    assert min(abs(first - 0.3), abs(first - 1.1)) <= 8 * EPS
    assert abs(last) <= 8 * EPS


@sequences
@given(three=vectors(np.pi), rates=vectors())
def test_euler_rates_make_the_angular_velocity_in_body_axes(sequence, three, rates):
    # w~ = R^T dR/dt; the derivative by a complex step, which has no truncation error at this size
    step = 1e-100
    R_dot = from_euler(sequence, three + 1j * step * rates).imag / step
    w = unskew(from_euler(sequence, three).T @ R_dot)
    assert_close(euler_rates(sequence, three) @ rates, w, scale=3.0 * largest(rates))


@given(rotations())
def test_rotations_are_recognised(R):
    assert is_rotation(R)


@pytest.mark.parametrize(
    "not_one",
    [np.diag([1.0, 1.0, -1.0]), 1.001 * np.eye(3), np.eye(3) + 1e-6 * np.eye(3, k=1), np.zeros((3, 3))],
    ids=["reflection", "scaling", "shear", "nothing"],
)
def test_what_is_no_rotation_is_not_taken_for_one(not_one):
    assert not is_rotation(not_one)


@given(rotations(), units(), angles(np.pi))
def test_turn_between_is_the_sine_of_the_remaining_turn_along_its_axis(R, axis, angle):
    assert_close(turn_between(R, R @ about(axis, angle)), np.sin(angle) * axis)
