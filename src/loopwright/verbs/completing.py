"""The motion of all coordinates from that of some: what the loops make of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import floats, named
from ..spatial import Array
from . import loop_derivatives
from .asking import Asking
from .rates import Rates
from .results import each
from .states import read

_REGULAR = 1e-6  # least share that the coordinates given have in a motion, against its largest entry


class Completing(Asking):
    """Velocities and accelerations that keep the loops closed."""

    def complete(self, q: Any, v: Any, a: Any = None) -> tuple[Array, Array]:
        """v and a of all coordinates in closed positions, from those of as many as there are freedoms.

        v and a map coordinates (also of cut joints) to numbers or to arrays over states, or are arrays in the order
        of `dyn.independent`; what is whole already is taken as it is. Without a the coordinates named do not
        accelerate. Where fewer are named, what they leave open stands still, as in `lw.assemble`. Where branches meet,
        the velocity leads along one of them. Where a singular position among many forbids the motion asked for, v and a
        are no numbers.
        """
        at = read(self.mechanism, "q", q)
        if not self.topology.loops:
            return self._of_tree("v", v), self._of_tree("a", a)
        rates, gains = self._named("v", v), self._named("a", a if a is not None else dict.fromkeys(self._keys(v), 0.0))
        if rates is not None and gains is not None and self._suffice(rates, gains):
            return self._at_once(at, rates, gains)
        return self._one_by_one(at, v, rates, a, gains)

    def _of_tree(self, name: str, given: Any) -> Array:
        if given is None:
            return np.zeros(self.mechanism.nv)
        if not isinstance(given, Mapping):
            return read(self.mechanism, name, given)
        columns = [given.get(label, 0.0) for label in self.mechanism.velocities]
        for label in given:
            named(self.mechanism, {label: 0.0}, rates=True)
        return np.stack(np.broadcast_arrays(*(floats(name, x) for x in columns)), axis=-1)

    def _keys(self, v: Any) -> tuple[str, ...]:
        """The coordinates whose motion is given."""
        return tuple(v) if isinstance(v, Mapping) else self.independent

    def _named(self, name: str, given: Any) -> dict[str, Array] | None:
        """By coordinate; None for an array that is whole already."""
        if isinstance(given, Mapping):
            return {label: floats(f"{name} of '{label}'", x) for label, x in given.items()}
        values = floats(name, given)
        if values.ndim and values.shape[-1] == self.mechanism.nv:
            return None
        if not values.ndim or values.shape[-1] != len(self.independent):
            raise LoopwrightError(
                f"{name} has {values.shape[-1] if values.ndim else 'a single'} numbers; '{self.mechanism.name}' needs "
                f"{self.mechanism.nv}, or {len(self.independent)} for {', '.join(self.independent)}, or a mapping"
            )
        return dict(zip(self.independent, each(values), strict=True))

    def _suffice(self, rates: dict[str, Array], gains: dict[str, Array]) -> bool:
        """Whether both name the same coordinates of the tree, one for every freedom."""
        count = len(self.independent)
        return set(rates) == set(gains) and len(rates) == count and all(x in self.mechanism.velocities for x in rates)

    def _at_once(self, q: Array, rates: dict[str, Array], gains: dict[str, Array]) -> tuple[Array, Array]:
        labels = list(rates)
        u = [self.mechanism.velocities.index(label) for label in labels]
        leading = np.broadcast_shapes(q.shape[:-1], *(x.shape for x in (*rates.values(), *gains.values())))
        wanted_v, wanted_a = (
            np.stack([np.broadcast_to(given[label], leading) for label in labels], axis=-1) for given in (rates, gains)
        )
        N = np.broadcast_to(self._answer(self._quantity("embedding"), q=q), (*leading, self.mechanism.nv, len(labels)))
        shares = np.nan_to_num(N)[..., u, :]
        clear = np.isfinite(N).all(axis=(-2, -1)) & (
            np.linalg.svd(shares, compute_uv=False)[..., -1] > _REGULAR * np.abs(np.nan_to_num(N)).max(axis=(-2, -1))
        )
        shares = np.where(clear[..., None, None], shares, np.eye(len(labels)))
        v = (N @ np.linalg.solve(shares, wanted_v[..., None]))[..., 0]
        g = self._answer(loop_derivatives.carried(self.loops), q=q, v=v)
        a = (N @ np.linalg.solve(shares, (wanted_a - g[..., u])[..., None]))[..., 0] + g
        for index in zip(*np.nonzero(~clear), strict=True) if leading else [()] * (not clear):
            at = np.broadcast_to(q, (*leading, q.shape[-1]))[index]
            own = _picked(rates, leading, index), _picked(gains, leading, index)
            v[index], a[index] = self._rates_or_none(at, *own, clear.any())
        return v, a

    def _one_by_one(
        self, q: Array, v: Any, rates: dict[str, Array] | None, a: Any, gains: dict[str, Array] | None
    ) -> tuple[Array, Array]:
        """By the rank-revealing solution of every state; a whole v or a is kept."""
        whole = {
            "v": read(self.mechanism, "v", v) if rates is None else None,
            "a": read(self.mechanism, "a", a) if gains is None else None,
        }
        shapes = [x.shape[:-1] for x in whole.values() if x is not None]
        shapes += [x.shape for given in (rates, gains) if given is not None for x in given.values()]
        leading = np.broadcast_shapes(q.shape[:-1], *shapes)
        found = np.empty((2, *leading, self.mechanism.nv))
        for index in np.ndindex(*leading):
            at = np.broadcast_to(q, (*leading, q.shape[-1]))[index]
            now = {k: np.broadcast_to(x, (*leading, x.shape[-1]))[index] for k, x in whole.items() if x is not None}
            own_v = now["v"] if rates is None else _picked(rates, leading, index)
            own_a = now["a"] if gains is None else _picked(gains, leading, index)
            singular = bool(leading) and self.loops.regularity(at)[0] < self.loops.generic_rank
            found[(0, *index)], found[(1, *index)] = self._rates_or_none(at, own_v, own_a, singular)
        return found[0], found[1]

    def _rates_or_none(self, q: Array, v: Any, a: Any, singular: bool) -> tuple[Array, Array]:
        """Of one among many states: no numbers where only this `singular` position forbids the motion asked for."""
        try:
            return self._rates(q, v, a)
        except LoopwrightError:
            if not singular:
                raise
            return np.full(self.mechanism.nv, np.nan), np.full(self.mechanism.nv, np.nan)

    def _rates(self, q: Array, v: Any, a: Any) -> tuple[Array, Array]:
        if not np.isfinite(q).all():
            return np.full(self.mechanism.nv, np.nan), np.full(self.mechanism.nv, np.nan)
        rates = Rates(self.loops, v if isinstance(v, dict) else None, a if isinstance(a, dict) else {})
        moving = rates.velocity(q) if isinstance(v, dict) else v
        if not isinstance(a, dict):
            return moving, a
        gained = rates.acceleration(q, moving)
        return moving, np.zeros(self.mechanism.nv) if gained is None else gained

    @property
    def independent(self) -> tuple[str, ...]:
        """Entries of v that give all others: of a tree all, with loops one for every freedom."""
        return tuple(self.mechanism.velocities[k] for k in self._places)

    @property
    def _places(self) -> list[int]:
        return list(self.loops.independent if self.topology.loops else range(self.mechanism.nv))


def _picked(given: dict[str, Array], leading: tuple[int, ...], index: tuple[int, ...]) -> dict[str, float]:
    return {label: float(np.broadcast_to(x, leading)[index]) for label, x in given.items()}
