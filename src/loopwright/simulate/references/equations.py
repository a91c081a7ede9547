"""Motion as equations for SUNDIALS: x' = ode, 0 = alg, where x holds positions and velocities.

An ordinary system is a tree's, or that of loops whose accelerations some formulation gives, on the tree's coordinates.
The differential-algebraic one is in gear_gupta.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...closure import close
from ...mechanism import Mechanism
from ...spatial import Array, Symbol, expression, symbols
from ...verbs import Dynamics
from ...verbs.positions import CLOSED
from ..standing import crossing
from .on_symbols import Forces

_NOTHING = 1e-10  # of the largest singular value


@dataclass(frozen=True, eq=False)
class Equations:
    """Expressions of t, x, z and `until`, the last moment of the smooth stretch; `quad` are rates of work.

    `begin(t, q, v, tau)` gives z at a state. `settle(q, v)` closes the loops, or gives None where it cannot.
    `settles`: whether states that are saved are settled, too. `where` says what is special about a state.
    """

    t: Any
    x: Any
    z: Any
    until: Any
    ode: Any
    alg: Any
    quad: Any
    begin: Callable[[float, Array, Array, Array], Array]
    settle: Callable[[Array, Array], tuple[Array, Array] | None]
    where: Callable[[Array], str]
    settles: bool = True

    @cached_property
    def rates(self) -> Any:
        """x' as a function of t, x, z and until."""
        import casadi

        return casadi.Function("rates", [self.t, self.x, self.z, self.until], [self.ode])


@dataclass(frozen=True, eq=False)
class Given:
    """CasADi's symbols of one mechanism, the same as arrays of ours, and the motors' forces."""

    t: Any
    q: Any
    v: Any
    until: Any
    tau: Array

    @staticmethod
    def of(mechanism: Mechanism, forces: Forces) -> Given:
        import casadi

        t, until = casadi.SX.sym("t"), casadi.SX.sym("until")
        q, v = casadi.SX.sym("q", mechanism.nq), casadi.SX.sym("v", mechanism.nv)
        # at the end of a stretch what drives is still that of this stretch
        now = Symbol(casadi.fmin(t, until))
        return Given(t, q, v, until, forces(now, symbols(q), symbols(v)))

    def to(self, function: Any) -> Any:
        """One of the recorded functions, at these."""
        by_name = {"t": self.t, "q": self.q, "v": self.v, "tau": expression(self.tau)}
        return function(*(by_name[name] for name in function.name_in()))


def ordinary(dynamics: Dynamics, forces: Forces, stabilise: str | None) -> Callable[[Array], Equations]:
    """x' = (rates, accelerations), the same from wherever it goes on."""
    import casadi

    given = Given.of(dynamics.mechanism, forces)
    ode = casadi.vertcat(given.to(dynamics.casadi("rates")), given.to(dynamics.casadi("forward")))
    closes = dynamics.formulation is not None and not dynamics.formulation.open and stabilise == "project"

    def settle(q: Array, v: Array) -> tuple[Array, Array] | None:
        return closed(dynamics, q, v) if closes else (unit(dynamics.mechanism, q), v)

    everywhere = Equations(
        given.t, casadi.vertcat(given.q, given.v), casadi.SX(0, 1), given.until, ode, casadi.SX(0, 1),
        given.to(dynamics.casadi("power")), lambda t, q, v, tau: np.zeros(0), settle, meeting(dynamics),
    )  # fmt: skip
    return lambda q: everywhere


def meeting(dynamics: Dynamics) -> Callable[[Array], str]:
    """Says which motions meet at a state."""
    return lambda y: crossing(dynamics, y[: dynamics.mechanism.nq])


def closed(dynamics: Dynamics, q: Array, v: Array) -> tuple[Array, Array] | None:
    """The nearest closed position, and the nearest velocity that keeps it closed."""
    closing = dynamics.loops.closing
    found = close(closing, unit(dynamics.mechanism, q))
    if not found.left <= CLOSED:
        return None
    J = closing.slope(found.q)
    return found.q, v - np.linalg.lstsq(J, J @ v, rcond=_NOTHING)[0]


def unit(mechanism: Mechanism, q: Array) -> Array:
    """With quaternions of length one."""
    q = q.copy()
    for i in balls(mechanism):
        q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    return q


def balls(mechanism: Mechanism) -> list[int]:
    """Where in q the quaternions begin."""
    return [k - 3 for k, name in enumerate(mechanism.coordinates) if name.endswith(".qw")]
