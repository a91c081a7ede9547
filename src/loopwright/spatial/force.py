"""Wrenches (moment first) and the power they do."""

from __future__ import annotations

import numpy as np

from .number import Array
from .vector import cross


def wrench(moment: Array, force: Array) -> Array:
    """w = [n; f]   [Saha2013, 1]"""
    return np.concatenate([moment, force])


def force_at(point: Array, force: Array) -> Array:
    """The wrench about the origin of a force that acts at `point`."""
    return np.concatenate([cross(point, force), force])


def power(w: Array, t: Array) -> Array:
    """w . t, of a wrench and a twist about the same point."""
    return w @ t
