"""What a sweep hands from link to link, as a list of numbers: which of them are nothing, and which are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from ..spatial import Symbol, expression


def parts(value: Any) -> list[Any]:
    """The arrays and numbers that records and tuples are made of."""
    if is_dataclass(value):
        return [part for field in fields(value) for part in parts(getattr(value, field.name))]
    if isinstance(value, (tuple, list)):
        return [part for item in value for part in parts(item)]
    return [np.asarray(value)]


def rebuilt(like: Any, given: Sequence[Any]) -> Any:
    """The same record from other parts."""
    left = list(given)
    made = _rebuilt(like, left)
    if left:
        raise ValueError(f"{len(left)} parts too many for {like!r}")
    return made


def _rebuilt(like: Any, left: list[Any]) -> Any:
    if is_dataclass(like) and not isinstance(like, type):
        return type(like)(**{field.name: _rebuilt(getattr(like, field.name), left) for field in fields(like)})
    if isinstance(like, (tuple, list)):
        return type(like)(_rebuilt(item, left) for item in like)
    part = left.pop(0)
    # a number by itself was never an array
    return part if isinstance(like, np.ndarray) or part is None else part[()]


NUMBER = -1


@dataclass(frozen=True)
class Pattern:
    """Of every entry of a message the number that all links hand on, or which of the letters it is."""

    numbers: tuple[float, ...]
    letters: tuple[int, ...]  # NUMBER: none of them, but the number

    @staticmethod
    def of(entries: Sequence[Any]) -> Pattern:
        """Nothing but numbers."""
        return Pattern(tuple(float(entry) + 0.0 for entry in entries), (NUMBER,) * len(entries))

    def unknown(self) -> Pattern:
        """A letter for every entry."""
        return Pattern((0.0,) * len(self.numbers), tuple(range(len(self.numbers))))

    @property
    def count(self) -> int:
        """How many letters there are."""
        return 1 + max(self.letters, default=NUMBER)

    def filled(self, values: Sequence[Any]) -> list[Any]:
        """The entries, of the letters' values."""
        pairs = zip(self.letters, self.numbers, strict=True)
        return [number if letter == NUMBER else values[letter] for letter, number in pairs]

    def picked(self, entries: Sequence[Any]) -> list[Any]:
        """The letters' values, of the entries."""
        first: dict[int, Any] = {}
        for letter, value in zip(self.letters, entries, strict=True):
            first.setdefault(letter, value)
        return [first[letter] for letter in range(self.count)]

    def refined(self, handed: Sequence[Sequence[Any]]) -> Pattern:
        """What is left of this pattern when links hand on these entries."""
        marks = [_marks(entries) for entries in handed]
        named: dict[Any, int] = {}
        letters = []
        for k, (letter, number) in enumerate(zip(self.letters, self.numbers, strict=True)):
            own = tuple(mark[k] for mark in marks)
            same = letter == NUMBER and all(mark == number for mark in own)
            letters.append(NUMBER if same else named.setdefault((letter, number, own), len(named)))
        kept = tuple(n if letter == NUMBER else 0.0 for n, letter in zip(self.numbers, letters, strict=True))
        return Pattern(kept, tuple(letters))


def _marks(entries: Sequence[Any]) -> list[Any]:
    """Something that two entries share when they are the same number or the same expression."""
    import casadi

    if not any(isinstance(entry, Symbol) for entry in entries):
        return [float(entry) + 0.0 for entry in entries]
    column = casadi.cse(expression(np.array(entries, dtype=object)))
    return [float(x) + 0.0 if x.is_constant() else f"expression {x.element_hash()}" for x in casadi.vertsplit(column)]
