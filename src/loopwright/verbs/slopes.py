"""How forces and accelerations change with what they depend on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array
from . import quantities as ask
from .asking import finite
from .completing import Completing
from .results import ForwardDerivatives, InverseDerivatives, Linear
from .states import read

_FORWARD, _INVERSE = ("forward_derivatives", None), ("inverse_derivatives", None)
Record = TypeVar("Record", ForwardDerivatives, InverseDerivatives)
Slices = tuple[tuple[Any, slice], ...]


@cache
def _columns(k: int) -> Slices:
    """By position, by velocity, the rest, and none: made once, since an arm's derivatives take no longer than these."""
    return tuple((Ellipsis, columns) for columns in (slice(k), slice(k, 2 * k), slice(2 * k, None), slice(0)))


def _record(kind: type[Record], D: Array, columns: Slices, by_parameter: Array = None) -> Record:
    """Columns by name. A frozen record's own constructor takes twice the time of its four entries."""
    first, second, third, none = columns
    made = object.__new__(kind)
    entries = made.__dict__
    a, b, c, d = kind.__match_args__
    entries[a], entries[b], entries[c] = D[first], D[second], D[third]
    entries[d] = D[none] if by_parameter is None else by_parameter
    return made


class Slopes(Completing):
    """Derivatives of forward and inverse dynamics, and small motions about a state.

    With loops, positions and velocities vary as the loops allow: by the coordinates `dyn.independent` and their
    rates, each in turn, all other coordinates following. With virtual springs nothing follows; all vary.
    """

    @property
    def _varied(self) -> list[int]:
        """The coordinates that vary in forward dynamics: with virtual springs none follows from others."""
        open_loops = self._own is not None and self._own.open
        return list(range(self.mechanism.nv)) if open_loops else self._places

    def embedding(self, q: Any) -> Array:
        """N with v = N v[independent] for every velocity that the loops allow; of a tree the unit matrix."""
        if not self.topology.loops:
            leading, nv = read(self.mechanism, "q", q).shape[:-1], self.mechanism.nv
            return np.broadcast_to(np.eye(nv), (*leading, nv, nv))
        return self._regular(self._answer(self._quantity("embedding"), q=q), {"q": q})

    def forward_derivatives(
        self, q: Any, v: Any, tau: Any = None, t: Any = 0.0, parameters: Sequence[str] = ()
    ) -> ForwardDerivatives:
        """Of the accelerations, by what they depend on; compiled at the first call."""
        if type(t) is float and type(parameters) is tuple and not parameters:
            D = self._from_kernel(_FORWARD, q, v, tau)
            if D is not None:
                return _record(ForwardDerivatives, D, _columns(self.mechanism.nv))
        forces = np.zeros(self.mechanism.nu) if tau is None else tau
        D, by_parameter = self._slopes("forward", {"q": q, "v": v, "tau": forces, "t": t}, parameters)
        return _record(ForwardDerivatives, D, _columns(len(self._varied)), by_parameter)

    def inverse_derivatives(
        self, q: Any, v: Any, a: Any, t: Any = 0.0, parameters: Sequence[str] = ()
    ) -> InverseDerivatives:
        """Of the generalised forces of a motion, by position, velocity, acceleration and the parameters named.

        With loops, of the motors' forces, as `inverse` gives them without weights and preload.
        """
        if type(t) is float and type(parameters) is tuple and not parameters:
            D = self._from_kernel(_INVERSE, q, v, a)
            if D is not None:
                return _record(InverseDerivatives, D, _columns(self.mechanism.nv))
        D, by_parameter = self._slopes("inverse", {"q": q, "v": v, "a": a, "t": t}, parameters)
        return _record(InverseDerivatives, D, _columns(len(self._places)), by_parameter)

    def _slopes(self, of: str, given: dict[str, Any], parameters: Sequence[str]) -> tuple[Array, Array]:
        """All columns of the derivatives, and those by the parameters named."""
        asked, free = (f"{of}_derivatives", None), self._free(parameters)
        quantity = self._quantity(asked[0])
        D = self._regular(self._answer(quantity, **given), given)
        self._note_ready(asked, quantity)
        if not free:
            return D, D[..., :0]
        return D, self._answers.by_parameters(self._quantity(f"{of}_by_parameters"), given, free)

    def _regular(self, D: Array, given: dict[str, Any]) -> Array:
        """Refuse one state at which the independent coordinates do not give the others."""
        if D.ndim == 2 and self.topology.loops and not np.isfinite(D).all() and finite(given):
            raise LoopwrightError(
                f"at this position of '{self.mechanism.name}' the independent coordinates "
                f"({', '.join(self.independent)}) do not give the others: it is singular, or they stand at a dead "
                "point, and nothing can be differentiated by them. Move away a little, or let other joints be "
                "actuated: those come first among the independent ones. On another branch than the usual one, "
                "lw.Dynamics(mech, near=state) finds them there"
            )
        return D

    def linearize(self, q: Any, v: Any, tau: Any = None, t: Any = 0.0) -> Linear:
        """A and B of small motions about a state, for control; positions vary as `mech.integrate` moves them.

        With loops x holds the coordinates `dyn.independent` and their rates; with virtual springs all coordinates.
        """
        D = self.forward_derivatives(q, v, tau, t)
        u, nu = self._varied, self.mechanism.nu
        k = len(u)
        # ds/dt = dv + drift s,  s = N s_u
        N = np.eye(k) if k == self.mechanism.nv else self.embedding(q)
        drift = (self._answer(ask.DRIFT, v=v) @ N)[..., u, :]
        top = np.concatenate([np.broadcast_to(S, (*D.by_force.shape[:-2], k, k)) for S in (drift, np.eye(k))], axis=-1)
        bottom = np.concatenate([D.by_position[..., u, :], D.by_velocity[..., u, :]], axis=-1)
        B = np.concatenate([np.zeros((*D.by_force.shape[:-2], k, nu)), D.by_force[..., u, :]], axis=-2)
        return Linear(np.concatenate([top, bottom], axis=-2), B)
