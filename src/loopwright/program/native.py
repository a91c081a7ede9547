"""LLVM at work: assembly to machine code in this process, and object code to keep."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

_LOCK = threading.RLock()  # LLVM's own data structures are not safe for two threads at once


@dataclass(frozen=True)
class Machine:
    """What the processor offers; part of the key under which object code is kept."""

    triple: str
    cpu: str
    features: str
    width: int  # doubles in a vector register
    fma: bool


@cache
def machine() -> Machine:
    """This processor."""
    import llvmlite.binding as llvm

    if hasattr(os, "register_at_fork"):  # no child begins with the lock held by a thread that it has not
        os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)
    with _LOCK:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features()
        has = {name for name, present in features.items() if present}
        triple = llvm.get_process_triple()
        arm = triple.startswith(("aarch64", "arm64"))
        width = 8 if "avx512f" in has else 4 if "avx2" in has or "avx" in has else 2
        flat = ",".join(f"{'+' if present else '-'}{name}" for name, present in sorted(features.items()))
        if "avx512f" in has:
            flat += ",-prefer-256-bit"  # whole registers: the programs are long enough to be worth them
        return Machine(triple, llvm.get_host_cpu_name(), flat, width, arm or "fma" in has)


@dataclass(frozen=True)
class Code:
    """Functions ready to call, by address; `engine` keeps them alive."""

    addresses: dict[str, int]
    engine: Any


def object_code(assembly: str, level: int = 2) -> bytes:
    """Machine code of a module for this processor."""
    import llvmlite.binding as llvm

    with _LOCK:
        return bytes(_target(level).emit_object(_parsed(llvm, assembly)))


def optimised(assembly: str, entry: str) -> str:
    """The module with all but the entry taken into it and what is not needed left out, as LLVM's text."""
    import llvmlite.binding as llvm

    with _LOCK:
        module = _parsed(llvm, assembly)
        for function in module.functions:
            if not function.is_declaration and function.name != entry:
                function.linkage = "internal"
        how = llvm.create_pipeline_tuning_options(speed_level=2)
        how.loop_vectorization, how.slp_vectorization = True, False
        passes = llvm.create_pass_builder(_target(2), how)
        passes.getModulePassManager().run(module, passes)
        return str(module)


def listing(assembly: str, level: int = 2) -> str:
    """The same machine code as text, to be read."""
    import llvmlite.binding as llvm

    with _LOCK:
        return str(_target(level).emit_assembly(_parsed(llvm, assembly)))


def loaded(code: bytes, names: Sequence[str]) -> Code:
    """Link object code into this process."""
    import llvmlite.binding as llvm

    with _LOCK:
        engine = llvm.create_mcjit_compiler(_parsed(llvm, ""), _target(2))
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return Code({name: engine.get_function_address(name) for name in names}, engine)


def _parsed(llvm: Any, assembly: str) -> Any:
    module = llvm.parse_assembly(assembly)
    module.triple = machine().triple
    return module


def _target(level: int) -> Any:
    import llvmlite.binding as llvm

    here = machine()
    target = llvm.Target.from_triple(here.triple)
    return target.create_target_machine(
        cpu=here.cpu, features=here.features, opt=level, reloc="pic", codemodel="small", jit=True
    )


def bind(names: Iterable[str]) -> None:
    """Let code loaded from now on find the C library's functions where the system has them."""
    import llvmlite.binding as llvm

    library = ctypes.CDLL(None) if sys.platform != "win32" else ctypes.cdll.msvcrt
    with _LOCK:
        for name in names:
            if hasattr(library, name):
                llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def call_once(address: int, arrays: Sequence[Any]) -> None:
    """Call a body with the addresses of its arrays; for tests."""
    kind = ctypes.CFUNCTYPE(None, *([ctypes.c_void_p] * len(arrays)))
    kind(address)(*(array.ctypes.data for array in arrays))
