import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.spatial import Inertia, Pose, Propagation, skew, why_impossible

from .samples import (
    assert_close,
    cloud_inertia,
    cloud_matrix,
    clouds,
    largest,
    numbers_within,
    poses,
    rotations,
    symmetric_matrices,
    vectors,
)


def size(masses, points):
    """A bound on every entry of a cloud's inertia, and on the sums that make it."""
    return 4.0 * masses.sum() * largest(points, points)


@given(clouds())
def test_the_inertia_of_a_cloud_of_points(cloud):
    assert_close(cloud_inertia(*cloud).matrix(), cloud_matrix(*cloud), scale=size(*cloud))


@given(clouds())
def test_mass_centre_and_the_tensor_about_it_come_back(cloud):
    masses, points = cloud
    M = cloud_inertia(masses, points)
    centre = masses @ points / masses.sum()
    assert_close(M.centre, centre, scale=largest(points))
    assert_close(M.tensor_at_centre, cloud_matrix(masses, points - centre)[:3, :3], scale=size(masses, points))


@given(clouds(), vectors(size=6), vectors(size=12))
def test_the_momentum_of_a_twist(cloud, t, many):
    M, scale = cloud_inertia(*cloud), 6.0 * size(*cloud) * largest(t, many)
    assert_close(M @ t, cloud_matrix(*cloud) @ t, scale=scale)
    assert_close(M @ many.reshape(6, 2), cloud_matrix(*cloud) @ many.reshape(6, 2), scale=scale)


@given(clouds(), vectors())
def test_the_gyroscopic_wrench_is_what_bends_the_points_paths(cloud, w):
    # Point by point: acceleration w x (w x p), with its force and moment about the origin.
    expected = np.zeros(6)
    for m, p in zip(*cloud, strict=True):
        force = m * np.cross(w, np.cross(w, p))
        expected += np.concatenate([np.cross(p, force), force])
    M = cloud_inertia(*cloud)
    assert_close(M.gyroscopic(w), expected, scale=4.0 * size(*cloud) * largest(w, w), roundings=64)


@given(clouds(), vectors(), vectors(), vectors())
def test_the_wrench_by_the_field_of_accelerations(cloud, w, w_rate, v_rate):
    # w'~ + w~ w~ gives every point its acceleration about the origin's
    M, field = cloud_inertia(*cloud), skew(w_rate) + skew(w) @ skew(w)
    expected = M @ np.concatenate([w_rate, v_rate]) + M.gyroscopic(w)
    scale = 10.0 * size(*cloud) * largest(w, w) * largest(w_rate, v_rate)
    assert_close(M.wrench(v_rate, field), expected, scale=scale, roundings=64)


@given(clouds(), poses())
def test_a_body_seen_from_elsewhere_is_its_points_seen_from_elsewhere(cloud, X):
    masses, points = cloud
    moved = points @ X.R.T + X.p
    seen = cloud_inertia(masses, points).gathered(X)
    assert_close(seen.matrix(), cloud_matrix(masses, moved), scale=size(masses, moved) + size(masses, points))


@given(clouds(), poses())
def test_gathering_an_inertia_is_gathering_its_matrix(cloud, X):
    M = cloud_inertia(*cloud)
    A = Propagation.of(X)
    scale = 6.0 * size(*cloud) * largest(X.p, X.p)
    assert_close(M.gathered(X).matrix(), A.gathered(M.matrix()), scale=scale)
    np.testing.assert_array_equal(A.gathered(M).matrix(), M.gathered(X).matrix())
    assert_close(M.gathered(X).matrix(), A.matrix().T @ M.matrix() @ A.matrix(), scale=scale)


@given(clouds(), poses(), vectors(size=6))
def test_kinetic_energy_is_the_same_seen_from_either_frame(cloud, X, t):
    M, A = cloud_inertia(*cloud), Propagation.of(X)
    here, there = (A @ t) @ (M @ (A @ t)), t @ (M.gathered(X) @ t)
    assert_close(here, there, scale=36.0 * size(*cloud) * largest(t, t) * largest(X.p, X.p))


@given(clouds(), vectors())
def test_shifting_moves_the_origin_only(cloud, a):
    masses, points = cloud
    shifted = cloud_inertia(masses, points).shifted(a)
    assert_close(shifted.matrix(), cloud_matrix(masses, points + a), scale=size(masses, points) * largest(a, a))


