"""Mechanisms of which some coordinates move as they are told: what the others do, and the forces that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..closure import Formulation, at_cuts
from ..closure.prescribed import NAMES, Prescribed, forward_dynamics
from ..closure.structure import Structure
from ..errors import LoopwrightError
from ..mechanism import Mechanism, named
from ..spatial import Array, Number, array, sqrt
from ..topology import Forest
from .loops import Loops
from .quantities import Quantity, at_actuators, moving


@dataclass(frozen=True)
class Driven:
    """Coordinates that are driven: their names, places in q and in v, and which actuators drive them."""

    names: tuple[str, ...]
    q: tuple[int, ...]
    v: tuple[int, ...]
    actuators: tuple[int, ...]

    @property
    def said(self) -> str:
        """In words."""
        return ", ".join(f"'{name}'" for name in self.names)


def driven_of(mechanism: Mechanism, names: Sequence[str]) -> Driven:
    """The coordinates of these names, each a single turn or slide of the tree with an actuator."""
    if not names:
        raise LoopwrightError("no coordinate is driven: motion={joint: trajectory} needs one at least")
    found = [_driven(mechanism, name) for name in names]
    return Driven(tuple(names), *(tuple(places) for places in zip(*found, strict=True)))


def _driven(mechanism: Mechanism, name: str) -> tuple[int, int, int]:
    joints = {branch.joint.name: branch.joint.kind for branch in mechanism.tree.branches}
    if joints.get(name) in ("spherical", "free"):
        raise LoopwrightError(f"'{name}' is no single turn or slide, so its motion cannot be given as one number")
    several = [label for label in mechanism.coordinates if label.rpartition(".")[0] == name]
    if several:
        raise LoopwrightError(f"'{name}' has several coordinates: give the motion of each, {', '.join(several)}")
    (one,) = named(mechanism, {name: 0.0})
    if one.cut:
        raise LoopwrightError(
            f"joint '{name}' closes a loop of '{mechanism.name}' and has no coordinate, so it cannot be driven: drive "
            f"others, or name other cuts; the coordinates are {', '.join(mechanism.coordinates)}"
        )
    if not one.kind.flat or len(one.values) != 1:
        raise LoopwrightError(f"'{name}' is no single turn or slide, so its motion cannot be given as one number")
    place = one.rates[0]
    if place not in mechanism.actuated:
        raise LoopwrightError(
            f"'{name}' of '{mechanism.name}' has no actuator that could drive it: declare one, actuated=True, or drive "
            f"{', '.join(mechanism.actuators)}"
        )
    return one.at[0], place, list(mechanism.actuated).index(place)


def prescribed(formulation: Formulation, loops: Loops, driven: Driven) -> Quantity:
    """[a, quality, tau] for given accelerations of what is driven; its entries of the tau that goes in do not count.

    `quality`: the least pivot of the rows over their length, 0 where they leave the motion open.
    """
    if formulation.name not in NAMES:
        raise LoopwrightError(f"motion= is solved by {', '.join(NAMES)}, not by '{formulation.name}'")

    def compute(forest: Forest, q: Array, v: Array, given: Array, tau: Array, t: Number) -> Array:
        links, acting = moving(forest, q, v, t)
        others = array([0.0 if k in driven.actuators else force for k, force in enumerate(tau)])
        f = at_actuators(forest, others) + acting.at_joints + at_cuts(forest, links, t, q, v, others)
        at = Prescribed(
            links, forest.cuts, forest.nv, forest.gravity, acting.on_links, f,
            structure_of(loops, forest, driven), lambda: loops.order(forest), forest, driven.v, given,
        )  # fmt: skip
        found = forward_dynamics(at, formulation)
        forces = dict(zip(driven.actuators, at.forces(found.multipliers), strict=True))
        all_forces = [forces.get(k, force) for k, force in enumerate(tau)]
        return np.concatenate([found.a, [sqrt(found.health)], array(all_forces)])

    return Quantity(
        "prescribed",
        ("q", "v", "given", "tau", "t"),
        compute,
        lambda m: (m.nv + 1 + m.nu,),
        "lean",
        f"{formulation.name} {driven.v} {loops.tag}".rstrip(),
        sizes=(("given", len(driven.v)),),
    )


def structure_of(loops: Loops, laid_out: Forest, driven: Driven) -> Structure:
    """Rows and pivots when the rows of the driven coordinates come first; refuses what the loops do not leave free."""
    count = len(driven.v)
    found = _structure(loops, laid_out, driven.v)
    if len(found.rows) == count + loops.generic_rank:
        return found
    for k in range(count):
        if len(_structure(loops, laid_out, driven.v[: k + 1]).rows) < k + 1 + loops.generic_rank:
            break
    free = loops.mechanism.nv - loops.generic_rank
    before = ", ".join(f"'{name}'" for name in driven.names[:k])
    raise LoopwrightError(
        f"'{driven.names[k]}' of '{loops.mechanism.name}' cannot be driven"
        + (f" besides {before}, which move it" if before else ": the loops hold it")
        + f": the loops leave {free} freedom{'s' * (free != 1)}. Give the motion of as many independent coordinates at "
        f"the most, of {', '.join(loops.mechanism.velocities[p] for p in loops.independent)} for one"
    )


def _structure(loops: Loops, laid_out: Forest, places: Sequence[int]) -> Structure:
    others = [k for k in loops.mechanism.actuated if k not in places]
    return loops.driving(laid_out, places, others)
