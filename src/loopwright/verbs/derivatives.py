"""Derivatives of forward and inverse dynamics, recorded by structure instead of by differentiating the recursions.

The equations of motion of the bodies have their own algorithm (dynamics/derivatives.py); loads are
differentiated as they are recorded; forward dynamics follows from  da = I^-1 (d tau - d tau(q, v, a))  with
the factor of I made once. Positions vary as `integrate` moves them: nv directions, also for quaternions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dynamics import (
    FORWARD,
    INVERSE,
    MASS,
    factored,
    generalised,
    inverse_derivatives,
    links_at,
    loads,
    poses,
    twists,
)
from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..mechanism.joints import Reversed
from ..spatial import Array, Number, expression, symbols
from ..topology import Forest
from .quantities import Quantity, at_actuators, forward, inverse, mass_matrix


def _columns(mechanism: Mechanism) -> tuple[int, ...]:
    return (mechanism.nv, 3 * mechanism.nv)


def _forward_columns(mechanism: Mechanism) -> tuple[int, ...]:
    return (mechanism.nv, 2 * mechanism.nv + mechanism.nu)


def of_inverse(forest: Forest, q: Array, v: Array, a: Array, t: Number) -> Array:
    """[d tau/dq, d tau/dv, d tau/da]"""
    by_q, by_v, mass = of_equations(forest, q, v, a)
    loads_q, loads_v = _of_loads(forest, q, v, t)
    return np.concatenate([by_q - loads_q, by_v - loads_v, mass], axis=1)


def of_forward(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
    """[da/dq, da/dv, da/dtau]"""
    mass, columns = unsolved_forward(forest, q, v, tau, t)
    return factored(mass, links_at(forest, q)).solve(columns)


def unsolved_forward(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> tuple[Array, Array]:
    """I and the columns I [da/dq, da/dv, da/dtau]."""
    a = forward(FORWARD[0]).compute(forest, q, v, tau, t)
    by_q, by_v, mass = of_equations(forest, q, v, a)
    loads_q, loads_v = _of_loads(forest, q, v, t)
    nu = len(forest.actuated)
    actuators = np.reshape([at_actuators(forest, unit) for unit in np.eye(nu)], (nu, forest.nv)).T
    return mass, np.concatenate([loads_q - by_q, loads_v - by_v, actuators], axis=1)


def of_equations(forest: Forest, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Derivatives of the equations of motion without loads."""
    if any(isinstance(node.kind, Reversed) and node.kind.nv > 1 for node in forest.nodes):
        return _by_differentiation(forest, q, v, a)
    found = inverse_derivatives(links_at(forest, q, v), a, forest.gravity, forest.nv)
    return found.by_position, found.by_velocity, found.mass_matrix


