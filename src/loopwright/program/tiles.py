"""The wide body of a tape, in parts where it is long: each part is run for several tiles before the next.

A tile is as many states as go side by side. Its buffers, and what passes from part to part, stand behind each other in
one stretch of memory, and several tiles' stretches still fit the second cache. While a part is at work on a tile,
lines of the tile that will be read after all these are fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from .emit import ALIGNED, PLAIN, entry_in, entry_out, fused, written
from .parts import Part, neighbours, parts
from .reciprocal import reciprocals
from .tape import CONSTANT, INPUT, OUTPUT, Tape
from .writer import Writer

_MEMORY = (
    240_000  # bytes of the tiles under way together: they fit a stack, and half of a second cache that is not large
)
_MOST = 8  # of them: more spare little
_LINE = 64  # bytes
_FETCHED = 256  # lines of an argument of a tile; longer ones are read in a row for so long that it is seen anyway


@dataclass(frozen=True)
class Tiles:
    """`together` tiles are run part by part, each with `between` values in memory; `names` of the parts' functions.

    Where `between` is None, they take no such memory.
    """

    names: tuple[str, ...]
    between: int | None = None
    together: int = 1


def in_parts(tape: Tape, name: str, width: int, fma: bool, guarded: bool, buffers: int) -> tuple[list[Writer], Tiles]:
    """Functions `i1 name_p(ptr in0, …, ptr out0, …, ptr between)`; `buffers` are the bytes of a tile beside that."""
    tape = neighbours(reciprocals(tape) if fma else tape)
    sums = fused(tape) if fma else {}
    cut, between = parts(tape, sums)
    names = (name,) if len(cut) == 1 else tuple(f"{name}_{p}" for p in range(len(cut)))
    functions = [_Part(tape, sums, part, width, fma, guarded).function(n) for n, part in zip(names, cut, strict=True)]
    together = max(1, min(_MOST, _MEMORY // (buffers + 8 * width * between))) if len(cut) > 1 else 1
    return functions, Tiles(names, between, together)


class _Part(dict[int, str]):
    """The values of one part as they are asked for: made here, or read where they stand."""

    def __init__(
        self,
        tape: Tape,
        sums: dict[int, tuple[int, int, int, str]],
        part: Part,
        width: int,
        fma: bool,
        guarded: bool,
    ) -> None:
        super().__init__()
        self.tape, self.sums, self.part = tape, sums, part
        self.w = Writer(width, fma, None if guarded else [])

    def __missing__(self, k: int) -> str:
        operation = self.tape.operations[k]
        if operation.name == CONSTANT:
            return self.w.constant(operation.value)
        if operation.name == INPUT:
            argument, entry = operation.place
            self[k] = entry_in(self.w, f"%in{argument}", entry)
        else:
            self[k] = entry_in(self.w, "%between", self.part.read[k])
        return self[k]

    def function(self, name: str) -> Writer:
        w, pairs = self.w, dict[int, tuple[str, str]]()
        for k in self.part.steps:
            operation = self.tape.operations[k]
            if operation.name == OUTPUT:
                argument, entry = operation.place
                entry_out(w, f"%out{argument}", entry, self[operation.of[0]])
                continue
            self[k] = written(w, self.tape, k, self, self.sums, pairs)
            if k in self.part.kept:
                entry_out(w, "%between", self.part.kept[k], self[k])
        doubt = w.any(reduce(w.either, w.doubts)) if w.doubts else "false"
        taken = [f"ptr noalias readonly %in{k}" for k in range(len(self.tape.inputs))]
        taken += [f"ptr noalias %out{k}" for k in range(len(self.tape.outputs))] + ["ptr noalias %between"]
        how = ALIGNED if w.width > 2 else PLAIN
        w.lines = [f"define internal i1 @{name}({', '.join(taken)}) {how} {{", "entry:", *w.lines]
        w.lines += [f"  ret i1 {doubt}", "}"]
        return w


def driver(tiles: Tiles, width: int, sizes: Sequence[int], outputs: int, stride: int) -> str:
    """`i1 tiles<width>(ptr in0, …, ptr out0, …, ptr between, i64 states, ptr next0, …)`

    `sizes` are those of the inputs. Buffers of a tile are `stride` bytes behind those of the one before. From next0 on
    stand the states that will be asked for after these, or anything that may be read.
    """
    buffers = [*(f"in{k}" for k in range(len(sizes))), *(f"out{k}" for k in range(outputs))]
    taken = [f"ptr %{name}" for name in [*buffers, "between"]] + ["i64 %states"]
    taken += [f"ptr %next{k}" for k in range(len(sizes))]
    buffers += [] if tiles.between is None else ["between"]
    lines = [f"define internal i1 @tiles{width}({', '.join(taken)}) #0 {{", "entry:"]
    before, doubt = "entry", "false"
    for p, name in enumerate(tiles.names):
        lines += [f"  br label %part{p}", f"part{p}:"]
        lines += [f"  %tile{p} = phi i64 [ 0, %{before} ], [ %tile{p}_next, %part{p} ]"]
        lines += [f"  %doubt{p} = phi i1 [ {doubt}, %{before} ], [ %doubt{p}_now, %part{p} ]"]
        lines += [f"  %shift{p} = mul i64 %tile{p}, {stride // width}"]
        lines += _fetched(p, tiles, width, sizes)
        lines += [f"  %{buffer}_{p} = getelementptr i8, ptr %{buffer}, i64 %shift{p}" for buffer in buffers]
        lines += [f"  %sees{p} = call i1 @{name}({', '.join(f'ptr %{buffer}_{p}' for buffer in buffers)})"]
        lines += [f"  %doubt{p}_now = or i1 %doubt{p}, %sees{p}", f"  %tile{p}_next = add i64 %tile{p}, {width}"]
        lines += [f"  %more{p} = icmp slt i64 %tile{p}_next, %states"]
        lines += [f"  br i1 %more{p}, label %part{p}, label %after{p}", f"after{p}:"]
        before, doubt = f"after{p}", f"%doubt{p}_now"
    return "\n".join([*lines, f"  ret i1 {doubt}", "}"])


def _fetched(p: int, tiles: Tiles, width: int, sizes: Sequence[int]) -> list[str]:
    """A share of the lines of the states that stand as far into the next ones as this tile into these."""
    lines, count = [], len(tiles.names)
    near = 3 if tiles.together == 1 else 2  # the nearest cache, or the next one where other tiles come before
    for k, size in enumerate(sizes):
        of_tile = -(-8 * width * size // _LINE)
        if of_tile > _FETCHED or size < 2:
            continue
        lines += [f"  %far{p}_{k} = mul i64 %tile{p}, {8 * size}"]
        lines += [f"  %soon{p}_{k} = getelementptr i8, ptr %next{k}, i64 %far{p}_{k}"]
        for n in range(of_tile * p // count, of_tile * (p + 1) // count):
            lines += [f"  %line{p}_{k}_{n} = getelementptr i8, ptr %soon{p}_{k}, i64 {_LINE * n}"]
            lines += [f"  call void @llvm.prefetch.p0(ptr %line{p}_{k}_{n}, i32 0, i32 {near}, i32 1)"]
    return lines


FETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
