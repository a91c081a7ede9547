"""A long tape cut into parts, so that each fits the nearest cache of instructions.

Code that does not fit comes from the next cache at some sixteen bytes a cycle, half of what the arithmetic could use.
A part that does fit is run for several batches of states before the next one, and is fetched once for all of them. What
one part makes and a later one reads goes through memory; the cuts are made where that is least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from .tape import CONSTANT, INPUT, OUTPUT, Operation, Tape

LENGTH = 2800  # operations of a part: some 4000 instructions, and 30 of the 32 kB that the nearest cache holds
_SLACK = 0.15  # of a part's length, by which a cut may move to where fewer values cross it
_SINE_AND_COSINE, _CALL = 45, 60  # operations that they are written out as

# places and values of sums whose product is read nowhere else, see emit.fused
Fused = Mapping[int, tuple[int, int, int, str]]


@dataclass(frozen=True)
class Part:
    """Numbers of the operations, and where in the memory between parts stands what crosses a cut."""

    steps: tuple[int, ...]
    kept: Mapping[int, int]  # values made here and read later
    read: Mapping[int, int]  # values made before


def parts(tape: Tape, fused: Fused, length: int | None = None) -> tuple[list[Part], int]:
    """The parts, and how many values the memory between them holds."""
    length = LENGTH if length is None else length
    steps, of = _work(tape, fused)
    costs = _costs(tape, steps)
    groups = _groups(steps, of, costs, length)
    made = {k: p for p, group in enumerate(groups) for k in group}
    last: dict[int, int] = {}  # the part that reads a value last
    for p, group in enumerate(groups):
        last |= {i: p for k in group for i in of[k] if i in made}
    place, places = _places(groups, made, last)
    found = []
    for p, group in enumerate(groups):
        kept = {k: place[k] for k in group if k in place}
        read = {i: place[i] for k in group for i in of[k] if i in made and made[i] < p}
        found.append(Part(tuple(group), kept, read))
    return found, places


def neighbours(tape: Tape) -> Tape:
    """The same with the cosine of an angle right behind its sine: they are made together."""
    turns: dict[tuple[str, int], int] = {}
    for k, operation in enumerate(tape.operations):
        if operation.name in ("sin", "cos"):
            turns.setdefault((operation.name, operation.of[0]), k)
    order: list[int] = []
    taken: set[int] = set()
    for k, operation in enumerate(tape.operations):
        if k not in taken:
            order.append(k)
            other = {"sin": "cos", "cos": "sin"}.get(operation.name)
            beside = turns.get((other, operation.of[0]), k) if other else k
            if beside > k and beside not in taken:
                order.append(beside)
                taken.add(beside)
    now_at = {k: n for n, k in enumerate(order)}
    moved = (tape.operations[k] for k in order)
    return replace(tape, operations=tuple(replace(o, of=tuple(now_at[i] for i in o.of)) for o in moved))


def _work(tape: Tape, fused: Fused) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """What is written down, and what each of it reads: a sum takes the factors of its product."""
    of = {k: tuple(fused[k][:3]) if k in fused else o.of for k, o in enumerate(tape.operations)}
    uses = {i for k, o in enumerate(tape.operations) if k not in fused for i in o.of}
    uses |= {i for k in fused for i in of[k]}
    given = (INPUT, CONSTANT)
    steps = [k for k, o in enumerate(tape.operations) if o.name not in given and (o.name == OUTPUT or k in uses)]
    return steps, of


def _costs(tape: Tape, steps: Sequence[int]) -> list[int]:
    known: set[int] = set()

    def cost(operation: Operation) -> int:
        if operation.name in ("sin", "cos"):
            first = operation.of[0] not in known
            known.add(operation.of[0])
            return _SINE_AND_COSINE if first else 0
        return 1 if operation.name in _SHORT else _CALL

    return [cost(tape.operations[k]) for k in steps]


_SHORT = {
    "add", "sub", "mul", "div", "neg", "assign", "sq", "twice", "inv", "sqrt", "fabs", "floor", "ceil", "copysign",
    "sign", "not", "and", "or", "if_else_zero", "fmin", "fmax", "lt", "le", "eq", "ne", OUTPUT,
}  # fmt: skip


def _groups(
    steps: Sequence[int], of: Mapping[int, tuple[int, ...]], costs: Sequence[int], length: int
) -> list[Sequence[int]]:
    """Of about equal cost, cut where the fewest values cross."""
    sums = list(accumulate(costs))
    total = sums[-1] if sums else 0
    count = max(1, -(-total // length))
    if count == 1:
        return [steps]
    crossing = _crossing(steps, of)
    cuts = [0]
    for c in range(1, count):
        goal, slack = total * c / count, _SLACK * total / count
        # a cosine of no cost belongs to the sine before it
        near = [n for n in range(cuts[-1] + 1, len(steps)) if abs(sums[n - 1] - goal) <= slack and costs[n]]
        cuts.append(min(near, key=lambda n: crossing[n]) if near else cuts[-1])
    return [steps[a:b] for a, b in pairwise([*sorted(set(cuts)), len(steps)])]


def _crossing(steps: Sequence[int], of: Mapping[int, tuple[int, ...]]) -> list[int]:
    """How many values cross a cut before step n."""
    at = {k: n for n, k in enumerate(steps)}
    last = {i: n for n, k in enumerate(steps) for i in of[k] if i in at}
    change = [0] * (len(steps) + 2)
    for i, n in last.items():
        change[at[i] + 1] += 1
        change[n + 1] -= 1
    return list(accumulate(change))


def _places(
    groups: Sequence[Sequence[int]], made: Mapping[int, int], last: Mapping[int, int]
) -> tuple[dict[int, int], int]:
    """A place for every value that is read in a later part; it is free again when nobody reads it any more."""
    place: dict[int, int] = {}
    free: list[int] = []
    size = 0
    for p, group in enumerate(groups):
        for k in group:
            if last.get(k, p) > p:
                if not free:
                    free.append(size)
                    size += 1
                place[k] = free.pop()
        free += [place[k] for k in place if last[k] == p]
    return place, size
