"""Loops around the texts of a Folded program, and the tables that they go by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .emit import ALIGNED, PLAIN, lines
from .folding import FIGURES, Folded, Stretch, Table
from .writer import Writer


def scratch(folded: Folded, width: int) -> int:
    """Bytes of memory."""
    return 8 * width * folded.memory


def folding(folded: Folded, width: int, fma: bool) -> tuple[list[str], set[str]]:
    """`i1 body<width>(inputs, output, memory)` and a function for every stretch; with declarations."""
    text: list[str] = []
    needs: set[str] = set()
    for n, stretch in enumerate(folded.stretches):
        written = _stretch(stretch, n, width, fma)
        text.append("\n".join(written.lines))
        needs |= written.needs
    body = _body(folded, width)
    return [*text, "\n".join(body.lines)], needs | body.needs


def tables(folded: Folded) -> list[str]:
    """As constants, the same for every width."""
    found = []
    for n, stretch in enumerate(folded.stretches):
        found += [
            _constant(f"reads{n}", stretch.reads.astype(np.int32)),
            _constant(f"writes{n}", stretch.writes.astype(np.int32)),
            _constant(f"figures{n}", stretch.figures),
        ]
    return [*found, _constant("results", folded.results.astype(np.int32))]


def _constant(name: str, table: Table) -> str:
    """Byte by byte, which is parsed faster than numbers."""
    data = np.ascontiguousarray(table).tobytes()
    written = "".join("\\" + format(byte, "02X") for byte in data)
    return f'@{name} = internal constant [{len(data)} x i8] c"{written}", align 64'


def _stretch(stretch: Stretch, n: int, width: int, fma: bool) -> Writer:
    """`void stretch<width>_<n>(ptr memory)`"""
    w = Writer(width, fma)
    rows = {
        name: w.put(f"getelementptr {kind}, ptr @{name}{n}, i64 {w.put(f'mul i64 %turn, {table.shape[1]}')}")
        for name, kind, table in (
            ("reads", "i32", stretch.reads),
            ("writes", "i32", stretch.writes),
            ("figures", "double", stretch.figures),
        )
    }

    def place(name: str, entry: int) -> str:
        """Where in memory what a table says stands."""
        at = w.put(f"getelementptr i32, ptr {rows[name]}, i64 {entry}")
        offset = w.put(f"zext i32 {w.put(f'load i32, ptr {at}, align 4, !invariant.load !{{}}')} to i64")
        return w.put(f"getelementptr {w.type}, ptr %memory, i64 {offset}")

    def load(argument: int, entry: int) -> str:
        if argument == FIGURES:
            at = w.put(f"getelementptr double, ptr {rows['figures']}, i64 {entry}")
            return w.spread(w.put(f"load double, ptr {at}, align 8, !invariant.load !{{}}"))
        return w.put(f"load {w.type}, ptr {place('reads', entry)}, align 8")

    def store(_: int, entry: int, value: str) -> None:
        w.lines.append(f"  store {w.type} {value}, ptr {place('writes', entry)}, align 8")

    lines(w, stretch.text, load, store)
    head = f"define internal void @stretch{width}_{n}(ptr %memory) {ALIGNED if width > 2 else PLAIN} {{"
    w.lines = [head, *_loop("turn", stretch.turns, w.lines), "  ret void", "}"]
    return w


def _loop(counter: str, count: int, work: Sequence[str]) -> list[str]:
    """Work done so many times."""
    return [
        "entry:",
        f"  br label %{counter}s",
        f"{counter}s:",
        f"  %{counter} = phi i64 [ 0, %entry ], [ %{counter}_next, %{counter}_end ]",
        *work,
        f"  br label %{counter}_end",
        f"{counter}_end:",
        f"  %{counter}_next = add i64 %{counter}, 1",
        f"  %{counter}_last = icmp eq i64 %{counter}_next, {count}",
        f"  br i1 %{counter}_last, label %{counter}_done, label %{counter}s",
        f"{counter}_done:",
    ]


def _body(folded: Folded, width: int) -> Writer:
    """Inputs into memory, every stretch, results out of it."""
    w = Writer(width, False)
    inputs = [f"ptr %in{k}" for k in range(len(folded.inputs))]
    w.needs.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    start = 0
    for k, size in enumerate(folded.inputs):
        at = w.put(f"getelementptr {w.type}, ptr %memory, i64 {start}")
        how = f"ptr align 8 {at}, ptr align 8 %in{k}, i64 {8 * width * size}, i1 false"
        w.lines.append(f"  call void @llvm.memcpy.p0.p0.i64({how})")
        start += size
    for where, value in folded.given:
        at = w.put(f"getelementptr {w.type}, ptr %memory, i64 {where}")
        w.lines.append(f"  store {w.type} {w.constant(value)}, ptr {at}, align 8")
    w.lines += [f"  call void @stretch{width}_{n}(ptr %memory)" for n in range(len(folded.stretches))]
    w.lines.append(f"  call void @outof{width}(ptr %memory, ptr %out0)")
    head = f"define internal i1 @body{width}({', '.join([*inputs, 'ptr %out0', 'ptr %memory'])}) #0 {{"
    w.lines = [_moved_out(width, folded.output), head, "entry:", *w.lines, "  ret i1 false", "}"]
    return w


def _moved_out(width: int, count: int) -> str:
    w = Writer(width, False)
    at = w.put("getelementptr i32, ptr @results, i64 %entry_at")
    offset = w.put(f"zext i32 {w.put(f'load i32, ptr {at}, align 4')} to i64")
    value = w.put(f"load {w.type}, ptr {w.put(f'getelementptr {w.type}, ptr %memory, i64 {offset}')}, align 8")
    to = w.put(f"getelementptr {w.type}, ptr %out, i64 %entry_at")
    w.lines.append(f"  store {w.type} {value}, ptr {to}, align 8")
    head = f"define internal void @outof{width}(ptr noalias %memory, ptr noalias %out) #0 {{"
    return "\n".join([head, *_loop("entry_at", count, w.lines), "  ret void", "}"])
