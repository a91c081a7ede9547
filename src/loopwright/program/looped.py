"""Texts of loops over numbers, plain Python functions, as native code that is kept between runs.

Numba compiles them once; the machine code goes where kernels are kept (cache.py), with its rules about who may
write there, and later processes load it without Numba. Such a text takes numbers and addresses, returns one whole
number, and calls other texts, NumPy's arithmetic and the words of memory.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

from ..errors import LoopwrightError
from . import cache as kept
from . import memory
from .emit import LIBRARY
from .kernel import versions
from .native import bind, loaded, machine, object_code
from .notices import notice

_ENTRY = "loopwright_loop"
_WRAPPER = re.compile(r"^define [^\n]*@(?:_ZN7cpython|cfunc)[^\n]*\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_KNOWN = {"sqrt", "pow", "exp", "log", "sin", "cos", "atan2", "memset", "memcpy", "memmove"}
_LLVM = {"int": "i64", "float": "double"}


@dataclass(frozen=True)
class Loop:
    """A compiled text: the address of `i64 f(…)`, whatever keeps it there, and the text itself."""

    address: int
    engine: Any
    text: Callable[..., int]


@cache
def looped(text: Callable[..., int]) -> Loop:
    """The text as native code, from the cache when our sources are the same."""
    name = kept.key_of("loop", text.__module__, text.__qualname__, repr(machine()), versions())
    code = kept.get(name)
    if code is None:
        notice("compiling the loops over time, which is done once on this machine and takes some seconds")
        code = object_code(_assembly(text), 3)
        kept.put(name, code)
    found = loaded(code, [_ENTRY])
    return Loop(found.addresses[_ENTRY], found.engine, text)


def _assembly(text: Callable[..., int]) -> str:
    """LLVM's text of a function, without what would call it from Python."""
    from numba import types
    from numba.core.errors import NumbaError

    given = {"int": types.intp, "float": types.float64}
    kinds = [kind for name, kind in text.__annotations__.items() if name != "return"]
    made = _jitted(text)
    signature = types.int64(*(given[kind] for kind in kinds))
    try:
        made.compile(signature)
    except NumbaError as error:
        raise LoopwrightError(f"the loop '{text.__qualname__}' cannot be compiled: {error}") from error
    # Numba binds these names, for all native code of the process, to functions of other versions
    bind({*LIBRARY.values(), "sin", "cos", "atan2"})
    overload = made.overloads[signature.args]
    native = overload.fndesc.llvm_func_name
    module = _WRAPPER.sub("", made.inspect_llvm(signature.args))
    _require_alone(text, module)
    taken = ", ".join(f"{_LLVM[kind]} %a{k}" for k, kind in enumerate(kinds))
    return f"""{module}
define i64 @{_ENTRY}({taken}) {{
  %answer = alloca i64
  %raised = alloca ptr
  store i64 -1, ptr %answer
  %how = call i32 @{native}(ptr %answer, ptr %raised{", " + taken if taken else ""})
  %said = load i64, ptr %answer
  ret i64 %said
}}
"""


def _require_alone(text: Callable[..., int], module: str) -> None:
    """Kept code is loaded where Numba is not: nothing of Numba's or Python's may be called in it."""
    declared = set(re.findall(r"^declare [^@]*@([\w.]+)\(", module, re.MULTILINE))
    called = {name for name in declared if len(re.findall(rf"@{re.escape(name)}\b", module)) > 1}
    foreign = {name for name in called - _KNOWN if not name.startswith("llvm.")}
    if foreign:
        raise LoopwrightError(
            f"the loop '{text.__qualname__}' calls {', '.join(sorted(foreign))}, which is not there without Numba: "
            "write it with numbers and words of program/memory.py only"
        )


@cache
def _words() -> dict[Any, Any]:
    return memory.compiled_words()


@cache
def _jitted(text: Any) -> Any:
    """Numba's form of a text, and of the texts it calls."""
    import numba

    compiler: Any = numba.njit
    words = _words()
    named = {name: value for name, value in text.__globals__.items() if name in text.__code__.co_names}
    functions = {name: value for name, value in named.items() if isinstance(value, FunctionType)}
    known = named | {name: words[f] if f in words else _jitted(f) for name, f in functions.items()}
    copied = FunctionType(text.__code__, known, text.__name__, text.__defaults__)
    # nothing is made or counted inside, so the code needs nothing of Numba's at run time
    return compiler(_nrt=False, error_model="numpy", nogil=True)(copied)
