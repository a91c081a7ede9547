"""What takes long and is done once: whoever waits at a terminal may listen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LISTENER: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Whatever is noticed meanwhile is told to the listener."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def notice(message: str) -> None:
    """To whoever listens."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(message)
