"""The loops of a Rolled program over its cells, around one function for every stage of every kind.

What is handed from cell to cell goes through a small pool that stays in the nearest cache; what is kept between
sweeps stands in one row for every cell, in the order in which cells are visited.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .emit import body
from .rolled import Rolled, Sweep, Table, slots
from .writer import Writer

_LINE = 8  # doubles; rows of constants begin with a line of the cache
_ROW = ("kind", "constants", "kept", "in_out", "out_out", "in_in", "out_in", "added")


def data(rolled: Rolled) -> Table:
    """The tables, as the loops read them: a row of integers for every cell, then all constants."""
    count = rolled.cells
    pool, _ = slots(rolled)
    kept = np.array([0, *np.cumsum(np.array(rolled.kept)[rolled.kinds])], dtype=np.int64)
    starts = np.zeros(count, dtype=np.int64)
    sizes = np.array([table.shape[1] for table in rolled.constants])[rolled.kinds]
    starts[1:] = np.cumsum(sizes)[:-1]
    flat = np.zeros(int(sizes.sum()))
    for kind, table in enumerate(rolled.constants):
        own = rolled.kinds == kind
        where = starts[own][:, None] + np.arange(table.shape[1])
        flat[where] = table[rolled.rows[own]]
    columns = [rolled.kinds, starts, kept[:-1], *pool.T, *rolled.places.T]
    integers = np.stack(columns, axis=1).astype(np.int32)
    room = np.zeros(-(-integers.size // (2 * _LINE)) * _LINE)
    room.view(np.int32)[: integers.size] = integers.reshape(-1)
    return np.concatenate([room, flat])


def _row_length(rolled: Rolled) -> int:
    return len(_ROW) + len(rolled.inputs) + 1


def _before_constants(rolled: Rolled) -> int:
    """Doubles that the integers take."""
    return -(-_row_length(rolled) * rolled.cells // (2 * _LINE)) * _LINE


def _message(rolled: Rolled) -> int:
    """The longest message, in vectors."""
    return max((sweep.size for sweep in rolled.sweeps), default=0)


def scratch(rolled: Rolled, width: int) -> int:
    """Bytes that the loops need for themselves."""
    _, places = slots(rolled)
    kept = int(np.array(rolled.kept)[rolled.kinds].sum())
    return 8 * width * (places * _message(rolled) + kept)


def rolling(rolled: Rolled, width: int, fma: bool, tables: str) -> tuple[list[str], set[str]]:
    """`i1 body<width>(inputs, output, scratch)` and what it calls; with declarations.

    The tables stand where the global of that name points.
    """
    text: list[str] = []
    needs: set[str] = set()
    for s, stage in enumerate(rolled.stages):
        for kind, tape in enumerate(stage):
            written = body(tape, _name(width, s, kind), width, fma, shared=(0,))
            text.append("\n".join(written.lines))
            needs |= written.needs
    return [*text, _walk(rolled, width, tables)], needs


def _name(width: int, s: int, kind: int) -> str:
    return f"stage{width}_{s}_{kind}"


def _walk(rolled: Rolled, width: int, tables: str) -> str:
    count = len(rolled.inputs)
    _, places = slots(rolled)
    arguments = ", ".join(
        [f"ptr noalias readonly %in{k}" for k in range(count)] + ["ptr noalias %out0", "ptr noalias %scratch"]
    )
    w = Writer(width, fma=False)
    lines = [
        f"define internal i1 @body{width}({arguments}) #0 {{",
        "entry:",
        f"  %tables = load ptr, ptr @{tables}",
        f"  %all_kept = getelementptr double, ptr %scratch, i64 {places * _message(rolled) * width}",
        f"  %all_constants = getelementptr double, ptr %tables, i64 {_before_constants(rolled)}",
        "  br label %begin0",
    ]
    for s, sweep in enumerate(rolled.sweeps):
        lines += _sweep(rolled, w, s, sweep)
    return "\n".join([*lines, f"begin{len(rolled.sweeps)}:", "  ret i1 false", "}"])


def _sweep(rolled: Rolled, w: Writer, s: int, sweep: Sweep) -> list[str]:
    """Write the start into place 0 of the pool, then visit every cell."""
    count = rolled.cells
    first, last, step = (count - 1, -1, -1) if sweep.inward else (0, count, 1)
    w.lines = [f"begin{s}:"]
    for k, value in enumerate(sweep.start):
        address = w.put(f"getelementptr {w.type}, ptr %scratch, i64 {k}")
        w.lines.append(f"  store {w.type} {w.constant(value)}, ptr {address}, align 8")
    w.lines += [
        f"  br label %loop{s}",
        f"loop{s}:",
        f"  %cell{s} = phi i64 [ {first}, %begin{s} ], [ %next{s}, %done{s} ]",
        f"  %over{s} = icmp eq i64 %cell{s}, {last}",
        f"  br i1 %over{s}, label %begin{s + 1}, label %visit{s}",
        f"visit{s}:",
        f"  %next{s} = add i64 %cell{s}, {step}",
        f"  %row_at{s} = mul i64 %cell{s}, {_row_length(rolled)}",
        f"  %row{s} = getelementptr i32, ptr %tables, i64 %row_at{s}",
    ]
    passed = _passed(rolled, w, s, sweep)
    w.lines += _dispatch(rolled, w, s, passed)
    w.lines.append(f"after{s}:")
    if sweep.inward and sweep.size:
        _add(rolled, w, s, sweep, passed[-3])
    w.lines += [f"  br label %done{s}", f"done{s}:", f"  br label %loop{s}"]
    return w.lines


def _passed(rolled: Rolled, w: Writer, s: int, sweep: Sweep) -> list[str]:
    """Addresses of everything that a stage takes and gives."""
    column = {name: k for k, name in enumerate(_ROW)}

    def entry(k: int) -> str:
        at = w.put(f"getelementptr i32, ptr %row{s}, i64 {k}")
        return w.put(f"sext i32 {w.put(f'load i32, ptr {at}, align 4')} to i64")

    def vectors(base: str, offset: str) -> str:
        return w.put(f"getelementptr {w.type}, ptr {base}, i64 {offset}")

    def message(name: str) -> str:
        return vectors("%scratch", w.put(f"mul i64 {entry(column[name])}, {_message(rolled)}"))

    way = "in" if sweep.inward else "out"
    constants = w.put(f"getelementptr double, ptr %all_constants, i64 {entry(column['constants'])}")
    kept = vectors("%all_kept", entry(column["kept"]))
    inputs = [vectors(f"%in{k}", entry(len(_ROW) + k)) for k in range(len(rolled.inputs))]
    result = vectors("%out0", entry(len(_ROW) + len(rolled.inputs)))
    return [constants, *inputs, message(f"in_{way}"), kept, message(f"out_{way}"), kept, result]


def _dispatch(rolled: Rolled, w: Writer, s: int, passed: Sequence[str]) -> list[str]:
    listed = ", ".join(f"ptr {address}" for address in passed)
    kinds = range(len(rolled.stages[s]))
    calls = [
        line
        for kind in kinds
        for line in (
            f"kind{s}_{kind}:",
            f"  %sure{s}_{kind} = call i1 @{_name(w.width, s, kind)}({listed})",
            f"  br label %after{s}",
        )
    ]
    others = " ".join(f"i32 {kind}, label %kind{s}_{kind}" for kind in kinds if kind)
    return [
        f"  %kind{s} = load i32, ptr %row{s}, align 4",
        f"  switch i32 %kind{s}, label %kind{s}_0 [ {others} ]",
        *calls,
    ]


def _add(rolled: Rolled, w: Writer, s: int, sweep: Sweep, handed: str) -> None:
    """To what siblings handed on before."""
    at = w.put(f"getelementptr i32, ptr %row{s}, i64 {_ROW.index('added')}")
    place = w.put(f"load i32, ptr {at}, align 4")
    alone = w.put(f"icmp slt i32 {place}, 0")
    w.lines += [f"  br i1 {alone}, label %done{s}, label %add{s}", f"add{s}:"]
    start = w.put(f"mul i64 {w.put(f'sext i32 {place} to i64')}, {_message(rolled)}")
    total = w.put(f"getelementptr {w.type}, ptr %scratch, i64 {start}")
    for k in range(sweep.size):
        a, b = (w.put(f"getelementptr {w.type}, ptr {base}, i64 {k}") for base in (total, handed))
        x, y = (w.put(f"load {w.type}, ptr {address}, align 8") for address in (a, b))
        w.lines.append(f"  store {w.type} {w.add(x, y)}, ptr {a}, align 8")
