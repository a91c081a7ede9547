"""A built-in function of Python around an address; whether Python and NumPy are laid out as compiled code thinks."""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from functools import cache
from typing import Any

from . import at_once
from .ufunc import function_of_numpy

_NEW_FROM_DESCR = 94  # PyArray_NewFromDescr in NumPy's table of functions, fixed by its ABI
_FAST, _KEYWORDS = 0x0080, 0x0002  # METH_FASTCALL, METH_KEYWORDS


class Definition(ctypes.Structure):
    """Python's PyMethodDef; has to live as long as its function does."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def definition(name: str, doc: str, address: int) -> Definition:
    """Of a function `ptr address(ptr self, ptr args, i64 count, ptr names)`."""
    return Definition(name.encode(), address, _FAST | _KEYWORDS, doc.encode())


def called(defined: Definition, ufunc: Any, table: int) -> Any:
    """The function bound to its ufunc, which keeps definition and code alive; the ufunc itself where there is none.

    `table` is where the code reads what it needs.
    """
    needed = addresses()
    if not defined.address or needed is None:
        return ufunc
    (ctypes.c_int64 * len(needed)).from_address(table)[:] = [*needed]
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return make(ctypes.addressof(defined), ufunc, None)


@cache
def addresses() -> list[int] | None:
    """What `at_once.NEEDED` names; None where this Python is another one than the compiled code knows."""
    import numpy as np

    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED") or not _as_known():
        return None
    types = [id(np.ndarray), id(np.dtype(float)), id(float)]
    vectorcall, increase = (
        ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0
        for name in ("PyObject_Vectorcall", "Py_IncRef")
    )
    return [*types, vectorcall, function_of_numpy(_NEW_FROM_DESCR), increase]


def _as_known() -> bool:
    """Whether an array and a float stand in memory as they are thought to."""
    import numpy as np

    if ctypes.sizeof(ctypes.c_void_p) != 8 or float.__basicsize__ != 24:
        return False
    x, number = np.zeros((3, 5))[:, 1:3], 1.5

    def word(place: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(id(x) + place).value)

    def pair(place: int) -> tuple[int, ...]:
        return tuple((ctypes.c_int64 * 2).from_address(word(place)))

    if word(at_once.TYPE) != id(np.ndarray) or np.ndarray.__basicsize__ < at_once.FLAGS + 4:
        return False
    found = (word(at_once.DATA), word(at_once.AXES, ctypes.c_int32), word(at_once.KIND))
    expected = (x.ctypes.data, 2, id(np.dtype(float)))
    if found != expected or word(at_once.FLAGS, ctypes.c_int32) != x.flags.num:
        return False
    shaped = pair(at_once.LENGTHS) == x.shape and pair(at_once.STRIDES) == x.strides
    return shaped and ctypes.c_double.from_address(id(number) + at_once.VALUE).value == number
