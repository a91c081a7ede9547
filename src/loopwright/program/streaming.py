"""Long outputs, past the caches: states side by side leave in whole lines of memory.

What is written to a part of a line fetches the line first, and states written side by side touch many lines, none of
them wholly. A line that is written whole and "non-temporal" goes out without being fetched: half the traffic. It is
not in the caches then, where an output larger than they are would not stay either.

A chunk of every state is put into a row nearby that lies to the lines as its place in the output does. Lines that are
whole by then leave; what is left over is where the next chunk begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .writer import Writer

FAR = 2**24  # bytes of an output that no longer fit the caches nearby
SMALLEST = 24  # entries of a state from which on it is worth it
_LINE, _CHUNK = 64, 512  # bytes
_ROW = _LINE + _CHUNK + 2 * _LINE  # of a state: before the chunk the last block may begin; behind it are leftovers

Block = Callable[[str, Sequence[str]], list[str]]


def room(width: int) -> int:
    """Bytes for the rows."""
    return width * _ROW


def send(w: Writer, name: str, size: int, block: Block) -> str:
    """`void name(ptr buffer, ptr base, ptr rows)`: states of so many entries one behind the other, from `base` on.

    `block(start, places)` writes entries from %start on, as many as there are lanes, of each state to its place.
    """
    lanes = range(w.width)
    lines = []
    for r in lanes:
        lines += [
            f"  %to{r} = getelementptr i8, ptr %base, i64 {8 * size * r}",
            f"  %address{r} = ptrtoint ptr %to{r} to i64",
            f"  %off{r} = and i64 %address{r}, {_LINE - 1}",
            f"  %back{r} = sub i64 0, %off{r}",
            f"  %first{r} = getelementptr i8, ptr %to{r}, i64 %back{r}",
            f"  %line{r} = getelementptr i8, ptr %rows, i64 {_ROW * r + _LINE}",
            f"  %row{r} = getelementptr i8, ptr %line{r}, i64 %off{r}",
        ]
    places = [f"%here{r}" for r in lanes]
    sent = []
    for r in lanes:
        sent += [
            f"  %begin{r} = select i1 %fresh, i64 %off{r}, i64 0",
            f"  %end{r} = add i64 %off{r}, %bytes",
            f"  %out{r} = getelementptr i8, ptr %first{r}, i64 %done",
            f"  call void @lines{w.width}(ptr %out{r}, ptr %line{r}, i64 %begin{r}, i64 %end{r}, i1 %last)",
        ]
    here = [f"  %here{r} = getelementptr i8, ptr %row{r}, i64 %ahead" for r in lanes]
    return f"""
define internal void {name}(ptr noalias %buffer, ptr noalias %base, ptr noalias %rows) #1 {{
entry:
{chr(10).join(lines)}
  br label %chunks
chunks:
  %done = phi i64 [ 0, %entry ], [ %done1, %leave ]
  %fresh = icmp eq i64 %done, 0
  %left = sub i64 {8 * size}, %done
  %last = icmp sle i64 %left, {_CHUNK}
  %bytes = select i1 %last, i64 %left, i64 {_CHUNK}
  %stop = add i64 %done, %bytes
  br label %blocks
blocks:
  %b = phi i64 [ %done, %chunks ], [ %b1, %work ]
  %more = icmp slt i64 %b, %stop
  br i1 %more, label %work, label %leave
work:
  %beyond = icmp sgt i64 %b, {8 * (size - w.width)}
  %at = select i1 %beyond, i64 {8 * (size - w.width)}, i64 %b
  %ahead = sub i64 %at, %done
  %start = lshr i64 %at, 3
{chr(10).join(here)}
{chr(10).join(block("%start", places))}
  %b1 = add i64 %b, {8 * w.width}
  br label %blocks
leave:
{chr(10).join(sent)}
  %done1 = add i64 %done, {_CHUNK}
  br i1 %last, label %over, label %chunks
over:
  ret void
}}"""


def leaving(width: int) -> str:
    """`void lines<width>(ptr to, ptr from, i64 begin, i64 end, i1 last)`: the bytes of a row from `begin` to `end`.

    A first line that does not begin with the row, and the last one of a state, go number by number.
    """
    lanes = min(width, _LINE // 8)
    vectors = range(_LINE // (8 * lanes))
    moved = [_moved(k, lanes, "%from", "%n", "%to", "%n", ", !nontemporal !1") for k in vectors]
    kept = [_moved(len(vectors) + k, lanes, "%from", str(_CHUNK), "%from", "0", "", k) for k in vectors]
    return f"""
define internal void @lines{width}(ptr noalias %to, ptr noalias %from, i64 %begin, i64 %end, i1 %last) #1 {{
entry:
  %whole = and i64 %end, {-_LINE}
  %late = icmp sgt i64 %begin, 0
  br i1 %late, label %head, label %lines
head:
  %h = phi i64 [ %begin, %entry ], [ %h1, %head ]
{_number("h", "%h")}
  %h1 = add i64 %h, 8
  %in_head = icmp slt i64 %h1, {_LINE}
  br i1 %in_head, label %head, label %lines
lines:
  %n = phi i64 [ 0, %entry ], [ {_LINE}, %head ], [ %n1, %line ]
  %more = icmp slt i64 %n, %whole
  br i1 %more, label %line, label %rest
line:
{chr(10).join(moved)}
  %n1 = add i64 %n, {_LINE}
  br label %lines
rest:
  br i1 %last, label %tail, label %keep
keep:
{chr(10).join(kept)}
  ret void
tail:
  %t = phi i64 [ %whole, %rest ], [ %t1, %one ]
  %in_tail = icmp slt i64 %t, %end
  br i1 %in_tail, label %one, label %done
one:
{_number("t", "%t")}
  %t1 = add i64 %t, 8
  br label %tail
done:
  ret void
}}"""


def _number(name: str, at: str) -> str:
    return f"""  %{name}_from = getelementptr i8, ptr %from, i64 {at}
  %{name}_to = getelementptr i8, ptr %to, i64 {at}
  %{name}_x = load double, ptr %{name}_from, align 8
  store double %{name}_x, ptr %{name}_to, align 8"""


def _moved(n: int, lanes: int, source: str, at: str, target: str, to: str, how: str, k: int | None = None) -> str:
    """Vector k of a line."""
    offset = lanes * (n if k is None else k)
    return f"""  %f{n} = getelementptr i8, ptr {source}, i64 {at}
  %g{n} = getelementptr double, ptr %f{n}, i64 {offset}
  %p{n} = getelementptr i8, ptr {target}, i64 {to}
  %s{n} = getelementptr double, ptr %p{n}, i64 {offset}
  %v{n} = load <{lanes} x double>, ptr %g{n}, align {8 * lanes}
  store <{lanes} x double> %v{n}, ptr %s{n}, align {8 * lanes}{how}"""
