"""A Rolled program: the same few steps for very many cells, which form trees.

Every cell has a kind, and every kind a step: a tape that runs once in each sweep, from the roots to the tips or
back, with what its neighbours hand it. Here the steps are cut into what happens in which sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .keeping import kept
from .tape import CONSTANT, INPUT, OUTPUT, Operation, Tape

Table = Any  # an integer or float array


@dataclass(frozen=True)
class Sweep:
    """From the roots to the tips, or `inward`; `start` are the numbers that arrive where there is no neighbour."""

    inward: bool
    start: tuple[float, ...]

    @property
    def size(self) -> int:
        return len(self.start)


@dataclass(frozen=True)
class Rolled:
    """`stages[s][k]` is what sweep s does in a cell of kind k.

    A stage takes (constants of the cell, its part of every input, what arrives, what was kept) and gives (what is
    handed on, what to keep, results). `places` tell where a cell's entries start in every input and in the output.
    """

    name: str
    inputs: tuple[int, ...]
    output: int
    sweeps: tuple[Sweep, ...]
    stages: tuple[tuple[Tape, ...], ...]
    kept: tuple[int, ...]  # values of a cell of every kind
    kinds: Table
    rows: Table  # of every cell in its kind's table of constants
    parents: Table  # -1: none; a parent comes before its children
    places: Table  # cells x (inputs, output)
    constants: tuple[Table, ...]  # for every kind, cells x constants

    @property
    def cells(self) -> int:
        return len(self.kinds)

    @property
    def operations(self) -> int:
        """Lines of all steps."""
        return sum(len(tape.operations) for stage in self.stages for tape in stage)


def rolled_of(name: str, sweeps: Sequence[Sweep], steps: Sequence[Tape], **tables: Any) -> Rolled:
    """Steps take (constants, parts of the inputs, what arrives in each sweep), give (what each hands on, results)."""
    sweeps, steps = _without_unused(sweeps, steps)
    cut = [_Cutting(step, len(sweeps)).stages() for step in steps]
    stages = tuple(tuple(stages[s] for stages, _ in cut) for s in range(len(sweeps)))
    return Rolled(name, sweeps=tuple(sweeps), stages=stages, kept=tuple(count for _, count in cut), **tables)


def _without_unused(sweeps: Sequence[Sweep], steps: Sequence[Tape]) -> tuple[list[Sweep], list[Tape]]:
    """Nothing is handed on that no result depends on."""
    count = len(sweeps)
    used: list[set[int]] = [set() for _ in sweeps]
    while True:
        before = [set(entries) for entries in used]
        for step in steps:
            first = len(step.inputs) - count
            wanted = [
                k for k, o in enumerate(step.operations)
                if o.name == OUTPUT and (o.place[0] == count or o.place[1] in used[o.place[0]])
            ]  # fmt: skip
            for k in _needed(step, wanted):
                place = step.operations[k].place
                if step.operations[k].name == INPUT and place[0] >= first:
                    used[place[0] - first].add(place[1])
        if used == before:
            break
    order = [sorted(entries) for entries in used]
    return (
        [replace(sweep, start=tuple(sweep.start[k] for k in own)) for sweep, own in zip(sweeps, order, strict=True)],
        [_renumbered(step, order) for step in steps],
    )


def _needed(step: Tape, wanted: Sequence[int]) -> set[int]:
    seen, stack = set(wanted), list(wanted)
    while stack:
        for i in step.operations[stack.pop()].of:
            if i not in seen:
                seen.add(i)
                stack.append(i)
    return seen


def _renumbered(step: Tape, order: Sequence[Sequence[int]]) -> Tape:
    count = len(order)
    first = len(step.inputs) - count
    place = [{k: n for n, k in enumerate(own)} for own in order]
    wanted = [
        k for k, o in enumerate(step.operations)
        if o.name == OUTPUT and (o.place[0] == count or o.place[1] in place[o.place[0]])
    ]  # fmt: skip
    needed = _needed(step, wanted)
    made: list[Operation] = []
    now: dict[int, int] = {}
    for k, operation in enumerate(step.operations):
        if k not in needed:
            continue
        argument, entry = operation.place
        if operation.name == INPUT and argument >= first:
            operation = replace(operation, place=(argument, place[argument - first][entry]))
        if operation.name == OUTPUT and argument < count:
            operation = replace(operation, place=(argument, place[argument][entry]))
        now[k] = len(made)
        made.append(replace(operation, of=tuple(now[i] for i in operation.of)))
    sizes = tuple(len(own) for own in order)
    return replace(
        step, operations=tuple(made), inputs=(*step.inputs[:first], *sizes), outputs=(*sizes, step.outputs[-1])
    )


class _Cutting:
    """One step, cut into sweeps."""

    def __init__(self, step: Tape, sweeps: int) -> None:
        self.step, self.sweeps = step, sweeps
        self.first = len(step.inputs) - sweeps  # argument of what arrives in sweep 0
        self.level: list[int] = []  # the sweep from which on a value can be known; -1: at once
        for operation in step.operations:
            if operation.name == INPUT:
                self.level.append(max(operation.place[0] - self.first, -1))
            else:
                self.level.append(max((self.level[i] for i in operation.of), default=-1))
        self.wanted: list[list[int]] = [[] for _ in range(sweeps)]  # outputs of every sweep
        for k, operation in enumerate(step.operations):
            if operation.name == OUTPUT:
                argument = operation.place[0]
                self.wanted[argument if argument < sweeps else max(self.level[k], 0)].append(k)
        self.slots: dict[int, int] = {}  # where values are kept

    def stages(self) -> tuple[list[Tape], int]:
        """The tapes, and how many values are kept between them."""
        made: list[Tape] = []
        operations = self.step.operations
        free = {k for k, o in enumerate(operations) if o.name == CONSTANT or (o.name == INPUT and self.level[k] < 0)}
        to_keep: list[set[int]] = [set() for _ in range(self.sweeps)]
        read: list[set[int]] = []
        for s in reversed(range(self.sweeps)):
            roots = {operations[k].of[0] for k in self.wanted[s]} | to_keep[s]
            late = {k for k in range(len(operations)) if max(self.level[k], 0) >= s}
            found = kept(operations, roots, late, free, self.slots) if roots else set()
            for k in sorted(found):
                if k not in self.slots:
                    self.slots[k] = len(self.slots)
                    to_keep[max(self.level[k], 0)].add(k)
            read.append(found)
        for s, found in enumerate(reversed(read)):
            made.append(self._stage(s, found, to_keep[s]))
        return [replace(tape, inputs=(*tape.inputs[:-1], len(self.slots))) for tape in made], len(self.slots)

    def _stage(self, s: int, read: set[int], keep: set[int]) -> Tape:
        """Every output right after its value is made, so that it need not be held."""
        operations = self.step.operations
        outputs = self.wanted[s]
        needed = self._computed({operations[k].of[0] for k in outputs} | keep, read)
        by_value: dict[int, list[int]] = {}
        for k in outputs:
            by_value.setdefault(operations[k].of[0], []).append(k)
        made: list[Operation] = []
        now: dict[int, int] = {}
        for k, operation in enumerate(operations):
            if k not in needed:
                continue
            if k in read:
                made.append(Operation(INPUT, place=(self.first + 1, self.slots[k])))
            elif operation.name == INPUT:
                made.append(replace(operation, place=(min(operation.place[0], self.first), operation.place[1])))
            else:
                made.append(replace(operation, of=tuple(now[i] for i in operation.of)))
            now[k] = len(made) - 1
            for out in by_value.get(k, ()):
                argument, entry = operations[out].place
                made.append(Operation(OUTPUT, (now[k],), (0 if argument < self.sweeps else 2, entry)))
            if k in keep:
                made.append(Operation(OUTPUT, (now[k],), (1, self.slots[k])))
        size = self.step.inputs[self.first + s]
        inputs = (*self.step.inputs[: self.first], size, 0)
        outputs_of = (size, len(self.slots), self.step.outputs[-1])
        return Tape(f"{self.step.name}_{s}", inputs, outputs_of, tuple(made))

    def _computed(self, wanted: set[int], read: set[int]) -> set[int]:
        seen, stack = set(wanted), list(wanted)
        while stack:
            k = stack.pop()
            for i in () if k in read else self.step.operations[k].of:
                if i not in seen:
                    seen.add(i)
                    stack.append(i)
        return seen


def slots(rolled: Rolled) -> tuple[Table, int]:
    """For every cell where in a small pool messages stand, so that the pool stays in the nearest cache.

    Columns: outward from, outward to; inward from, inward to, inward added to (or -1). Place 0 holds the start.
    """
    count = rolled.cells
    table = np.zeros((count, 5), dtype=np.int32)
    children = np.bincount(rolled.parents[rolled.parents >= 0], minlength=count)
    parents = rolled.parents.tolist()
    left, at = children.tolist(), [0] * count
    pool = _Pool()
    for i, parent in enumerate(parents):
        table[i, 0] = at[parent] if parent >= 0 else 0
        at[i] = pool.take()
        table[i, 1] = at[i]
        if parent >= 0:
            left[parent] -= 1
            if not left[parent]:
                pool.give(at[parent])
        if not left[i]:
            pool.give(at[i])
    at = [0] * count
    for i in reversed(range(count)):
        parent = parents[i]
        table[i, 2] = at[i]
        target = pool.take()
        added = parent >= 0 and at[parent]
        if parent >= 0 and not added:
            at[parent] = target
        table[i, 3:] = (target, at[parent] if added else -1)
        if parent < 0 or added:
            pool.give(target)
        if at[i]:
            pool.give(at[i])
    return table, pool.size


class _Pool:
    """Places 1, 2, 3 …, the one given back last taken first."""

    def __init__(self) -> None:
        self.size = 1
        self.free: list[int] = []

    def take(self) -> int:
        if not self.free:
            self.free.append(self.size)
            self.size += 1
        return self.free.pop()

    def give(self, place: int) -> None:
        self.free.append(place)