def _by_differentiation(forest: Forest, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Ball and free joints walked from their child have no constant axes: differentiate the recursion itself."""
    import casadi

    unloaded = _without_loads(forest)
    # a may itself have been recorded from q and v, but it is held while they vary
    held = casadi.SX.sym("a", forest.nv)
    tau = inverse(INVERSE[0]).compute(unloaded, q, v, symbols(held), 0.0)
    at_a = [expression(part) for part in differentiated(forest, tau, q, v)]
    by_q, by_v = (symbols(part) for part in casadi.substitute(at_a, [held], [expression(a)]))
    # linear in a: its columns are answers to unit accelerations
    still, none = np.zeros(forest.nv), 0.0 * forest.gravity
    weightless = _weightless(unloaded, none)
    mass = [inverse(INVERSE[0]).compute(weightless, q, still, unit, 0.0) for unit in np.eye(forest.nv)]
    return by_q, by_v, np.stack(mass, axis=1)


def _without_loads(forest: Forest) -> Forest:
    from dataclasses import replace

    return replace(
        forest,
        damping=0.0 * forest.damping,
        friction=0.0 * forest.friction,
        joint_springs=(),
        point_springs=(),
        pushes=(),
        extras=(),
    )


def _weightless(forest: Forest, gravity: Array) -> Forest:
    from dataclasses import replace

    return replace(forest, gravity=gravity)


def _of_loads(forest: Forest, q: Array, v: Array, t: Number) -> tuple[Array, Array]:
    """Derivatives of the generalised forces of all loads."""
    links = links_at(forest, q, v)
    acting = loads(forest, t, q, v, poses(links), twists(links))
    return differentiated(forest, generalised(links, acting), q, v)


def differentiated(forest: Forest, forces: Array, q: Array, v: Array) -> tuple[Array, Array]:
    """Jacobians of what was recorded, by the positions' own directions and by the velocities."""
    import casadi

    out, x_q, x_v = (expression(values) for values in (forces, q, v))
    by_q = matrix_of(along_directions(forest, casadi.jacobian(out, x_q), q))
    return by_q, matrix_of(casadi.jacobian(out, x_v))


def along_directions(forest: Forest, by_q: Any, q: Array) -> Any:
    """Slopes by the entries of q as slopes along the velocities, sparse as they came."""
    import casadi

    blocks: dict[int, Any] = {}
    for node in forest.nodes:
        columns = np.stack([node.kind.rates(q[node.q], unit) for unit in np.eye(node.kind.nv)], axis=1)
        blocks[node.q.start] = casadi.sparsify(expression(columns))
    return casadi.mtimes(by_q, casadi.diagcat(*(blocks[start] for start in sorted(blocks))))


def matrix_of(jacobian: Any) -> Array:
    """A sparse CasADi matrix as an array whose structural zeros are zeros."""
    rows, columns = jacobian.shape
    found = np.full((rows, columns), 0.0, dtype=object)
    values = symbols(jacobian.nz[:]).ravel() if jacobian.nnz() else []  # those of a single row are a row
    for (i, j), value in zip(zip(*jacobian.sparsity().get_triplet(), strict=True), values, strict=True):
        found[i, j] = value
    return found


def of_inverse_by_parameters(forest: Forest, q: Array, v: Array, a: Array, t: Number, free: Sequence[Number]) -> Array:
    """d tau/dp of every free parameter p, with q, v and a held."""
    return by_free_parameters(inverse(INVERSE[0]).compute(forest, q, v, a, t), free)


def of_forward_by_parameters(
    forest: Forest, q: Array, v: Array, tau: Array, t: Number, free: Sequence[Number]
) -> Array:
    """da/dp = -I^-1 d tau(q, v, a)/dp, with q, v and tau held."""
    import casadi

    a = forward(FORWARD[0]).compute(forest, q, v, tau, t)
    # a depends on the parameters too, but it is held while they vary
    held = casadi.SX.sym("a", forest.nv)
    by = of_inverse_by_parameters(forest, q, v, symbols(held), t, free)
    at_a = symbols(casadi.substitute(expression(by), held, expression(a)))
    mass = mass_matrix(MASS[0]).compute(forest, q)
    return factored(mass, links_at(forest, q)).solve(-np.reshape(at_a, by.shape))


def by_free_parameters(forces: Array, free: Sequence[Number]) -> Array:
    """A column for each of the free parameters."""
    import casadi

    if not free:
        raise LoopwrightError("derivatives by parameters need to know by which: name them with parameters=(…)")
    return matrix_of(casadi.jacobian(expression(forces), expression(free)))


INVERSE_BY_PARAMETERS = Quantity(
    "inverse_by_parameters",
    ("q", "v", "a", "t"),
    of_inverse_by_parameters,
    lambda m: (m.nv,),
    "lean",
    recorded_only=True,
    by_parameters=True,
)
FORWARD_BY_PARAMETERS = Quantity(
    "forward_by_parameters",
    ("q", "v", "tau", "t"),
    of_forward_by_parameters,
    lambda m: (m.nv,),
    "lean",
    recorded_only=True,
    by_parameters=True,
)
INVERSE_DERIVATIVES = Quantity(
    "inverse_derivatives", ("q", "v", "a", "t"), of_inverse, _columns, "lean", recorded_only=True
)
FORWARD_DERIVATIVES = Quantity(
    "forward_derivatives",
    ("q", "v", "tau", "t"),
    of_forward,
    _forward_columns,
    "lean",
    recorded_only=True,
    unsolved=unsolved_forward,
)
ALL = (INVERSE_DERIVATIVES, FORWARD_DERIVATIVES, INVERSE_BY_PARAMETERS, FORWARD_BY_PARAMETERS)
