"""The whole LLVM module of a kernel: the body for one state and for several, and the loop over a batch."""

from __future__ import annotations

from collections.abc import Collection

from .at_once import CALL, PYTHON, at_once
from .batch import loop, needs, room
from .emit import body
from .folded import folding
from .folded import scratch as memory
from .folded import tables as folded_tables
from .folding import Folded
from .native import Machine
from .packing import Argument, packing
from .rolled import Rolled
from .rolling import rolling, scratch
from .system import solving, tables
from .tape import Tape
from .tiles import Tiles, in_parts
from .writer import Writer

ENTRY = "loopwright_kernel"
SINGLE = "loopwright_single"
ENTRIES = (ENTRY, SINGLE, CALL, PYTHON)
TABLES = "loopwright_tables"
_LONG = 20_000  # operations; beyond, compiling a second body for single states costs more than it saves
_LONG_SOLVED = 60_000  # the same where it also solves a system, since columns of one state go side by side

_ENDING = """
attributes #0 = { nounwind }
attributes #1 = { nounwind noinline }
attributes #2 = { nounwind "stackrealign" }
!0 = !{!"branch_weights", i32 1, i32 100000}
!1 = !{i32 1}
"""


def _no_body(tape: Tape) -> str:
    """The loop names a body for one state, but never calls it."""
    arguments = ", ".join(["ptr"] * (len(tape.inputs) + len(tape.results)))
    return f"define internal i1 @body1({arguments}) #0 {{\n  unreachable\n}}"


def module(
    tape: Tape, machine: Machine, width: int, numbers: Collection[int] = (), shape: tuple[int, ...] | None = None
) -> str:
    """LLVM assembly whose function ENTRY NumPy can call as a generalised ufunc's loop; see batch.loop.

    Inputs in `numbers` are numbers and not vectors; `shape` is that of the one output where it is not flat.
    """
    alone = len(tape.operations) <= (_LONG if tape.system is None else _LONG_SOLVED)
    widths = sorted({1, width}) if alone else [width]
    arguments = _arguments(tape, width, shape)
    bodies: list[Writer] = []
    tiles = Tiles((f"body{width}",))
    for k in widths:
        if k == 1 or tape.system is not None:
            name = "body" if tape.system is None else "inner_body"
            each = tape if k == 1 else tape.each_once()
            bodies.append(body(each, f"{name}{k}", k, machine.fma, guarded=k == 1 or not alone))
        else:
            buffers = sum(room(a, k) for a in arguments)
            found, tiles = in_parts(tape.each_once(), f"body{k}", k, machine.fma, not alone, buffers)
            bodies += found
    x86 = _on_x86(machine)
    declarations = [*needs(x86), *(line for written in bodies for line in written.needs)]
    parts = ["\n".join(written.lines) for written in bodies]
    for k in sorted({1, width}):
        wanted, functions = packing(_arguments(tape, k, shape), k, x86 and machine.width == 8)
        declarations += wanted
        parts += functions
    if not alone and width > 1:
        parts.append(_no_body(tape))
    if tape.system is not None:
        for k in widths:
            parts += [tables(tape.system, tape.zeros(1), k), solving(tape.system, k, len(tape.inputs))]
    matrices = [len(tape.inputs)] if shape is not None and len(shape) == 2 else []
    entry = loop(arguments, ENTRY, width, numbers, matrices, x86, alone, tiles=tiles)
    single = _single(arguments, numbers, matrices, alone or width == 1)
    call = at_once(_arguments(tape, 1, shape), numbers, matrices, x86) if alone else ""
    return "\n".join([*sorted(set(declarations)), *parts, entry, single, call, _ENDING])


