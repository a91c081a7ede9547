import casadi
import numpy as np
from hypothesis import given

from loopwright.spatial import (
    Gathering,
    Propagation,
    angular,
    block,
    force_at,
    linear,
    power,
    single_axes,
    skew,
    symbols,
    twist,
    wrench,
)

from .samples import assert_close, largest, poses, symmetric_matrices, vectors


def explicit(X_ji):
    """The twist-propagation matrix by its meaning: what A does to the six unit twists of link j."""
    columns = []
    for t in np.eye(6):
        w, v = t[:3], t[3:]
        columns.append(np.concatenate([X_ji.R.T @ w, X_ji.R.T @ (v + np.cross(w, X_ji.p))]))
    return np.stack(columns, axis=1)


@given(vectors(), vectors())
def test_a_twist_is_angular_first(w, v):
    t = twist(w, v)
    np.testing.assert_array_equal(t, [*w, *v])
    np.testing.assert_array_equal(angular(t), w)
    np.testing.assert_array_equal(linear(t), v)


def test_block_lays_four_matrices_out_as_they_are_read():
    P, Q, R, S = (k * np.ones((2, 2)) for k in (1.0, 2.0, 3.0, 4.0))
    np.testing.assert_array_equal(block(P, Q, R, S), np.block([[P, Q], [R, S]]))


@given(poses())
def test_the_matrix_of_a_propagation(X):
    A = Propagation.of(X)
    assert_close(A.matrix(), explicit(X), scale=largest(X.p))


def test_a_turning_door_moves_its_handle():
    # The door turns about z at 2 rad/s; its handle is 0.8 along x, with axes a quarter turn on.
    handle = Propagation(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), np.array([0.8, 0.0, 0.0]))
    np.testing.assert_allclose(handle @ np.array([0.0, 0, 2, 0, 0, 0]), [0.0, 0, 2, 1.6, 0, 0], atol=0.0)


@given(poses(), vectors(size=6), vectors(size=12))
def test_propagating_is_multiplying_by_the_matrix(X, t, many):
    A, scale = Propagation.of(X), largest(X.p, t, many)
    assert_close(A @ t, explicit(X) @ t, scale=scale)
    assert_close(A @ many.reshape(6, 2), explicit(X) @ many.reshape(6, 2), scale=scale)


@given(poses(), vectors(size=6), vectors(size=12))
def test_gathering_is_multiplying_by_the_transpose(X, w, many):
    A_T, scale = Propagation.of(X).T, largest(X.p, w, many)
    assert isinstance(A_T, Gathering)
    assert_close(A_T @ w, explicit(X).T @ w, scale=scale)
    assert_close(A_T @ many.reshape(6, 2), explicit(X).T @ many.reshape(6, 2), scale=scale)


@given(poses(), vectors(size=6), vectors(size=6))
def test_power_is_the_same_seen_from_either_frame(X, w, t):
    A = Propagation.of(X)
    assert_close(power(w, A @ t), power(A.T @ w, t), scale=6.0 * largest(X.p, w, t))


@given(poses(), poses(), vectors(size=6))
def test_propagations_follow_one_another_as_poses_do(X_ij, X_jk, t):
    A_ji, A_kj, A_ki = Propagation.of(X_ij), Propagation.of(X_jk), Propagation.of(X_ij @ X_jk)
    assert_close(A_ki @ t, A_kj @ (A_ji @ t), scale=largest(t) * (largest(X_ij.p) + largest(X_jk.p)), roundings=64)


@given(poses(), symmetric_matrices())
def test_a_gathered_matrix_is_the_congruence(X, M):
    gathered = Propagation.of(X).gathered(M)
    assert_close(gathered, explicit(X).T @ M @ explicit(X), scale=6.0 * largest(M, X.p, X.p), roundings=64)


@given(poses(), symmetric_matrices())
def test_a_gathered_matrix_has_symmetric_blocks_to_the_last_bit(X, M):
    # The recursions read only one half of an inertia; the other must not drift away from it.
    gathered = Propagation.of(X).gathered(M)
    np.testing.assert_array_equal(gathered[3:, :3], gathered[:3, 3:].T)
    np.testing.assert_array_equal(gathered[3:, 3:], gathered[3:, 3:].T)


@given(vectors(), vectors())
def test_a_force_at_a_point_has_the_moment_of_its_lever(point, force):
    np.testing.assert_array_equal(force_at(point, force), wrench(np.cross(point, force), force))


@given(poses(), vectors(), vectors())
def test_a_force_gathered_is_the_force_at_the_moved_point(X, point, force):
    gathered = Propagation.of(X).T @ force_at(point, force)
    assert_close(
        gathered, force_at(X.point(point), X.R @ force), scale=largest(force) * (largest(point) + largest(X.p))
    )


@given(vectors(size=6), vectors(size=6))
def test_power_is_moment_times_turning_plus_force_times_moving(w, t):
    assert_close(power(w, t), w[:3] @ t[:3] + w[3:] @ t[3:], scale=6.0 * largest(w, t))


@given(poses())
def test_the_matrix_is_the_one_of_the_paper(X):
    # A_ij = [[1, O], [a_ij x 1, 1]] with a_ij from O_i to O_j, here -a, then turned   [Saha2013, 36b]
    turned = np.kron(np.eye(2), X.R.T)
    straight = np.block([[np.eye(3), np.zeros((3, 3))], [skew(-X.p), np.eye(3)]])
    assert_close(Propagation.of(X).matrix(), turned @ straight, scale=largest(X.p))


def test_single_axes_are_columns_with_a_one_and_nothing_else():
    screw, slide = [0.0, 0.0, 1.0, 0.0, 0.0, 0.3], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    backwards, tilted = [0.0, 0.0, -1.0, 0.0, 0.0, 0.0], [0.0, 0.6, 0.8, 0.0, 0.0, 0.0]
    P = np.array([screw, slide, backwards, tilted]).T
    assert single_axes(P) == {5: 1}
    assert single_axes(np.eye(6)[:, 3:]) == {3: 0, 4: 1, 5: 2}
    unknown = symbols(casadi.SX.sym("p", 6))
    assert single_axes(np.stack([unknown, np.eye(6)[0]], axis=1)) == {0: 1}
