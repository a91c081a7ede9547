"""Formulation "dae": positions, velocities and multipliers together, as Gear, Gupta and Leimkuhler stabilise them.

    q' = rates(q, v + J^T mu) + Q nu      0 = g(q)      0 = (|q_b|^2 - 1) / 2 of every quaternion
    I v' = f - h + J^T lambda             0 = J v                                              [Gear1985]

lambda keeps the rates of the gaps at nothing and mu the gaps themselves, nu the lengths of quaternions, along whose
entries Q stands. In exact arithmetic mu = nu = 0, as J J^T mu = 0 follows from g' = J (v + J^T mu) and J v = 0. The
index is 2. Rows are those that every formulation keeps, so that the multipliers are unique, until these become bad.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...closure import gap, rows, structure_at
from ...errors import LoopwrightError
from ...mechanism import Mechanism
from ...spatial import Array, Symbol, expression, symbols
from ...verbs import Dynamics
from ...verbs.closed import loaded
from ...verbs.quantities import RATES
from .equations import Equations, Given, balls, closed, meeting
from .on_symbols import Forces

source = "[Gear1985]"
NAME = "dae"
_POOR = 0.1  # of what the rows can do here at the best: others are taken
_NOTHING = 1e-9  # of a row's usual length: what is left of one that depends on others


def require_loops(mechanism: Mechanism) -> None:
    """There must be something algebraic about it."""
    if not mechanism.tree.cuts:
        raise LoopwrightError(
            f"formulation 'dae' closes loops and '{mechanism.name}' has none: leave the formulation out; of SUNDIALS' "
            "methods, 'cvodes' is for trees"
        )


class GearGupta:
    """The equations of one mechanism, in the axes that the user gave, by the rows that are best where it stands."""

    def __init__(self, dynamics: Dynamics, forces: Forces) -> None:
        self.dynamics, self.forces = dynamics, forces
        self.forest, self.loops = dynamics.topology.forest, dynamics.loops
        usual = self.loops.structure(self.forest)
        self.lengths, self.kept = usual.lengths, usual.rows
        self._known: dict[tuple[int, ...], Equations] = {}

    def __call__(self, q: Array) -> Equations:
        """To go on with from q."""
        self.kept = self._rows(q)
        if self.kept not in self._known:
            self._known[self.kept] = self._written(list(self.kept))
        return self._known[self.kept]

    def _rows(self, q: Array) -> tuple[int, ...]:
        """Those in use, unless they depend on each other here while others do not."""
        J, count = self.loops.closing.slope(q), len(self.kept)
        if not np.isfinite(J).all():
            return self.kept
        best, own = (np.linalg.svd(some, compute_uv=False)[count - 1] for some in (J, J[list(self.kept)]))
        if own > _POOR * best:
            return self.kept
        others = structure_at(J, self.lengths, (), _NOTHING).rows
        return others if len(others) == count else self.kept

    def _written(self, kept: list[int]) -> Equations:
        import casadi

        m, forest = self.dynamics.mechanism, self.forest
        given = Given.of(m, self.forces)
        q, v = symbols(given.q), symbols(given.v)
        at = loaded(forest, self.loops, q, v, given.tau, Symbol(given.t))
        J = rows(at.links, forest.cuts, forest.nv).J[kept]
        lam, mu = (casadi.SX.sym(name, len(kept)) for name in ("lambda", "mu"))
        a = at.factor.solve(at.phi + J.T @ symbols(lam))
        rates = expression(RATES.compute(forest, q, v + J.T @ symbols(mu)))
        places = balls(m)
        nu, lengths = casadi.SX.sym("nu", len(places)), []
        for k, i in enumerate(places):
            ball = given.q[i : i + 4]
            rates[i : i + 4] += nu[k] * ball
            lengths.append((casadi.sumsqr(ball) - 1.0) / 2.0)
        left = expression(gap(at.links, forest.cuts)[kept])
        ode, alg = casadi.cse([casadi.vertcat(rates, expression(a)), casadi.vertcat(left, expression(J @ v), *lengths)])
        return Equations(
            given.t, casadi.vertcat(given.q, given.v), casadi.vertcat(lam, mu, nu), given.until, ode, alg,
            given.to(self.dynamics.casadi("power")), self._beginning(kept, len(kept) + len(places)),
            lambda q, v: closed(self.dynamics, q, v), meeting(self.dynamics), settles=False,
        )  # fmt: skip

    def _beginning(self, kept: list[int], vanishing: int) -> Callable[[float, Array, Array, Array], Array]:
        """lambda of a state, and nothing for mu and nu."""

        def begin(t: float, q: Array, v: Array, tau: Array) -> Array:
            at = loaded(self.forest, self.loops, q, v, tau, t)
            every = rows(at.links, self.forest.cuts, self.forest.nv)
            J, d = every.J[kept], every.drift[kept]
            # J I^-1 (phi + J^T lambda) + d = 0
            try:
                light = np.linalg.solve(at.I, np.column_stack([J.T, at.phi]))
                lam = np.linalg.solve(J @ light[:, :-1], -(J @ light[:, -1] + d))
            except np.linalg.LinAlgError:
                lam = np.full(len(kept), np.nan)
            return np.concatenate([lam, np.zeros(vanishing)])

        return begin
