"""What each kind of force does per second: motors, springs, dampers, dry friction, and wrenches and efforts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..closure import at_cuts
from ..dynamics import generalised, links_at, loads, poses, twists
from ..spatial import Array, Number, array
from ..topology import Forest
from .quantities import Quantity, at_actuators

KINDS = ("actuators", "springs", "dampers", "friction", "loads")


@dataclass(frozen=True)
class Powers:
    """In watts; positive where it makes the mechanism faster. Gravity is in none of them, being potential energy."""

    actuators: Array
    springs: Array
    dampers: Array
    friction: Array
    loads: Array


def powers(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
    """One number for each of KINDS: its forces at the coordinates, times the velocities."""
    links = links_at(forest, q, v)
    X, t_links = poses(links), twists(links)
    found = []
    for kind in KINDS:
        alone = _alone(forest, kind)
        f = generalised(links, loads(alone, t, q, v, X, t_links)) + at_cuts(alone, links, t, q, v, tau)
        if kind == "actuators":
            f = f + at_actuators(forest, tau)
        found.append(f @ v)
    return array(found)


def _alone(forest: Forest, kind: str) -> Forest:
    """The forest with the forces of one kind only."""
    springs, dampers, rubs, acts = (kind == k for k in ("springs", "dampers", "friction", "loads"))
    cuts = tuple(
        replace(
            cut,
            actuated=cut.actuated if kind == "actuators" else tuple(None for _ in cut.actuated),
            damping=_kept(cut.damping, dampers),
            friction=_kept(cut.friction, rubs),
            stiffness=_kept(cut.stiffness, springs),
            efforts=cut.efforts if acts else (),
        )
        for cut in forest.cuts
    )
    between = tuple(
        replace(spring, stiffness=spring.stiffness if springs else 0.0, damping=spring.damping if dampers else 0.0)
        for spring in forest.point_springs
    )
    return replace(
        forest,
        damping=_kept(forest.damping, dampers),
        friction=_kept(forest.friction, rubs),
        joint_springs=forest.joint_springs if springs else (),
        point_springs=between if springs or dampers else (),
        pushes=forest.pushes if acts else (),
        extras=forest.extras if acts else (),
        cuts=cuts,
    )


def _kept(values: Array, wanted: bool) -> Array:
    return values if wanted else np.zeros(np.shape(values))


POWER = Quantity("power", ("q", "v", "tau", "t"), powers, lambda m: (len(KINDS),), "axes")
