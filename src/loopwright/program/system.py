"""The last step of some programs: a symmetric system solved for many right-hand sides, in loops.

Written out, the elimination of 30 unknowns for 90 columns would be 80,000 operations to compile; as loops over
tables of which unknowns couple to which it is a few pages of code. The body fills the matrix and the columns, the
loops factor  S = U D U^T  from the outermost unknown inwards and leave  S^-1 X  in place of X.

Columns are taken eight at a time: what is done with them stays in registers and in the nearest cache. Where a
right-hand side is zero on a whole branch, it is skipped on the way inwards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

_TOGETHER = 8  # columns; with their unknowns they fill half of a nearest cache of 48 kB, for 40 unknowns
_OF_ONE_STATE = 32  # columns of a single state: four sums at once of eight side by side


@dataclass(frozen=True)
class System:
    """`order` lists the unknowns, inner first; `inner[k]` those that k couples to, nearest first; `columns` of X."""

    order: tuple[int, ...]
    inner: tuple[tuple[int, ...], ...]
    columns: int

    @property
    def size(self) -> int:
        return len(self.order)

    def blocks(self, width: int) -> list[range]:
        """The columns taken together, of so many states."""
        edges = [*range(0, self.columns, _TOGETHER if width > 1 else _OF_ONE_STATE), self.columns]
        return [range(a, b) for a, b in pairwise(edges)]

    def inwards(self, block: range, zeros: Collection[int]) -> list[tuple[int, list[int]]]:
        """(unknown, outer ones to take out of it) where there is something; `zeros` are entries of X, row by row."""
        filled = {k for k in self.order if any(k * self.columns + c not in zeros for c in block)}
        found = []
        for i in reversed(self.order):
            outer = [k for k in reversed(self.order) if i in self.inner[k] and k in filled]
            if outer:
                filled.add(i)
                found.append((i, outer))
        return found


def tables(system: System, zeros: Collection[int], width: int) -> str:
    """The patterns as constants."""
    steps = [system.inwards(block, zeros) for block in system.blocks(width)]
    rows = [row for block in steps for row in block]
    named = {
        "order": list(system.order),
        "inner": [i for row in system.inner for i in row],
        "start": _starts(system.inner),
        "block_start": _starts(steps),
        "step_row": [i for i, _ in rows],
        "step_start": _starts([outer for _, outer in rows]),
        "step_outer": [k for _, outer in rows for k in outer],
    }
    return "\n".join(_constant(f"{name}{width}", values or [0]) for name, values in named.items())


def _constant(name: str, values: Sequence[int]) -> str:
    return f"@{name} = internal constant [{len(values)} x i64] [{', '.join(f'i64 {v}' for v in values)}]"


def _starts(rows: Sequence[Sequence[object]]) -> list[int]:
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    return starts


def solving(system: System, width: int, inputs: int) -> str:
    """`body` that calls `inner_body` and then solves, and the loops themselves."""
    n = system.size
    taken = ", ".join(f"ptr noalias readonly %in{k}" for k in range(inputs))
    passed = ", ".join(f"ptr %in{k}" for k in range(inputs))
    sizes = sorted({len(block) for block in system.blocks(width)})
    columns = "\n".join(_columns(system, width, count) for count in sizes)
    return f"""
define internal i1 @body{width}({taken}, ptr noalias %out0) #0 {{
entry:
  %matrix = alloca [{n * n * width} x double], align 64
  %doubt = call i1 @inner_body{width}({passed}, ptr %matrix, ptr %out0)
  call void @solve{width}(ptr %matrix, ptr %out0)
  ret i1 %doubt
}}
{_solve(system, width)}
{_factor(system, width)}
{columns}
"""


def _solve(system: System, width: int) -> str:
    n, columns = system.size, system.blocks(width)
    calls = "\n".join(
        f"  call void @columns{width}_{len(block)}(ptr %S, ptr %inverse, ptr %X, i64 {block.start}, i64 {b})"
        for b, block in enumerate(columns)
    )
    return f"""
define internal void @solve{width}(ptr noalias %S, ptr noalias %X) #1 {{
entry:
  %inverse = alloca [{n * width} x double], align 64
  call void @factor{width}(ptr %S, ptr %inverse)
{calls}
  ret void
}}"""


def _factor(system: System, width: int) -> str:
    """U in place of S, below its diagonal, and the reciprocals of D."""
    n = system.size
    T = "double" if width == 1 else f"<{width} x double>"
    one = "1.0" if width == 1 else "<" + ", ".join(["double 1.0"] * width) + ">"
    return f"""
define internal void @factor{width}(ptr noalias %S, ptr noalias %inverse) #1 {{
entry:
  br label %k_loop

; unknowns from the outermost inwards: divide their row, take them out of the rows further in
k_loop:
  %e = phi i64 [ {n}, %entry ], [ %e1, %k_next ]
  %k_more = icmp sgt i64 %e, 0
  br i1 %k_more, label %k_work, label %done
