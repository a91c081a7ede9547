import casadi
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.program import counted, tape_of
from loopwright.spatial import (
    Chain,
    Inertia,
    Pose,
    Propagation,
    Screw,
    about_x,
    about_y,
    about_z,
    expression,
    symbols,
)

from .samples import angles, assert_close, cloud_inertia, clouds, largest, numbers_within, poses, symmetric_matrices
from .samples import vectors as vectors_of

ABOUT = (about_x, about_y, about_z)


def screws():
    return st.builds(Screw.of, st.integers(0, 2), angles(), numbers_within(10.0))


@st.composite
def chains(draw):
    """Up to four steps, general ones among them."""
    general = poses().map(Propagation.of)
    return Chain(tuple(draw(st.lists(st.one_of(screws(), screws(), general), min_size=1, max_size=4))))


def explicit(step):
    """The step as a general propagation."""
    return Propagation.of(step.pose)


def matrix(chain):
    """The steps' matrices one after the other, the innermost first."""
    A = np.eye(6)
    for step in chain.steps:
        A = explicit(step).matrix() @ A
    return A


def size(chain):
    return float(np.prod([1.0 + np.abs(step.pose.p).max() for step in chain.steps]))


@given(st.integers(0, 2), angles(), numbers_within(10.0))
def test_a_screw_turns_about_its_axis_and_slides_along_it(k, angle, slide):
    X = Screw.of(k, angle, slide).pose
    np.testing.assert_array_equal(X.R, ABOUT[k](angle))
    np.testing.assert_array_equal(X.p, slide * np.eye(3)[k])


@given(screws(), vectors_of(), vectors_of(size=6))
def test_a_screw_is_the_propagation_of_its_pose(A, v, t):
    assert_close(A.turned(v), explicit(A).turned(v), scale=largest(v))
    assert_close(A.returned(v), explicit(A).returned(v), scale=largest(v))
    assert_close(A.returned(A.turned(v)), v, scale=largest(v))
    assert_close(A @ t, explicit(A) @ t, scale=largest(t) * (1.0 + abs(A.d)))
    assert_close(A.gather(t), explicit(A).T @ t, scale=largest(t) * (1.0 + abs(A.d)))


@given(screws(), symmetric_matrices(3))
def test_a_screw_turns_a_tensor(A, S):
    assert_close(A.congruence(S), A.pose.R @ S @ A.pose.R.T, scale=3.0 * largest(S))
    np.testing.assert_array_equal(A.congruence(S), A.congruence(S).T)


@given(screws(), vectors_of(size=9))
def test_a_screw_turns_a_tensor_that_is_not_symmetric(A, entries):
    S = entries.reshape(3, 3)
    assert_close(A.congruence(S), A.pose.R @ S @ A.pose.R.T, scale=3.0 * largest(S))


@given(screws(), symmetric_matrices())
def test_a_screw_gathers_a_matrix(A, M):
    gathered = A.gathered(M)
    scale = 6.0 * largest(M, [A.d], [A.d])
    assert_close(gathered, explicit(A).matrix().T @ M @ explicit(A).matrix(), scale=scale, roundings=64)
    np.testing.assert_array_equal(gathered[3:, :3], gathered[:3, 3:].T)


@given(screws(), clouds())
def test_a_screw_gathers_a_body(A, cloud):
    M = cloud_inertia(*cloud)
    gathered = A.gathered(M)
    assert isinstance(gathered, Inertia)
    assert_close(
        gathered.matrix(), A.gathered(M.matrix()), scale=10.0 * largest(M.matrix(), [A.d], [A.d]), roundings=64
    )


@given(chains(), vectors_of(), vectors_of(size=6), vectors_of(size=12))
def test_a_chain_carries_as_its_steps_do_one_after_the_other(A, v, t, many):
    scale = 6.0 * size(A) * largest(v, t, many)
    two = many.reshape(6, 2)
    assert_close(A @ t, matrix(A) @ t, scale=scale, roundings=100)
    assert_close(A @ two, matrix(A) @ two, scale=scale, roundings=100)
    assert_close(A.T @ t, matrix(A).T @ t, scale=scale, roundings=100)
    assert_close(A.T @ two, matrix(A).T @ two, scale=scale, roundings=100)
    assert_close(A.turned(v), matrix(A)[:3, :3] @ v, scale=scale, roundings=100)
    assert_close(A.returned(A.turned(v)), v, scale=scale, roundings=100)
    assert_close(A.matrix(), matrix(A), scale=scale, roundings=100)


@given(chains(), symmetric_matrices(3))
def test_a_chain_turns_a_tensor(A, S):
    assert_close(A.congruence(S), A.R @ S @ A.R.T, scale=9.0 * largest(S), roundings=100)


@given(chains())
def test_the_pose_of_a_chain(A):
    X = Pose()
    for step in A.steps:
        X = X @ step.pose
    np.testing.assert_array_equal(A.pose.R, X.R)
    np.testing.assert_array_equal(A.R, X.R)
    np.testing.assert_array_equal(A.a, X.p)


@given(chains(), symmetric_matrices())
def test_a_chain_gathers_a_matrix(A, M):
    scale = 40.0 * largest(M) * size(A) ** 2
    assert_close(A.gathered(M), matrix(A).T @ M @ matrix(A), scale=scale, roundings=100)


@given(chains(), clouds())
def test_a_chain_gathers_a_body(A, cloud):
    M = cloud_inertia(*cloud)
    scale = 40.0 * largest(M.matrix()) * size(A) ** 2
    assert_close(A.gathered(M).matrix(), matrix(A).T @ M.matrix() @ matrix(A), scale=scale, roundings=100)


def operations(compute, shape):
    """What a step about z costs: a recorded program of the turn, the slide and the argument."""
    inputs = [casadi.SX.sym(name, n) for name, n in (("c", 1), ("s", 1), ("d", 1), ("x", int(np.prod(shape))))]
    c, s, d, x = (symbols(value) for value in inputs)
    answer = compute(Screw(2, c[0], s[0], d[0]), x.reshape(shape))
    return counted(tape_of(casadi.Function("f", inputs, [casadi.cse(expression(np.reshape(answer, -1)))])))


@pytest.mark.parametrize(
    "compute, shape, multiplications, additions",
    [
        (Screw.turned, (3,), 4, 2),  # 9 and 6 in general axes
        (Screw.__matmul__, (6,), 10, 6),  # 24 and 18
        (Screw.gather, (6,), 10, 6),
    ],
)
def test_what_a_screw_saves(compute, shape, multiplications, additions):
    counts = operations(compute, shape)
    assert (counts.multiplications, counts.additions) == (multiplications, additions)


def test_what_turning_a_symmetric_tensor_costs():
    def turned(step, entries):
        xx, yy, zz, xy, xz, yz = entries
        S = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=object)
        return step.congruence(S)

    counts = operations(turned, (6,))
    assert counts.multiplications == 8
    assert counts.divisions == counts.trigonometric == 0
