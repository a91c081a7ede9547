"""Texts of loops over numbers, plain Python functions, as native code that is kept between runs.

Numba translates them, LLVM makes one machine code of a text and all that it calls, and this goes where kernels are kept
(cache.py), with its rules about who may write there; later processes load it without Numba. Such a text takes numbers
and addresses, returns one whole number, and calls other texts, NumPy's arithmetic and the words of memory.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from ..errors import LoopwrightError
from . import cache as kept
from . import memory, native
from .emit import LIBRARY
from .native import bind, loaded, machine, object_code, optimised
from .notices import notice

_ENTRY = "loopwright_loop"
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
    """The text as native code, from the cache when it and all that it calls are the same."""
    name = kept.key_of("loop", text.__module__, text.__qualname__, repr(machine()), sources(text))
    code = kept.get(name)
    if code is None:
        notice("compiling the loops over time, which is done once on this machine and takes some seconds")
        code = object_code(_assembly(text), 3)
        kept.put(name, code)
    found = loaded(code, [_ENTRY])
    return Loop(found.addresses[_ENTRY], found.engine, text)


def sources(text: Callable[..., int]) -> str:
    """What makes the code of a text: the files it and all texts that it calls stand in, the numbers they name, ours."""
    import hashlib
    from importlib.metadata import version

    digest = hashlib.sha256()
    for part in (version("numba"), version("llvmlite"), *_files(text)):
        digest.update(f"{part}\n".encode())
    return digest.hexdigest()


def _files(text: Any) -> list[str]:
    """Digests of files, and the values of numbers."""
    files, numbers, seen, left = {__file__, memory.__file__, native.__file__}, set(), set(), [text]
    while left:
        function = left.pop()
        if function in seen:
            continue
        seen.add(function)
        files.add(function.__code__.co_filename)
        for name, value in _named(function).items():
            if isinstance(value, FunctionType):
                left.append(value)
            elif isinstance(value, ModuleType):
                files.add(value.__file__ or "")
            else:
                numbers.add(f"{function.__module__}.{name} = {value!r}")
    ours = [name for name in files if name and not name.endswith(os.path.join("numpy", "__init__.py"))]
    return [*sorted(_digest(name) for name in ours), *sorted(numbers)]


@cache
def _digest(file: str) -> str:
    """Of a file's content; of its name where there is none, as for a text typed at a prompt."""
    import hashlib

    try:
        with open(file, "rb") as content:
            return hashlib.sha256(content.read()).hexdigest()
    except OSError:
        return file


def _named(text: Any) -> dict[str, Any]:
    """What the names in a text stand for."""
    return {name: value for name, value in text.__globals__.items() if name in text.__code__.co_names}


def _assembly(text: Callable[..., int]) -> str:
    """LLVM's text of a function, without what would call it from Python."""
    from numba import types
    from numba.core.errors import NumbaError

    given = {"int": types.intp, "float": types.float64}
    kinds = [kind for name, kind in text.__annotations__.items() if name != "return"]
    made = _jitted(text)
    signature = types.int64(*(given[kind] for kind in kinds))
    try:
        with _translating():
            made.compile(signature)
            found = made.overloads[signature.args]
            found.library._ensure_finalized()  # what it calls is in it
            module = found.library.get_llvm_str()
    except NumbaError as error:
        raise LoopwrightError(f"the loop '{text.__qualname__}' cannot be compiled: {error}") from error
    # Numba binds these names, for all native code of the process, to functions of other versions
    bind({*LIBRARY.values(), "sin", "cos", "atan2"})
    function = found.fndesc.llvm_func_name
    taken = ", ".join(f"{_LLVM[kind]} %a{k}" for k, kind in enumerate(kinds))
    whole = f"""{module}
define i64 @{_ENTRY}({taken}) {{
  %answer = alloca i64
  %raised = alloca ptr
  store i64 -1, ptr %answer
  %how = call i32 @{function}(ptr %answer, ptr %raised{", " + taken if taken else ""})
  %said = load i64, ptr %answer
  ret i64 %said
}}
"""
    alone = optimised(whole, _ENTRY)
    _require_alone(text, alone)
    return alone


@contextmanager
def _translating() -> Iterator[None]:
    """Numba only translates: every text would be made quick by itself, and again within each that calls it."""
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    config: Any = numba.config
    with global_compiler_lock:
        before, config.OPT = config.OPT, type(config.OPT)(0)
        try:
            yield
        finally:
            config.OPT = before


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
    words, named = _words(), _named(text)
    functions = {name: value for name, value in named.items() if isinstance(value, FunctionType)}
    known = named | {name: words[f] if f in words else _jitted(f) for name, f in functions.items()}
    copied = FunctionType(text.__code__, known, text.__name__, text.__defaults__)
    # nothing is made or counted inside, so the code needs nothing of Numba's at run time
    made = compiler(
        _nrt=False, error_model="numpy", nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(copied)  # fmt: skip
    return _only_translated(made)


def _only_translated(made: Any) -> Any:
    """A function of Numba's without machine code of its own: that is made once, of a whole text.

    Nor has it versions for the numbers that stand written in calls.
    """
    from numba.core import compiler as numbas
    from numba.core import types

    lowered: Any = numbas
    unliteral: Any = types.unliteral
    compiler, usual = made._compiler, made.get_call_template
    typing, context = compiler.targetdescr.typing_context, compiler.targetdescr.target_context

    def core(arguments: Any, answer: Any) -> Any:
        flags = lowered.Flags()
        compiler.targetdescr.options.parse_as_flags(flags, compiler.targetoptions)
        flags.no_compile = True
        library = context.codegen().create_library(compiler.py_func.__name__)
        library._finalize_specific = lambda: None
        found = lowered.compile_extra(typing, context, compiler.py_func, arguments, answer, flags, {}, library=library)
        found = found._replace(entry_point=object())  # by which calls of it are found
        context.insert_user_function(found.entry_point, found.fndesc, [library])
        return found

    def call(arguments: Any, options: Any) -> Any:
        return usual(tuple(unliteral(one) for one in arguments), options)

    compiler._compile_core, made.get_call_template = core, call
    made.add_overload = lambda found: made.overloads.update({tuple(found.signature.args): found})
    return made
