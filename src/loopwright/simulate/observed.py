"""What is looked at in every state that a run saved, as one program: energies, powers, openings, health; and poses."""

from __future__ import annotations

import numpy as np

from ..closure import cut_spring_energy, eliminated, gap
from ..closure.rows import rows
from ..dynamics import gravitational, kinetic, links_at, poses, spring_energy, twists
from ..mechanism import GROUND, Mechanism
from ..spatial import Array, Number, Pose, array
from ..topology import BASE, Forest, fundamental_loops
from ..verbs.loops import Loops
from ..verbs.powers import KINDS, powers
from ..verbs.quantities import Quantity

ENERGIES = ("kinetic", "gravity", "springs")


def observed(loops: Loops) -> Quantity:
    """[energies, powers by kind, gap, its rate, health]; the last three of mechanisms with loops only."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        links = links_at(forest, q, v)
        X = poses(links)
        energies = [
            kinetic(links, twists(links)),
            gravitational(links, X, forest.gravity),
            spring_energy(forest, q, X) + cut_spring_energy(forest, links, q),
        ]
        parts = [array(energies), powers(forest, q, v, tau, t)]
        if loops.any:
            J = rows(links, forest.cuts, forest.nv).J
            chosen = loops.structure(forest)
            health = eliminated(J[list(chosen.rows)], chosen).health
            parts += [gap(links, forest.cuts), J @ v, array([health])]
        return np.concatenate(parts)

    count = len(ENERGIES) + len(KINDS) + (2 * rows_of(loops.mechanism) + 1 if loops.any else 0)
    return Quantity("observed", ("q", "v", "tau", "t"), compute, lambda m: (count,), "plain")


def rows_of(mechanism: Mechanism) -> int:
    """Of all loops together."""
    return sum(loop.rows for loop in fundamental_loops(mechanism.tree))


def row_names(mechanism: Mechanism) -> list[str]:
    """The rows of the loops, by the loop's joint and number."""
    return [f"{loop.name} {k + 1}" for loop in fundamental_loops(mechanism.tree) for k in range(loop.rows)]


def poses_of(mechanism: Mechanism) -> Quantity:
    """Rows of [R p] of the ground and every body, in the mechanism's order, twelve numbers each."""
    names = (GROUND, *(body.name for body in mechanism.bodies))

    def compute(forest: Forest, q: Array) -> Array:
        X = poses(links_at(forest, q))
        found = []
        for seat in (forest.seats[name] for name in names):
            at: Pose = seat.X if seat.node == BASE else X[seat.node] @ seat.X
            found.append(np.concatenate([at.R, at.p[:, None]], axis=1).reshape(-1))
        return np.concatenate(found)

    return Quantity("poses", ("q",), compute, lambda m: (12 * len(names),), "plain")
