"""What can be asked of a mechanism with loops, each as one function of a forest and arrays.

Beyond the questions of a tree: a formulation finds accelerations and multipliers together. Where the rows stand
at a singular position the answer is not a number, which marks the state for a slower, rank-revealing solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..closure import (
    Formulation,
    Loaded,
    along,
    at_cuts,
    driven,
    eliminated,
    gap,
    motors,
    own_positions,
    solved_in_steps,
)
from ..closure.legs import complement, recognised
from ..closure.rows import rows
from ..dynamics import Link, Loads, links_at
from ..dynamics.newton_euler import inverse_dynamics
from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..spatial import Array, Number, array, where
from ..topology import Forest, fundamental_loops
from .loops import Loops
from .quantities import Quantity, at_actuators, moving, per_velocity

CLOSE_ENOUGH = 1e-5  # radians or metres: far below any mistake, far above what an integrator leaves
WAYS = ("subsystems", "freedoms")  # of inverse dynamics
REGULAR = 1e-10  # least health at which half of the digits are good: pivots are squares of distances


def forward(formulation: Formulation, loops: Loops) -> Quantity:
    """Accelerations under the actuators' forces, all loads and the closed loops."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        found = formulation.forward_dynamics(loaded(forest, loops, q, v, tau, t))
        return marked(found.a, found.health)

    return Quantity(
        "forward",
        ("q", "v", "tau", "t"),
        compute,
        per_velocity,
        "lean",
        f"{formulation.name} {formulation.detail} {loops.tag}".rstrip(),
    )


def inverse(loops: Loops, weights: Sequence[float] | None = None, preload: Sequence[float] | None = None) -> Quantity:
    """[tau, unmet]: the motors' forces for a motion, and what no motor supplies, at every tree coordinate.

    With more motors than freedoms the forces have the least weighted squares about the preload.
    """
    nu = loops.mechanism.nu
    w, p = motor_numbers(nu, weights, preload)

    def compute(forest: Forest, q: Array, v: Array, a: Array, t: Number) -> Array:
        links, acting = moving(forest, q, v, t)
        loads = outside_motors(forest, links, acting, q, v, t)
        F = inverse_dynamics(links, a, forest.gravity, acting.on_links) - loads
        chosen = loops.structure(forest)
        found = eliminated(rows(links, forest.cuts, forest.nv).J[list(chosen.rows)], chosen)
        made = driven(found, motors(forest, links, nu), F, loops.motors(forest), w, p)
        return marked(np.concatenate([made.tau, made.unmet]), made.health)

    how = " ".join(float(x).hex() for x in (*w, *p)) if weights is not None or preload is not None else ""
    return Quantity(
        "inverse", ("q", "v", "a", "t"), compute, lambda m: (m.nu + m.nv,), "lean", f"of loops {how} {loops.tag}"
    )


def by_subsystems(loops: Loops) -> Quantity:
    """The same, subsystem by subsystem: many small sets of equations instead of those of all freedoms at once."""
    nu = loops.mechanism.nu

    def compute(forest: Forest, q: Array, v: Array, a: Array, t: Number) -> Array:
        links, acting = moving(forest, q, v, t)
        loads = outside_motors(forest, links, acting, q, v, t)
        F = inverse_dynamics(links, a, forest.gravity, acting.on_links) - loads
        steps = loops.by_subsystems(forest)
        J = rows(links, forest.cuts, forest.nv).J[list(loops.structure(forest).rows)]
        x, health = solved_in_steps(np.concatenate([motors(forest, links, nu), J.T], axis=1), F, steps)
        return marked(np.concatenate([array(x[:nu]), np.zeros(forest.nv)]), health)

    return Quantity(
        "inverse",
        ("q", "v", "a", "t"),
        compute,
        lambda m: (m.nu + m.nv,),
        "lean",
        f"of loops by subsystems {loops.tag}",
    )


def inverse_by(own: Formulation, loops: Loops) -> Quantity:
    """The same where a formulation has inverse dynamics of its own: one motor for every freedom, nothing unmet."""
    name, inverse_dynamics = own.name, own.inverse_dynamics
    assert inverse_dynamics is not None

    def compute(forest: Forest, q: Array, v: Array, a: Array, t: Number) -> Array:
        tau, health = inverse_dynamics(loaded(forest, loops, q, v, np.zeros(loops.mechanism.nu), t), a)
        return marked(np.concatenate([tau, np.zeros(forest.nv)]), health)

    return Quantity(
        "inverse", ("q", "v", "a", "t"), compute, lambda m: (m.nu + m.nv,), "lean", f"of loops by {name} {loops.tag}"
    )


def loaded(forest: Forest, loops: Loops, q: Array, v: Array, tau: Array, t: Number) -> Loaded:
    """Everything that acts in one state."""
    links, acting = moving(forest, q, v, t)
    f = at_actuators(forest, tau) + acting.at_joints + at_cuts(forest, links, t, q, v, tau)
    return Loaded(
        links,
        forest.cuts,
        forest.nv,
        forest.gravity,
        acting.on_links,
        f,
        loops.structure(forest),
        lambda: loops.order(forest),
        forest,
    )


@dataclass(frozen=True)
class Complements:
    """The DeNOC matrices of a parallel architecture, and the bodies that their rows stand for."""

    quantities: dict[str, Quantity]
    bodies: tuple[str, ...]


