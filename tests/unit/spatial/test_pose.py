import numpy as np
from hypothesis import given
from scipy.spatial.transform import Rotation

from loopwright.spatial import Pose

from .samples import assert_close, largest, poses, vectors


def test_a_pose_stands_at_the_origin_unless_told():
    np.testing.assert_array_equal(Pose().matrix(), np.eye(4))
    np.testing.assert_array_equal(Pose.at().matrix(), np.eye(4))


@given(vectors(), vectors(np.pi))
def test_at_reads_an_offset_and_fixed_axis_angles(xyz, rpy):
    X = Pose.at(tuple(xyz), list(rpy))
    np.testing.assert_array_equal(X.p, xyz)
    assert_close(X.R, Rotation.from_euler("xyz", rpy).as_matrix())


def test_at_takes_integers():
    np.testing.assert_array_equal(Pose.at((1, 0, 0)).point(np.array([0.0, 2.0, 0.0])), [1.0, 2.0, 0.0])


@given(poses(), poses())
def test_poses_multiply_as_their_matrices_do(X_AB, X_BC):
    assert_close((X_AB @ X_BC).matrix(), X_AB.matrix() @ X_BC.matrix(), scale=largest(X_AB.p) + largest(X_BC.p))


@given(poses())
def test_a_pose_and_its_inverse_cancel_on_both_sides(X):
    assert_close((X @ X.inverse()).matrix(), np.eye(4), scale=largest(X.p))
    assert_close((X.inverse() @ X).matrix(), np.eye(4), scale=largest(X.p))


@given(poses(), poses(), vectors())
def test_a_point_seen_from_far_is_seen_step_by_step(X_AB, X_BC, p):
    scale = largest(X_AB.p) + largest(X_BC.p) + largest(p)
    assert_close((X_AB @ X_BC).point(p), X_AB.point(X_BC.point(p)), scale=scale)
