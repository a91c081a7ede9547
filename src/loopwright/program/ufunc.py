"""A real NumPy generalised ufunc around an address, by NumPy's own C function."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

_FROM_SIGNATURE = 31  # PyUFunc_FromFuncAndDataAndSignature in NumPy's table of functions, fixed by its ABI
_DOUBLE = 12  # NPY_DOUBLE
_NO_IDENTITY = -1
_KEPT: list[Any] = []  # what ufuncs need that cannot be kept with them


def function_of_numpy(number: int, table: str = "_ARRAY_API") -> int:
    """The address of a function of NumPy's C interface, by its number there."""
    import numpy as np

    capsule = getattr(np._core._multiarray_umath, table)  # type: ignore[attr-defined]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))[number] or 0


@cache
def _make() -> Any:
    kind = ctypes.PYFUNCTYPE(
        ctypes.py_object,
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p,
        ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int,
        ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p,
    )  # fmt: skip
    return kind(function_of_numpy(_FROM_SIGNATURE, "_UFUNC_API"))


def gufunc(
    address: int,
    name: str,
    doc: str,
    inputs: Sequence[tuple[int, ...]],
    outputs: Sequence[tuple[int, ...]],
    keep: Any = None,
) -> Any:
    """A ufunc over doubles whose arguments have the shapes given; () is a single number.

    `keep` lives as long as the ufunc does: whatever owns the address.
    """

    def core(shape: tuple[int, ...]) -> str:
        # NumPy has no fixed length 0: an axis with a name may have it
        return f"({','.join(str(size or 'none') for size in shape)})"

    signature = ",".join(map(core, inputs)) + "->" + ",".join(map(core, outputs))
    count = len(inputs) + len(outputs)
    functions = (ctypes.c_void_p * 1)(address)
    data = (ctypes.c_void_p * 1)(None)
    types = ctypes.create_string_buffer(bytes([_DOUBLE] * count))
    texts = [text.encode() for text in (name, doc, signature)]
    made = _make()(
        ctypes.addressof(functions), ctypes.addressof(data), ctypes.cast(types, ctypes.c_char_p),
        1, len(inputs), len(outputs), _NO_IDENTITY, texts[0], texts[1], 0, texts[2],
    )  # fmt: skip
    # NumPy knows these buffers by their addresses only
    needed = (functions, data, types, texts, keep)
    try:
        made.kept = needed
    except AttributeError:  # NumPy before 2.2: for as long as the process
        _KEPT.append(needed)
    return made
