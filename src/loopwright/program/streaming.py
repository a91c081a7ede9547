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


def send_turned(w: Writer, name: str, size: int, block: Callable[[str], list[str]]) -> str:
    """The same where one instruction takes any eight of sixteen numbers (AVX-512), without rows.

    `block(start)` gives for every state the vector of its entries from %start on. The end of one and the beginning of
    the next make a line.
    """
    full, left = divmod(size, w.width)
    lanes = range(w.width)
    counting = f"<{', '.join(f'i64 {lane}' for lane in lanes)}>"
    w.needs |= {
        "declare <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(<8 x double>, <8 x i64>, <8 x double>)",
        "declare void @llvm.masked.store.v8f64.p0(<8 x double>, ptr, i32, <8 x i1>)",
    }

    def turned(r: int, before: str, vector: str) -> str:
        how = f"<8 x double> {before}, <8 x i64> {turn[r]}, <8 x double> {vector}"
        return w.put(f"call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512({how})")

    def partly(r: int, vector: str, n: str, mask: str) -> None:
        at = w.put(f"getelementptr i8, ptr {first[r]}, i64 {n}")
        w.lines.append(
            f"  call void @llvm.masked.store.v8f64.p0(<8 x double> {vector}, ptr {at}, i32 64, <8 x i1> {mask})"
        )

    first, turn, off = [], [], []
    for r in lanes:
        to = w.put(f"getelementptr i8, ptr %base, i64 {8 * size * r}")
        beyond = w.put(f"and i64 {w.put(f'ptrtoint ptr {to} to i64')}, {_LINE - 1}")
        first.append(w.put(f"getelementptr i8, ptr {to}, i64 {w.put(f'sub i64 0, {beyond}')}"))
        one = w.put(f"insertelement <8 x i64> poison, i64 {w.put(f'lshr i64 {beyond}, 3')}, i32 0")
        off.append(w.put(f"shufflevector <8 x i64> {one}, <8 x i64> poison, <8 x i32> zeroinitializer"))
        turn.append(w.put(f"sub <8 x i64> <{', '.join(f'i64 {8 + lane}' for lane in lanes)}>, {off[r]}"))
    # what stands in the line before a state is not its own
    start = block("0")
    for r in lanes:
        mask = w.put(f"icmp uge <8 x i64> {counting}, {off[r]}")
        partly(r, turned(r, start[r], start[r]), "0", mask)
    entered = w.lines
    w.lines = []
    at = w.put("mul i64 %n, 8")
    vectors = block(at)
    for r in lanes:
        line = w.put(f"getelementptr i8, ptr {first[r]}, i64 {w.put('mul i64 %n, 64')}")
        vector = turned(r, f"%last{r}", vectors[r])
        w.lines.append(f"  store <8 x double> {vector}, ptr {line}, align 64, !nontemporal !1")
    carried = [f"  %last{r} = phi <8 x double> [ {start[r]}, %entry ], [ {vectors[r]}, %worked ]" for r in lanes]
    work = w.lines
    w.lines = []
    rest = block(str(size - left)) if left else [f"%last{r}" for r in lanes]
    for r in lanes:
        own = w.put(f"add <8 x i64> {off[r]}, <{', '.join([f'i64 {left}'] * 8)}>")
        mask = w.put(f"icmp ult <8 x i64> {counting}, {own}")
        partly(r, turned(r, f"%last{r}", rest[r]), str(_LINE * full), mask)
        if left:
            more = w.put(f"icmp ult <8 x i64> <{', '.join(f'i64 {8 + lane}' for lane in lanes)}>, {own}")
            partly(r, turned(r, rest[r], rest[r]), str(_LINE * (full + 1)), more)
    return f"""
define internal void {name}(ptr noalias %buffer, ptr noalias %base, ptr noalias %rows) #1 {{
entry:
{chr(10).join(entered)}
  br label %loop
loop:
  %n = phi i64 [ 1, %entry ], [ %n1, %worked ]
{chr(10).join(carried)}
  %more = icmp slt i64 %n, {full}
  br i1 %more, label %work, label %tail
work:
{chr(10).join(work)}
  br label %worked
worked:
  %n1 = add i64 %n, 1
  br label %loop
tail:
{chr(10).join(w.lines)}
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
