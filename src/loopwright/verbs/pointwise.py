"""States whose pivots, chosen beforehand, fail: solved one at a time, with pivots chosen there.

Two things may be the matter. The coordinates chosen may be bad ones at this position, though the loops are
regular: then others are found and nothing is lost. Or rows that are independent elsewhere depend on each other
here, and branches of the motion meet. A mechanism that moves is on one of them, and the answer is the limit of the
answers before and after this position. At rest nothing decides between the branches; the accelerations are then
those of least constraint among all that the rows allow at this position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..closure import Structure, close, eliminated, motors, rows, structure_at
from ..closure.embedding import forward_dynamics
from ..dynamics import links_at
from ..dynamics.newton_euler import inverse_dynamics
from ..spatial import Array, svd
from ..topology import Forest
from .closed import loaded, outside_motors
from .loops import Loops
from .quantities import moving

# below this share of its length a row counts as dependent: what is regular is then solved to 1e-11
NEAR = 1e-5
_STEPS = (1e-2, 1e-3)  # radians or metres along the branch, largest coordinate
_SETTLED = 1e-6  # how well two orders of extrapolation must agree
_AT_REST = 1e-9
_ROUNDING = 1e-9  # of the largest force, as extrapolated

Compute = Callable[[Array, Array, Structure], tuple[Array, float]]  # of q, v: values and the size of what made them


@dataclass(frozen=True)
class Found:
    """The answer in one state, and the size of what it was made of.

    `lost` rows depend on others at this position only; `branch` says that a limit was taken.
    """

    values: Array
    size: float
    lost: int
    branch: bool


class Pointwise:
    """Forward and inverse dynamics of one mechanism, state by state, at any closed position."""

    def __init__(self, loops: Loops, laid_out: Forest) -> None:
        self.loops, self.forest = loops, laid_out
        usual = loops.structure(laid_out)
        self.rank = len(usual.rows)
        self.lengths = [length or np.inf for length in usual.lengths]  # rows that are always zero are no rows

    def forward(self, q: Array, v: Array, tau: Array, t: float) -> Found:
        """Accelerations."""

        def compute(q: Array, v: Array, here: Structure) -> tuple[Array, float]:
            at = replace(loaded(self.forest, self.loops, q, v, tau, t), structure=here)
            a = np.asarray(forward_dynamics(at).a, dtype=float)
            return a, float(np.abs(a).max(initial=0.0))

        return self._solved(q, v, compute)

    def inverse(self, q: Array, v: Array, a: Array, t: float, weights: Array, preload: Array) -> Found:
        """[tau, unmet] as `closed.inverse` gives them; the motors' forces of least weighted squares."""
        nu = self.loops.mechanism.nu

        def compute(q: Array, v: Array, here: Structure) -> tuple[Array, float]:
            links, acting = moving(self.forest, q, v, t)
            found = rows(links, self.forest.cuts, self.forest.nv)
            # the motion given, where it is not carried here already, made one that the loops allow
            kept = a - _shortest(found.J, found.J @ a + found.drift, len(here.rows))
            loads = outside_motors(self.forest, links, acting, q, v, t)
            F = inverse_dynamics(links, kept, self.forest.gravity, acting.on_links) - loads
            N = np.asarray(eliminated(found.J[list(here.rows)], here).N, dtype=float)
            B = motors(self.forest, links, nu)
            return _driven(N, B, F, weights, preload, here.independent), float(np.abs(F).max(initial=0.0))

        found = self._solved(q, v, compute)
        unmet = found.values[nu:]
        unmet[np.abs(unmet) < _ROUNDING * found.size] = 0.0
        return found

    def _solved(self, q: Array, v: Array, compute: Compute) -> Found:
        here = self._pivots(q)
        lost = self.rank - len(here.rows)
        values, size = compute(q, v, here)
        limit = self._along_branch(q, v, compute, size) if lost > 0 else None
        return Found(values if limit is None else limit, size, max(lost, 0), limit is not None)

    def _pivots(self, q: Array) -> Structure:
        mechanism = self.loops.mechanism
        preferred = mechanism.actuated if mechanism.nu < mechanism.nv else ()
        return structure_at(self._J(q), self.lengths, preferred, NEAR)

    def _J(self, q: Array) -> Array:
        return rows(links_at(self.forest, q), self.forest.cuts, self.forest.nv).J

    def _along_branch(self, q: Array, v: Array, compute: Compute, size: float) -> Array | None:
        """The limit of what is computed before and after q on the branch along which v moves, if there is one."""
        speed = float(np.abs(v).max(initial=0.0))
        if speed <= _AT_REST:
            return None
        for step in _STEPS:
            means = []
            for k in (1, 2, 3):
                pair = [self._beside(q, v, sign * k * step / speed) for sign in (1.0, -1.0)]
                found = [compute(*state, pivots)[0] for state in pair if state and (pivots := self._regular(state[0]))]
                if len(found) < 2:
                    return None
                means.append((found[0] + found[1]) / 2.0)
            # even in the step: errors of fourth, and of sixth order
            fourth, sixth = (4.0 * means[0] - means[1]) / 3.0, (15.0 * means[0] - 6.0 * means[1] + means[2]) / 10.0
            if np.abs(sixth - fourth).max() <= _SETTLED * max(size, np.abs(sixth).max()):
                return np.asarray(sixth)
        return None

    def _beside(self, q: Array, v: Array, dt: float) -> tuple[Array, Array] | None:
        """The closed position after dt at v, and the velocity carried there; None where v leaves every branch."""
        mechanism = self.loops.mechanism
        ended = close(self.loops.closing, mechanism.integrate(q, v * dt), tolerance=0.0)
        off = mechanism.difference(q, ended.q) - v * dt
        if ended.left > 1e-10 or np.abs(off).max() > 0.1 * np.abs(v * dt).max():
            return None
        J = self._J(ended.q)
        return ended.q, v - _shortest(J, J @ v, self.rank)

    def _regular(self, q: Array) -> Structure | None:
        here = self._pivots(q)
        return here if len(here.rows) == self.rank else None


