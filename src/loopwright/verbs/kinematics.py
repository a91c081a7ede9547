"""Where bodies are, how they move, how far loops are open, and the energy and momentum of it all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..dynamics import Energy, Momentum
from ..spatial import Array, Pose
from . import closed
from . import quantities as ask
from .asking import ORIGIN, Asking
from .cut_coordinates import by_cut_coordinate
from .powers import POWER, Powers
from .results import each


class Kinematics(Asking):
    """Poses, Jacobians, twists, the rows of the loops, energy and momentum."""

    def pose(self, body: str, q: Any) -> Pose:
        """Where a body's frame stands: .R and .p in the ground."""
        rows = self._answer(ask.pose_of(self._seat(body)), q=q)
        matrix = rows.reshape((*rows.shape[:-1], 3, 4))
        return Pose(matrix[..., :3], matrix[..., 3])

    def jacobian(self, body: str, q: Any, point: Any = ORIGIN) -> Array:
        """6 x nv: angular then linear velocity of a point of a body (given in its frame), in ground axes."""
        return self._answer(ask.jacobian_of(self._seat(body), self._point(point)), q=q)

    def twist(self, body: str, q: Any, v: Any, point: Any = ORIGIN) -> Array:
        """Angular and linear velocity of a point of a body, in ground axes."""
        return self._answer(ask.twist_of(self._seat(body), self._point(point)), q=q, v=v)

    def twist_rate(self, body: str, q: Any, v: Any, a: Any, point: Any = ORIGIN) -> Array:
        """Angular and linear acceleration of a point of a body, in ground axes."""
        return self._answer(ask.twist_rate_of(self._seat(body), self._point(point)), q=q, v=v, a=a)

    def rates(self, q: Any, v: Any) -> Array:
        """dq/dt: v itself but for quaternions."""
        return self._answer(ask.RATES, q=q, v=v)

    # loops

    def closure(self, q: Any) -> Array:
        """What is left to close, row by row of every cut joint; zero where the loops are closed."""
        return self._answer(closed.CLOSURE, q=q)

    def closure_jacobian(self, q: Any) -> Array:
        """J with J v = 0 for every motion that keeps the loops closed; at closed positions the slope of `closure`."""
        return self._answer(closed.CLOSURE_JACOBIAN, q=q)

    def cut_coordinates(self, q: Any, near: Mapping[str, Any] | None = None) -> dict[str, Array]:
        """Positions of the joints that are cut, by name; angles within half a turn.

        Along a motion (q with a leading axis) angles go on through full turns; `near` has values, by name, that the
        first is within half a turn of.
        """
        found = self._answer(closed.CUT_POSITIONS, q=q)
        return by_cut_coordinate(self.mechanism, found, near)

    def cut_velocities(self, q: Any, v: Any) -> dict[str, Array]:
        """Velocities of the joints that are cut, by name."""
        found = self._answer(closed.CUT_VELOCITIES, q=q, v=v)
        return dict(zip(self.mechanism.cut_velocities, each(found), strict=True))

    # energy and momentum

    def energy(self, q: Any, v: Any) -> Energy:
        """.kinetic, .potential (gravity and springs) and .total"""
        both = self._answer(ask.ENERGY, q=q, v=v)
        return Energy(*each(both))

    def power(self, q: Any, v: Any, tau: Any = None, t: Any = 0.0) -> Powers:
        """.actuators, .springs, .dampers, .friction and .loads: what each kind of force does per second."""
        forces = np.zeros(self.mechanism.nu) if tau is None else tau
        p = self._answer(POWER, q=q, v=v, tau=forces, t=t)
        return Powers(*each(p))

    def momentum(self, q: Any, v: Any) -> Momentum:
        """.linear, .angular about the ground's origin, the mass .centre and .about_centre"""
        p = self._answer(ask.MOMENTUM, q=q, v=v)
        return Momentum(p[..., 0:3], p[..., 3:6], p[..., 6:9], p[..., 9:12])

    def centre_of_mass(self, q: Any) -> Array:
        """Of all moving bodies, in ground axes."""
        return self._answer(ask.MASS_CENTRE, q=q)
