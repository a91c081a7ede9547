"""The Mechanism: what the user said, frozen and checked, with its coordinates named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array, numbers
from .joints import BY_NAME
from .naming import known, unknown
from .parts import Body, Effort, Joint, Spring, Triple, Wrench
from .reading import plain_number
from .spanning import SpanningTree, spanning_tree


@dataclass(frozen=True)
class Mechanism:
    """Bodies joined to the ground and to each other; build one with `Builder`, a file or the zoo.

    `coordinates` names the entries of q, `velocities` those of v and a, `actuators` those of tau. They are the
    spanning tree's: a joint that is cut to open a loop has no coordinate of its own.
    """

    name: str
    gravity: Triple
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    springs: tuple[Spring, ...] = ()
    wrenches: tuple[Wrench, ...] = ()
    efforts: tuple[Effort, ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()
    cuts: tuple[str, ...] | None = None  # the user's choice; None leaves it to the rules
    notes: tuple[str, ...] = ()
    source: str = ""

    def __hash__(self) -> int:
        # quick for any number of bodies, and there even for loads that are functions without a hash
        return hash((self.name, self.gravity, self.parameters))

    def body(self, name: str) -> Body:
        """The body of that name."""
        found: Body = _named(self._bodies_by_name, name, "body", self.name)
        return found

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        found: Joint = _named(self._joints_by_name, name, "joint", self.name)
        return found

    @cached_property
    def _bodies_by_name(self) -> dict[str, Body]:
        return {body.name: body for body in self.bodies}

    @cached_property
    def _joints_by_name(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The parameters and their present values."""
        return dict(self.parameters)

    def with_parameters(self, **values: float) -> Mechanism:
        """The same mechanism with other parameter values, checked again."""
        from .check import check

        for name in values:
            if name not in self.values:
                raise LoopwrightError(unknown(name, "parameter", self.values, self.name))
        new = {name: plain_number(f"parameter '{name}'", "value", value) for name, value in values.items()}
        changed = replace(self, parameters=tuple((name, new.get(name, old)) for name, old in self.parameters))
        check(changed)
        return changed

    @cached_property
    def tree(self) -> SpanningTree:
        """The spanning tree whose joints carry the coordinates, and the joints that are cut."""
        return spanning_tree(self.joints, self.cuts)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the entries of q: a joint's name, with `.x`, `.qw` … where it has several."""
        return self._names("positions")

    @cached_property
    def quaternions(self) -> tuple[int, ...]:
        """Where in q the last numbers of quaternions stand."""
        return tuple(k for k, name in enumerate(self.coordinates) if name.endswith(".qw"))

    @cached_property
    def velocities(self) -> tuple[str, ...]:
        """Names of the entries of v and a."""
        return self._names("velocities")

    @cached_property
    def cut_coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates of the joints that are cut: no entries of q, but they can be read and asked for."""
        return tuple(
            f"{joint.name}.{suffix}" if suffix else joint.name
            for joint in self.tree.cuts
            for suffix in BY_NAME[joint.kind].positions
        )

    @cached_property
    def cut_velocities(self) -> tuple[str, ...]:
        """Names of their rates."""
        return tuple(
            f"{joint.name}.{suffix}" if suffix else joint.name
            for joint in self.tree.cuts
            for suffix in BY_NAME[joint.kind].velocities
        )

    @cached_property
    def actuators(self) -> tuple[str, ...]:
        """Names of the entries of tau: the actuated coordinates, or every one of the tree when none is declared.

        Motors on joints that are cut come last.
        """
        at_cuts = [name for joint in self.tree.cuts for name in _motors(joint)]
        return (*(self.velocities[k] for k in self.actuated), *at_cuts)

    @cached_property
    def actuated(self) -> tuple[int, ...]:
        """Indices into v of the entries of tau that act in the tree, which come first."""
        flags = [flag for branch in self.tree.branches for flag in branch.joint.actuated]
        declared = any(flag for joint in self.joints for flag in joint.actuated)
        return tuple(k for k, flag in enumerate(flags) if flag or not declared)

    @property
    def nq(self) -> int:
        return len(self.coordinates)

    @property
    def nv(self) -> int:
        return len(self.velocities)

    @property
    def nu(self) -> int:
        return len(self.actuators)

    def neutral(self) -> Array:
        """The q at which every joint's frames coincide."""
        return self._joined([BY_NAME[b.joint.kind].neutral() for b in self.tree.branches])

    def integrate(self, q: Array, dv: Array) -> Array:
        """The q reached by the small motion dv = v dt; quaternions stay unit."""
        at, by = self._read("q", q, self.coordinates), self._read("dv", dv, self.velocities)
        return self._joined([kind.integrate(at[i], by[j]) for kind, i, j in self._slices])

    def difference(self, q0: Array, q1: Array) -> Array:
        """The motion that leads from q0 to q1."""
        a, b = self._read("q0", q0, self.coordinates), self._read("q1", q1, self.coordinates)
        return self._joined([kind.difference(a[i], b[i]) for kind, i, _ in self._slices])

    @cached_property
    def limits(self) -> tuple[Array, Array]:
        """The least and the largest value of every entry of q, infinite where there is none."""
        ends = [
            pair
            for branch in self.tree.branches
            for pair in (branch.joint.limits or ((-np.inf, np.inf),) * BY_NAME[branch.joint.kind].nq)
        ]
        low, high = np.array(ends, dtype=float).reshape(-1, 2).T
        return low, high

    @cached_property
    def full_turns(self) -> tuple[tuple[int, int], ...]:
        """(place in q, place in v) of the coordinates that mean the same position a full turn later."""
        return tuple((i.start + k, j.start + k) for kind, i, j in self._slices for k in kind.full_turns)

    def fingerprint(self, q: Array) -> Array:
        """Numbers that two positions share exactly when every joint stands the same, full turns aside."""
        q = np.asarray(q, dtype=float)
        return np.concatenate([np.zeros(0), *(kind.fingerprint(q[i]) for kind, i, _ in self._slices)])

    def random_state(self, seed: int | np.random.Generator = 0) -> tuple[Array, Array]:
        """A (q, v) of ordinary size, the same for the same seed; loops are not closed by it."""
        try:
            rng = np.random.default_rng(seed)
        except (TypeError, ValueError):
            raise LoopwrightError(f"the seed of a random state is a whole number from zero up, got {seed!r}") from None
        q = self.integrate(self.neutral(), rng.uniform(-1.0, 1.0, self.nv))
        return q, rng.uniform(-1.0, 1.0, self.nv)

    @cached_property
    def _slices(self) -> list[tuple[Any, slice, slice]]:
        found, i, j = [], 0, 0
        for branch in self.tree.branches:
            kind = BY_NAME[branch.joint.kind]
            found.append((kind, slice(i, i + kind.nq), slice(j, j + kind.nv)))
            i, j = i + kind.nq, j + kind.nv
        return found

    def _names(self, which: str) -> tuple[str, ...]:
        return tuple(
            f"{branch.joint.name}.{suffix}" if suffix else branch.joint.name
            for branch in self.tree.branches
            for suffix in getattr(BY_NAME[branch.joint.kind], which)
        )

    def _read(self, what: str, given: Any, names: tuple[str, ...]) -> Array:
        """One position or motion, of numbers or symbols."""
        try:
            values = numbers(given)
        except (TypeError, ValueError, OverflowError):
            raise LoopwrightError(f"{what} must be an array of numbers, got {given!r}") from None
        if values.shape != (len(names),):
            shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            raise LoopwrightError(
                f"{what} has shape {values.shape}; '{self.name}' needs one row of {len(names)} numbers: {shown}"
            )
        return values

    @staticmethod
    def _joined(parts: list[Array]) -> Array:
        return np.concatenate(parts) if parts else np.zeros(0)

    def __repr__(self) -> str:
        counts = (
            (len(self.bodies), "body", "bodies"),
            (len(self.joints), "joint", "joints"),
            (len(self.tree.cuts), "loop", "loops"),
            (self.nv, "tree coordinate", "tree coordinates"),
            (self.nu, "actuator", "actuators"),
        )
        return f"Mechanism('{self.name}': {', '.join(f'{n} {one if n == 1 else many}' for n, one, many in counts)})"


def require_mechanism(what: str, given: Any) -> None:
    """Refuse anything else, which would fail somewhere inside."""
    if not isinstance(given, Mechanism):
        raise LoopwrightError(f"{what} needs a Mechanism (b.build(), lw.zoo.…()), got {type(given).__name__}")


def _motors(joint: Joint) -> list[str]:
    """Names of a joint's actuated coordinates."""
    suffixes = BY_NAME[joint.kind].velocities
    flags = joint.actuated or (False,) * len(suffixes)
    return [f"{joint.name}.{s}" if s else joint.name for s, flag in zip(suffixes, flags, strict=True) if flag]


def _named(items: Mapping[str, Any], name: str, what: str, mechanism: str) -> Any:
    if not known(name, items):
        raise LoopwrightError(unknown(name, what, list(items), mechanism))
    return items[name]
