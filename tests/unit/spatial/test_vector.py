import numpy as np
from hypothesis import given

from loopwright.spatial import (
    accelerating,
    congruence,
    cross,
    cross_cross,
    entries,
    mirrored,
    norm,
    skew,
    symmetric,
    unskew,
    with_rows,
)

from .samples import assert_close, largest, rotations, symmetric_matrices, vectors


@given(vectors(), vectors())
def test_cross_and_skew_are_the_vector_product(a, b):
    assert_close(cross(a, b), np.cross(a, b), scale=largest(a, b))
    assert_close(skew(a) @ b, np.cross(a, b), scale=largest(a, b))


@given(vectors())
def test_unskew_undoes_skew_exactly(a):
    np.testing.assert_array_equal(unskew(skew(a)), a)


@given(vectors(), symmetric_matrices(3))
def test_unskew_does_not_see_the_symmetric_part(a, S):
    assert_close(unskew(skew(a) + S), a, scale=largest(S) + largest(a))


@given(vectors())
def test_norm_is_the_length(a):
    assert_close(norm(a), np.linalg.norm(a), scale=largest(a))


def test_entries_of_a_tensor_come_as_model_files_list_them():
    six = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    np.testing.assert_array_equal(symmetric(six), [[1.0, 4.0, 5.0], [4.0, 2.0, 6.0], [5.0, 6.0, 3.0]])
    np.testing.assert_array_equal(entries(symmetric(six)), six)


@given(rotations(), symmetric_matrices(3))
def test_congruence_turns_a_tensor(R, S):
    turned = congruence(R, S)
    assert_close(turned, R @ S @ R.T, scale=largest(S))
    np.testing.assert_array_equal(turned, turned.T)


@given(vectors(), vectors())
def test_cross_cross_is_the_symmetrised_product_of_two_skew_tensors(a, b):
    assert_close(cross_cross(a, b), -(skew(a) @ skew(b) + skew(b) @ skew(a)), scale=largest(a, b))


def test_mirrored_reads_the_upper_triangle_only():
    np.testing.assert_array_equal(mirrored(np.array([[1.0, 2.0], [9.0, 3.0]])), [[1.0, 2.0], [2.0, 3.0]])


def test_rows_are_put_where_they_belong():
    S, rows = np.arange(6.0).reshape(3, 2), np.array([[7.0, 8.0], [9.0, 10.0]])
    np.testing.assert_array_equal(with_rows(S, {0: 1, 2: 0}, rows), [[9.0, 10.0], [2.0, 3.0], [7.0, 8.0]])
    np.testing.assert_array_equal(with_rows(S, {}, rows), S)


@given(vectors(), vectors(), vectors())
def test_the_field_of_accelerations_of_a_turning_body(w, w_rate, r):
    expected = np.cross(w_rate, r) + np.cross(w, np.cross(w, r))
    assert_close(accelerating(w, w_rate) @ r, expected, scale=6.0 * (largest(w, w) + largest(w_rate)) * largest(r))
