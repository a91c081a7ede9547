"""Ctrl-C while native code runs: it is noted, and the loop pauses at the next step.

Python's own answer raises KeyboardInterrupt wherever it happens to be. Between native code and a Python function that
this calls nothing can be raised: the exception would be lost, and the run would go on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)  # the latter where the command line has made it mean the same


@contextmanager
def interruptible(pause: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Gives what tells whether Ctrl-C came; the first calls `pause`, a second is raised as ever.

    Handlers that somebody else has installed stay, and so do all outside the main thread, where none can be.
    """
    came: list[int] = []

    def noted(number: int, frame: Any) -> None:
        if came:
            signal.default_int_handler(number, frame)
        came.append(number)
        pause()

    main = threading.current_thread() is threading.main_thread()
    ours = [one for one in _SIGNALS if main and signal.getsignal(one) is signal.default_int_handler]
    try:
        for one in ours:
            signal.signal(one, noted)
        yield lambda: bool(came)
    finally:
        for one in ours:
            signal.signal(one, signal.default_int_handler)