def _shortest(J: Array, right: Array, rank: int) -> Array:
    """The shortest x with J x = right, for a J of this rank."""
    U, S, Vt = svd(J, full_matrices=False)
    return Vt[:rank].T @ ((U[:, :rank].T @ right) / S[:rank])


def _driven(N: Array, B: Array, F: Array, weights: Array, preload: Array, places: tuple[int, ...]) -> Array:
    """The forces of least weighted squares about the preload that come nearest to what is needed, and what is left.

    Motors that reach next to nothing of a freedom do not drive it.
    """
    # tau = p + W^-1/2 (R W^-1/2)^+ (f - R p),   R = N^T B,  f = N^T F
    reach, needed = N.T @ B, N.T @ F
    U, S, Vt = svd(reach / np.sqrt(weights), full_matrices=False)
    grips = NEAR * np.abs(B).max(initial=0.0) / np.sqrt(weights.min()) < S
    tau = preload + Vt[grips].T @ ((U[:, grips].T @ (needed - reach @ preload)) / S[grips]) / np.sqrt(weights)
    unmet = np.zeros(len(F))
    unmet[list(places)] = needed - reach @ tau
    return np.concatenate([tau, unmet])


def settled(answer: Array, given: Mapping[str, Array], solve: Callable[..., Found]) -> dict[tuple[int, ...], Found]:
    """Solves the states whose answer is no number and puts their values into `answer`, which is changed."""
    leading = answer.shape[:-1]
    every = [np.broadcast_to(x, leading + x.shape[x.ndim - (name != "t") :]) for name, x in given.items()]
    found = {}
    for index in zip(*np.nonzero(~np.isfinite(answer).all(axis=-1)), strict=True) if leading else [()]:
        state = [x[index] for x in every]
        if all(np.isfinite(x).all() for x in state):
            found[index] = solve(*state)
            answer[index] = found[index].values
    return found
