"""A long tape as loops: where it does the same again and again with other numbers, one text does it many times.

A chain of a thousand cells, written out, is a hundred thousand operations, and the same forty over and over. Nobody
says where the cells are: stretches of the tape in which the names of operations repeat after a fixed number of steps
become loops, whatever they read. Values pass from one turn of a loop to the next, and on to other loops, by way of
memory; where they stand there is what tables tell every turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from .tape import CONSTANT, INPUT, OUTPUT, Operation, Tape

Table = Any  # an integer or float array

_WINDOW = 12  # operations that must agree for a repetition to be looked into
_PERIODS = 60  # candidates for its length
_LONGEST = 10_000  # operations of one turn
_TURNS, _SPARED = 4, 100  # turns of a loop, and operations that it spares, at the least
_STRAIGHT = 1000  # operations in one function of what does not repeat: LLVM's time grows faster than their number

# arguments of a text
FIGURES, MEMORY = 0, 1


@dataclass(frozen=True)
class Stretch:
    """`text` takes (figures, what it reads), gives what it writes; row k of the tables is for its turn k."""

    text: Tape
    reads: Table  # places in memory
    writes: Table
    figures: Table

    @property
    def turns(self) -> int:
        return len(self.reads)


@dataclass(frozen=True)
class Folded:
    """Memory begins with the inputs, one after another; `results` tells where entries of the output stand at last.

    `given` are results that do not depend on any input: places, and what stands there from the beginning.
    """

    name: str
    inputs: tuple[int, ...]
    stretches: tuple[Stretch, ...]
    memory: int
    given: tuple[tuple[int, float], ...]
    results: Table

    @property
    def output(self) -> int:
        return len(self.results)

    @property
    def operations(self) -> int:
        """Lines of all texts."""
        return sum(len(stretch.text.operations) for stretch in self.stretches)


def folded(tape: Tape) -> Folded:
    """The same program; its values are computed in the same order by the same operations."""
    flat = _Flat(tape)
    cut = [(start, period, turns) for start, period, turns in _cuts(flat.names)]
    return _Places(flat, [_Piece(flat, *one) for one in cut]).folded()


class _Flat:
    """The tape as arrays: its work, one operation after another, apart from constants, inputs and outputs."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        operations = tape.operations
        count = len(operations)
        starts = np.cumsum([0, *tape.inputs])
        self.step = np.full(count, -1)  # of a value: where it stands in the work
        self.place = np.full(count, -1)  # of an input: where it stands in memory
        self.value = np.full(count, np.nan)  # of a constant
        self.is_constant = np.zeros(count, dtype=bool)
        self.work: list[Operation] = []
        self.of = np.full((count, 2), -1)
        self.made: list[int] = []  # the value that each step makes
        self.results = np.zeros(tape.outputs[0], dtype=int)
        for k, operation in enumerate(operations):
            if operation.name == CONSTANT:
                self.is_constant[k], self.value[k] = True, operation.value
            elif operation.name == INPUT:
                self.place[k] = starts[operation.place[0]] + operation.place[1]
            elif operation.name == OUTPUT:
                self.results[operation.place[1]] = operation.of[0]
            else:
                self.step[k] = len(self.work)
                self.of[len(self.work), : len(operation.of)] = operation.of
                self.work.append(operation)
                self.made.append(k)
        self.of = self.of[: len(self.work)]

    @property
    def names(self) -> Table:
        """A number for every step, the same where operations may share a line of text."""
        known: dict[tuple[Any, ...], int] = {}
        plain = self.is_constant[self.of] & (self.of >= 0)
        return np.array(
            [
                known.setdefault((operation.name, len(operation.of), *constant), len(known))
                for operation, constant in zip(self.work, plain.tolist(), strict=True)
            ],
            dtype=np.int64,
        )


