"""Derivatives of forward and inverse dynamics of mechanisms with loops, along what the loops allow.

    I a + h - f - J^T lambda = 0,    J a + d = 0

Positions vary so that the loops stay closed: the independent coordinates u each in turn, the others as they must,
dq = N du. Velocities are N v_u, and vary with v_u and with the position, on which N depends. Both equations are
differentiated with a and lambda held; what is left is linear in da and dlambda, with the matrices of forward dynamics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..closure import Eliminated, at_cuts, driven, eliminated, gap, motors, rows
from ..closure.embedding import forward_dynamics
from ..dynamics import Link, generalised
from ..dynamics.newton_euler import inverse_dynamics
from ..mechanism import Mechanism
from ..spatial import Array, Number, array, expression, solve, symbols, where
from ..topology import Forest
from .closed import REGULAR, loaded, motor_numbers
from .derivatives import differentiated, matrix_of, of_equations
from .loops import Loops
from .quantities import Quantity, at_actuators, moving, per_velocity


@dataclass(frozen=True)
class Slopes:
    """Of something by position (along the velocities' directions), by velocity and by the free parameters."""

    by_q: Array
    by_v: Array
    by_p: Array

    def __add__(self, other: Slopes) -> Slopes:
        return Slopes(self.by_q + other.by_q, self.by_v + other.by_v, self.by_p + other.by_p)

    def along(self, way: Way) -> Array:
        """Column by column of a way to vary."""
        found = self.by_q @ way.q + self.by_v @ way.v
        return found if way.p is None else found + self.by_p @ way.p


@dataclass(frozen=True)
class Way:
    """Directions, one a column, in which positions and velocities vary, and perhaps the parameters."""

    q: Array
    v: Array
    p: Array | None = None


@dataclass(frozen=True)
class Varied:
    """One state in motion, and how the two equations vary about it. Everything is recorded."""

    forest: Forest
    loops: Loops
    q: Array
    v: Array
    t: Number
    free: Sequence[Number] = ()

    @cached_property
    def links(self) -> list[Link]:
        return moving(self.forest, self.q, self.v, self.t)[0]

    @cached_property
    def solved(self) -> Eliminated:
        return eliminated(self.J, self.loops.structure(self.forest))

    @property
    def N(self) -> Array:
        return self.solved.N

    @property
    def J(self) -> Array:
        return rows(self.links, self.forest.cuts, self.forest.nv).J[self._kept]

    @property
    def _kept(self) -> list[int]:
        return list(self.loops.structure(self.forest).rows)

    def B(self) -> Array:
        """Generalised forces of unit efforts of the motors."""
        return motors(self.forest, self.links, self.loops.mechanism.nu)

    # the ways in which the state varies

    @cached_property
    def by_position(self) -> Way:
        return Way(self.N, self.carried(self.v, Way(self.N, 0.0 * self.N)))

    @cached_property
    def by_velocity(self) -> Way:
        return Way(0.0 * self.N, self.N)

    @cached_property
    def by_parameters(self) -> Way:
        """With the independent coordinates held, the others close the loops of the changed mechanism."""
        opened = self.slopes(lambda: gap(self.links, self.forest.cuts)[self._kept])
        q, each = self.solved.drifts(opened.by_p), np.eye(len(self.free))
        return Way(q, self.carried(self.v, Way(q, 0.0 * q, each)), each)

    def carried(self, w: Array, way: Way) -> Array:
        """How the allowed motion w = N y varies, y held."""
        # J w = 0:  J dw + dJ w = 0
        return self.solved.drifts(self.slopes(lambda w: self.J @ w, w).along(way))

    # the two equations

    def of_forces(self, a: Array, multipliers: Array, tau: Array) -> Slopes:
        """I a + h - f - J^T lambda; the part of the bodies by its own recursion, unless parameters vary too."""

        def others(multipliers: Array, tau: Array) -> Array:
            _, acting = moving(self.forest, self.q, self.v, self.t)
            at_joints = at_actuators(self.forest, tau) + at_cuts(self.forest, self.links, self.t, self.q, self.v, tau)
            return -generalised(self.links, acting) - at_joints - self.J.T @ multipliers

        by_q, by_v, _ = of_equations(self.forest, self.q, self.v, a)
        unloaded = [np.zeros(6) for _ in self.links]
        bodies = self.slopes(lambda a: inverse_dynamics(self.links, a, self.forest.gravity, unloaded), a, only_p=True)
        return Slopes(by_q, by_v, bodies.by_p) + self.slopes(others, multipliers, tau)

    def of_rows(self, a: Array) -> Slopes:
        """J a + d"""

        def opening(a: Array) -> Array:
            found = rows(self.links, self.forest.cuts, self.forest.nv)
            return (found.J @ a + found.drift)[self._kept]

        return self.slopes(opening, a)

    def slopes(self, text: Callable[..., Array], *held: Array, only_p: bool = False) -> Slopes:
        """Of text(*held), what is held not varying though it may have been recorded from the same symbols."""
        import casadi

        names = [casadi.SX.sym(f"held_{k}", len(x)) for k, x in enumerate(held)]
        out = text(*(symbols(name) for name in names))
        by_q, by_v = (0.0, 0.0) if only_p else differentiated(self.forest, out, self.q, self.v)
        by_p = np.zeros((len(out), 0))
        if self.free:
            by_p = matrix_of(casadi.jacobian(expression(out), expression(list(self.free))))
        at = [expression(x) for x in held]
        return Slopes(*(_with(part, names, at) for part in (by_q, by_v, by_p)))


def _with(values: Array, names: list[Any], at: list[Any]) -> Array:
    """The matrix with what was held put in."""
    import casadi

    if not np.size(values) or not names or np.ndim(values) == 0:
        return values
    return np.reshape(symbols(casadi.substitute([expression(np.reshape(values, -1))], names, at)[0]), np.shape(values))


def forward(varied: Varied, tau: Array, ways: Sequence[Way], by_force: bool) -> tuple[Array, Number]:
    """[da along every way, da/dtau]"""
    at = loaded(varied.forest, varied.loops, varied.q, varied.v, tau, varied.t)
    found = forward_dynamics(at)
    forces, opening = varied.of_forces(found.a, found.multipliers, tau), varied.of_rows(found.a)
    # J da = -c,   N^T I da = N^T r
    parts = [varied.solved.drifts(opening.along(way)) for way in ways]
    rest = [-forces.along(way) for way in ways]
    if by_force:
        parts, rest = [*parts, np.zeros(varied.B().shape)], [*rest, varied.B()]
    A, r, N = np.concatenate(parts, axis=1), np.concatenate(rest, axis=1), varied.N
    NI = N.T @ at.I
    return N @ solve(NI @ N, N.T @ r - NI @ A) + A, found.health


def inverse(varied: Varied, a: Array, ways: Sequence[Way], by_acceleration: bool) -> tuple[Array, Number]:
    """[dtau along every way, dtau/da_u], as `closed.inverse` chooses tau."""
    nu = varied.loops.mechanism.nu
    weights, preload = motor_numbers(nu, None, None)
    links, acting = moving(varied.forest, varied.q, varied.v, varied.t)
    idle = at_cuts(varied.forest, links, varied.t, varied.q, varied.v, np.zeros(nu))
    F = inverse_dynamics(links, a, varied.forest.gravity, acting.on_links) - acting.at_joints - idle
    B, N, of_motors = varied.B(), varied.N, varied.loops.motors(varied.forest)
    found = driven(varied.solved, B, F, of_motors, weights, preload)
    multipliers = varied.solved.multipliers(F - B @ found.tau - found.unmet)
    forces, opening = varied.of_forces(a, multipliers, found.tau), varied.of_rows(a)
    I = of_equations(varied.forest, varied.q, varied.v, a)[2]
    # (N^T B) dtau = N^T (de + I da),   e = I a + h - f - J^T lambda
    needed = [N.T @ (forces.along(way) + I @ varied.solved.drifts(opening.along(way))) for way in ways]
    needed = [*needed, N.T @ I @ N] if by_acceleration else needed
    right, reach = np.concatenate(needed, axis=1), N.T @ B
    if not len(of_motors.independent):
        motor = eliminated(reach[list(of_motors.rows)], of_motors)
        return motor.drifts(-right[list(of_motors.rows)]), found.health
    # of least squares: tau = R^T y,  dtau = d(R^T) y + R^T dy,  with R^T y = B^T w, w = N y
    w = N @ solve(reach @ reach.T, reach @ found.tau)
    turned = [_turned(varied, w, way) for way in ways]
    turned = [*turned, np.zeros((nu, N.shape[1]))] if by_acceleration else turned
    T = np.concatenate(turned, axis=1)
    return T + reach.T @ solve(reach @ reach.T, right - reach @ T), found.health


def _turned(varied: Varied, w: Array, way: Way) -> Array:
    """d(B^T w) for w = N y, y held."""
    return varied.slopes(lambda w: varied.B().T @ w, w).along(way) + varied.B().T @ varied.carried(w, way)


def _marked(values: Array, health: Number) -> Array:
    kept = health > REGULAR
    return array([[where(kept, x, np.nan) for x in row] for row in values])


def forward_derivatives(loops: Loops) -> Quantity:
    """[da/du, da/dv_u, da/dtau] of all tree coordinates: nv x (2 k + nu)."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        varied = Varied(forest, loops, q, v, t)
        return _marked(*forward(varied, tau, (varied.by_position, varied.by_velocity), True))

    columns = 2 * len(loops.independent) + loops.mechanism.nu
    return _quantity(loops, "forward_derivatives", ("q", "v", "tau", "t"), compute, lambda m: (m.nv, columns))


def inverse_derivatives(loops: Loops) -> Quantity:
    """[dtau/du, dtau/dv_u, dtau/da_u]: nu x 3 k."""

    def compute(forest: Forest, q: Array, v: Array, a: Array, t: Number) -> Array:
        varied = Varied(forest, loops, q, v, t)
        return _marked(*inverse(varied, a, (varied.by_position, varied.by_velocity), True))

    k = len(loops.independent)
    return _quantity(loops, "inverse_derivatives", ("q", "v", "a", "t"), compute, lambda m: (m.nu, 3 * k))


def forward_by_parameters(loops: Loops) -> Quantity:
    """da/dp, with u, v_u and tau held."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number, free: Sequence[Number]) -> Array:
        varied = Varied(forest, loops, q, v, t, free)
        return _marked(*forward(varied, tau, (varied.by_parameters,), False))

    return _quantity(loops, "forward_by_parameters", ("q", "v", "tau", "t"), compute, lambda m: (m.nv,), True)


def inverse_by_parameters(loops: Loops) -> Quantity:
    """dtau/dp, with u, v_u and a_u held."""

    def compute(forest: Forest, q: Array, v: Array, a: Array, t: Number, free: Sequence[Number]) -> Array:
        varied = Varied(forest, loops, q, v, t, free)
        return _marked(*inverse(varied, a, (varied.by_parameters,), False))

    return _quantity(loops, "inverse_by_parameters", ("q", "v", "a", "t"), compute, lambda m: (m.nu,), True)


def embedding(loops: Loops) -> Quantity:
    """N with v = N v_u for every velocity that the loops allow: nv x k."""

    def compute(forest: Forest, q: Array) -> Array:
        found = Varied(forest, loops, q, np.zeros(forest.nv), 0.0).solved
        return _marked(found.N, found.health)

    names = _names(loops)
    return Quantity("embedding", ("q",), compute, lambda m: (m.nv, len(names)), "lean", along=names)


def carried(loops: Loops) -> Quantity:
    """g with J g + d = 0 and nothing at the independent coordinates: a = N a_u + g."""

    def compute(forest: Forest, q: Array, v: Array) -> Array:
        varied = Varied(forest, loops, q, v, 0.0)
        d = rows(varied.links, forest.cuts, forest.nv).drift[list(loops.structure(forest).rows)]
        return _marked(varied.solved.drift(d)[:, None], varied.solved.health)[:, 0]

    return Quantity("carried", ("q", "v"), compute, per_velocity, "lean", loops.tag)


ALL = (forward_derivatives, inverse_derivatives, forward_by_parameters, inverse_by_parameters, embedding)


def _quantity(
    loops: Loops,
    name: str,
    inputs: tuple[str, ...],
    compute: Callable[..., Array],
    shape: Callable[[Mechanism], tuple[int, ...]],
    by_parameters: bool = False,
) -> Quantity:
    return Quantity(
        name,
        inputs,
        compute,
        shape,
        "lean",
        f"of loops {loops.tag}".rstrip(),
        recorded_only=True,
        by_parameters=by_parameters,
        along=_names(loops),
    )


def _names(loops: Loops) -> tuple[str, ...]:
    return tuple(loops.mechanism.velocities[k] for k in loops.independent)
