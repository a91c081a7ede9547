"""How far two motions of one mechanism are apart, in digits."""

from __future__ import annotations

import numpy as np

from ..mechanism import Mechanism, position_units
from ..spatial import Array

MOST = 16.0  # digits that a number of 64 bits holds
_TURN = 1.0  # rad: coordinates that go round are compared with this, not with how often they went round


def sizes(mechanism: Mechanism, q: Array) -> Array:
    """What is large for every coordinate: the widest range that one of its kind runs through, one radian at the most.

    A coordinate that hardly moves is compared with those that do.
    """
    units = np.array(position_units(mechanism))
    ranges = np.ptp(q, axis=0) if len(q) else np.zeros(len(units))
    found = np.ones(len(units))
    for unit in set(units):
        widest = float(ranges[units == unit].max())
        found[units == unit] = widest if unit == "m" else min(widest, _TURN)
    moves = float(found[found > 0.0].min(initial=1.0))
    return np.where(found > 0.0, found, moves)


def apart(mechanism: Mechanism, one: Array, other: Array, size: Array) -> Array:
    """For every row, the largest difference of a coordinate over its size; q and -q are the same quaternion."""
    turned = other.copy()
    for k, name in enumerate(mechanism.coordinates):
        if name.endswith(".qw"):
            part = slice(k - 3, k + 1)
            away = np.sum(one[:, part] * other[:, part], axis=1) < 0.0
            turned[away, part] *= -1.0
    found: Array = (np.abs(one - turned) / size).max(axis=1, initial=0.0)
    return found


def digits(difference: Array) -> Array:
    """Decimal digits that agree, from 0 to MOST; not a number agrees in none."""
    with np.errstate(all="ignore"):
        found = -np.log10(np.maximum(difference, 10.0**-MOST))
    return np.clip(np.nan_to_num(found, nan=0.0), 0.0, MOST)
