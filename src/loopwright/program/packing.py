"""Some states of a batch side by side and back: entry k of `width` states becomes one vector.

A full set of states whose entries lie in a row is transposed in registers, `width` entries at a time. The last
entries are taken together with some that were done before, or under a mask when there are too few altogether.
What lies otherwise, and the rest of a batch, goes number by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import streaming
from .transpose import transposed
from .writer import Writer

_AHEAD = 512  # bytes: lines of an output are fetched so far before they are written, else stores wait for each


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel: number `k`, as `rows` times `columns` entries; an output's are at these `slots`.

    At the slot `nothing` stands zero, whatever goes in.
    """

    k: int
    rows: int
    columns: int
    slots: tuple[int, ...] | None = None
    nothing: int | None = None

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @property
    def places(self) -> int:
        """Vectors in its buffer."""
        return self.size if self.slots is None else max(self.slots, default=-1) + 1


def packing(arguments: Sequence[Argument], width: int, turning: bool = False) -> tuple[set[str], list[str]]:
    """Declarations, and functions: `pack` of every input and `unpack` of every output.

    pack: buffer[k * width + lane] = entry k of state `lane`, lanes beyond the last repeat it. unpack: back, entry k
    from its slot. `flat` says that the entries of a state lie in a row. `turning` is for machines with AVX-512.
    """
    turning = turning and width == 8
    functions: list[str] = []
    needs: set[str] = set()
    for argument in arguments:
        w = Writer(width, fma=False)
        functions.append(_pack(w, argument) if argument.slots is None else _unpack(w, argument))
        needs |= w.needs
        if staged(argument, width):
            w = Writer(width, fma=False)
            functions.append(_send(w, argument, turning))
            needs |= w.needs
    if not turning and any(staged(argument, width) for argument in arguments):
        functions.append(streaming.leaving(width))
    return needs, functions


def staged(argument: Argument, width: int) -> bool:
    """Whether an output may go past the caches."""
    return argument.slots is not None and width > 1 and argument.size >= streaming.SMALLEST


def _pack(w: Writer, argument: Argument) -> str:
    width, size = w.width, argument.size
    name = f"@pack{width}_{argument.k}"
    return f"""
define internal void {name}(ptr noalias %buffer, ptr %base, i64 %outer, i64 %inner, i1 %flat, i64 %lanes) #1 {{
entry:
  br i1 {_whole(width, size)}, label %blocks, label %one_by_one
{_blocks(w, size, _block_in(w, size))}
one_by_one:
  %last = sub i64 %lanes, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %one_by_one ], [ %k1, %work ]
  %more = icmp slt i64 %k, {size}
  br i1 %more, label %work, label %done
work:
  %step = mul i64 %k, %inner
  %row = getelementptr i8, ptr %base, i64 %step
  %slot = mul i64 %k, {width}
  %to = getelementptr double, ptr %buffer, i64 %slot
{_lanes_in(width)}
  %k1 = add i64 %k, 1
  br label %loop
done:
  ret void
}}"""


