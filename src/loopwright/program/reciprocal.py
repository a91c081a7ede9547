"""Several divisions by one number as one, and products: a division takes as long as some twenty of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from .tape import Operation, Tape


def reciprocals(tape: Tape) -> Tape:
    """a/d, b/d … become a r, b r … with r = 1/d, which rounds once more."""
    divisors = Counter(operation.of[1] for operation in tape.operations if operation.name == "div")
    made: list[Operation] = []
    now_at: list[int] = []
    inverse: dict[int, int] = {}
    for operation in tape.operations:
        of = tuple(now_at[i] for i in operation.of)
        if operation.name == "div" and divisors[operation.of[1]] > 1:
            if of[1] not in inverse:
                inverse[of[1]] = len(made)
                made.append(Operation("inv", (of[1],)))
            operation, of = Operation("mul"), (of[0], inverse[of[1]])
        now_at.append(len(made))
        made.append(replace(operation, of=of))
    return replace(tape, operations=tuple(made))
