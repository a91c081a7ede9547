"""Ready laws: forces that bring coordinates to a trajectory and keep them there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..closure import formulation
from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..program import Kernel
from ..simulate.drives import over_time
from ..simulate.given import Given, given_of
from ..simulate.trajectory import ORDERS, Trajectory, table_of
from ..spatial import Array, Number
from ..topology import Forest
from ..verbs import Dynamics
from ..verbs.prescribed import driven_of, prescribed, structure_of
from ..verbs.quantities import Quantity
from .law import Law, Wanted

source = "Luh, Walker, Paul 1980; [Saha2001, (37)]"


def pd(mech: Mechanism, along: Any, kp: Any, kd: Any) -> Law:
    """tau = kp (q_d - q) + kd (v_d - v) for every actuator that has a path.

    `along`: {actuator: trajectory}, or a trajectory of as many values as there are actuators. Gains are numbers, or
    one for every path.
    """
    given = _paths(mech, along)
    stiff, damping = (_gains(name, gain, given) for name, gain in (("kp", kp), ("kd", kd)))
    q_at, v_at = list(given.driven.q), list(given.driven.v)

    def pd(t: Number, q: Array, v: Array, wanted: Wanted) -> Any:
        forces = stiff * (wanted.q - q[q_at]) + damping * (wanted.v - v[v_at])
        at = dict(zip(given.driven.actuators, forces, strict=True))
        return [at.get(k, 0.0) for k in range(mech.nu)]

    return Law(mech, pd, given.path)


def computed_torque(mech: Mechanism, along: Any, rate: Any = 1.0, kp: Any = None, kd: Any = None) -> ComputedTorque:
    """The forces of inverse dynamics for  a = a_d + kd (v_d - v) + kp (q_d - q),  so that errors die by themselves.

    With one `rate`, kd = 2 rate and kp = rate^2: what is off by e comes back as e (1 + rate t) exp(-rate t), in a tree
    as in a mechanism with loops. `along` as in `pd`; actuators without a path have no force.
    """
    given = _paths(mech, along)
    speed = _gains("rate", rate, given)
    # tau_e = a_d - 2 lambda (v - v_d) - lambda^2 (q - q_d)    [Saha2001, 37]
    stiff = speed**2 if kp is None else _gains("kp", kp, given)
    damping = 2.0 * speed if kd is None else _gains("kd", kd, given)
    return ComputedTorque(mech, given, stiff, damping)


class ComputedTorque:
    """A law in native code, recorded from the mechanism's own inverse dynamics; also a function, `law(t, q, v)`."""

    def __init__(self, mechanism: Mechanism, given: Given, stiff: Array, damping: Array) -> None:
        dynamics = Dynamics(mechanism)
        self.mechanism, self.given, self.path = dynamics.mechanism, given, given.path
        self.breaks = given.path.breaks
        structure_of(dynamics.loops, dynamics.topology.forest, given.driven)  # which refuses too many paths
        self.kernel: Kernel = dynamics.kernel_of(_following(dynamics, given, stiff, damping))

    def __repr__(self) -> str:
        return f"ComputedTorque('{self.mechanism.name}': {given_names(self.given)})"

    def __call__(self, t: Any, q: Any, v: Any) -> Array:
        """The forces."""
        return np.asarray(self.kernel(float(t), q, v, table_of(self.path, t)[0].ravel()))


def given_names(given: Given) -> str:
    """What follows a path."""
    return ", ".join(given.driven.names)


def _following(dynamics: Dynamics, given: Given, stiff: Array, damping: Array) -> Quantity:
    driven = given.driven
    inside = prescribed(formulation("embedding"), dynamics.loops, driven)
    nv, nu = dynamics.mechanism.nv, dynamics.mechanism.nu
    q_at, v_at = list(driven.q), list(driven.v)

    def compute(forest: Forest, t: Number, q: Array, v: Array, wanted: Array) -> Array:
        q_d, v_d, a_d = np.reshape(wanted, (ORDERS, -1))
        a = a_d + damping * (v_d - v[v_at]) + stiff * (q_d - q[q_at])
        return inside.compute(forest, q, v, a, np.zeros(nu), t)[nv + 1 :]

    numbers = " ".join(float(x).hex() for x in (*stiff, *damping))
    sizes = (("t", None), ("wanted", ORDERS * len(q_at)))
    return Quantity(
        "law", ("t", "q", "v", "wanted"), compute, lambda m: (m.nu,), "lean", f"{driven.v} {numbers}", sizes=sizes
    )


def _paths(mechanism: Mechanism, along: Any) -> Given:
    """Which coordinates follow what."""
    if isinstance(along, Mapping):
        return given_of(mechanism, along)
    path: Trajectory | None = over_time(mechanism, along)
    if path is None:
        raise LoopwrightError(
            f"along= is {{actuator: trajectory}}, or one trajectory for {', '.join(mechanism.actuators)}; got {along!r}"
        )
    return Given(driven_of(mechanism, mechanism.actuators), path)


def _gains(name: str, given: Any, paths: Given) -> Array:
    count = len(paths.driven.names)
    try:
        values = np.array(np.broadcast_to(np.asarray(given, dtype=float), count))
    except (TypeError, ValueError):
        values = np.full(count, np.nan)
    if not np.isfinite(values).all():
        raise LoopwrightError(f"{name} must be a number, or one for each of {given_names(paths)}; got {given!r}")
    return values