def _unpack(w: Writer, argument: Argument) -> str:
    width, size = w.width, argument.size
    name, table = f"@unpack{width}_{argument.k}", f"@slots{width}_{argument.k}"
    taken = "ptr noalias %buffer, ptr %base, i64 %outer, i64 %row_step, i64 %inner, i1 %flat, i64 %lanes"
    listed = ", ".join(f"i32 {slot}" for slot in argument.slots or ())
    return f"""
{table} = internal constant [{size} x i32] [{listed}]
{_empty(argument, width)}
define internal void {name}({taken}) #1 {{
entry:
  br i1 {_whole(width, size)}, label %blocks, label %one_by_one
{_blocks(w, size, _block_out(w, argument, table))}
one_by_one:
  br label %lane_loop
lane_loop:
  %lane = phi i64 [ 0, %one_by_one ], [ %lane1, %lane_done ]
  %more_lanes = icmp slt i64 %lane, %lanes
  br i1 %more_lanes, label %lane_work, label %done
lane_work:
  %across = mul i64 %lane, %outer
  %state = getelementptr i8, ptr %base, i64 %across
  br label %row_loop
row_loop:
  %r = phi i64 [ 0, %lane_work ], [ %r1, %row_done ]
  %more_rows = icmp slt i64 %r, {argument.rows}
  br i1 %more_rows, label %row_work, label %lane_done
row_work:
  %down = mul i64 %r, %row_step
  %row = getelementptr i8, ptr %state, i64 %down
  %first = mul i64 %r, {argument.columns}
  br label %loop
loop:
  %c = phi i64 [ 0, %row_work ], [ %c1, %work ]
  %more = icmp slt i64 %c, {argument.columns}
  br i1 %more, label %work, label %row_done
work:
  %k = add i64 %first, %c
  %entry_at = getelementptr i32, ptr {table}, i64 %k
  %slot32 = load i32, ptr %entry_at
  %slot = zext i32 %slot32 to i64
  %slot0 = mul i64 %slot, {width}
  %at = add i64 %slot0, %lane
  %from = getelementptr double, ptr %buffer, i64 %at
  %value = load double, ptr %from
  %step = mul i64 %c, %inner
  %to = getelementptr i8, ptr %row, i64 %step
  store double %value, ptr %to
  %c1 = add i64 %c, 1
  br label %loop
row_done:
  %r1 = add i64 %r, 1
  br label %row_loop
lane_done:
  %lane1 = add i64 %lane, 1
  br label %lane_loop
done:
  ret void
}}"""


def _send(w: Writer, argument: Argument, turning: bool) -> str:
    table, name = f"@slots{w.width}_{argument.k}", f"@send{w.width}_{argument.k}"

    def vectors(start: str) -> list[str]:
        if start.isdigit():
            return _transposed(w, table, min(w.width, argument.size - int(start)), start)
        return _transposed_or_nothing(w, argument, table, start, w.put(f"lshr i64 {start}, {w.width.bit_length() - 1}"))

    def block(start: str, places: Sequence[str]) -> list[str]:
        return _transposed_to(w, table, w.width, start, places)

    if turning:
        return streaming.send_turned(w, name, argument.size, vectors)
    return streaming.send(w, name, argument.size, block)


def _whole(width: int, size: int) -> str:
    """Whether the states can be transposed; a number each is not worth it."""
    return "%flat" if width > 1 and size > 1 else "false"


def _blocks(w: Writer, size: int, block: list[str]) -> str:
    """`block` with %start at 0, width, 2 width …, the last time so that it ends with the entries."""
    if w.width == 1 or size < 2:
        return "blocks:\n  br label %done"
    lines = "\n".join(block)
    return f"""blocks:
  %full = icmp eq i64 %lanes, {w.width}
  br i1 %full, label %block_loop, label %one_by_one
block_loop:
  %b = phi i64 [ 0, %blocks ], [ %b1, %block_end ]
  %more_blocks = icmp slt i64 %b, {size}
  br i1 %more_blocks, label %block_work, label %done
block_work:
  %beyond = icmp sgt i64 %b, {max(size - w.width, 0)}
  %start = select i1 %beyond, i64 {max(size - w.width, 0)}, i64 %b
{lines}
  br label %block_end
block_end:
  %b1 = add i64 %b, {w.width}
  br label %block_loop"""


def _block_in(w: Writer, size: int) -> list[str]:
    """%start and the entries after it, of all states."""
    count = min(size, w.width)
    offset = w.put("mul i64 %start, 8")
    first = w.put(f"getelementptr i8, ptr %base, i64 {offset}")
    rows = [w.load(_state(w, first, lane), count) for lane in range(w.width)]
    for k, vector in enumerate(transposed(w, rows)[:count]):
        w.lines.append(f"  store {w.type} {vector}, ptr {_vector(w, '%start', k)}, align {8 * w.width}")
    return w.lines


def _block_out(w: Writer, argument: Argument, table: str) -> list[str]:
    size = argument.size
    offset = w.put("mul i64 %start, 8")
    first = w.put(f"getelementptr i8, ptr %base, i64 {offset}")
    places = [_state(w, first, lane) for lane in range(w.width)]
    for place in places:
        w.soon_written(w.put(f"getelementptr i8, ptr {place}, i64 {_AHEAD}"))
    if size <= w.width:
        return _transposed_to(w, table, size, "%start", places)
    number = w.put(f"lshr i64 %b, {w.width.bit_length() - 1}")
    rows = _transposed_or_nothing(w, argument, table, "%start", number)
    for place, row in zip(places, rows, strict=True):
        w.store(row, place, w.width)
    return w.lines