def _cuts(names: Table) -> list[tuple[int, int, int]]:
    """(start, period, turns) of stretches that cover all steps in order; one turn where nothing repeats."""
    taken: list[tuple[int, int, int]] = []
    free = np.ones(len(names), dtype=bool)
    waiting = [(-period * (turns - 1), start, period, turns) for start, period, turns in _repetitions(names)]
    heapify(waiting)
    while waiting:
        _, start, period, turns = heappop(waiting)
        for begin, end in _runs(free[start : start + period * turns]):
            left = (end - begin) // period
            if left == turns:
                free[start : start + period * turns] = False
                taken.append((start, period, turns))
            elif left >= _TURNS and period * (left - 1) >= _SPARED:
                heappush(waiting, (-period * (left - 1), start + begin, period, left))
    for begin, end in _runs(free):
        taken += [(k, min(_STRAIGHT, end - k), 1) for k in range(begin, end, _STRAIGHT)]
    return sorted(taken)


def _repetitions(names: Table) -> list[tuple[int, int, int]]:
    """Wherever names repeat often enough, for the periods that are met most often."""
    found = []
    for period in _periods(names):
        for begin, end in _runs(names[period:] == names[:-period]):
            turns = (end - begin) // period + 1
            if turns >= _TURNS and period * (turns - 1) >= _SPARED:
                found.append((begin, period, turns))
    return found


def _periods(names: Table) -> list[int]:
    """Distances after which the same window comes again, the commonest."""
    count = len(names) - _WINDOW + 1
    if count < 2:
        return []
    hashed = np.zeros(count, dtype=np.uint64)
    for k in range(_WINDOW):
        hashed = hashed * np.uint64(1_000_003) + names[k : k + count].astype(np.uint64)
    order = np.argsort(hashed, kind="stable")
    again = hashed[order[1:]] == hashed[order[:-1]]
    distances = Counter((order[1:] - order[:-1])[again].tolist())
    return [period for period, _ in distances.most_common(_PERIODS) if period <= _LONGEST]


