"""Rotations: matrices R_AB (components in B to components in A), quaternions, axis and angle, Euler angles."""

from __future__ import annotations

import numpy as np

from .number import Array, Number, arctan2, array, cos, sin, sqrt, where
from .vector import X, Y, Z, norm, skew, unskew

AXES = {"X": X, "Y": Y, "Z": Z}
EULER_SEQUENCES = ("XYX", "XYZ", "XZX", "XZY", "YXY", "YXZ", "YZX", "YZY", "ZXY", "ZXZ", "ZYX", "ZYZ")

_SMALL = 1e-4  # below this angle the series of the exponential and logarithm are exact to rounding


def about_x(angle: Number) -> Array:
    c, s = cos(angle), sin(angle)
    return array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def about_y(angle: Number) -> Array:
    c, s = cos(angle), sin(angle)
    return array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def about_z(angle: Number) -> Array:
    c, s = cos(angle), sin(angle)
    return array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


_ABOUT = {"X": about_x, "Y": about_y, "Z": about_z}


def about(axis: Array, angle: Number) -> Array:
    """Rotation by `angle` about the unit vector `axis`."""
    # R = 1 + sin(a) e~ + (1 - cos(a)) e~ e~      (Rodrigues)
    E = skew(axis)
    return np.eye(3) + sin(angle) * E + (1.0 - cos(angle)) * (E @ E)


def from_rpy(rpy: Array) -> Array:
    """Roll, pitch, yaw about fixed x, y, z, as URDF has them: Rz(yaw) Ry(pitch) Rx(roll)."""
    given = np.asarray(rpy)
    if given.dtype == float and not given.any():
        return np.eye(3)
    return about_z(rpy[2]) @ about_y(rpy[1]) @ about_x(rpy[0])


def from_quaternion(q: Array) -> Array:
    """Rotation matrix of the unit quaternion (x, y, z, w)."""
    x, y, z, w = q
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    return array(
        [
            [1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)],
            [2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)],
            [2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)],
        ]
    )


def to_quaternion(R: Array) -> Array:
    """The unit quaternion (x, y, z, w) of a rotation matrix, w >= 0, well conditioned everywhere."""
    # Four forms, each dividing by twice one component; the largest component is used. (Shepperd 1978)
    d = [R[0, 0], R[1, 1], R[2, 2], R[0, 0] + R[1, 1] + R[2, 2]]
    a, b, c = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    e, f, g = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    by_x = array([1.0 + d[0] - d[1] - d[2], e, f, a])
    by_y = array([e, 1.0 - d[0] + d[1] - d[2], g, b])
    by_z = array([f, g, 1.0 - d[0] - d[1] + d[2], c])
    by_w = array([a, b, c, 1.0 + d[3]])
    best, value = by_w, d[3]
    for candidate, size in ((by_x, d[0]), (by_y, d[1]), (by_z, d[2])):
        larger = size > value
        best = array([where(larger, candidate[k], best[k]) for k in range(4)])
        value = where(larger, size, value)
    turned = where(best[3] < 0.0, -1.0, 1.0)
    return best * (turned / norm(best))


