"""Positions along velocities, on the manifold: quaternions turn, free joints move in their own axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...program.memory import floats, wholes
from .motion import JOINT_COUNT, JOINTS, LENGTH, NQ, NV


def carried(h: float, q_at: int, v_at: int, context: int) -> int:
    """q goes along v for a time h; a unit quaternion x becomes x exp(h v)."""
    c = wholes(context, LENGTH)
    joints = wholes(c[JOINTS], 3 * c[JOINT_COUNT])
    q, v = floats(q_at, c[NQ]), floats(v_at, c[NV])
    for k in range(c[JOINT_COUNT]):
        i, j, kind = joints[3 * k], joints[3 * k + 1], joints[3 * k + 2]
        if kind == 0:
            q[i] += h * v[j]
        else:
            # kind 1: a ball; 2: the position of a free joint, in the axes of its ball
            if kind == 2:
                _moved(h, q, v, i, j)
                i, j = i + 3, j + 3
            _turned(h, q, v, i, j)
    return 0


def _turned(h: float, q: Any, v: Any, i: int, j: int) -> int:
    a, b, d = 0.5 * h * v[j], 0.5 * h * v[j + 1], 0.5 * h * v[j + 2]
    half = np.sqrt(a * a + b * b + d * d)
    s = np.sin(half) / half if half > 1e-8 else 1.0 - half * half / 6.0
    w = np.cos(half)
    x, y, z = a * s, b * s, d * s
    X, Y_, Z, W = q[i], q[i + 1], q[i + 2], q[i + 3]
    q[i] = W * x + X * w + Y_ * z - Z * y
    q[i + 1] = W * y - X * z + Y_ * w + Z * x
    q[i + 2] = W * z + X * y - Y_ * x + Z * w
    q[i + 3] = W * w - X * x - Y_ * y - Z * z
    return 0


def _moved(h: float, q: Any, v: Any, i: int, j: int) -> int:
    # p + R d,   R d = d + 2 u x (u x d + w d)
    u0, u1, u2, w = q[i + 3], q[i + 4], q[i + 5], q[i + 6]
    d0, d1, d2 = h * v[j], h * v[j + 1], h * v[j + 2]
    e0, e1, e2 = u1 * d2 - u2 * d1 + w * d0, u2 * d0 - u0 * d2 + w * d1, u0 * d1 - u1 * d0 + w * d2
    q[i] += d0 + 2.0 * (u1 * e2 - u2 * e1)
    q[i + 1] += d1 + 2.0 * (u2 * e0 - u0 * e2)
    q[i + 2] += d2 + 2.0 * (u0 * e1 - u1 * e0)
    return 0
