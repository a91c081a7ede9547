"""One state called from Python, past the machinery that NumPy has for arrays of any shape and kind.

NumPy takes half a microsecond to see that three vectors are three vectors, as long as an arm's inverse dynamics three
times over. Here that is seen by a few comparisons with what every array says of itself at fixed places. Whatever is
not exactly one state of doubles in a row is handed to the generalised ufunc, which knows what to do or to say.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .packing import Argument

CALL = "loopwright_call"
PYTHON = "loopwright_python"  # where the addresses of what is below have to be written

# types and functions of Python and NumPy that the call needs, in the order of the table
NEEDED = ("ndarray", "float64", "float", "PyObject_Vectorcall", "PyArray_NewFromDescr", "Py_IncRef")
# where things stand, in bytes: an object's type; of an array its data, number of axes, lengths, strides, kind of
# entries and flags; of a float its value. builtin.py looks whether it is so.
TYPE, DATA, AXES, LENGTHS, STRIDES, KIND, FLAGS, VALUE = 8, 16, 24, 32, 40, 56, 64, 16
_ALIGNED, _WRITEABLE = 0x0100, 0x0400


def at_once(arguments: Sequence[Argument], numbers: Collection[int], matrices: Collection[int], x86: bool) -> str:
    """`ptr CALL(ptr ufunc, ptr args, i64 count, ptr names)`, as Python calls its built-in functions.

    Arguments are the inputs and, if the caller likes, the output; it is an error of the ufunc's to have others.
    """
    inputs, output = arguments[:-1], arguments[-1]
    n = len(inputs)
    shape = [output.rows, output.columns] if output.k in matrices else [output.columns]
    lines = [
        f"@{PYTHON} = global [{len(NEEDED)} x ptr] zeroinitializer",
        f"@shape = internal constant [{len(shape)} x i64] [{', '.join(f'i64 {size}' for size in shape)}]",
        f"define ptr @{CALL}(ptr %self, ptr %args, i64 %count, ptr %names) #0 {{",
        "entry:",
        *(f"  %at_{name} = getelementptr ptr, ptr @{PYTHON}, i64 {k}" for k, name in enumerate(NEEDED)),
        *(f"  %{name} = load ptr, ptr %at_{name}" for name in NEEDED),
        *(["  %flags = alloca i32"] if x86 else []),
        "  %unnamed = icmp eq ptr %names, null",
        f"  %with_out = icmp eq i64 %count, {n + 1}",
        f"  %without = icmp eq i64 %count, {n}",
        "  %either = or i1 %with_out, %without",
        "  %fits = and i1 %unnamed, %either",
        "  br i1 %fits, label %look0, label %other",
    ]
    for a in inputs:
        seen = _number(a) if a.k in numbers else _array(a, a.k in matrices, _ALIGNED)
        lines += [*seen, f"  br label %look{a.k + 1}"]
    lines += [f"look{n}:", "  br i1 %with_out, label %given, label %made"]
    lines += [*_given(inputs, output, output.k in matrices), *_made(output, len(shape))]
    lines += ["work:", f"  %out = phi ptr [ %data{n}, %kept ], [ %fresh_data, %begun ]"]
    lines += [f"  %answer = phi ptr [ %x{n}, %kept ], [ %fresh, %begun ]"]
    # what happens on the way to the answer is no news, as in a batch
    lines += ["  call void @llvm.x86.sse.stmxcsr(ptr %flags)"] if x86 else []
    listed = ", ".join([f"ptr %data{a.k}" for a in inputs] + ["ptr %out"])
    lines += [f"  %sure = call i1 @body1({listed})"]
    lines += ["  call void @llvm.x86.sse.ldmxcsr(ptr %flags)" if x86 else "  %c = call i32 @feclearexcept(i32 31)"]
    lines += ["  ret ptr %answer", "other:"]
    lines += ["  %found = call ptr %PyObject_Vectorcall(ptr %self, ptr %args, i64 %count, ptr %names)"]
    return "\n".join([*lines, "  ret ptr %found", "}"])


def _field(name: str, of: str, place: int, kind: str) -> list[str]:
    return [f"  %{name}_at = getelementptr i8, ptr {of}, i64 {place}", f"  %{name} = load {kind}, ptr %{name}_at"]


def _object(k: int) -> list[str]:
    """Argument k and its type."""
    return [f"  %p{k} = getelementptr ptr, ptr %args, i64 {k}", f"  %x{k} = load ptr, ptr %p{k}",
            *_field(f"type{k}", f"%x{k}", TYPE, "ptr")]  # fmt: skip


def _number(a: Argument) -> list[str]:
    """A float of Python, whose value is the data."""
    k = a.k
    lines = [f"look{k}:", *_object(k), f"  %is{k} = icmp eq ptr %type{k}, %float"]
    return [
        *lines,
        f"  br i1 %is{k}, label %taken{k}, label %other",
        f"taken{k}:",
        f"  %data{k} = getelementptr i8, ptr %x{k}, i64 {VALUE}",
    ]


def _array(a: Argument, matrix: bool, flags: int) -> list[str]:
    """An array of exactly this shape, of doubles, one behind the other."""
    k, axes = a.k, 2 if matrix else 1
    lines = [f"look{k}:", *_object(k), f"  %is{k} = icmp eq ptr %type{k}, %ndarray"]
    lines += [f"  br i1 %is{k}, label %array{k}, label %other", f"array{k}:"]
    lines += [*_field(f"axes{k}", f"%x{k}", AXES, "i32"), *_field(f"kind{k}", f"%x{k}", KIND, "ptr")]
    lines += [*_field(f"flags{k}", f"%x{k}", FLAGS, "i32"), *_field(f"lengths{k}", f"%x{k}", LENGTHS, "ptr")]
    lines += [*_field(f"strides{k}", f"%x{k}", STRIDES, "ptr"), *_field(f"data{k}", f"%x{k}", DATA, "ptr")]
    lines += [f"  %own{k} = and i32 %flags{k}, {flags}", f"  %good{k} = icmp eq i32 %own{k}, {flags}"]
    lines += [f"  %deep{k} = icmp eq i32 %axes{k}, {axes}", f"  %doubles{k} = icmp eq ptr %kind{k}, %float64"]
    lines += [f"  %a{k} = and i1 %good{k}, %deep{k}", f"  %b{k} = and i1 %a{k}, %doubles{k}"]
    lines += [f"  br i1 %b{k}, label %axes_of{k}, label %other", f"axes_of{k}:"]
    sizes, steps = ([a.rows, a.columns], [8 * a.columns, 8]) if matrix else ([a.columns], [8])
    so_far = "true"
    for axis, (size, step) in enumerate(zip(sizes, steps, strict=True)):
        checks = [("lengths", size), ("strides", step)] if size > 1 else [("lengths", size)]
        for name, value in checks:
            mark = f"{name}{k}_{axis}"
            lines += [*_field(mark, f"%{name}{k}", 8 * axis, "i64"), f"  %{mark}_is = icmp eq i64 %{mark}, {value}"]
            lines.append(f"  %{mark}_all = and i1 {so_far}, %{mark}_is")
            so_far = f"%{mark}_all"
    return [*lines, f"  br i1 {so_far}, label %taken{k}, label %other", f"taken{k}:"]


def _given(inputs: Sequence[Argument], output: Argument, matrix: bool) -> list[str]:
    """An output that is there: it may be written, and nothing is read where it stands."""
    k = output.k
    first, *rest = _array(output, matrix, _ALIGNED | _WRITEABLE)
    lines = [
        first.replace(f"look{k}", "given"),
        *rest,
        f"  %end{k} = getelementptr double, ptr %data{k}, i64 {output.size}",
    ]
    so_far = "true"
    for a in inputs:
        lines += [f"  %end{a.k} = getelementptr double, ptr %data{a.k}, i64 {a.size}"]
        lines += [
            f"  %before{a.k} = icmp ule ptr %end{a.k}, %data{k}",
            f"  %after{a.k} = icmp ule ptr %end{k}, %data{a.k}",
        ]
        lines += [f"  %apart{a.k} = or i1 %before{a.k}, %after{a.k}", f"  %all{a.k} = and i1 {so_far}, %apart{a.k}"]
        so_far = f"%all{a.k}"
    return [*lines, f"  br i1 {so_far}, label %kept, label %other", "kept:", f"  call void %Py_IncRef(ptr %x{k})",
            "  br label %work"]  # fmt: skip


def _made(output: Argument, axes: int) -> list[str]:
    """A new array."""
    taken = f"ptr %ndarray, ptr %float64, i32 {axes}, ptr @shape, ptr null, ptr null, i32 0, ptr null"
    return [
        "made:",
        "  call void %Py_IncRef(ptr %float64)",  # which is taken over
        f"  %fresh = call ptr %PyArray_NewFromDescr({taken})",
        "  %none = icmp eq ptr %fresh, null",
        "  br i1 %none, label %failed, label %begun",
        "failed:",
        "  ret ptr null",
        "begun:",
        *_field("fresh_data", "%fresh", DATA, "ptr"),
        "  br label %work",
    ]
