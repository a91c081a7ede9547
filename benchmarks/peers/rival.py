"""What a peer offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..timing import Call

PROBE = slice(None, None, 32)  # states whose answers are compared


@dataclass(frozen=True)
class Rival:
    """A way to a quantity: one call for all states, and in our coordinates what it answers for those in PROBE."""

    name: str
    call: Call
    answers: Callable[[], np.ndarray]
    note: str = ""
