"""What acts along the coordinates of cut joints: motors, springs, dampers, friction and efforts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..dynamics import Link, friction_force, value_of
from ..spatial import Array, Number, arctan2, blockwise, cos, numbers, sin
from ..topology import Cut, Forest
from .rows import along
from .sides import sides


def at_cuts(forest: Forest, links: list[Link], t: Number, q: Array, v: Array, tau: Array) -> Array:
    """Generalised forces at the tree's coordinates: F^T f, with v_cut = F v."""
    loaded = [cut for cut in forest.cuts if _loaded(cut)]
    if not loaded:
        return np.zeros(forest.nv)
    return along(links, loaded, forest.nv).T @ along_cuts(forest, links, t, q, v, tau, loaded)


def along_cuts(
    forest: Forest, links: list[Link], t: Number, q: Array, v: Array, tau: Array, cuts: Sequence[Cut] | None = None
) -> Array:
    """f: the forces along the own coordinates of the cut joints, of all of them or of those named."""
    chosen = forest.cuts if cuts is None else cuts
    rates, at, forces = along(links, chosen, forest.nv) @ v, 0, [np.zeros(0)]
    for cut in chosen:
        rate, at = rates[at : at + cut.kind.nv], at + cut.kind.nv
        forces.append(_force(cut, links, q, rate, tau) + _efforts(cut, t, q, v))
    return np.concatenate(forces)


def motors(forest: Forest, links: list[Link], nu: int) -> Array:
    """B (nv x nu): generalised forces of unit efforts of the motors, in the tree first, then at the cuts."""
    chosen = [(k, i, 1.0) for i, k in enumerate(forest.actuated)]
    driven = [cut for cut in forest.cuts if any(rank is not None for rank in cut.actuated)]
    F = along(links, driven, forest.nv)
    ranks = [rank for cut in driven for rank in cut.actuated]
    at_cuts = [(slice(None), rank, F[k]) for k, rank in enumerate(ranks) if rank is not None]
    return blockwise(forest.nv, nu, [*chosen, *at_cuts])


def _loaded(cut: Cut) -> bool:
    motors = any(rank is not None for rank in cut.actuated)
    passive = any(bool(np.any(given != 0.0)) for given in (cut.damping, cut.friction, cut.stiffness))
    return motors or passive or bool(cut.efforts)


def _force(cut: Cut, links: list[Link], q: Array, rate: Array, tau: Array) -> Array:
    # tau - damping v - friction sign(v) - stiffness (q - rest)
    driving = numbers([0.0 if rank is None else tau[rank] for rank in cut.actuated])
    force = driving - cut.damping * rate - friction_force(cut.friction, rate)
    if np.any(cut.stiffness != 0.0):
        force = force - cut.stiffness * _stretch(cut, links, q)
    return force


def _stretch(cut: Cut, links: list[Link], q: Array) -> Array:
    """How far the joint is from where its springs rest: full turns counted where the loop tells them, else the nearest.

    Whatever the cut, a spring that is wound up pushes as if its joint were one of the tree's.
    """
    P, C = sides(links, cut)
    x = cut.kind.difference(cut.rest, cut.kind.position(cut.shape, P.frame, C.frame))
    for k in cut.kind.full_turns:
        if cut.winding is not None and cut.winding.place == k:
            x[k] = cut.winding.angle(q) - cut.rest[k]
        elif np.any(cut.stiffness[k] != 0.0):
            x[k] = arctan2(sin(x[k]), cos(x[k]))
    return x


def _efforts(cut: Cut, t: Number, q: Array, v: Array) -> Array:
    given = [numbers(value_of(effort, t, q, v)) for effort in cut.efforts]
    return sum(given, np.zeros(cut.kind.nv))


def spring_energy(forest: Forest, links: list[Link], q: Array) -> Number:
    """1/2 k x^2 of the springs of cut joints."""
    total: Number = 0.0
    for cut in forest.cuts:
        if np.any(cut.stiffness != 0.0):
            x = _stretch(cut, links, q)
            total = total + x @ (cut.stiffness * x)
    return total / 2.0
