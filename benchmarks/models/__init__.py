"""The robots that are measured: figures of real ones, every inertia a full tensor."""

from __future__ import annotations

from collections.abc import Callable

from loopwright import Mechanism

from .anymal import anymal
from .chains import chain
from .g1 import g1
from .panda import panda
from .ur5 import ur5

ARMS: tuple[Callable[[], Mechanism], ...] = (ur5, panda)
LEGGED: tuple[Callable[[], Mechanism], ...] = (anymal, g1)
ROBOTS = {make.__name__: make for make in (*ARMS, *LEGGED)}

__all__ = ["ARMS", "LEGGED", "ROBOTS", "anymal", "chain", "g1", "panda", "ur5"]
