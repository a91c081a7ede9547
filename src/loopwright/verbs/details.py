"""More than accelerations or forces: multipliers, the wrench in every joint, and which of these are determinate.

Computed state by state on the bodies as the user said them, welds included.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..closure import Standing, along, along_cuts, classified, motors, rows
from ..closure.reactions import At, closing_wrenches, held_alone, reactions
from ..dynamics import Link, links_at, poses
from ..dynamics.newton_euler import inverse_dynamics
from ..errors import LoopwrightError
from ..mechanism import floats, unknown
from ..spatial import Array, svd
from ..topology import BASE, Forest, forest
from .loops import Loops
from .quantities import at_actuators, moving

_NOTHING = 1e-9  # of the largest singular value: rows below it are redundant
_UNTOUCHED = 1e-9  # of the largest reaction that redundant rows can make


@dataclass(frozen=True)
class Reactions:
    """`wrenches`: [moment; force] in ground axes at the child's joint frame, done by a joint's parent on its child."""

    multipliers: Array
    wrenches: dict[str, Array]
    determinate: dict[str, Array]
    standing: Any  # a Standing, or an array of them


class Statics:
    """The forces inside a mechanism in one state after another."""

    def __init__(self, loops: Loops, compliance: Mapping[str, Any] | None) -> None:
        self.loops = loops
        self.forest: Forest = forest(loops.mechanism, merged=False)
        self.flexible = {name: self._compliance(name, value) for name, value in (compliance or {}).items()}
        self._backwards = {branch.joint.name for branch in loops.mechanism.tree.branches if branch.backwards}

    def _compliance(self, name: str, value: Any) -> Array:
        known = [joint.name for joint in self.loops.mechanism.joints]
        if name not in known:
            raise LoopwrightError(unknown(name, "joint", known, self.loops.mechanism.name))
        given = floats(f"the compliance of joint '{name}'", value)
        if given.shape not in ((), (6,)) or not (given >= 0.0).all():
            raise LoopwrightError(f"the compliance of joint '{name}' is 1 or 6 numbers, none negative; got {value!r}")
        return np.broadcast_to(given, 6)

    def at(self, q: Array, v: Array, a: Array, tau: Array, t: float) -> Reactions:
        """For a motion that the loops allow, under these forces of the motors."""
        laid_out = self.forest
        links, acting = moving(laid_out, q, v, t)
        own = along_cuts(laid_out, links, t, q, v, tau)
        # J^T lambda = I a + h - f
        f = at_actuators(laid_out, tau) + acting.at_joints + along(links, laid_out.cuts, laid_out.nv).T @ own
        missing = inverse_dynamics(links, a, laid_out.gravity, acting.on_links) - f
        J = rows(links, laid_out.cuts, laid_out.nv).J
        particular, left = _solutions(J.T, missing)
        closing, at_cuts = closing_wrenches(laid_out, links, particular[:, None], own[:, None])
        base = reactions(laid_out, links, a, acting.on_links, closing[:, :, 0])
        base |= {name: At(at.wrench[:, 0], at.point) for name, at in at_cuts.items()}
        modes = self._alone(links, left)
        shares = self._shares(base, modes)
        found = {name: at.wrench + modes[name] @ shares for name, at in base.items()}
        return Reactions(
            particular + left @ shares,
            self._as_said(links, base, found),
            _determinate(modes),
            self._standing(J, motors(laid_out, links, self.loops.mechanism.nu)),
        )

    def _standing(self, J: Array, B: Array) -> Standing:
        """Towards singular positions; the driven rates are those that the motors' forces work along."""
        names = self.loops.mechanism.velocities
        return classified(J, B.T, names, self.loops.mechanism.actuators, self._rank)

    @cached_property
    def _rank(self) -> int:
        return len(self.loops.structure(self.loops.topology.forest).rows) if self.loops.any else 0

    def _alone(self, links: list[Link], ways: Array) -> dict[str, Array]:
        """The wrenches in all joints that hold each other without any load, a column for every way."""
        nothing = np.zeros((sum(cut.kind.nv for cut in self.forest.cuts), ways.shape[1]))
        closing, at_cuts = closing_wrenches(self.forest, links, ways, nothing)
        return {name: at.wrench for name, at in (held_alone(self.forest, links, closing) | at_cuts).items()}

    def _shares(self, base: Mapping[str, At], modes: Mapping[str, Array]) -> Array:
        """How much of every mode: least elastic energy of the joints said to be compliant, else least wrenches."""
        count = next((mode.shape[1] for mode in modes.values()), 0)
        if not count:
            return np.zeros(0)
        weights: dict[str, Array] = self.flexible or dict.fromkeys(base, _lengthwise(base))
        G = np.concatenate([np.sqrt(w)[:, None] * modes[name] for name, w in weights.items()])
        R = np.concatenate([np.sqrt(w) * base[name].wrench for name, w in weights.items()])
        found: Array = np.linalg.lstsq(G, -R, rcond=_NOTHING)[0]
        return found

    def _as_said(self, links: list[Link], base: Mapping[str, At], found: Mapping[str, Array]) -> dict[str, Array]:
        """From the user's parent to the user's child: joints walked backwards are turned round."""
        X = poses(links)
        said = dict(found)
        for node in self.forest.nodes:
            if node.joint in self._backwards:
                # the child is the inner body, whose joint frame X_tree places
                inner = node.X_tree if node.parent == BASE else X[node.parent] @ node.X_tree
                w, reach = found[node.joint], base[node.joint].point - inner.p
                said[node.joint] = -np.concatenate([w[:3] + np.cross(reach, w[3:]), w[3:]])
        return said