def complements(forest: Forest) -> Complements:
    """N_l, N_c, N_d, M and J, each as a question of its own; refuses what is no parallel architecture."""
    legs = recognised(forest)
    nodes = [k for leg in legs.legs for k in leg.bodies(legs.platform)]
    rows, n = 6 * len(nodes), len(legs.driven)
    sizes = {"N_l": (rows, rows), "N_c": (rows, 6 * n), "N_d": (6 * n, n), "M": (rows, rows), "J": (6, n)}

    def question(name: str, size: tuple[int, ...]) -> Quantity:
        def compute(forest: Forest, q: Array) -> Array:
            return getattr(complement(forest, links_at(forest, q)), name)

        return Quantity(name, ("q",), compute, lambda m: size, "plain", "of legs")

    bodies = tuple(forest.nodes[k].body for k in nodes)
    return Complements({name: question(name, size) for name, size in sizes.items()}, bodies)


def motor_numbers(nu: int, weights: Sequence[float] | None, preload: Sequence[float] | None) -> tuple[Array, Array]:
    """One weight and one preload for every motor: ones and zeros when nothing is said."""
    return (
        np.ones(nu) if weights is None else np.asarray(weights, dtype=float),
        np.zeros(nu) if preload is None else np.asarray(preload, dtype=float),
    )


def outside_motors(forest: Forest, links: list[Link], acting: Loads, q: Array, v: Array, t: Number) -> Array:
    """Forces at the tree's coordinates of everything but motors, gravity and wrenches on links."""
    idle = np.zeros(len(forest.actuated) + sum(rank is not None for cut in forest.cuts for rank in cut.actuated))
    return acting.at_joints + at_cuts(forest, links, t, q, v, idle)


def marked(values: Array, health: Number) -> Array:
    """The values where they can be trusted, not a number elsewhere."""
    return array([where(health > REGULAR, value, np.nan) for value in values])


def closure(forest: Forest, q: Array) -> Array:
    """What is left to close, row by row."""
    return gap(links_at(forest, q), forest.cuts)


def cut_positions(forest: Forest, q: Array) -> Array:
    """Where the cut joints stand, coordinate by coordinate."""
    return own_positions(links_at(forest, q), forest.cuts)


def cut_velocities(forest: Forest, q: Array, v: Array) -> Array:
    """Their rates."""
    return along(links_at(forest, q), forest.cuts, forest.nv) @ v


def closure_jacobian(forest: Forest, q: Array) -> Array:
    """J with J v = 0 for every motion that keeps the loops closed."""
    return rows(links_at(forest, q), forest.cuts, forest.nv).J


def _rows(mechanism: Mechanism) -> int:
    return sum(loop.rows for loop in fundamental_loops(mechanism.tree))


def opening(forest: Forest, q: Array, v: Array) -> Array:
    """[gap, J v]: how far the loops are open, and how fast they would open."""
    links = links_at(forest, q)
    return np.concatenate([gap(links, forest.cuts), rows(links, forest.cuts, forest.nv).J @ v])


def require_closed(loops: Loops, found: Array, v: Array) -> None:
    """Refuse a state in which a loop is open, or opens."""
    gaps, rates = np.split(np.abs(found), 2)
    first = 0
    for loop in loops.topology.loops:
        here = slice(first, first + loop.rows)
        first += loop.rows
        ends = f"between '{loop.cut.parent}' and '{loop.cut.child}'"
        if gaps[here].max(initial=0.0) > CLOSE_ENOUGH:
            raise LoopwrightError(
                f"loop '{loop.name}' is open by {gaps[here].max():.3g} {ends}: start from a closed position, "
                "lw.assemble(mech, {joint: value})"
            )
        if rates[here].max(initial=0.0) > CLOSE_ENOUGH * max(1.0, float(np.abs(v).max(initial=0.0))):
            raise LoopwrightError(
                f"with these velocities loop '{loop.name}' would open at {rates[here].max():.3g} per second {ends}: "
                "take velocities that the loops allow, lw.assemble(mech, {joint: value}, v={joint: rate})"
            )


def opening_rate(forest: Forest, q: Array, v: Array, a: Array) -> Array:
    """J a + J' v: how fast the rates of opening change."""
    found = rows(links_at(forest, q, v), forest.cuts, forest.nv)
    return found.J @ a + found.drift


def require_kept(loops: Loops, found: Array, motion: Array) -> None:
    """Refuse accelerations that open a loop."""
    first = 0
    for loop in loops.topology.loops:
        here, first = np.abs(found[first : first + loop.rows]), first + loop.rows
        size = float(np.abs(motion).max(initial=0.0))
        if here.max(initial=0.0) > CLOSE_ENOUGH * max(1.0, size * size):
            raise LoopwrightError(
                f"with these accelerations loop '{loop.name}' would open between '{loop.cut.parent}' and "
                f"'{loop.cut.child}', at {here.max():.3g} per second squared: give accelerations that the loops allow"
            )


CLOSURE = Quantity("closure", ("q",), closure, lambda m: (_rows(m),), "plain")
CLOSURE_JACOBIAN = Quantity("closure_jacobian", ("q",), closure_jacobian, lambda m: (_rows(m), m.nv), "plain")
CUT_POSITIONS = Quantity("cut_positions", ("q",), cut_positions, lambda m: (len(m.cut_coordinates),), "plain")
CUT_VELOCITIES = Quantity("cut_velocities", ("q", "v"), cut_velocities, lambda m: (len(m.cut_velocities),), "plain")
OPENING = Quantity("opening", ("q", "v"), opening, lambda m: (2 * _rows(m),), "plain")
OPENING_RATE = Quantity("opening_rate", ("q", "v", "a"), opening_rate, lambda m: (_rows(m),), "plain")
