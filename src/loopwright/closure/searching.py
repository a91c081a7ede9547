"""Looking for closed positions from many starts, and settling freedoms that nothing asks about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ..spatial import Array
from .closing import Closed, Closing, close
from .nearing import nearest
from .structure import rank

CLOSED = 1e-10  # radians or metres left at a position that counts as closed
_QUIET = 50  # starts without a new position before the search ends
_CLEARLY = 1e-7  # of the largest singular value: directions below it are free
_SETTLED = 1e-8  # radians or metres
_ROUNDS = 60
SAME = 1e-5  # radians or metres: positions nearer than this are one


def found_from(
    loops: Closing, starts: Iterable[Array], fixed: Array, print_of: Callable[[Array], Array], most: int
) -> Iterator[Array]:
    """The different closed positions that Gauss and Newton reach, until nothing new has come for a while.

    Where they reach none, damped steps are tried from as many starts. Positions with the same numbers in `print_of` are
    the same.
    """
    known = Known(print_of)
    quiet = 0
    search: Callable[..., Closed] = close
    for start in starts:
        ended = search(loops, start, fixed)
        quiet += 1
        if ended.left <= CLOSED and known.is_new(ended.q):
            quiet = 0
            yield ended.q
        if len(known.prints) == most:
            return
        if quiet >= _QUIET:
            if known.prints or search is nearest:
                return
            quiet, search = 0, nearest


class Known:
    """Positions met so far, by numbers that tell them apart."""

    def __init__(self, print_of: Callable[[Array], Array]) -> None:
        self.print_of = print_of
        self.prints: list[Array] = []

    def is_new(self, q: Array) -> bool:
        """Whether it was not met before; it has been from now on."""
        own = self.print_of(q)
        new = not self.prints or bool(np.abs(np.stack(self.prints) - own).max(axis=1, initial=0.0).min() > SAME)
        if new:
            self.prints.append(own)
        return new


def free_directions(J: Array, fixed: Array) -> Array:
    """Unit motions, one a column, that keep the loops closed and the `fixed` coordinates where they are."""
    n = J.shape[1]
    moving = np.setdiff1d(np.arange(n), fixed)
    own = J[:, moving]
    r = rank(own, _CLEARLY)
    N = np.zeros((n, len(moving) - r))
    N[moving] = np.linalg.svd(own)[2][r:].T
    return N


def settled(loops: Closing, q: Array, away: Callable[[Array], Array], fixed: Array) -> Array:
    """q moved along what is free, to the closed position of its branch where the motion `away` is least."""
    long = 1.0
    before = None
    for _ in range(_ROUNDS):
        d = away(q)
        N = free_directions(loops.slope(q), fixed)
        slope = N @ (N.T @ d)
        if np.linalg.norm(slope) <= _SETTLED:
            break
        if before is not None:
            # steps of Barzilai and Borwein: s.s / s.y
            s, y = before[0], slope - before[1]
            long = float(np.clip(s @ s / (s @ y), 0.1, 10.0)) if s @ y > 0.0 else 1.0
        step = -long * slope
        moved = _nearer(loops, q, step, float(np.linalg.norm(d)), away, fixed)
        if moved is None:
            break
        before = (away(moved) - d, slope)
        q = moved
    return q


def _nearer(
    loops: Closing, q: Array, step: Array, far: float, away: Callable[[Array], Array], fixed: Array
) -> Array | None:
    """The first of ever shorter steps that ends closed and nearer."""
    step = step * min(1.0, 0.5 / float(np.linalg.norm(step)))
    for _ in range(8):
        ended = close(loops, loops.integrate(q, step), fixed)
        if ended.left <= CLOSED and np.linalg.norm(away(ended.q)) < far:
            return ended.q
        step = step / 2.0
    return None