def _is_empty(argument: Argument, width: int) -> list[bool]:
    """Whether there is nothing but zeros in a block; the last one ends with the entries."""
    size, slots = argument.size, argument.slots or ()
    starts = [min(b, max(size - width, 0)) for b in range(0, size, width)]
    return [set(slots[at : at + width]) == {argument.nothing} for at in starts]


def _often(argument: Argument, width: int) -> bool:
    """Often enough that looking costs less than it spares: branches of a tree do not meet in its matrices."""
    return 8 * sum(_is_empty(argument, width)) >= len(_is_empty(argument, width)) > 8


def _empty(argument: Argument, width: int) -> str:
    if not _often(argument, width):
        return ""
    listed = ", ".join(f"i8 {int(empty)}" for empty in _is_empty(argument, width))
    return f"@empty{width}_{argument.k} = internal constant [{-(-argument.size // width)} x i8] [{listed}]"


def _transposed_or_nothing(w: Writer, argument: Argument, table: str, start: str, number: str) -> list[str]:
    """Of each state a vector of entries; zeros at once where block `number` has nothing else."""
    if not _often(argument, w.width):
        return _transposed(w, table, w.width, start)
    at = w.put(f"getelementptr i8, ptr @empty{w.width}_{argument.k}, i64 {number}")
    empty = w.put(f"trunc i8 {w.put(f'load i8, ptr {at}')} to i1")
    w.lines += ["  br label %look", "look:", f"  br i1 {empty}, label %ready, label %mixed", "mixed:"]
    rows = _transposed(w, table, w.width, start)
    w.lines += ["  br label %ready", "ready:"]
    return [w.put(f"phi {w.type} [ zeroinitializer, %look ], [ {row}, %mixed ]") for row in rows]


def _transposed_to(w: Writer, table: str, count: int, start: str, places: Sequence[str]) -> list[str]:
    """So many entries from `start` on, of each state to its place."""
    for place, row in zip(places, _transposed(w, table, count, start), strict=True):
        w.store(row, place, count)
    return w.lines


def _transposed(w: Writer, table: str, count: int, start: str) -> list[str]:
    """Of each state the vector of so many entries."""
    vectors = []
    for k in range(count):
        entry = w.put(f"add i64 {start}, {k}")
        at = w.put(f"getelementptr i32, ptr {table}, i64 {entry}")
        slot = w.put(f"zext i32 {w.put(f'load i32, ptr {at}')} to i64")
        vectors.append(w.put(f"load {w.type}, ptr {_vector(w, slot, 0)}, align {8 * w.width}"))
    return transposed(w, vectors + ["poison"] * (w.width - count))


def _state(w: Writer, first: str, lane: int) -> str:
    across = w.put(f"mul i64 %outer, {lane}")
    return w.put(f"getelementptr i8, ptr {first}, i64 {across}")


def _vector(w: Writer, start: str, k: int) -> str:
    place = w.put(f"add i64 {start}, {k}")
    slot = w.put(f"mul i64 {place}, {w.width}")
    return w.put(f"getelementptr double, ptr %buffer, i64 {slot}")


def _lanes_in(width: int) -> str:
    lines, vector = [], "poison"
    for lane in range(width):
        lines += [
            f"  %short{lane} = icmp slt i64 %last, {lane}",
            f"  %lane{lane} = select i1 %short{lane}, i64 %last, i64 {lane}",
            f"  %across{lane} = mul i64 %lane{lane}, %outer",
            f"  %from{lane} = getelementptr i8, ptr %row, i64 %across{lane}",
            f"  %value{lane} = load double, ptr %from{lane}",
        ]
        if width == 1:
            return "\n".join([*lines, "  store double %value0, ptr %to"])
        lines.append(f"  %vector{lane} = insertelement <{width} x double> {vector}, double %value{lane}, i32 {lane}")
        vector = f"%vector{lane}"
    return "\n".join([*lines, f"  store <{width} x double> {vector}, ptr %to, align {8 * width}"])