def _single(arguments: list[Argument], numbers: Collection[int], matrices: Collection[int], alone: bool) -> str:
    """`void SINGLE(ptr in0, …, ptr out0)` for one state, whose numbers lie in a row."""
    taken = ", ".join(f"ptr %x{a.k}" for a in arguments)
    lines = [f"define void @{SINGLE}({taken}) #0 {{", "entry:"]
    if alone:
        return "\n".join([*lines, f"  %sure = call i1 @body1({taken})", "  ret void", "}"])
    # a batch of one
    strides = [0] * len(arguments)
    for a in arguments:
        strides += [8 * a.columns, 8] if a.k in matrices else [] if a.k in numbers else [8]
    lines += [f"  %args = alloca [{len(arguments)} x ptr]", f"  %steps = alloca [{len(strides)} x i64]"]
    lines += ["  %count = alloca i64", "  store i64 1, ptr %count"]
    for a in arguments:
        lines += [f"  %p{a.k} = getelementptr ptr, ptr %args, i64 {a.k}", f"  store ptr %x{a.k}, ptr %p{a.k}"]
    for k, stride in enumerate(strides):
        lines += [f"  %s{k} = getelementptr i64, ptr %steps, i64 {k}", f"  store i64 {stride}, ptr %s{k}"]
    return "\n".join([*lines, f"  call void @{ENTRY}(ptr %args, ptr %count, ptr %steps, ptr null)", "  ret void", "}"])


def rolled_module(rolled: Rolled, machine: Machine, width: int) -> str:
    """The same of a rolled program, whose tables are where the global TABLES points."""
    widths = sorted({1, width})
    x86 = _on_x86(machine)
    declarations, parts = needs(x86), []
    for k in widths:
        functions, wanted = rolling(rolled, k, machine.fma, TABLES)
        packed, moves = packing(_flat_arguments(rolled), k, x86 and machine.width == 8)
        declarations += [*wanted, *packed]
        parts += [*functions, *moves]
    arguments = _flat_arguments(rolled)
    entry = loop(arguments, ENTRY, width, x86=x86, scratch=scratch(rolled, width))
    single = _single(arguments, (), (), False)
    return "\n".join([f"@{TABLES} = global ptr null", *sorted(set(declarations)), *parts, entry, single, _ENDING])


def folded_module(
    folded: Folded, machine: Machine, width: int, numbers: Collection[int] = (), shape: tuple[int, ...] | None = None
) -> str:
    """The same of a folded program, its tables in it."""
    widths = sorted({1, width})
    x86 = _on_x86(machine)
    declarations, parts = needs(x86), folded_tables(folded)
    rows, columns = shape if shape is not None and len(shape) == 2 else (1, folded.output)
    arguments = [Argument(k, 1, size) for k, size in enumerate(folded.inputs)]
    arguments.append(Argument(len(arguments), rows, columns, tuple(range(folded.output))))
    for k in widths:
        functions, wanted = folding(folded, k, machine.fma)
        packed, moves = packing(arguments, k, x86 and machine.width == 8)
        declarations += [*wanted, *packed]
        parts += [*functions, *moves]
    matrices = [len(folded.inputs)] if rows > 1 else []
    entry = loop(arguments, ENTRY, width, numbers, matrices, x86, scratch=memory(folded, width))
    single = _single(arguments, numbers, matrices, False)
    return "\n".join([*sorted(set(declarations)), *parts, entry, single, _ENDING])


def _flat_arguments(rolled: Rolled) -> list[Argument]:
    inputs = [Argument(k, 1, size) for k, size in enumerate(rolled.inputs)]
    return [*inputs, Argument(len(inputs), 1, rolled.output, tuple(range(rolled.output)))]


def _on_x86(machine: Machine) -> bool:
    return machine.triple.startswith(("x86_64", "i686", "amd64"))


def _arguments(tape: Tape, width: int, shape: tuple[int, ...] | None) -> list[Argument]:
    """What goes in and comes out; a body of one state writes every entry, wherever else it may stand."""
    sizes = [*tape.inputs, *tape.results]
    slots: list[tuple[int, ...] | None] = [None] * len(tape.inputs)
    slots += [tuple(range(size)) for size in tape.results] if width == 1 or tape.system else tape.slots()
    shapes = [(1, size) for size in sizes]
    if shape is not None and len(shape) == 2:
        shapes[-1] = (shape[0], shape[1])
    nothing = [None] * len(tape.inputs) + [tape.nothing(m) if width > 1 else None for m in range(len(tape.results))]
    return [
        Argument(k, rows, columns, places, zero)
        for k, ((rows, columns), places, zero) in enumerate(zip(shapes, slots, nothing, strict=True))
    ]