k_work:
  %e1 = sub i64 %e, 1
  %orderp = getelementptr i64, ptr @order{width}, i64 %e1
  %k = load i64, ptr %orderp
  %startp = getelementptr i64, ptr @start{width}, i64 %k
  %start = load i64, ptr %startp
  %stopp = getelementptr i64, ptr %startp, i64 1
  %stop = load i64, ptr %stopp
  %kn = mul i64 %k, {n}
  %row_k = getelementptr {T}, ptr %S, i64 %kn
  %pivotp = getelementptr {T}, ptr %row_k, i64 %k
  %pivot = load {T}, ptr %pivotp, align 8
  %inv = fdiv {T} {one}, %pivot
  %invp = getelementptr {T}, ptr %inverse, i64 %k
  store {T} %inv, ptr %invp, align 8
  br label %p_loop
p_loop:
  %p = phi i64 [ %start, %k_work ], [ %p1, %p_next ]
  %p_more = icmp slt i64 %p, %stop
  br i1 %p_more, label %p_work, label %u_loop
p_work:
  %ip = getelementptr i64, ptr @inner{width}, i64 %p
  %i = load i64, ptr %ip
  %skip = getelementptr {T}, ptr %row_k, i64 %i
  %ski = load {T}, ptr %skip, align 8
  %u = fmul {T} %ski, %inv
  %minus_u = fneg {T} %u
  %in = mul i64 %i, {n}
  %row_i = getelementptr {T}, ptr %S, i64 %in
  br label %j_loop
j_loop:
  %r = phi i64 [ %p, %p_work ], [ %r1, %j_work ]
  %j_more = icmp slt i64 %r, %stop
  br i1 %j_more, label %j_work, label %p_next
j_work:
  %jp = getelementptr i64, ptr @inner{width}, i64 %r
  %j = load i64, ptr %jp
  %skjp = getelementptr {T}, ptr %row_k, i64 %j
  %skj = load {T}, ptr %skjp, align 8
  %sijp = getelementptr {T}, ptr %row_i, i64 %j
  %sij = load {T}, ptr %sijp, align 8
  %product = fmul contract {T} %minus_u, %skj
  %less = fadd contract {T} %sij, %product
  store {T} %less, ptr %sijp, align 8
  %r1 = add i64 %r, 1
  br label %j_loop
p_next:
  %p1 = add i64 %p, 1
  br label %p_loop
u_loop:
  %up = phi i64 [ %start, %p_loop ], [ %up1, %u_work ]
  %u_more = icmp slt i64 %up, %stop
  br i1 %u_more, label %u_work, label %k_next
u_work:
  %uip = getelementptr i64, ptr @inner{width}, i64 %up
  %ui = load i64, ptr %uip
  %uskip = getelementptr {T}, ptr %row_k, i64 %ui
  %uski = load {T}, ptr %uskip, align 8
  %uu = fmul {T} %uski, %inv
  store {T} %uu, ptr %uskip, align 8
  %up1 = add i64 %up, 1
  br label %u_loop
k_next:
  br label %k_loop
done:
  ret void
}}
"""


def _columns(system: System, width: int, count: int) -> str:
    """So many columns from a given one on: inwards y_i = x_i - sum u_ki y_k, outwards x_k = y_k/d_k - sum u_ki x_i.

    Of one state, the columns themselves go side by side.
    """
    n, m = system.size, system.columns
    T = "double" if width == 1 else f"<{width} x double>"
    V, of = (f"<{count} x double>", 1) if width == 1 else (T, count)
    taken = "ptr noalias %S, ptr noalias %inverse, ptr noalias %X, i64 %first, i64 %block"
    return f"""
define internal void @columns{width}_{count}({taken}) #1 {{
entry:
  %bp = getelementptr i64, ptr @block_start{width}, i64 %block
  %begin = load i64, ptr %bp
  %bp1 = getelementptr i64, ptr %bp, i64 1
  %end = load i64, ptr %bp1
  br label %in_loop

in_loop:
  %r = phi i64 [ %begin, %entry ], [ %r1, %in_next ]
  %in_more = icmp slt i64 %r, %end
  br i1 %in_more, label %in_work, label %out_start
in_work:
  %irp = getelementptr i64, ptr @step_row{width}, i64 %r
  %i = load i64, ptr %irp
  %tp = getelementptr i64, ptr @step_start{width}, i64 %r
  %t0 = load i64, ptr %tp
  %tp1 = getelementptr i64, ptr %tp, i64 1
  %t1 = load i64, ptr %tp1
  %im = mul i64 %i, {m}
  %ic = add i64 %im, %first
  %x_i = getelementptr {T}, ptr %X, i64 %ic
  %u_i = getelementptr {T}, ptr %S, i64 %i
{_read("x", "x_i", of, T, V)}
  br label %t_loop
t_loop:
  %t = phi i64 [ %t0, %in_work ], [ %tn, %t_work ]
{_carried("y", "x", "yn", "in_work", "t_work", of, T, V)}
  %t_more = icmp slt i64 %t, %t1
  br i1 %t_more, label %t_work, label %in_next
