"""Transposing as many vectors as each has lanes, in registers."""

from __future__ import annotations

from collections.abc import Sequence

from .writer import Writer


def transposed(w: Writer, rows: Sequence[str]) -> list[str]:
    """Lane j of vector i becomes lane i of vector j, by width log2(width) shuffles."""
    if w.width == 1:
        return list(rows)
    # pairs of doubles first, because no instruction is cheaper than one that stays within 128 bits
    halves = [[_unpacked(w, a, b, k) for a, b in _in_pairs(rows)] for k in (0, 1)]
    even, odd = (_across(w, half) for half in halves)
    return [vector for both in zip(even, odd, strict=True) for vector in both]


def _across(w: Writer, vectors: list[str]) -> list[str]:
    """The same with pairs of doubles in place of doubles."""
    if len(vectors) == 1:
        return vectors
    even, odd = (_across(w, [_alternate(w, a, b, k) for a, b in _in_pairs(vectors)]) for k in (0, 1))
    return [vector for both in zip(even, odd, strict=True) for vector in both]


def _unpacked(w: Writer, a: str, b: str, k: int) -> str:
    """Double k of every pair of a, each followed by that of b."""
    return w.shuffle(a, b, [lane for pair in range(k, w.width, 2) for lane in (pair, pair + w.width)])


def _alternate(w: Writer, a: str, b: str, k: int) -> str:
    """Every other pair of a, from pair k on, then those of b."""
    starts = range(2 * k, 2 * w.width, 4)
    return w.shuffle(a, b, [lane for start in starts for lane in (start, start + 1)])


def _in_pairs(items: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(items[::2], items[1::2], strict=True))
