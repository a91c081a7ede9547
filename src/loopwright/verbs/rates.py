"""Velocities and accelerations that the loops allow, from those of some coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..closure import motors, rows
from ..dynamics import links_at
from ..errors import LoopwrightError
from ..mechanism import Named, named
from ..spatial import Array, svd
from .loops import Loops

_NOTHING = 1e-9  # of the largest singular value: below it a direction cannot be moved in
_MET = 1e-9  # of the largest rate: what solving leaves of a wanted one
_ON = 1e-12  # of the speed squared: how far off a branch of the motion a velocity may lead
_ROUNDS = 30  # of Newton's steps


class Rates:
    """Of one mechanism: what `v` and `a` give by name, and what follows from it in any closed position.

    What is left open by them stands still: first the coordinates with motors, then as much of the others as can.
    """

    def __init__(self, loops: Loops, v: Mapping[str, Any] | None, a: Mapping[str, Any] | None) -> None:
        self.loops = loops
        self.velocities = named(loops.mechanism, v, rates=True)
        self.accelerations = None if a is None else named(loops.mechanism, a, rates=True)

    def at(self, q: Array, t: float) -> tuple[Array, float, Array | None]:
        """v, t and a, as a State takes them."""
        v = self.velocity(q)
        return v, t, self.acceleration(q, v)

    def velocity(self, q: Array) -> Array:
        """J v = 0 with the rates that were given."""
        if not any(np.any(one.values) for one in self.velocities):
            return np.zeros(self.loops.mechanism.nv)
        J, _ = self._rows(q, None)
        S, _ = self._chosen(self.velocities, q, None)
        wanted = _values(self.velocities)
        v = _least(J, np.zeros(len(J)), S, wanted, self._motors(q))
        self._require_met("velocity", self.velocities, J, np.zeros(len(J)), S, wanted, v, 0.0)
        return self._along_a_branch(q, v, J, S)

    def _along_a_branch(self, q: Array, v: Array, J: Array, S: Array) -> Array:
        """v, or where branches meet the velocity next to it with which the loops can stay closed.

        There rows are lost, J v = 0 lets more through than goes on, and W^T J' v = 0, W^T J = 0, picks the branches.
        """
        U, sizes, _ = np.linalg.svd(J)
        r = int(np.count_nonzero(sizes > _NOTHING * max(sizes.max(initial=0.0), 1e-3)))
        if self.loops.many or r >= self.loops.generic_rank:
            return v
        W, N = U[:, r:].T, _solved(np.concatenate([J, S]), np.zeros(len(J) + len(S)))[1]

        def left(x: Array) -> Array:
            return W @ self._rows(q, x)[1]

        # halfway between two branches there is no slope, so starts to both sides follow
        aside = np.linalg.norm(v) * N.sum(axis=1)
        for found in (v, v + aside, v - aside) if N.size else ():
            for _ in range(_ROUNDS):
                off = left(found)
                if np.abs(off).max(initial=0.0) <= _ON * float(found @ found):
                    return found
                # J' v is quadratic in v: central differences are its slope
                slope = np.stack([(left(found + n) - left(found - n)) / 2.0 for n in N.T], axis=1)
                found = found - N @ _solved(slope, off)[0]
        return v

    def acceleration(self, q: Array, v: Array) -> Array | None:
        """J a + J' v = 0 with the accelerations that were given."""
        if self.accelerations is None:
            return None
        J, drift = self._rows(q, v)
        S, own = self._chosen(self.accelerations, q, v)
        wanted = _values(self.accelerations) - own
        a = _least(J, -drift, S, wanted, self._motors(q))
        self._require_met("acceleration", self.accelerations, J, -drift, S, wanted, a, float(v @ v))
        return a

    def _rows(self, q: Array, v: Array | None) -> tuple[Array, Array]:
        laid_out = self.loops.topology.forest
        found = rows(links_at(laid_out, q, v), laid_out.cuts, laid_out.nv)
        return np.asarray(found.J, dtype=float), np.asarray(found.drift, dtype=float)

    def _chosen(self, wanted: list[Named], q: Array, v: Array | None) -> tuple[Array, Array]:
        """S with S v the rates named, and S' v."""
        n = self.loops.mechanism.nv
        chosen, own = [np.zeros((0, n))], [np.zeros(0)]
        cut = self.loops.cut_rates(q, np.zeros(n) if v is None else v) if any(w.cut for w in wanted) else None
        for one in wanted:
            places = list(one.rates)
            chosen.append(cut.F[places] if cut and one.cut else np.eye(n)[places])
            own.append(cut.drift[places] if cut and one.cut else np.zeros(len(places)))
        return np.concatenate(chosen), np.concatenate(own)

    def _motors(self, q: Array) -> Array:
        """B^T: the rates of the coordinates with motors, where some are declared."""
        mechanism, laid_out = self.loops.mechanism, self.loops.topology.forest
        if mechanism.nu >= mechanism.nv:
            return np.zeros((0, mechanism.nv))
        return np.asarray(motors(laid_out, links_at(laid_out, q), mechanism.nu), dtype=float).T

    def _require_met(
        self,
        what: str,
        given: list[Named],
        J: Array,
        right: Array,
        S: Array,
        wanted: Array,
        found: Array,
        least: float,
    ) -> None:
        """Refuse rates of which the first that contradicts those before it is named; `least` is a least size."""
        size = max(float(np.abs(wanted).max(initial=0.0)), float(np.abs(found).max(initial=0.0)), least)
        if np.abs(S @ found - wanted).max(initial=0.0) <= _MET * size and _fits(J, right, found, size):
            return
        none = np.zeros((0, J.shape[1]))
        first = 0
        for one in given:
            last = first + len(one.values)
            alone = _least(J, right, S[:first], wanted[:first], none)
            both = _least(J, right, S[:last], wanted[:last], none)
            if np.abs(S[:last] @ both - wanted[:last]).max() > _MET * size or not _fits(J, right, both, size):
                others = ", ".join(f"'{other.label}'" for other in given[: given.index(one)])
                value = ", ".join(f"{x:.6g}" for x in S[first:last] @ alone)
                why = f"with {others} as given" if others else "at this position"
                raise LoopwrightError(
                    f"'{one.label}' of '{self.loops.mechanism.name}' cannot have the {what} "
                    f"{', '.join(f'{x:.6g}' for x in one.values)} {why}: the loops make it {value}. "
                    "Give independent coordinates only, or values that agree"
                )
            first = last