t_work:
  %kp = getelementptr i64, ptr @step_outer{width}, i64 %t
  %k = load i64, ptr %kp
  %kn = mul i64 %k, {n}
  %up = getelementptr {T}, ptr %u_i, i64 %kn
  %km = mul i64 %k, {m}
  %kc = add i64 %km, %first
  %x_k = getelementptr {T}, ptr %X, i64 %kc
{_less("y", "yn", "up", "x_k", of, T, V)}
  %tn = add i64 %t, 1
  br label %t_loop
in_next:
{_written("y", "x_i", of, T, V)}
  %r1 = add i64 %r, 1
  br label %in_loop

out_start:
  br label %out_loop
out_loop:
  %s = phi i64 [ 0, %out_start ], [ %s1, %out_next ]
  %out_more = icmp slt i64 %s, {n}
  br i1 %out_more, label %out_work, label %done
out_work:
  %op = getelementptr i64, ptr @order{width}, i64 %s
  %o = load i64, ptr %op
  %dp = getelementptr {T}, ptr %inverse, i64 %o
  %d = load {T}, ptr %dp, align 8
{_spread("d", T, V)}
  %qp = getelementptr i64, ptr @start{width}, i64 %o
  %q0 = load i64, ptr %qp
  %qp1 = getelementptr i64, ptr %qp, i64 1
  %q1 = load i64, ptr %qp1
  %om = mul i64 %o, {m}
  %oc = add i64 %om, %first
  %x_o = getelementptr {T}, ptr %X, i64 %oc
  %on = mul i64 %o, {n}
  %u_o = getelementptr {T}, ptr %S, i64 %on
{_read("w", "x_o", of, T, V)}
{_scaled("z", "w", "d", of, T, V)}
  br label %q_loop
q_loop:
  %q = phi i64 [ %q0, %out_work ], [ %qn, %q_work ]
{_carried("v", "z", "vn", "out_work", "q_work", of, T, V)}
  %q_more = icmp slt i64 %q, %q1
  br i1 %q_more, label %q_work, label %out_next
q_work:
  %jp = getelementptr i64, ptr @inner{width}, i64 %q
  %j = load i64, ptr %jp
  %vp = getelementptr {T}, ptr %u_o, i64 %j
  %jm = mul i64 %j, {m}
  %jc = add i64 %jm, %first
  %x_j = getelementptr {T}, ptr %X, i64 %jc
{_less("v", "vn", "vp", "x_j", of, T, V)}
  %qn = add i64 %q, 1
  br label %q_loop
out_next:
{_written("v", "x_o", of, T, V)}
  %s1 = add i64 %s, 1
  br label %out_loop
done:
  ret void
}}"""


def _spread(name: str, T: str, V: str) -> str:
    """A factor in front of every column that goes beside another."""
    if T == V:
        return f"  %{name}_all = bitcast {T} %{name} to {V}"
    zeros = f"<{V[1:-1].partition(' x ')[0]} x i32> zeroinitializer"
    return f"""  %{name}_one = insertelement {V} poison, {T} %{name}, i32 0
  %{name}_all = shufflevector {V} %{name}_one, {V} poison, {zeros}"""


def _read(name: str, row: str, count: int, T: str, V: str) -> str:
    return "\n".join(
        f"  %{name}p{c} = getelementptr {T}, ptr %{row}, i64 {c}\n  %{name}{c} = load {V}, ptr %{name}p{c}, align 8"
        for c in range(count)
    )


def _carried(name: str, first: str, then: str, before: str, after: str, count: int, T: str, V: str) -> str:
    return "\n".join(
        f"  %{name}{c} = phi {V} [ %{first}{c}, %{before} ], [ %{then}{c}, %{after} ]" for c in range(count)
    )


def _scaled(name: str, of: str, by: str, count: int, T: str, V: str) -> str:
    return "\n".join(f"  %{name}{c} = fmul {V} %{of}{c}, %{by}_all" for c in range(count))


def _less(name: str, then: str, factor: str, row: str, count: int, T: str, V: str) -> str:
    """Each less the factor times its entry in a row."""
    lines = [f"  %{name}_u = load {T}, ptr %{factor}, align 8", f"  %{name}_m = fneg {T} %{name}_u"]
    lines.append(_spread(f"{name}_m", T, V))
    for c in range(count):
        lines += [
            f"  %{name}_p{c} = getelementptr {T}, ptr %{row}, i64 {c}",
            f"  %{name}_x{c} = load {V}, ptr %{name}_p{c}, align 8",
            f"  %{name}_f{c} = fmul contract {V} %{name}_m_all, %{name}_x{c}",
            f"  %{then}{c} = fadd contract {V} %{name}{c}, %{name}_f{c}",
        ]
    return "\n".join(lines)


def _written(name: str, row: str, count: int, T: str, V: str) -> str:
    return "\n".join(
        f"  %{name}_o{c} = getelementptr {T}, ptr %{row}, i64 {c}\n  store {V} %{name}{c}, ptr %{name}_o{c}, align 8"
        for c in range(count)
    )
