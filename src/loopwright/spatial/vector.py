"""Three-dimensional vectors and symmetric tensors."""

from __future__ import annotations

import numpy as np

from .number import Array, array, sqrt

_NEXT, _LAST = [1, 2, 0], [2, 0, 1]

X = np.array([1.0, 0.0, 0.0])
Y = np.array([0.0, 1.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])


def cross(a: Array, b: Array) -> Array:
    """a x b, of two vectors."""
    return a[_NEXT] * b[_LAST] - a[_LAST] * b[_NEXT]


def skew(a: Array) -> Array:
    """The cross-product tensor of `a`: skew(a) @ b == cross(a, b)   [Saha2013, 2]"""
    return array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def unskew(S: Array) -> Array:
    """The vector of the skew part of `S`: unskew(skew(a)) == a."""
    return array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2.0


def accelerating(w: Array, w_rate: Array) -> Array:
    """w'~ + w~ w~: its product with r is what the point at r accelerates more than the origin."""
    xx, yy, zz, xy, xz, yz = w[0] * w[0], w[1] * w[1], w[2] * w[2], w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return array(
        [
            [-(yy + zz), xy - w_rate[2], xz + w_rate[1]],
            [xy + w_rate[2], -(xx + zz), yz - w_rate[0]],
            [xz - w_rate[1], yz + w_rate[0], -(xx + yy)],
        ]
    )


def norm(a: Array) -> Array:
    """Euclidean length."""
    return sqrt(a @ a)


def symmetric(entries: Array) -> Array:
    """The tensor of (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = entries
    return array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def entries(S: Array) -> Array:
    """(xx, yy, zz, xy, xz, yz) of a symmetric tensor."""
    return array([S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]])


def congruence(R: Array, S: Array) -> Array:
    """R S R^T of a symmetric 3x3 S: one half computed, the other copied."""
    RS = R @ S
    return symmetric([RS[i] @ R[j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


def cross_cross(a: Array, b: Array) -> Array:
    """-(skew(a) skew(b) + skew(b) skew(a)): the inertia that a first moment `b` gains when moved by `a`."""
    ax, ay, az = a[0] * b[0], a[1] * b[1], a[2] * b[2]
    xy, xz, yz = a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[2] * b[0], a[1] * b[2] + a[2] * b[1]
    return symmetric([2.0 * (ay + az), 2.0 * (ax + az), 2.0 * (ax + ay), -xy, -xz, -yz])


def block(P: Array, Q: Array, R: Array, S: Array) -> Array:
    """[[P, Q], [R, S]]"""
    return np.concatenate([np.concatenate([P, Q], axis=1), np.concatenate([R, S], axis=1)])


def mirrored(S: Array) -> Array:
    """The symmetric matrix that has the upper triangle of `S`; what only the lower one needs is not computed."""
    return np.where(np.tri(len(S), k=-1, dtype=bool), S.T, S)


def with_rows(S: Array, places: dict[int, int], rows: Array) -> Array:
    """S with its row i replaced by row `places[i]` of `rows`."""
    return np.stack([rows[places[i]] if i in places else S[i] for i in range(len(S))])
