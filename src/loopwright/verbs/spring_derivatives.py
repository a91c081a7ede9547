"""Derivatives of forward dynamics with virtual springs at the cuts: all coordinates of the tree vary freely.

    I a + h = f + J^T lambda(q, v)     and so     I da = d(f + J^T lambda) - d(I a + h), a held

by position, velocity, force and parameters: what a stiff integrator asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..closure import Formulation, Loaded, motors
from ..dynamics import INVERSE, MASS, factored, generalised, links_at
from ..spatial import Array, Number, expression, symbols
from ..topology import Forest
from .closed import loaded
from .derivatives import by_free_parameters, differentiated, of_equations
from .loops import Loops
from .quantities import Quantity, inverse, mass_matrix, moving, per_velocity

Pull = Callable[[Loaded], Array]  # J^T lambda of the springs


def forward_derivatives(formulation: Formulation, pull: Pull, loops: Loops) -> Quantity:
    """[da/dq, da/dv, da/dtau]: nv x (2 nv + nu)."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        at = loaded(forest, loops, q, v, tau, t)
        a = formulation.forward_dynamics(at).a
        by_q, by_v, mass = of_equations(forest, q, v, a)
        forces_q, forces_v = differentiated(forest, _forces(forest, at, pull, q, v, t), q, v)
        columns = [forces_q - by_q, forces_v - by_v, motors(forest, at.links, loops.mechanism.nu)]
        return factored(mass, at.links).solve(np.concatenate(columns, axis=1))

    n, nu = loops.mechanism.nv, loops.mechanism.nu
    return Quantity(
        "forward_derivatives",
        ("q", "v", "tau", "t"),
        compute,
        lambda m: (n, 2 * n + nu),
        "lean",
        f"springs {formulation.detail}",
        recorded_only=True,
    )


def forward_by_parameters(formulation: Formulation, pull: Pull, loops: Loops) -> Quantity:
    """da/dp, with q, v and tau held."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number, free: Sequence[Number]) -> Array:
        import casadi

        at = loaded(forest, loops, q, v, tau, t)
        # a depends on the parameters too, but it is held while they vary
        held = casadi.SX.sym("a", forest.nv)
        left = inverse(INVERSE[0]).compute(forest, q, v, symbols(held), t) - (at.f + pull(at)) + _loads(forest, q, v, t)
        by = by_free_parameters(left, free)
        at_a = symbols(casadi.substitute(expression(by), held, expression(formulation.forward_dynamics(at).a)))
        mass = mass_matrix(MASS[0]).compute(forest, q)
        return factored(mass, links_at(forest, q)).solve(-np.reshape(at_a, by.shape))

    return Quantity(
        "forward_by_parameters",
        ("q", "v", "tau", "t"),
        compute,
        per_velocity,
        "lean",
        f"springs {formulation.detail}",
        recorded_only=True,
        by_parameters=True,
    )


def _forces(forest: Forest, at: Loaded, pull: Pull, q: Array, v: Array, t: Number) -> Array:
    """Everything that depends on position and velocity besides the bodies' own inertia and weight."""
    _, acting = moving(forest, q, v, t)
    return at.f + generalised(at.links, acting) - acting.at_joints + pull(at)


def _loads(forest: Forest, q: Array, v: Array, t: Number) -> Array:
    """The joints' loads, which tree inverse dynamics has taken off already."""
    return moving(forest, q, v, t)[1].at_joints


ALL = (forward_derivatives, forward_by_parameters)
