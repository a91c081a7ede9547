"""One measured number, what it is measured against, and what it ought to be."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """At least so many times as fast as the peer, or at most so much in the unit of the row."""

    times: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Taken:
    """`best` is what the machine can do, `median` what a user sees; compare ratios within one run only."""

    best: float
    median: float

    @staticmethod
    def of(samples: Sequence[float]) -> Taken:
        return Taken(min(samples), statistics.median(samples))


@dataclass(frozen=True)
class Row:
    """Time or another cost of one case; `peer` did the same work in turn with it and gave `peer_taken`."""

    case: str
    taken: Taken
    unit: str
    peer: str = ""
    peer_taken: Taken | None = None
    target: Target | None = None
    differ: float | None = None  # largest difference of the answers over the largest entry
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the peer."""
        return None if self.peer_taken is None else self.peer_taken.best / self.taken.best

    @property
    def met(self) -> bool | None:
        """Whether the target is; None where there is none."""
        if self.target is None:
            return None
        if self.target.times is not None:
            return self.ratio is not None and self.ratio >= self.target.times
        return self.target.at_most is not None and self.taken.best <= self.target.at_most
