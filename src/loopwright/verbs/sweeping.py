"""Sweeps that record their step once for every sort of link, with symbols for what arrives from a neighbour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dynamics import Link
from ..spatial import array, symbols
from .messages import Pattern, parts, rebuilt


@dataclass(frozen=True)
class Recorded:
    """One sweep: the symbols of what arrives, and what every sort of link hands on in their place."""

    inward: bool
    start: list[float]  # what arrives where there is no neighbour
    arriving: Any  # a column of SX
    handed: list[list[Any]]  # one list for every sort of link


class Recording:
    """Does the walking over models, one for every sort of link: each step once."""

    def __init__(self) -> None:
        self.sweeps: list[Recorded] = []

    def outward(self, links: Sequence[Link], step: Any, start: Any, along: Sequence[Sequence[Any]]) -> list[Any]:
        def run(arriving: Any) -> list[Any]:
            return [step(link, arriving, *own) for link, *own in zip(links, *along, strict=True)]

        return self._settled(False, start, run, lambda x: x)

    def inward(self, links: Sequence[Link], step: Any, nothing: Any, along: Sequence[Sequence[Any]]) -> list[Any]:
        def run(arriving: Any) -> list[Any]:
            return [step(link, arriving, *own) for link, *own in zip(links, *along, strict=True)]

        return [y for y, _ in self._settled(True, nothing, run, lambda pair: pair[1])]

    def _settled(
        self, inward: bool, start: Any, run: Callable[[Any], list[Any]], handed_of: Callable[[Any], Any]
    ) -> list[Any]:
        """Suppose that all that is handed on is what there is at the start, until a supposition holds."""
        import casadi

        first = parts(start)
        whole = [True] * len(first)
        pattern = Pattern.of(_entries(first, whole))
        while True:
            arriving = casadi.SX.sym(f"arriving{len(self.sweeps)}", pattern.count)
            entries = pattern.filled(list(symbols(arriving)))
            try:
                with np.errstate(all="ignore"):  # that nothing arrives may be supposed wrongly, of a body without mass
                    results = run(rebuilt(start, _in_place(first, whole, entries)))
            except ZeroDivisionError:
                pattern = pattern.unknown()
                continue
            given = [parts(handed_of(result)) for result in results]
            fit = [all(np.shape(g[k]) == np.shape(part) for g in given) for k, part in enumerate(first)]
            if fit != whole:
                whole = fit
                pattern = Pattern.of(_entries(first, whole))
                continue
            handed = [_entries(g, whole) for g in given]
            refined = pattern.refined(handed)
            if refined == pattern:
                begun = [float(x) for x in pattern.picked(_entries(first, whole))]
                self.sweeps.append(Recorded(inward, begun, arriving, [pattern.picked(h) for h in handed]))
                return results
            pattern = refined


def _entries(given: Sequence[Any], whole: Sequence[bool]) -> list[Any]:
    return [entry for part, fit in zip(given, whole, strict=True) if fit for entry in np.reshape(part, -1)]


def _in_place(first: Sequence[Any], whole: Sequence[bool], entries: Sequence[Any]) -> list[Any]:
    """Arrays of the shapes of the first; None for what differs from link to link in its shape, so is not handed on."""
    made: list[Any] = []
    k = 0
    for part, fit in zip(first, whole, strict=True):
        if not fit:
            made.append(None)
            continue
        made.append(np.reshape(array(entries[k : k + np.size(part)]), np.shape(part)) if np.size(part) else part)
        k += np.size(part)
    return made
