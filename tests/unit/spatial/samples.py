"""Random vectors, rotations, poses and bodies to test with, and what equal means in floating point."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from loopwright.spatial import Inertia, Pose

EPS = np.finfo(float).eps


def assert_close(actual, expected, scale=1.0, roundings=32):
    """Equal up to `roundings` rounding errors of numbers as large as `scale`.

    An entry computed by n operations on numbers no larger than `scale` is wrong by at most about n EPS scale;
    the chains tested with the default are shorter than 32 operations on both sides together.
    """
    difference = np.abs(np.asarray(actual, dtype=float) - np.asarray(expected, dtype=float)).max(initial=0.0)
    assert difference <= roundings * EPS * scale, f"differ by {difference:.3g}:\n{actual}\n{expected}"


def largest(*arrays):
    """The scale of sums of products of the entries of these arrays."""
    return float(np.prod([max(1.0, np.abs(a).max(initial=0.0)) for a in arrays]))


def numbers_within(bound):
    return st.floats(-bound, bound, allow_subnormal=False)


def vectors(bound=10.0, size=3):
    return st.lists(numbers_within(bound), min_size=size, max_size=size).map(np.array)


@st.composite
def units(draw, size=3):
    """Directions, the coordinate axes among them."""
    v = draw(vectors(1.0, size).filter(lambda v: np.linalg.norm(v) > 1e-3))
    v = v / np.linalg.norm(v)
    return v / np.linalg.norm(v)


def angles(bound=2.0 * np.pi):
    return numbers_within(bound)


def rotations():
    return units(size=4).map(lambda q: Rotation.from_quat(q).as_matrix())


def poses():
    return st.builds(Pose, rotations(), vectors())


@st.composite
def clouds(draw, most=6):
    """Point masses: the masses, and a position per row."""
    n = draw(st.integers(1, most))
    masses = draw(st.lists(st.floats(0.01, 10.0), min_size=n, max_size=n))
    points = [draw(vectors(3.0)) for _ in range(n)]
    return np.array(masses), np.array(points)


def cloud_matrix(masses, points):
    """The 6x6 inertia of point masses about the origin."""
    # sum of m S^T S, where S turns a twist into the velocity of the point
    M = np.zeros((6, 6))
    for m, p in zip(masses, points, strict=True):
        S = np.hstack([np.array([[0, p[2], -p[1]], [-p[2], 0, p[0]], [p[1], -p[0], 0]]), np.eye(3)])
        M += m * S.T @ S
    return M


def cloud_inertia(masses, points):
    """The same by way of the mass centre, as a user would give it."""
    centre = masses @ points / masses.sum()
    return Inertia.of(masses.sum(), centre, cloud_matrix(masses, points - centre)[:3, :3])


@st.composite
def symmetric_matrices(draw, n=6):
    A = draw(vectors(5.0, n * n)).reshape(n, n)
    return A + A.T


@st.composite
def positive_matrices(draw, most=7):
    """Symmetric positive definite, with a condition number below 1e4."""
    n = draw(st.integers(1, most))
    A = draw(vectors(1.0, n * n)).reshape(n, n)
    return A @ A.T + 0.01 * np.eye(n)
