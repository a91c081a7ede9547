"""Which closure rows and which coordinates to compute with, decided once from several closed positions.

A row is redundant when it depends on others wherever the loops are closed: a loop in a plane repeats three rows
of a hinge in space. Dependent coordinates and the rows that give them are paired by pivoting. Where no pair serves
all positions, because they lie on different branches of the motion, the last ones go.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array, singular_values
from .pairing import ROUNDING, Pairing, Scattered, scattered

MANY = 100  # coordinates from which on matrices of all rows are no longer decomposed


@dataclass(frozen=True)
class Structure:
    """`rows` are kept, in the order of elimination; row k gives coordinate `dependent[k]`; the others drive.

    `redundant` are rows that repeat others. Numbers count within the rows of all cuts, and within v. `lengths` of all
    rows are the greatest that were seen, which tells a row that vanishes at some position.
    """

    rows: tuple[int, ...]
    dependent: tuple[int, ...]
    independent: tuple[int, ...]
    redundant: tuple[int, ...]
    lengths: tuple[float, ...]


def structure(
    J: Sequence[Array] | Scattered, preferred: Collection[int] = (), independent: Collection[int] | None = None
) -> Structure:
    """From Jacobians at closed positions; `preferred` coordinates should stay independent where they can.

    With `independent` known already, only rows are chosen.
    """
    regular, most = _regular(J if isinstance(J, Scattered) else scattered([np.asarray(x, dtype=float) for x in J]))
    lengths, many = regular.lengths, regular.shape[1] > MANY
    if independent is not None:
        return _made(Pairing(regular.without(independent), lengths, (), many).go(most), regular.shape, lengths)
    return _made(Pairing(regular, lengths, preferred, many).go(most), regular.shape, lengths)


def structure_at(J: Array, lengths: Sequence[float], preferred: Collection[int], nothing: float) -> Structure:
    """At one position, where a row of which no more than `nothing` of its usual length is left counts as dependent."""
    usual = np.asarray(lengths)[:, None]
    return _made(Pairing(scattered([np.asarray(J, dtype=float)]), usual, preferred).go(0, nothing), J.shape, usual)


def _made(found: Pairing, shape: tuple[int, int], lengths: Array) -> Structure:
    m, n = shape
    return Structure(
        tuple(found.rows),
        tuple(found.columns),
        tuple(sorted(set(range(n)) - set(found.columns))),
        tuple(sorted(set(range(m)) - set(found.rows))),
        tuple(np.where(np.isfinite(lengths), lengths, 0.0).max(axis=1, initial=0.0).tolist()),
    )


def _regular(J: Scattered) -> tuple[Scattered, int]:
    """At the positions of full rank, and this rank; others, and those that are no numbers, are singular positions."""
    finite = [k for k in range(J.positions) if np.isfinite(J.values[:, k]).all()]
    if not finite:
        raise LoopwrightError("no regular closed position is known, so nothing can be said of the rows")
    ranks = [regularity(J.at([k]))[0] for k in finite]
    most = max(ranks)
    return J.at([k for k, r in zip(finite, ranks, strict=True) if r == most]), most


def regularity(J: Scattered, nothing: float = 1e-8) -> tuple[int, float]:
    """Number of independent rows at one position, and how clearly they are: 0 where one is about to be lost."""
    if J.shape[1] > MANY:
        found = Pairing(J, J.lengths, (), thrifty=True).go()
        return len(found.rows), found.least
    full = np.zeros(J.shape)
    full[J.rows, J.columns] = J.values[:, 0]
    sizes = singular_values(full) if full.size else np.zeros(0)
    most = _count(sizes, nothing)
    return most, float(sizes[most - 1] / sizes[0]) if most else 0.0


def rank(J: Array, nothing: float = 1e-8) -> int:
    """Number of independent rows."""
    return _count(singular_values(J) if J.size else np.zeros(0), nothing)


def _count(sizes: Array, nothing: float) -> int:
    return int(np.count_nonzero(sizes > max(nothing * sizes.max(initial=0.0), ROUNDING)))
