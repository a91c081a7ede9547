"""Texts that few runs need: an address that compiles its text when it is first called."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ..program import looped
from .loops.places import RAISED

FLOW = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
Text = Callable[[float, int, int, int], int]
troubles: list[BaseException] = []  # why a text could not be compiled, which Python cannot be told from inside a loop


_made: dict[Text, int] = {}


def seldom(text: Text, place: int) -> int:
    """An address for `text(t, y, out, context)` that is to stand at a place of the context."""
    return _made.get(text) or ctypes.cast(_stub(text, place), ctypes.c_void_p).value or 0


@cache
def _stub(text: Text, place: int) -> Any:
    """When it is called it puts the address of the compiled text there instead, and does what that does."""

    def first(t: float, y: int, out: int, context: int) -> int:
        try:
            found = looped(text).address
        except BaseException as error:  # noqa: BLE001 - nothing can be raised through native code
            troubles.append(error)
            return RAISED
        ctypes.c_int64.from_address(context + 8 * place).value = _made[text] = found
        return int(FLOW(found)(t, y, out, context))

    return FLOW(first)
