"""What time loops ask of a mechanism with loops, in the form in which they ask it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ..closure import Formulation, eliminated, formulation, gap
from ..closure.elimination import Eliminated
from ..closure.loaded import Loaded
from ..closure.pivoted import least
from ..closure.rows import rows
from ..dynamics import Link, links_at
from ..spatial import Array, Number, expression, solve, sqrt
from ..topology import Forest
from ..verbs.closed import loaded
from ..verbs.derivatives import differentiated, matrix_of
from ..verbs.loop_derivatives import Varied
from ..verbs.loops import Loops
from ..verbs.powers import KINDS, powers
from ..verbs.quantities import Quantity

MINIMAL = ("embedding", "legs")  # formulations of independent coordinates


def sound(formulation: Formulation, loops: Loops, works: bool = False) -> Quantity:
    """[a, quality]: accelerations, and the least pivot of the rows over their length: 0 where branches meet.

    With `works` also the power of every kind of force, for which most has been computed already.
    """
    name, detail = _named("sound", works), f"{formulation.name} {formulation.detail} {loops.tag}".rstrip()

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        found = formulation.forward_dynamics(loaded(forest, loops, q, v, tau, t))
        return np.concatenate([found.a, [sqrt(found.health)], powers(forest, q, v, tau, t) if works else []])

    return Quantity(name, _INPUTS, compute, lambda m: (m.nv + 1 + _kinds(works),), "lean", detail)


def working(forward: Quantity) -> Quantity:
    """Accelerations of a tree, and the power of every kind of force."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        return np.concatenate([forward.compute(forest, q, v, tau, t), powers(forest, q, v, tau, t)])

    return Quantity(_named("forward", True), _INPUTS, compute, lambda m: (m.nv + len(KINDS),), "lean", forward.detail)


_INPUTS = ("q", "v", "tau", "t")


def _named(name: str, works: bool) -> str:
    return f"{name}_working" if works else name


def _kinds(works: bool) -> int:
    return len(KINDS) if works else 0


def flowing(formulation: Formulation, loops: Loops, works: bool = False) -> Quantity:
    """[a, quality], then v with the dependent velocities that the independent ones give; powers behind them."""
    name, detail = _named("flowing", works), f"{formulation.name} {formulation.detail} {loops.tag}".rstrip()

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        first = _eliminated(forest, loops, links_at(forest, q))
        whole = first.N @ v[list(first.structure.independent)]
        found = formulation.forward_dynamics(loaded(forest, loops, q, whole, tau, t))
        power = powers(forest, q, whole, tau, t) if works else []
        return np.concatenate([found.a, [sqrt(least([found.health, first.health]))], whole, power])

    return Quantity(name, _INPUTS, compute, lambda m: (2 * m.nv + 1 + _kinds(works),), "lean", detail)


def fitting(loops: Loops) -> Quantity:
    """[step, v, quality]: Newton's step of the dependent coordinates, and v with their velocities."""

    def compute(forest: Forest, q: Array, v: Array) -> Array:
        links = links_at(forest, q)
        found = _eliminated(forest, loops, links)
        left = gap(links, forest.cuts)[list(found.structure.rows)]
        whole = found.N @ v[list(found.structure.independent)]
        return np.concatenate([found.drift(left), whole, [sqrt(found.health)]])

    return Quantity("fitting", ("q", "v"), compute, lambda m: (2 * m.nv + 1,), "lean", loops.tag)


def _eliminated(forest: Forest, loops: Loops, links: list[Link]) -> Eliminated:
    chosen = loops.structure(forest)
    return eliminated(rows(links, forest.cuts, forest.nv).J[list(chosen.rows)], chosen)


def nearest(loops: Loops) -> Quantity:
    """[step, change of v, quality]: what closes the gap, and its rate, with the least kinetic energy.

    That is I x = J^T lambda with J x = -gap and with J x = -J v: equations of motion without forces.
    """
    solved = formulation("sparse").forward_dynamics

    def compute(forest: Forest, q: Array, v: Array) -> Array:
        links, n = links_at(forest, q), forest.nv
        still = [np.zeros(6)] * len(links)
        at = Still(
            links, forest.cuts, n, np.zeros(3), still, np.zeros(n), loops.structure(forest),
            lambda: loops.order(forest), forest,
        )  # fmt: skip
        left = gap(links, forest.cuts)[list(at.structure.rows)]
        step, change = (solved(replace(at, given=given)) for given in (left, at.J @ v))
        return np.concatenate([step.a, change.a, [sqrt(step.health)]])

    return Quantity("nearest", ("q", "v"), compute, lambda m: (2 * m.nv + 1,), "lean", loops.tag)


@dataclass(frozen=True)
class Still(Loaded):
    """A state without forces, where J a + `given` = 0 is wanted."""

    given: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def d(self) -> Array:
        return self.given

    @property
    def phi(self) -> Array:
        return np.zeros(self.nv)


def closing(loops: Loops) -> Quantity:
    """[gap, J row by row] of the rows that are kept."""
    count = len(loops.structure(loops.topology.forest).rows)

    def compute(forest: Forest, q: Array) -> Array:
        links = links_at(forest, q)
        kept = list(loops.structure(forest).rows)
        J = rows(links, forest.cuts, forest.nv).J[kept]
        return np.concatenate([gap(links, forest.cuts)[kept], J.reshape(-1)])

    return Quantity("closing", ("q",), compute, lambda m: (count * (m.nv + 1),), "plain", loops.tag)


def varied(loops: Loops) -> Quantity:
    """[I, J, d(J v)/dq, de/d(q, v, tau), dc/d(q, v)] of the rows that are kept; see loops/loop_slopes.py.

    e = I a + h - f - J^T lambda and c = J a + d, with a and lambda held; q varies as `integrate` moves it.
    """
    m, count = loops.mechanism, len(loops.structure(loops.topology.forest).rows)

    def compute(forest: Forest, q: Array, v: Array, a: Array, tau: Array, t: Number) -> Array:
        given, about = loaded(forest, loops, q, v, tau, t), Varied(forest, loops, q, v, t)
        # J^T lambda = I a - phi:  by least squares, for any choice of independent coordinates
        J = given.J
        multipliers = solve(J @ J.T, J @ (given.I @ a - given.phi))
        e, c = about.of_forces(a, multipliers, tau), about.of_rows(a)
        turned = about.slopes(lambda w: about.J @ w, v).by_q
        E = np.concatenate([e.by_q, e.by_v, -about.B()], axis=1)
        C = np.concatenate([c.by_q, c.by_v], axis=1)
        return np.concatenate([x.reshape(-1) for x in (given.I, J, turned, E, C)])

    size = m.nv * m.nv + 4 * count * m.nv + m.nv * (2 * m.nv + m.nu)
    return Quantity(
        "varied", ("q", "v", "a", "tau", "t"), compute, lambda m: (size,), "lean", loops.tag, recorded_only=True
    )


def power_slopes() -> Quantity:
    """[dP/dq, dP/dv, dP/dtau] of every kind of power."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        import casadi

        found = powers(forest, q, v, tau, t)
        by_q, by_v = differentiated(forest, found, q, v)
        by_tau = matrix_of(casadi.jacobian(expression(found), expression(tau)))
        return np.concatenate([by_q, by_v, by_tau], axis=1)

    inputs = ("q", "v", "tau", "t")
    return Quantity(
        "power_slopes", inputs, compute, lambda m: (len(KINDS), 2 * m.nv + m.nu), "axes", recorded_only=True
    )