def _solutions(A: Array, right: Array) -> tuple[Array, Array]:
    """The shortest x with A x = right, and a basis of what may be added to it."""
    U, S, Vt = svd(A)
    r = int(np.count_nonzero(_NOTHING * S.max(initial=0.0) < S))
    return Vt[:r].T @ ((U[:, :r].T @ right) / S[:r]), Vt[r:].T


def _lengthwise(base: Mapping[str, At]) -> Array:
    """Weights that count a moment as the force that makes it at the mechanism's own size."""
    points = np.stack([at.point for at in base.values()])
    size = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0))) or 1.0
    return np.array([1.0 / size**2] * 3 + [1.0] * 3)


def _determinate(modes: Mapping[str, Array]) -> dict[str, Array]:
    """Component by component, what no mode changes."""
    touched = {name: np.abs(mode).max(axis=1, initial=0.0) for name, mode in modes.items()}
    limit = _UNTOUCHED * max((float(sizes.max()) for sizes in touched.values()), default=0.0)
    return {name: sizes <= limit for name, sizes in touched.items()}


def reactions_of(loops: Loops, given: Mapping[str, Array], compliance: Mapping[str, Any] | None) -> Reactions:
    """In one state or in many: `given` are q, v, a, tau and t, whose leading axes broadcast."""
    statics = Statics(loops, compliance)
    leading = np.broadcast_shapes(*(x.shape[:-1] if name != "t" else x.shape for name, x in given.items()))
    spread = [
        np.broadcast_to(x, leading + (x.shape[-1:] if name != "t" else ())).reshape(
            math.prod(leading), *(x.shape[-1:] if name != "t" else ())
        )
        for name, x in given.items()
    ]
    found = [statics.at(*state) for state in zip(*spread, strict=True)]
    if leading == ():
        return found[0]
    return Reactions(
        np.stack([one.multipliers for one in found]).reshape(*leading, -1),
        {name: np.stack([one.wrenches[name] for one in found]).reshape(*leading, 6) for name in found[0].wrenches},
        {name: np.all([one.determinate[name] for one in found], axis=0) for name in found[0].determinate},
        _array_of([one.standing for one in found]).reshape(leading),
    )


def standing_at(loops: Loops, q: Array) -> Standing:
    """How one position stands towards singular ones, of the loops and of the motors."""
    laid_out, mechanism = loops.topology.forest, loops.mechanism
    B = motors(laid_out, links_at(laid_out, q), mechanism.nu)
    return classified(loops.closing.slope(q), B.T, mechanism.velocities, mechanism.actuators, loops.generic_rank)


def _array_of(items: list[Any]) -> Array:
    found = np.empty(len(items), dtype=object)
    found[:] = items
    return found
