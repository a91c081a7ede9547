"""The two sweeps of every recursive algorithm: the actions of N_l and of its transpose.

An algorithm passes its local step. `along` are lists with one entry per link, handed to the step of that
link: a step sees its link, what arrives from its neighbour, and those entries, and nothing else. So a step may
also be recorded once for many links that are alike, by somebody who does the walking in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from ..topology import BASE
from .links import Link

Step = Callable[..., Any]


class Sweeps(Protocol):
    """Somebody who does the walking."""

    def outward(self, links: Sequence[Link], step: Step, start: Any, along: Sequence[Sequence[Any]]) -> list[Any]:
        """See `outward` below."""

    def inward(self, links: Sequence[Link], step: Step, nothing: Any, along: Sequence[Sequence[Any]]) -> list[Any]:
        """See `inward` below."""


class LinkByLink:
    """The walk itself."""

    def outward(self, links: Sequence[Link], step: Step, start: Any, along: Sequence[Sequence[Any]]) -> list[Any]:
        x: list[Any] = []
        for link, *own in zip(links, *along, strict=True):
            x.append(step(link, start if link.parent == BASE else x[link.parent], *own))
        return x

    def inward(self, links: Sequence[Link], step: Step, nothing: Any, along: Sequence[Sequence[Any]]) -> list[Any]:
        arrived = [nothing] * len(links)
        y: list[Any] = [None] * len(links)
        for link, *own in reversed(list(zip(links, *along, strict=True))):
            y[link.index], handed = step(link, arrived[link.index], *own)
            if link.parent != BASE:
                arrived[link.parent] = arrived[link.parent] + handed
        return y


_walker: ContextVar[Sweeps] = ContextVar("walker", default=LinkByLink())  # noqa: B039  # it has no state


def outward(links: Sequence[Link], step: Step, start: Any, *along: Sequence[Any]) -> list[Any]:
    """x_i = step(link_i, x_parent, ...), base to tips; links on the ground receive `start`."""
    return _walker.get().outward(links, step, start, along)


def inward(links: Sequence[Link], step: Step, nothing: Any, *along: Sequence[Any]) -> list[Any]:
    """y_i, handed_i = step(link_i, sum of what the children handed, ...), tips to base; returns the y_i."""
    return _walker.get().inward(links, step, nothing, along)


@contextmanager
def walked_by(sweeps: Sweeps) -> Iterator[None]:
    """Somebody else does the walking within this block."""
    before = _walker.set(sweeps)
    try:
        yield
    finally:
        _walker.reset(before)
