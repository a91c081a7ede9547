"""Several trajectories as one, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..program import looped
from ..spatial import Array
from .loops import curves
from .trajectory import ORDERS, Native, Trajectory


class Joined(Trajectory):
    """The values of all, one after the other."""

    def __init__(self, parts: Sequence[Trajectory]) -> None:
        self.parts = tuple(parts)
        self.width, self.scalar = sum(part.width for part in self.parts), False
        self.breaks = tuple(sorted({moment for part in self.parts for moment in part.breaks}))

    def at(self, t: Any, order: int = 0) -> Any:
        """Of all parts."""
        leading = np.shape(t)
        found = [np.reshape(part.at(t, order), (*leading, part.width)) for part in self.parts]
        return np.concatenate(found, axis=-1)

    def native(self) -> Native:
        """A table of tables."""
        words: list[int] = [len(self.parts), self.width]
        keep: list[Any] = []
        first = 0
        for part in self.parts:
            own = part.native()
            room: Array = np.zeros(ORDERS * part.width)
            text = looped(own.text)
            words += [text.address, own.table.ctypes.data, room.ctypes.data, part.width, first]
            keep += [own, text, room]
            first += part.width
        return Native(curves.joined, np.array(words, dtype=np.int64), keep)
