import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from loopwright.spatial import (
    about,
    from_quaternion,
    from_rotation_vector,
    quaternion_exp,
    quaternion_inverse,
    quaternion_log,
    quaternion_product,
    quaternion_rate,
    skew,
    to_axis_angle,
    to_quaternion,
    to_rotation_vector,
)

from .samples import EPS, angles, assert_close, largest, units, vectors

# Angles from the smallest float whose square is one to a whole turn, crowded where formulas change or lose digits.
TINY = [10.0**-k for k in (150, 30, 17, 9, 6, 5, 4, 3)] + [0.9999e-4, 1.0001e-4]
NEAR_PI = [np.pi - 10.0**-k for k in (1, 3, 6, 9, 12, 15)] + [np.pi]
AXES = [
    np.array(a) / np.linalg.norm(a)
    for a in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, -1.0], [1.0, -2, 3], [1e-8, 1.0, 0], [1.0, 1, 0], [-1.0, 1e-3, 1e-5])
]


@given(units(size=4))
def test_the_matrix_of_a_quaternion_is_scipys(q):
    assert_close(from_quaternion(q), Rotation.from_quat(q).as_matrix())


@given(units(size=4))
def test_a_quaternion_comes_back_from_its_matrix_with_a_scalar_part_not_below_zero(q):
    back = to_quaternion(from_quaternion(q))
    assert back[3] >= 0.0
    # Shepperd's choice divides by a component of at least 1/2, so digits are lost by a factor of 2 at most.
    assert min(np.abs(back - q).max(), np.abs(back + q).max()) <= 32 * EPS


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", TINY + NEAR_PI)
def test_matrix_to_quaternion_is_well_conditioned_at_every_angle(axis, angle):
    q = to_quaternion(about(axis, angle))
    assert_close(np.linalg.norm(q), 1.0)
    assert_close(from_quaternion(q), about(axis, angle))


@given(units(size=4), units(size=4))
def test_the_product_of_quaternions_is_that_of_matrices(a, b):
    assert_close(from_quaternion(quaternion_product(a, b)), from_quaternion(a) @ from_quaternion(b))


@given(units(size=4))
def test_a_quaternion_and_its_inverse_cancel(q):
    assert_close(quaternion_product(q, quaternion_inverse(q)), [0.0, 0.0, 0.0, 1.0])
    assert_close(from_quaternion(quaternion_inverse(q)), from_quaternion(q).T)


@given(units(size=4), vectors())
def test_the_rate_of_a_quaternion_turns_the_matrix_at_w_in_body_axes(q, w):
    # dR/dt = R w~; the derivative by a complex step, which has no truncation error at this size
    step = 1e-100
    R_dot = from_quaternion(q + 1j * step * quaternion_rate(q, w)).imag / step
    assert_close(R_dot, from_quaternion(q) @ skew(w), scale=largest(w))


@given(vectors(np.pi))
def test_exp_is_scipys(r):
    assert_close(from_rotation_vector(r), Rotation.from_rotvec(r).as_matrix(), scale=largest(r))
    assert_close(np.linalg.norm(quaternion_exp(r)), 1.0)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", [*TINY, 0.5, 1.5, 3.0, *NEAR_PI[:-1]])
def test_log_undoes_exp_to_the_last_digits(axis, angle):
    r = angle * axis
    assert_close(quaternion_log(quaternion_exp(r)), r, scale=angle)
    # A matrix holds a quaternion with w near 0 only to rounding of 1, not of w: the error is one of pi.
    assert_close(to_rotation_vector(from_rotation_vector(r)), r, scale=angle, roundings=64)


@pytest.mark.parametrize("axis", AXES)
def test_half_a_turn_has_a_rotation_vector_of_length_pi_along_its_axis(axis):
    r = to_rotation_vector(about(axis, np.pi))
    assert_close(np.linalg.norm(r), np.pi)
    assert_close(np.abs(r @ axis), np.pi)


@given(units(size=4))
def test_a_quaternion_and_its_negative_have_one_logarithm(q):
    r = quaternion_log(q)
    assert np.linalg.norm(r) <= np.pi * (1.0 + 4.0 * EPS)
    assert_close(from_rotation_vector(r), from_quaternion(q))
    assert_close(from_rotation_vector(quaternion_log(-q)), from_quaternion(q))


@given(units(), st.floats(0.0, np.pi))
def test_axis_and_angle_say_the_rotation_again(axis, angle):
    found_axis, found_angle = to_axis_angle(about(axis, angle))
    assert 0.0 <= found_angle <= np.pi * (1.0 + 4.0 * EPS)
    assert_close(found_angle, angle)
    assert_close(about(found_axis, found_angle), about(axis, angle))


@pytest.mark.parametrize("angle", [1e-320, 1e-170, 1e-161, 1e-155, 1e-100, 1e-8])
def test_the_axis_is_a_unit_vector_however_small_the_angle(angle):
    axis, found = to_axis_angle(about(np.array([0.6, 0.0, -0.8]), angle))
    assert_close(np.linalg.norm(axis), 1.0)
    assert_close(found, angle)


def test_no_rotation_has_axis_z_and_angle_zero():
    axis, angle = to_axis_angle(np.eye(3))
    assert angle == 0.0
    np.testing.assert_array_equal(axis, [0.0, 0.0, 1.0])


@given(units(), angles())
def test_exp_agrees_with_rodrigues(axis, angle):
    assert_close(from_rotation_vector(angle * axis), about(axis, angle), scale=largest(angle))
