"""Singular positions met on the way: where the distance from them, which never changes sign, is least and vanishes.

Where the loops' rows depend on each other motions branch. With one motor for every freedom the rates of the motors'
coordinates are looked at, too: where these and the rows depend on each other, the motors do not determine the motion.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..closure import motors
from ..dynamics import links_at
from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..spatial import Array
from ..verbs import Dynamics

_ASIDE = 1e-6  # radians or metres: how far ahead and behind is looked at
_NOTHING = 1e-6  # of the largest singular value: twice that is what is left of 0 between the two


def towards(mechanism: Mechanism) -> Callable[[float, Array, Array], float]:
    """(t, q, v) -> how much farther from a singular position it is just ahead than just behind."""
    distance = _distance(mechanism)

    def growing(t: float, q: Array, v: Array) -> float:
        speed = float(np.abs(v).max(initial=0.0))
        if speed == 0.0:
            return 0.0
        step = _ASIDE / speed * v
        return distance(mechanism.integrate(q, step)) - distance(mechanism.integrate(q, -step))

    return growing


def vanishes(mechanism: Mechanism) -> Callable[[Array], bool]:
    """q -> whether it is a singular position, not only the nearest to one."""
    distance = _distance(mechanism)
    return lambda q: distance(q) < _NOTHING


def _distance(mechanism: Mechanism) -> Callable[[Array], float]:
    """The least singular value against the largest."""
    dynamics = Dynamics(mechanism)
    loops = dynamics.loops
    if not loops.any:
        raise LoopwrightError(f"'{mechanism.name}' has no loops, so none of its positions is singular in this sense")
    kept = list(loops.structure(dynamics.topology.forest).rows)
    # motors that are fewer or more than the freedoms do not determine the motion anywhere, or nearly everywhere
    determined = mechanism.nu == mechanism.nv - len(kept)
    forest = dynamics.topology.forest

    def distance(q: Array) -> float:
        J = dynamics.closure_jacobian(q)[kept]
        if determined:
            J = np.concatenate([J, np.asarray(motors(forest, links_at(forest, q), mechanism.nu), dtype=float).T])
        sizes = np.linalg.svd(J, compute_uv=False)
        return float(sizes[-1] / sizes[0])

    return distance
