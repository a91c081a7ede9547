"""The same questions as plain functions of a mechanism, for one answer at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..dynamics import Energy, Momentum
from ..mechanism import Mechanism, require_mechanism
from ..spatial import Array, Pose
from .dynamics import Dynamics


def _of(mechanism: Mechanism) -> Dynamics:
    require_mechanism("the question", mechanism)
    return _kept(mechanism)


@lru_cache(maxsize=64)
def _kept(mechanism: Mechanism) -> Dynamics:
    return Dynamics(mechanism)


def inverse_dynamics(mechanism: Mechanism, q: Any, v: Any, a: Any, **options: Any) -> Any:
    """Actuator forces for a motion; options as in `Dynamics.inverse`."""
    return _of(mechanism).inverse(q, v, a, **options)


def forward_dynamics(mechanism: Mechanism, q: Any, v: Any, tau: Any = None, **options: Any) -> Array:
    """Accelerations; options as in `Dynamics.forward`."""
    return _of(mechanism).forward(q, v, tau, **options)


def mass_matrix(mechanism: Mechanism, q: Any, algorithm: str | None = None) -> Array:
    """The generalised inertia matrix."""
    return _of(mechanism).mass_matrix(q, algorithm)


def bias(mechanism: Mechanism, q: Any, v: Any, t: Any = 0.0) -> Array:
    """Everything in I a + bias = forces besides the accelerations."""
    return _of(mechanism).bias(q, v, t)


def gravity(mechanism: Mechanism, q: Any) -> Array:
    """Generalised forces that hold the mechanism still against gravity."""
    return _of(mechanism).gravity(q)


def energy(mechanism: Mechanism, q: Any, v: Any) -> Energy:
    """Kinetic, potential and total energy."""
    return _of(mechanism).energy(q, v)


def momentum(mechanism: Mechanism, q: Any, v: Any) -> Momentum:
    """Linear and angular momentum."""
    return _of(mechanism).momentum(q, v)


def pose(mechanism: Mechanism, body: str, q: Any) -> Pose:
    """Where a body stands."""
    return _of(mechanism).pose(body, q)


def jacobian(mechanism: Mechanism, body: str, q: Any, point: Any = (0.0, 0.0, 0.0)) -> Array:
    """6 x nv of a point of a body, in ground axes."""
    return _of(mechanism).jacobian(body, q, point)
