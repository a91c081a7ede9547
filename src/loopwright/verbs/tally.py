"""Operations of every algorithm for one mechanism, beside what the literature gives; and for general chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..dynamics import FORWARD, INVERSE, MASS
from ..errors import LoopwrightError
from ..mechanism import GROUND, Builder, Mechanism
from ..program import Counts
from ..spatial import Array
from ..topology import Topology
from .derivatives import FORWARD_DERIVATIVES, INVERSE_DERIVATIVES
from .dynamics import Dynamics
from .literature import Formula, formulas
from .powers import POWER
from .quantities import PLAIN

ALGORITHMS = tuple(
    (quantity, algorithm.name)
    for quantity, registry in (("forward", FORWARD), ("inverse", INVERSE), ("mass_matrix", MASS))
    for algorithm in registry
)
WITHOUT_ALGORITHM = tuple(quantity.name for quantity in (*PLAIN, POWER, INVERSE_DERIVATIVES, FORWARD_DERIVATIVES))
_FREEDOMS = {"revolute": 1, "universal": 2, "spherical": 3}


@dataclass(frozen=True)
class Tally:
    """Counts of one algorithm, or why there are none; and the formulas that apply to such a mechanism."""

    quantity: str
    algorithm: str
    counts: Counts | None
    why_not: str
    formulas: tuple[Formula, ...]
    joints: tuple[int, int, int] | None  # of 1, 2 and 3 freedoms, where formulas apply


def tally(mechanism: Mechanism, quantity: str, algorithm: str) -> Tally:
    """Record and count; an algorithm "" is for a quantity that there is one way to compute."""
    joints = chain_joints(mechanism)
    given = (
        () if joints is None else tuple(f for f in formulas(quantity, algorithm) if f.per_joint or not any(joints[1:]))
    )
    try:
        counts = Dynamics(mechanism).count(quantity, algorithm=algorithm or None)
    except LoopwrightError as reason:
        return Tally(quantity, algorithm, None, str(reason), given, joints)
    return Tally(quantity, algorithm, counts, "", given, joints)


def chain_joints(mechanism: Mechanism) -> tuple[int, int, int] | None:
    """How many joints of 1, 2 and 3 freedoms a serial chain of turning joints has; None for other mechanisms."""
    topology = Topology.of(mechanism)
    nodes = topology.forest.nodes
    if topology.loops or any(node.parent != node.index - 1 or node.kind.name not in _FREEDOMS for node in nodes):
        return None
    numbers = [_FREEDOMS[node.kind.name] for node in nodes]
    return numbers.count(1), numbers.count(2), numbers.count(3)


def general_chain(freedoms: Sequence[int], seed: int = 1) -> Mechanism:
    """A chain in which no number is special, with joints of 1, 2 or 3 freedoms in the order given."""
    rng = np.random.default_rng(seed)
    kinds = {count: kind for kind, count in _FREEDOMS.items()}
    b = Builder(f"chain_{len(freedoms)}", gravity=tuple(rng.normal(size=3)))
    inner = GROUND
    for k, count in enumerate(freedoms, start=1):
        b.body(f"link{k}", rng.uniform(0.5, 2.0), rng.normal(size=3), _some_inertia(rng))
        options = {"xyz": rng.normal(size=3), "rpy": rng.uniform(-3.0, 3.0, 3)}
        getattr(b, kinds[count])(f"joint{k}", inner, f"link{k}", **options)
        inner = f"link{k}"
    return b.build()


def _some_inertia(rng: np.random.Generator) -> Array:
    """Of five points of a kilogram about their centre."""
    points = rng.normal(size=(5, 3))
    points = points - points.mean(axis=0)
    second = points.T @ points
    return np.eye(3) * np.trace(second) - second
