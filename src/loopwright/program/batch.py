"""The loop over a batch, as NumPy's generalised ufuncs are called: pack some states, run the body, unpack.

Arguments arrive as addresses with strides (outer, then along the entries, of a matrix along its rows and then
within them), so views of any shape work. Entry k of `width` states side by side is one vector; a remainder
repeats its last state and writes only its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from . import streaming
from .packing import Argument, staged
from .tiles import FETCH, Tiles, driver

_LINE = 64
_STACK = 2**18  # bytes of buffers that fit the stack of any thread; larger ones are taken from the heap


def loop(
    arguments: Sequence[Argument],
    name: str,
    width: int,
    numbers: Collection[int] = (),
    matrices: Collection[int] = (),
    x86: bool = True,
    alone: bool = True,
    scratch: int | None = None,
    tiles: Tiles | None = None,
) -> str:
    """`void name(ptr args, ptr dimensions, ptr steps, ptr data)`.

    Those in `numbers` are numbers, in `matrices` have two axes, the rest are vectors. Without `alone` a single
    state runs in the first of the lanes, and there need be no body for one; the wide one then never doubts. With
    `scratch`, a body also takes so many bytes for itself. Left out, `tiles` are run one by one.
    """
    more = "" if scratch is None else ", ptr %scratch"
    rows = [a for a in arguments if staged(a, width)]
    lengths = {f"buffer{a.k}": room(a, width) for a in arguments}
    lengths["between"] = _LINE * -(-8 * width * ((tiles and tiles.between) or 0) // _LINE)
    stride, together = sum(lengths.values()), tiles.together if tiles else 1
    staging = {f"rows{a.k}": streaming.room(width) for a in rows}
    on_heap = stride * together + sum(staging.values()) > _STACK
    inputs = [a.size for a in arguments if a.slots is None]
    lines = [
        *([driver(tiles, width, inputs, len(arguments) - len(inputs), stride)] if tiles else []),
        f"define void @{name}(ptr %args, ptr %dimensions, ptr %steps, ptr %data) #0 {{",
        "entry:",
        "  %count = load i64, ptr %dimensions",
        *_flags_kept(x86),
        *_room(stride * together + sum(staging.values()), on_heap),
        *_places(lengths, 0),
        *_places(staging, stride * together),
        *_scratch(scratch),
        *_steps(arguments, numbers, matrices),
        *_direct(arguments),
        *(line for a in rows for line in _far(a)),
        f"  %few = icmp slt i64 %count, {(2 if alone else 0) if width > 1 else 2**62}",
        "  br i1 %few, label %single_loop, label %wide_loop",
        *_one_by_one(arguments, more),
        *_side_by_side(
            arguments, width, _call(arguments, width, tiles, more), more, stride, together, x86 and bool(rows)
        ),
        "done:",
        *(["  call void @free(ptr %heap)"] if on_heap else []),
        *(["  call void @free(ptr %scratch_heap)"] if scratch is not None else []),
        *_flags_restored(x86),
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


def room(a: Argument, width: int) -> int:
    """Bytes of a buffer, in whole lines."""
    return _LINE * -(-8 * max(a.places * width, a.size, 1) // _LINE)


def needs(x86: bool) -> list[str]:
    """Declarations of what the loop calls."""
    on_x86 = [f"declare void @llvm.x86.sse.{name}(ptr)" for name in ("stmxcsr", "ldmxcsr")]
    on_x86.append("declare void @llvm.x86.sse.sfence()")
    flags = on_x86 if x86 else ["declare i32 @feclearexcept(i32)"]
    return ["declare ptr @malloc(i64)", "declare void @free(ptr)", FETCH, *flags]


def _room(size: int, on_heap: bool) -> list[str]:
    """Memory at an address that whole vectors can be stored to."""
    if not on_heap:
        return [f"  %room = alloca [{size} x i8], align 64"]
    lines = [f"  %heap = call ptr @malloc(i64 {size + 64})", "  %heap_at = ptrtoint ptr %heap to i64"]
    lines += ["  %heap_up = add i64 %heap_at, 63", "  %heap_start = and i64 %heap_up, -64"]
    return [*lines, "  %room = inttoptr i64 %heap_start to ptr"]


def _places(lengths: Mapping[str, int], start: int) -> list[str]:
    """One behind the other."""
    ends = accumulate(lengths.values(), initial=start)
    return [f"  %{name} = getelementptr i8, ptr %room, i64 {at}" for name, at in zip(lengths, ends, strict=False)]


def _scratch(size: int | None) -> list[str]:
    if size is None:
        return []
    lines = [
        f"  %scratch_heap = call ptr @malloc(i64 {size + 64})",
        "  %scratch_at = ptrtoint ptr %scratch_heap to i64",
    ]
    lines += ["  %scratch_up = add i64 %scratch_at, 63", "  %scratch_start = and i64 %scratch_up, -64"]
    return [*lines, "  %scratch = inttoptr i64 %scratch_start to ptr"]


def _steps(arguments: Sequence[Argument], numbers: Collection[int], matrices: Collection[int]) -> list[str]:
    """Where each argument starts, the stride from state to state, and those along its entries."""
    lines, position = [], len(arguments)
    for k in range(len(arguments)):
        lines += [f"  %argp{k} = getelementptr ptr, ptr %args, i64 {k}", f"  %base{k} = load ptr, ptr %argp{k}"]
        lines += _step(f"outer{k}", k)
        if k in matrices:
            lines += [*_step(f"row{k}", position), *_step(f"inner{k}", position + 1)]
            position += 2
        elif k in numbers:
            lines += [f"  %row{k} = add i64 0, 0", f"  %inner{k} = add i64 8, 0"]
        else:
            lines += [f"  %row{k} = add i64 0, 0", *_step(f"inner{k}", position)]
            position += 1
    return lines


def _step(name: str, position: int) -> list[str]:
    return [f"  %{name}p = getelementptr i64, ptr %steps, i64 {position}", f"  %{name} = load i64, ptr %{name}p"]


def _direct(arguments: Sequence[Argument]) -> list[str]:
    """Whether entries lie in a row; and whether the body may run on the arguments: no output over an input, too."""
    lines, conditions = [], []
    for a in arguments:
        # NumPy gives axes of length 1 the stride 0
        evenly = f"icmp eq i64 %inner{a.k}, 8" if a.columns > 1 else "and i1 true, true"
        stacked = f"icmp eq i64 %row{a.k}, {8 * a.columns}" if a.rows > 1 else "and i1 true, true"
        lines += [f"  %evenly{a.k} = {evenly}", f"  %stacked{a.k} = {stacked}"]
        lines += [f"  %flat{a.k} = and i1 %evenly{a.k}, %stacked{a.k}"]
        lines += [f"  %end{a.k} = getelementptr double, ptr %base{a.k}, i64 {a.size}"]
        conditions.append(f"and i1 %flat{a.k}, true")
    for given in (a.k for a in arguments if a.slots is None):
        for out in (a.k for a in arguments if a.slots is not None):
            # NumPy copies an output that overlaps an input, but not one that is exactly the input
            lines += [f"  %before{given}_{out} = icmp ule ptr %end{given}, %base{out}"]
            lines += [f"  %after{given}_{out} = icmp ule ptr %end{out}, %base{given}"]
            conditions.append(f"or i1 %before{given}_{out}, %after{given}_{out}")
    so_far = "true"
    for c, condition in enumerate(conditions):
        lines += [f"  %c{c} = {condition}", f"  %all{c} = and i1 {so_far}, %c{c}"]
        so_far = f"%all{c}"
    return [*lines, f"  %direct = and i1 {so_far}, true"]


def _far(a: Argument) -> list[str]:
    """Whether states of an output that lie behind each other are many enough to go past the caches."""
    k = a.k
    return [
        f"  %bytes{k} = mul i64 %count, {8 * a.size}",
        f"  %many{k} = icmp uge i64 %bytes{k}, {streaming.FAR}",
        f"  %packed{k} = icmp eq i64 %outer{k}, {8 * a.size}",
        f"  %in_line{k} = and i1 %flat{k}, %packed{k}",
        f"  %far{k} = and i1 %many{k}, %in_line{k}",
    ]


def _one_by_one(arguments: Sequence[Argument], more: str) -> list[str]:
    n = len(arguments)
    lines = ["single_loop:", "  %i = phi i64 [ 0, %entry ], [ %i1, %single_next ]"]
    lines += ["  %more = icmp slt i64 %i, %count", "  br i1 %more, label %single_work, label %done", "single_work:"]
    for k in range(n):
        lines += [f"  %step{k} = mul i64 %i, %outer{k}", f"  %here{k} = getelementptr i8, ptr %base{k}, i64 %step{k}"]
    lines += ["  br i1 %direct, label %straight, label %strided", "straight:"]
    lines += [f"  %sure = call i1 @body1({_listed('here', n)}{more})", "  br label %single_next", "strided:"]
    lines += [*_strided(arguments, "here", more), "  br label %single_next"]
    return [*lines, "single_next:", "  %i1 = add i64 %i, 1", "  br label %single_loop"]


def _strided(arguments: Sequence[Argument], place: str, more: str) -> list[str]:
    """One state by itself, by way of the buffers."""
    lines = [_packed(a, 1, place, "1") for a in arguments if a.slots is None]
    lines.append(f"  %sure_{place} = call i1 @body1({_listed('buffer', len(arguments))}{more})")
    return lines + [_packed(a, 1, place, "1") for a in arguments if a.slots is not None]


def _call(arguments: Sequence[Argument], width: int, tiles: Tiles | None, more: str) -> list[str]:
    """All tiles that are in their buffers; whether some lane is in doubt."""
    n = len(arguments)
    if tiles is None:
        return [f"  %doubt = call i1 @body{width}({_listed('buffer', n)}{more})"]
    lines, ahead = [], width * tiles.together
    inputs = [a for a in arguments if a.slots is None]
    lines += [f"  %after_these = add i64 %j, {ahead}"]
    for a in inputs:
        k = a.k
        # where states do not stand one behind the other, something at hand is fetched instead
        lines += [f"  %ahead{k} = mul i64 %after_these, %outer{k}"]
        lines += [f"  %later{k} = getelementptr i8, ptr %base{k}, i64 %ahead{k}"]
        lines += [f"  %behind{k} = icmp eq i64 %outer{k}, {8 * a.size}", f"  %row_of{k} = and i1 %flat{k}, %behind{k}"]
        lines += [f"  %next{k} = select i1 %row_of{k}, ptr %later{k}, ptr %buffer{k}"]
    passed = f"{_listed('buffer', n)}, ptr %between, i64 %states, {_listed('next', len(inputs))}"
    return [*lines, f"  %doubt = call i1 @tiles{width}({passed})"]


def _side_by_side(
    arguments: Sequence[Argument], width: int, call: list[str], more: str, stride: int, together: int, fenced: bool
) -> list[str]:
    """Some tiles at a time: each packed, all run, each unpacked."""
    lines = ["wide_loop:", "  %j = phi i64 [ 0, %entry ], [ %j1, %wide_next ]", "  %go_on = icmp slt i64 %j, %count"]
    lines += ["  br i1 %go_on, label %wide_work, label %wide_done", "wide_done:"]
    # lines that went past the caches are there before anybody hears that they are
    lines += ["  call void @llvm.x86.sse.sfence()"] if fenced else []
    lines += ["  br label %done", "wide_work:"]
    lines += ["  %left = sub i64 %count, %j", f"  %short = icmp slt i64 %left, {width * together}"]
    lines += [f"  %states = select i1 %short, i64 %left, i64 {width * together}"]
    for a in arguments:
        lines += [
            f"  %wstep{a.k} = mul i64 %j, %outer{a.k}",
            f"  %at{a.k} = getelementptr i8, ptr %base{a.k}, i64 %wstep{a.k}",
        ]
    given = [a for a in arguments if a.slots is None]
    made = [a for a in arguments if a.slots is not None]
    packed = [_packed(a, width, "in_place", "%in_lanes", "in_buffer") for a in given]
    lines += _tile_loop("in", given, width, stride, packed, "wide_work", "filled")
    lines += ["filled:", *call]
    lines += ["  br i1 %doubt, label %again, label %wide_out, !prof !0", "wide_out:"]
    sent: list[str] = []
    for a in made:
        sent += _sent(a, width) if staged(a, width) else [_packed(a, width, "out_place", "%out_lanes", "out_buffer")]
    lines += _tile_loop("out", made, width, stride, sent, "wide_out", "wide_next")
    lines += _again(arguments, more)
    return [*lines, "wide_next:", f"  %j1 = add i64 %j, {width * together}", "  br label %wide_loop"]


def _tile_loop(
    name: str, arguments: Sequence[Argument], width: int, stride: int, work: Sequence[str], before: str, after: str
) -> list[str]:
    """Work with every tile: its lanes, where its states stand, and its buffers."""
    lines = [f"  br label %{name}_tiles", f"{name}_tiles:"]
    lines += [f"  %{name} = phi i64 [ 0, %{before} ], [ %{name}1, %{name}_next ]"]
    lines += [f"  %{name}_left = sub i64 %states, %{name}", f"  %{name}_short = icmp slt i64 %{name}_left, {width}"]
    lines += [f"  %{name}_lanes = select i1 %{name}_short, i64 %{name}_left, i64 {width}"]
    lines += [f"  %{name}_shift = mul i64 %{name}, {stride // width}"]
    for a in arguments:
        k = a.k
        lines += [f"  %{name}_step{k} = mul i64 %{name}, %outer{k}"]
        lines += [f"  %{name}_place{k} = getelementptr i8, ptr %at{k}, i64 %{name}_step{k}"]
        lines += [f"  %{name}_buffer{k} = getelementptr i8, ptr %buffer{k}, i64 %{name}_shift"]
    lines += [*work, f"  br label %{name}_next", f"{name}_next:", f"  %{name}1 = add i64 %{name}, {width}"]
    return [
        *lines,
        f"  %{name}_more = icmp slt i64 %{name}1, %states",
        f"  br i1 %{name}_more, label %{name}_tiles, label %{after}",
    ]


def _again(arguments: Sequence[Argument], more: str) -> list[str]:
    """Every state of the lanes by itself, where some lane was in doubt; nothing has been written yet."""
    lines = ["again:", "  %l = phi i64 [ 0, %filled ], [ %l1, %again_work ]"]
    lines += ["  %again_more = icmp slt i64 %l, %states", "  br i1 %again_more, label %again_work, label %wide_next"]
    lines.append("again_work:")
    for a in arguments:
        lines += [f"  %astep{a.k} = mul i64 %l, %outer{a.k}"]
        lines += [f"  %alone{a.k} = getelementptr i8, ptr %at{a.k}, i64 %astep{a.k}"]
    return [*lines, *_strided(arguments, "alone", more), "  %l1 = add i64 %l, 1", "  br label %again"]


def _listed(stem: str, n: int) -> str:
    return ", ".join(f"ptr %{stem}{k}" for k in range(n))


def _packed(a: Argument, width: int, place: str, lanes: str, buffer: str = "buffer") -> str:
    """An input into its buffer, an output out of it."""
    how, rows = ("pack", "") if a.slots is None else ("unpack", f"i64 %row{a.k}, ")
    steps = f"i64 %outer{a.k}, {rows}i64 %inner{a.k}, i1 %flat{a.k}"
    return f"  call void @{how}{width}_{a.k}(ptr %{buffer}{a.k}, ptr %{place}{a.k}, {steps}, i64 {lanes})"


def _sent(a: Argument, width: int) -> list[str]:
    """An output out of its buffer, past the caches where it is long."""
    k = a.k
    return [
        f"  %full{k} = icmp eq i64 %out_lanes, {width}",
        f"  %sending{k} = and i1 %full{k}, %far{k}",
        f"  br i1 %sending{k}, label %send{k}, label %near{k}",
        f"send{k}:",
        f"  call void @send{width}_{k}(ptr %out_buffer{k}, ptr %out_place{k}, ptr %rows{k})",
        f"  br label %gone{k}",
        f"near{k}:",
        _packed(a, width, "out_place", "%out_lanes", "out_buffer"),
        f"  br label %gone{k}",
        f"gone{k}:",
    ]


# NumPy warns of the processor's flags; but what a lane computes that nobody reads, or a branch not taken, is no news
def _flags_kept(x86: bool) -> list[str]:
    return ["  %flags = alloca i32", "  call void @llvm.x86.sse.stmxcsr(ptr %flags)"] if x86 else []


def _flags_restored(x86: bool) -> list[str]:
    return ["  call void @llvm.x86.sse.ldmxcsr(ptr %flags)" if x86 else "  %cleared = call i32 @feclearexcept(i32 31)"]
