"""How many operations a recorded program does, in the terms of the literature."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .tape import CONSTANT, INPUT, OUTPUT, Tape

_KINDS = {
    "multiplications": ("mul", "sq"),
    "additions": ("add", "sub", "twice"),
    "divisions": ("div", "inv"),
    "square_roots": ("sqrt",),
    "trigonometric": ("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
}
_FREE = (CONSTANT, INPUT, OUTPUT, "assign", "neg")  # a change of sign joins the sum or product that reads it


@dataclass(frozen=True)
class Counts:
    """Scalar operations of one evaluation; `other` are comparisons, choices, signs and library functions."""

    multiplications: int
    additions: int
    divisions: int
    square_roots: int
    trigonometric: int
    other: int

    @property
    def total(self) -> int:
        return (
            self.multiplications + self.additions + self.divisions + self.square_roots + self.trigonometric + self.other
        )


def counted(tape: Tape) -> Counts:
    """Count a tape's operations."""
    by_name = Counter(operation.name for operation in tape.operations)
    kinds = {kind: sum(by_name[name] for name in names) for kind, names in _KINDS.items()}
    known = {name for names in _KINDS.values() for name in names} | set(_FREE)
    return Counts(**kinds, other=sum(count for name, count in by_name.items() if name not in known))