def _runs(true: Table) -> list[tuple[int, int]]:
    """Where an array of truths is true: beginnings and ends."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], true, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


class _Piece:
    """One stretch, before it is known where values stand: steps x turns, and what each operand is."""

    def __init__(self, flat: _Flat, start: int, period: int, turns: int) -> None:
        self.flat, self.period, self.turns = flat, period, turns
        self.first = start + period * np.arange(turns)  # step at which each turn begins
        self.steps = self.first[:, None] + np.arange(period)
        self.operands = flat.of[self.steps]  # turns x period x 2: values, -1 where there is none
        there = self.operands >= 0
        self.constant = there[0] & flat.is_constant[self.operands[0]]
        inner = flat.step[self.operands] - self.first[:, None, None]
        inside = there & (inner >= 0) & (inner < period)
        # made in the same turn, at the same line of the text, whatever the turn
        self.own = inside.all(axis=0) & (inner == inner[0]).all(axis=0)
        self.inner = inner[0]
        self.outer = there[0] & ~self.constant & ~self.own

    def read(self) -> Table:
        """Values that come by way of memory: turns x operands."""
        return self.operands[:, self.outer]


class _Places:
    """Where in memory values stand, place after place as they are made; a place is used again when nobody reads it."""

    def __init__(self, flat: _Flat, pieces: Sequence[_Piece]) -> None:
        self.flat, self.pieces = flat, pieces
        self.first = np.cumsum([0, *(piece.turns for piece in pieces)])  # numbers of turns, over all pieces
        count = len(flat.step)
        self.last = np.full(count, -1)  # the turn that reads a value last; -1: none does
        for piece, first in zip(pieces, self.first, strict=False):
            read = piece.read()
            turn = np.broadcast_to(first + np.arange(piece.turns)[:, None], read.shape)
            np.maximum.at(self.last, read.ravel(), turn.ravel())
        self.last[flat.results] = self.first[-1]
        self.at = flat.place.copy()
        self.size = sum(flat.tape.inputs) + 1
        self.nowhere = self.size - 1  # for what only other turns hand on

    def folded(self) -> Folded:
        given = self._given()
        made = np.array(self.flat.made, dtype=int)
        kept = [made[piece.steps] for piece in self.pieces]
        written = [(self.last[values] >= 0).any(axis=0) for values in kept]
        self._assign([values[:, lines] for values, lines in zip(kept, written, strict=True)])
        stretches = tuple(
            self._stretch(piece, values, lines) for piece, values, lines in zip(self.pieces, kept, written, strict=True)
        )
        tape = self.flat.tape
        return Folded(tape.name, tape.inputs, stretches, self.size, given, self.at[self.flat.results])

    def _given(self) -> tuple[tuple[int, float], ...]:
        found = {}
        for value in self.flat.results[self.flat.is_constant[self.flat.results]].tolist():
            if value not in found:
                found[value] = (self.size, float(self.flat.value[value]))
                self.at[value] = self.size
                self.size += 1
        return tuple(found.values())

    def _assign(self, written: Sequence[Table]) -> None:
        free: list[int] = []
        ends: dict[int, list[int]] = {}
        turn = 0
        for values in written:
            for row in values.tolist():
                for value in row:
                    last = int(self.last[value])
                    if last < 0:
                        continue
                    if free:
                        self.at[value] = free.pop()
                    else:
                        self.at[value] = self.size
                        self.size += 1
                    ends.setdefault(last, []).append(int(self.at[value]))
                free += ends.pop(turn, [])
                turn += 1

    def _stretch(self, piece: _Piece, values: Table, lines: Table) -> Stretch:
        writer = _Text(piece)
        for line in range(piece.period):
            writer.write(line, bool(lines[line]))
        made = values[:, lines]
        return Stretch(
            Tape(
                self.flat.tape.name,
                (len(writer.figures), len(writer.reads)),
                (writer.writes,),
                tuple(writer.operations),
            ),
            self.at[_columns(writer.reads, piece.turns, int)],
            np.where(self.last[made] >= 0, self.at[made], self.nowhere),
            _columns(writer.figures, piece.turns, float),
        )


def _columns(given: Mapping[bytes, int], turns: int, kind: type) -> Table:
    """The table whose columns were kept by what is in them."""
    rows: list[Table] = [np.frombuffer(column, dtype=kind) for column in given]
    return np.stack(rows, axis=1) if rows else np.zeros((turns, 0), dtype=kind)


class _Text:
    """The operations of one turn: what is the same in all of them as it is, the rest by tables."""

    def __init__(self, piece: _Piece) -> None:
        self.piece, self.flat = piece, piece.flat
        self.operations: list[Operation] = []
        self.at: list[int] = []  # of every line of the work, in the text
        self.reads: dict[bytes, int] = {}  # columns of values, and where in the text they are read
        self.figures: dict[bytes, int] = {}
        self.writes = 0

    @property
    def tape(self) -> Tape:
        sizes = len(self.figures), len(self.reads)
        return Tape(self.flat.tape.name, sizes, (self.writes,), tuple(self.operations))

    def write(self, line: int, kept: bool) -> None:
        """One line, and what it reads."""
        of = [self._operand(line, j) for j in range(2) if self.piece.operands[0, line, j] >= 0]
        self.at.append(self._put(Operation(self.flat.work[int(self.piece.steps[0, line])].name, tuple(of))))
        if kept:
            self._put(Operation(OUTPUT, (self.at[line],), (0, self.writes)))
            self.writes += 1

    def _operand(self, line: int, j: int) -> int:
        piece = self.piece
        if piece.own[line, j]:
            return self.at[int(piece.inner[line, j])]
        values = np.ascontiguousarray(piece.operands[:, line, j])
        if not piece.constant[line, j]:
            return self._read(self.reads, MEMORY, values)
        numbers = self.flat.value[values]
        if np.all(numbers == numbers[0]):
            return self._put(Operation(CONSTANT, value=float(numbers[0])))
        return self._read(self.figures, FIGURES, numbers)

    def _read(self, known: dict[bytes, int], argument: int, column: Table) -> int:
        key = column.tobytes()
        if key not in known:
            known[key] = self._put(Operation(INPUT, place=(argument, len(known))))
        return known[key]

    def _put(self, operation: Operation) -> int:
        self.operations.append(operation)
        return len(self.operations) - 1