def _values(given: list[Named]) -> Array:
    return np.array([x for one in given for x in one.values])


def _fits(J: Array, right: Array, found: Array, size: float) -> bool:
    return bool(np.abs(J @ found - right).max(initial=0.0) <= 1e3 * _MET * max(size, 1e-300))


def _least(J: Array, right: Array, S: Array, wanted: Array, first: Array) -> Array:
    """x with J x = right, then S x = wanted, then least `first` x, then least x: each as well as those before allow."""
    n = J.shape[1]
    x, N = np.zeros(n), np.eye(n)
    for A, b in ((J, right), (S, wanted), (first, np.zeros(len(first))), (np.eye(n), np.zeros(n))):
        step, left = _solved(A @ N, b - A @ x)
        x, N = x + N @ step, N @ left
    return x


def _solved(A: Array, right: Array) -> tuple[Array, Array]:
    """The shortest x for which A x comes nearest to right, and a basis of what may be added to it."""
    if not A.size:
        return np.zeros(A.shape[1]), np.eye(A.shape[1])
    U, sizes, Vt = svd(A)
    r = int(np.count_nonzero(sizes > _NOTHING * max(sizes.max(initial=0.0), 1e-3)))
    return Vt[:r].T @ ((U[:, :r].T @ right) / sizes[:r]), Vt[r:].T