@given(clouds(), rotations())
def test_rotating_turns_the_axes_only(cloud, R):
    masses, points = cloud
    rotated = cloud_inertia(masses, points).rotated(R)
    assert_close(rotated.matrix(), cloud_matrix(masses, points @ R.T), scale=size(masses, points))


@given(clouds(), clouds())
def test_two_bodies_welded_together_add(one, other):
    masses, points = np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
    together = cloud_inertia(*one) + cloud_inertia(*other)
    assert_close(together.matrix(), cloud_matrix(masses, points), scale=size(masses, points))


@given(clouds())
def test_zero_is_neutral(cloud):
    M = cloud_inertia(*cloud)
    np.testing.assert_array_equal((M + Inertia.zero()).matrix(), M.matrix())


def test_the_parallel_axis_theorem_on_a_rod():
    # A rod of 3 kg and 2 m about its end: m l^2 / 3 = 4
    rod = Inertia.of(3.0, np.zeros(3), np.diag([0.0, 1.0, 1.0])).shifted(np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(rod.tensor, np.diag([0.0, 4.0, 4.0]), atol=0.0)
    np.testing.assert_allclose(rod.moment, [3.0, 0.0, 0.0], atol=0.0)


@given(clouds(), st.sampled_from([1e-12, 1.0, 1e12]))
def test_every_cloud_of_points_is_possible_in_any_unit(cloud, unit):
    masses, points = cloud
    M = cloud_inertia(masses, points)
    tensor = cloud_matrix(masses, points - M.centre)[:3, :3]
    assert why_impossible(masses.sum() * unit, tensor * unit) == ""


@pytest.mark.parametrize(
    "mass, tensor",
    [
        (1.0, np.zeros((3, 3))),
        (0.0, np.zeros((3, 3))),
        (1.0, np.diag([0.0, 1.0, 1.0])),
        (1.0, np.diag([1.0, 1.0, 2.0])),
    ],
    ids=["point", "massless", "thin rod", "thin plate"],
)
def test_idealised_bodies_are_possible(mass, tensor):
    assert why_impossible(mass, tensor) == ""


@pytest.mark.parametrize(
    "mass, tensor, reason",
    [
        (-1.0, np.eye(3), "mass -1 is negative"),
        (np.nan, np.eye(3), "not a finite number"),
        (np.inf, np.eye(3), "not a finite number"),
        (1.0, np.diag([1.0, np.nan, 1.0]), "not a finite number"),
        (0.0, np.eye(3), "inertia but no mass"),
        (1.0, np.diag([1.0, -0.5, 1.0]), "negative principal moment -0.5"),
        (1.0, np.diag([1.0, 1.0, 2.1]), "triangle"),
        (1.0, np.array([[1.0, 1.5, 0.0], [1.5, 1.0, 0.0], [0.0, 0.0, 2.0]]), "negative principal moment -0.5"),
        (1.0, 1e-15 * np.diag([1.0, 1.0, 2.1]), "triangle"),
    ],
)
def test_impossible_bodies_are_told_why(mass, tensor, reason):
    assert reason in why_impossible(mass, tensor)


@given(rotations(), st.floats(0.01, 10.0), st.floats(0.01, 10.0), st.floats(0.001, 10.0))
def test_the_triangle_inequality_does_not_depend_on_the_axes(R, one, other, excess):
    tensor = R @ np.diag([one, other, one + other + excess]) @ R.T
    assert "triangle" in why_impossible(1.0, tensor)


@given(symmetric_matrices(3), vectors(), numbers_within(5.0))
def test_gathering_is_linear_so_that_bodies_without_sense_cancel(tensor, moment, mass):
    # Composite bodies are sums; gathering the sum must be summing what was gathered, whatever the signs.
    X = Pose.at((0.3, -1.0, 2.0), (0.4, 1.1, -2.0))
    one, other = Inertia(mass, moment, tensor), Inertia(1.0, np.ones(3), np.eye(3))
    scale = 40.0 * largest(tensor, moment) + 40.0 * largest(np.array(mass))
    assert_close((one + other).gathered(X).matrix(), (one.gathered(X) + other.gathered(X)).matrix(), scale=scale)
