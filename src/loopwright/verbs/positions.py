"""Closed positions at which the rows of the loops are looked at: in different places, and all of the most rank.

A linkage may also close folded, where a branch of more freedoms and fewer independent rows goes off, and that branch
may be the one that most searches end on. Or it closes where nothing moves any more, as parallel cranks do that are put
together askew: such positions are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..closure import Closed, close, constructed, nearest
from ..errors import LoopwrightError
from ..mechanism import standing
from ..spatial import Array

if TYPE_CHECKING:
    from .loops import Loops

CLOSED = 1e-10  # radians or metres
SAMPLES = 5
_LEAST_TRIES, _TRIES = 24, 60
_FAR = (0.5, 1.5, 3.0)  # radians or metres from the neutral position at which searches begin
_NEAR = (0.02, 0.05, 0.1)  # the same from a closed one, to stay on its branch
_SHARES = (0.3, 0.6, 1.0)  # radians, or as much of a mechanism's size as of half a turn, of what drives it
_ALL_OVER = (*_SHARES, 1.6, 2.2, 2.8)


class Search:
    """Looks for closed positions; the same in every run."""

    def __init__(self, loops: Loops) -> None:
        self.loops, self.mechanism = loops, loops.mechanism
        self.rng = np.random.default_rng(0)
        self.found: list[Array] = []
        self.shown: list[tuple[int, float]] = []  # of every one, how many rows are independent and how clearly
        self.least, self.best = np.inf, self.mechanism.neutral()
        self.search: Callable[..., Closed] = close
        self.staying = loops.near is not None or loops.many

    def positions(self) -> list[Array]:
        """All that show the most rank, the clearest first."""
        if self.loops.near is not None:
            self._look(self.loops.near)
        elif self.loops.many:
            # searches from the neutral position would end where all loops are folded
            for start in _built_along(self.loops, _SHARES):
                self._look(start)
        self._try(SAMPLES if self.staying else _LEAST_TRIES)
        if not self.found:
            self.search = nearest
            self._try(_LEAST_TRIES)
        if not self.found:
            from .open_loops import apart, between, widest

            names = ", ".join(loop.name for loop in self.loops.topology.loops)
            loop, gap = widest(self.loops, self.best)
            raise LoopwrightError(
                f"the loops of '{self.mechanism.name}' ({names}) close nowhere that was tried: the nearest gap is "
                f"{apart(loop, gap)} {between(loop)}. Check the lengths and where the joints stand, or say "
                "a position where they close, lw.Dynamics(mech, near=state)"
            )
        if not self.staying:
            self._look_higher()
        return [self.found[k] for k in self._clearest]

    def _try(self, least: int) -> None:
        for k in range(_TRIES):
            self._look(self._start(k))
            if k >= least and self.found and len(self._clearest) >= SAMPLES:
                break

    def _look(self, start: Array) -> None:
        ended = self.search(self.loops.closing, start)
        if ended.left < self.least:
            self.least, self.best = ended.left, ended.q
        if ended.left <= CLOSED and not any(np.allclose(ended.q, q, atol=1e-3) for q in self.found):
            self.found.append(ended.q)
            self.shown.append(self.loops.regularity(ended.q))

    def _start(self, k: int) -> Array:
        base, spread = self.mechanism.neutral(), 0.0 if k == 0 else _FAR[k % 3]
        if self.staying and self.found:
            base, spread = self.found[self._clearest[0]], _NEAR[k % 3]
        return self.mechanism.integrate(base, self.rng.uniform(-spread, spread, self.mechanism.nv))

    @property
    def _most(self) -> int:
        """Independent rows: as many as there are anywhere where something can move, if it can at all."""
        ranks = [rank for rank, _ in self.shown]
        return max([rank for rank in ranks if rank < self.mechanism.nv] or ranks)

    @property
    def _clearest(self) -> list[int]:
        """Which show so many, the clearest first."""
        most = self._most
        return [k for k in sorted(range(len(self.shown)), key=lambda k: -self.shown[k][1]) if self.shown[k][0] == most]

    def _look_higher(self) -> None:
        """Whether all that was found is folded: what can be put together ring by ring need not be."""
        most = self._most
        for start in _built_along(self.loops, _SHARES):
            if most < self.loops.regularity(start)[0] < self.mechanism.nv:
                self._look(start)
                self.staying = True
        if self.staying:
            self._try(SAMPLES)


def as_built(loops: Loops) -> list[Array]:
    """Regular positions on the branch nearest to the neutral position, all along the way of what drives it.

    None where rings of three do not make it.
    """
    most, found = loops.generic_rank, list[Array]()
    for start in _built_along(loops, _ALL_OVER):
        ended = close(loops.closing, start)
        if ended.left <= CLOSED and loops.regularity(ended.q)[0] == most:
            found.append(ended.q)
    return found


def _built_along(loops: Loops, shares: Sequence[float]) -> Iterator[Array]:
    m = loops.mechanism
    driven = m.actuated if m.nu < m.nv else (0,)
    for share in shares:
        given = {m.velocities[k]: share * loops.spread[k] / np.pi for k in driven if k < m.nv}
        start = built(loops, given, m.neutral())
        if start is not None and np.abs(loops.closing.gap(start)).max(initial=0.0) <= 1e-6:
            yield start


def built(loops: Loops, given: Mapping[str, float], near: Array) -> Array | None:
    """The position nearest to `near` that rings of three make of these values, if they do."""
    values = {name: np.array([value]) for name, value in given.items()}
    ways = constructed(loops.mechanism, values, {}, loops.bodies_at(near), 1)
    return standing(loops.mechanism, ways[0]) if ways else None