def quaternion_product(a: Array, b: Array) -> Array:
    """The quaternion of R(a) R(b)."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return array(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )


def quaternion_inverse(q: Array) -> Array:
    """The quaternion of R(q)^T, for a unit quaternion."""
    return array([-q[0], -q[1], -q[2], q[3]])


def quaternion_rate(q: Array, w: Array) -> Array:
    """dq/dt when the body turns at `w`, in its own axes: q (w, 0) / 2."""
    return quaternion_product(q, array([w[0], w[1], w[2], 0.0])) / 2.0


def quaternion_exp(r: Array) -> Array:
    """The quaternion of the rotation vector `r` (axis times angle)."""
    # q = (sin(|r|/2) / |r| r, cos(|r|/2)); near zero the series sin(x/2)/x = 1/2 - x^2/48
    square = r @ r
    near = square < _SMALL**2
    angle = sqrt(where(near, 1.0, square))
    scale = where(near, 0.5 - square / 48.0, sin(angle / 2.0) / angle)
    real = where(near, 1.0 - square / 8.0, cos(angle / 2.0))
    return array([scale * r[0], scale * r[1], scale * r[2], real])


def quaternion_log(q: Array) -> Array:
    """The rotation vector of a unit quaternion, of length at most pi; inverse of `quaternion_exp`."""
    flip = where(q[3] < 0.0, -1.0, 1.0)
    x, y, z, w = q[0] * flip, q[1] * flip, q[2] * flip, q[3] * flip
    square = x * x + y * y + z * z
    near = square < (_SMALL / 2.0) ** 2
    s = sqrt(where(near, 1.0, square))
    scale = where(near, 2.0 + square / 3.0, 2.0 * arctan2(s, w) / s)
    return array([scale * x, scale * y, scale * z])


def from_rotation_vector(r: Array) -> Array:
    """Rotation matrix of axis times angle."""
    return from_quaternion(quaternion_exp(r))


def to_rotation_vector(R: Array) -> Array:
    """Axis times angle of a rotation matrix, angle in [0, pi]."""
    return quaternion_log(to_quaternion(R))


def to_axis_angle(R: Array) -> tuple[Array, Number]:
    """Unit axis and angle in [0, pi]; the axis is z when there is no rotation."""
    r = to_rotation_vector(R)
    angle = norm(r)
    still = angle < 1e-150  # below, the square of the angle is no longer a float of full precision
    size = where(still, 1.0, angle)
    return array([where(still, Z[k], r[k] / size) for k in range(3)]), angle


def from_euler(sequence: str, angles: Array) -> Array:
    """Rotation by three angles about moving axes: from_euler('ZYX', (a, b, c)) == Rz(a) Ry(b) Rx(c)."""
    i, j, k = tuple(sequence)
    return _ABOUT[i](angles[0]) @ _ABOUT[j](angles[1]) @ _ABOUT[k](angles[2])


def to_euler(sequence: str, R: Array) -> Array:
    """The three angles of any of the 12 sequences; at its singularity the first angle takes the whole turn.

    The middle angle lies in [0, pi] when the first and last axes are the same, in [-pi/2, pi/2] otherwise.
    """
    i, j, k = ("XYZ".index(letter) for letter in sequence)
    m = 3 - i - j
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    if i == k:
        reach = sqrt(R[i, j] ** 2 + R[i, m] ** 2)
        middle = arctan2(reach, R[i, i])
        first = arctan2(R[j, i], -e * R[m, i])
    else:
        reach = sqrt(R[i, i] ** 2 + R[i, j] ** 2)
        middle = arctan2(e * R[i, k], reach)
        first = arctan2(-e * R[j, k], R[k, k])
    first = where(reach > 1e-15, first, arctan2(e * R[m, j], R[j, j]))
    # Row j of R_i(first)^T R is row j of R_k(last). Near the singularity the first angle is known badly; taking
    # the last one from what it leaves keeps their sum, and so the rotation, exact to rounding.
    left = [cos(first) * R[j, n] + e * sin(first) * R[m, n] for n in range(3)]
    last = arctan2(-e * left[m] if i == k else e * left[i], left[j])
    return array([first, middle, last])


def euler_rates(sequence: str, angles: Array) -> Array:
    """B with w = B (angle rates), w the angular velocity in the turned body's axes."""
    i, j, k = tuple(sequence)
    R_k = _ABOUT[k](angles[2]).T
    R_jk = R_k @ _ABOUT[j](angles[1]).T
    return np.stack([R_jk @ AXES[i], R_k @ AXES[j], AXES[k] + 0.0 * R_k[0]], axis=1)


def is_rotation(R: Array, tolerance: float = 1e-9) -> bool:
    """Whether a matrix of numbers is orthonormal and right-handed."""
    return bool(np.abs(R @ R.T - np.eye(3)).max() <= tolerance and np.linalg.det(R) > 0.0)


def turn_between(R_a: Array, R_b: Array) -> Array:
    """Half the skew part of R_a^T R_b as a vector: sin(angle) times the axis of the remaining turn."""
    return unskew(R_a.T @ R_b)
