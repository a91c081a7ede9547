"""Memory and machine code by address: the few words that texts of loops are written with.

A text calls these as they stand here when it runs as plain Python; compiled (looped.py), each is an instruction
or two.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


def floats(at: int, count: int) -> Any:
    """The numbers that stand at an address."""
    return np.ctypeslib.as_array((ctypes.c_double * count).from_address(int(at))) if count else np.zeros(0)


def grid(at: int, rows: int, columns: int) -> Any:
    """The same in rows."""
    return floats(at, rows * columns).reshape(rows, columns)


def wholes(at: int, count: int) -> Any:
    """Whole numbers, of 64 bits, among them addresses."""
    return np.ctypeslib.as_array((ctypes.c_int64 * count).from_address(int(at)))


def address(array: Any) -> int:
    """Where an array begins."""
    return int(array.ctypes.data)


def run(body: int, arguments: tuple[int, ...]) -> None:
    """Call a kernel's body: addresses of its inputs, then of its output."""
    kind = ctypes.CFUNCTYPE(None, *([ctypes.c_void_p] * len(arguments)))
    kind(int(body))(*map(int, arguments))


def flow(function: int, t: float, y: int, out: int, context: int) -> int:
    """Call `function(t, y, out, context)`, which says 0 when all is well."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *([ctypes.c_int64] * 3))
    return kind(int(function))(t, int(y), int(out), int(context))


def move(function: int, plan: int, tally: int, clock: int) -> int:
    """Call `function(plan, tally, clock)`: a method's step."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * 3))
    return kind(int(function))(int(plan), int(tally), int(clock))


def between(function: int, plan: int, tally: int, clock: int, share: float, out: int) -> int:
    """Call `function(plan, tally, clock, share, out)`: a method's state within its last step."""
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_int64
    )
    return kind(int(function))(int(plan), int(tally), int(clock), share, int(out))


def _viewer(types: Any, rows: int, of: Any) -> Any:
    """What makes an array of an address, for the compiler."""
    array = types.Array(of, rows, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from numba.np import arrayobj

        numpy_: Any = arrayobj
        made = numpy_.make_array(array)(context, builder)
        shape = list(arguments[1:])
        item = context.get_constant(types.intp, 8)
        strides = [item] if rows == 1 else [builder.mul(item, shape[1]), item]
        data = builder.inttoptr(arguments[0], made.data.type)
        numpy_.populate_array(made, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
        return made._getvalue()

    return array(*([types.intp] * (rows + 1))), generate


def compiled_words() -> dict[Any, Any]:
    """For every word above, what stands for it in compiled loops."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    i64, f64 = ir.IntType(64), ir.DoubleType()

    def caller(kinds: list[Any], typed: list[Any]) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            function = ir.FunctionType(i64, kinds)
            return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

        return types.int64(types.intp, *typed), generate

    @intrinsic
    def floats_(typing: Any, at: Any, count: Any) -> Any:
        return _viewer(types, 1, types.float64)

    @intrinsic
    def grid_(typing: Any, at: Any, rows: Any, columns: Any) -> Any:
        return _viewer(types, 2, types.float64)

    @intrinsic
    def wholes_(typing: Any, at: Any, count: Any) -> Any:
        return _viewer(types, 1, types.int64)

    @intrinsic
    def address_(typing: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from numba.np import arrayobj

            numpy_: Any = arrayobj
            return builder.ptrtoint(numpy_.make_array(array)(context, builder, arguments[0]).data, i64)

        return types.intp(array), generate

    @intrinsic
    def run_(typing: Any, body: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            function = ir.FunctionType(ir.VoidType(), [i64] * len(arguments))
            parts = [builder.extract_value(given[1], k) for k in range(len(arguments))]
            builder.call(builder.inttoptr(given[0], function.as_pointer()), parts)
            return context.get_dummy_value()

        return types.void(types.intp, arguments), generate

    @intrinsic
    def flow_(typing: Any, function: Any, t: Any, y: Any, out: Any, context: Any) -> Any:
        return caller([f64, i64, i64, i64], [types.float64, types.intp, types.intp, types.intp])

    @intrinsic
    def move_(typing: Any, function: Any, plan: Any, tally: Any, clock: Any) -> Any:
        return caller([i64, i64, i64], [types.intp] * 3)

    @intrinsic
    def between_(typing: Any, function: Any, plan: Any, tally: Any, clock: Any, share: Any, out: Any) -> Any:
        return caller([i64, i64, i64, f64, i64], [types.intp] * 3 + [types.float64, types.intp])

    return {
        floats: floats_,
        grid: grid_,
        wholes: wholes_,
        address: address_,
        run: run_,
        flow: flow_,
        move: move_,
        between: between_,
    }
