"""A Kernel: a recorded function as native code, called like a NumPy generalised ufunc."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import c_void_p
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from . import builtin
from . import cache as kept
from .at_once import CALL, PYTHON
from .folding import folded
from .module import ENTRIES, ENTRY, SINGLE, TABLES, folded_module, module, rolled_module
from .native import Code, Machine, loaded, machine, object_code
from .reciprocal import reciprocals
from .rolled import Rolled
from .rolling import data
from .tape import Tape
from .ufunc import gufunc

WIDTHS = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Face:
    """Names and lengths of the inputs (None: a single number) and the shape of the one output."""

    name: str
    inputs: tuple[tuple[str, int | None], ...]
    output: tuple[int, ...]

    @property
    def doc(self) -> str:
        taken = ", ".join(f"{name}[{size}]" if size is not None else name for name, size in self.inputs)
        return f"{self.name}({taken}) -> {list(self.output)}"


class Kernel:
    """`kernel(q, v, tau, out=None, threads=1)`: leading axes broadcast, the last axis has the entries.

    It holds no state: threads may call it at once, and NumPy gives up its lock while it runs.
    """

    def __init__(self, face: Face, code: Code, tables: Any = None) -> None:
        """`tables` are what the code reads, if it does."""
        self.face = face
        shapes = [() if size is None else (size,) for _, size in face.inputs]
        defined = builtin.definition(face.name, face.doc, code.addresses.get(CALL, 0))
        keep = (code.engine, tables, defined)
        self.ufunc = gufunc(code.addresses[ENTRY], face.name, face.doc, shapes, [face.output], keep)
        self.single = code.addresses[SINGLE]  # of `void f(ptr input…, ptr output)`, one state, for loops to call
        # the cheapest call: kernel.raw(q, v, tau, out)
        self.raw = builtin.called(defined, self.ufunc, code.addresses.get(PYTHON, 0))
        self.again: tuple[Any, ...] = ()  # a function and what it takes to make the same kernel in another process
        self._empty = [name for name, size in face.inputs if size == 0]

    def __repr__(self) -> str:
        return f"Kernel({self.face.doc})"

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.again:
            raise LoopwrightError(f"the kernel {self.face.name} is code of this process: send what it was made of")
        return self.again[0], self.again[1:]

    def __call__(self, *inputs: Any, out: Any = None, threads: int = 1) -> Any:
        if threads != 1:
            return self._in_threads(inputs, out, threads)
        if self._empty:
            self._require_empty(inputs)
        return self.raw(*inputs) if out is None else self.raw(*inputs, out)

    def _require_empty(self, inputs: Sequence[Any]) -> None:
        """NumPy has no vectors of fixed length 0, so it does not refuse longer ones."""
        for given, (name, size) in zip(inputs, self.face.inputs, strict=False):
            if size == 0 and (not np.shape(given) or np.shape(given)[-1] != 0):
                raise ValueError(f"{self.face.name}: {name} has no entries, got an array of shape {np.shape(given)}")

    def _leading(self, out: Any) -> tuple[int, ...]:
        """Leading axes of a result, whose last axes must be the output's own."""
        count = len(self.face.output)
        if out.ndim < count or out.shape[out.ndim - count :] != self.face.output:
            raise ValueError(f"{self.face.name}: out needs shape (…, {str(self.face.output)[1:]}, got {out.shape}")
        return tuple(out.shape[: out.ndim - count])

    def _in_threads(self, inputs: Sequence[Any], out: Any, threads: int) -> Any:
        """The longest axis in as many parts as there are threads."""
        if not isinstance(threads, int) or threads < 1:
            raise LoopwrightError(f"{self.face.name}: threads is a whole number, 1 or more, got {threads!r}")
        if out is not None and not isinstance(out, np.ndarray):
            return self(*inputs, out=out)  # which says that it has to be an array
        arrays = [np.asarray(given) for given in inputs]
        cores = [0 if size is None else 1 for _, size in self.face.inputs]
        if len(arrays) != len(cores) or any(a.ndim < c for a, c in zip(arrays, cores, strict=True)):
            return self(*inputs, out=out)  # which says what is wrong
        shape = np.broadcast_shapes(*(a.shape[: a.ndim - c] for a, c in zip(arrays, cores, strict=True)))
        result = np.empty(shape + self.face.output) if out is None else out
        if self._leading(result) != shape or max(shape, default=0) < 2:
            return self(*inputs, out=result)
        if out is not None and any(np.may_share_memory(a, out) for a in arrays):
            result = np.empty(shape + self.face.output)  # one part must not write what another still reads
        axis = int(np.argmax(shape))
        spread = [np.broadcast_to(a, shape + a.shape[a.ndim - c :]) for a, c in zip(arrays, cores, strict=True)]
        edges = np.linspace(0, shape[axis], min(threads, shape[axis]) + 1).astype(int)
        parts = [(slice(None),) * axis + (slice(a, b),) for a, b in pairwise(edges)]
        from concurrent.futures import ThreadPoolExecutor  # which few calls need, and which brings much with it

        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(lambda part: self(*(a[part] for a in spread), out=result[part]), parts))
        if out is not None and result is not out:
            out[...] = result
            return out
        return result


def compiled(face: Face, key: str, record: Callable[[], Tape], width: int | None = None) -> Kernel:
    """The kernel kept under `key`, or else recorded, compiled and kept. `key` "" keeps nothing."""
    here = machine()
    lanes = _lanes(width)
    name = kept.key_of(key, repr(face), repr(here), str(lanes), versions()) if key else ""
    code = kept.get(name) if name else None
    if code is None:
        numbers = [k for k, (_, size) in enumerate(face.inputs) if size is None]
        code = object_code(_assembly(record(), here, lanes, numbers, face.output))
        if name:
            kept.put(name, code)
    return Kernel(face, loaded(code, ENTRIES))


LONG = 6000  # operations: compiled in a second or two as they are; from there on it is seen whether they repeat


def _assembly(tape: Tape, here: Machine, width: int, numbers: Sequence[int], shape: tuple[int, ...]) -> str:
    """Written out, or where a long tape does the same again and again, folded into loops."""
    if tape.system is None and len(tape.operations) > LONG:
        small = folded(reciprocals(tape) if here.fma else tape)
        if 2 * small.operations < len(tape.operations):
            return folded_module(small, here, width, numbers, shape)
    return module(tape, here, width, numbers, shape)


def compiled_rolled(face: Face, rolled: Rolled, width: int | None = None) -> Kernel:
    """The kernel of a rolled program; the same code serves all tables of its size."""
    here = machine()
    assembly = rolled_module(rolled, here, _lanes(width))
    name = kept.key_of(assembly, repr(here), versions())
    code = kept.get(name)
    if code is None:
        code = object_code(assembly)
        kept.put(name, code)
    tables = data(rolled)
    made = loaded(code, [ENTRY, SINGLE, TABLES])
    c_void_p.from_address(made.addresses[TABLES]).value = tables.ctypes.data
    return Kernel(face, made, tables)


def _lanes(width: int | None) -> int:
    """As many states side by side as a register of this machine holds, or as asked."""
    if width is None:
        return machine().width
    if type(width) is not int or width not in WIDTHS:
        raise LoopwrightError(f"width is how many states go side by side: 1, 2, 4, 8 or 16, got {width!r}")
    return width


@cache
def versions() -> str:
    """What made the code: the compiler, and our own sources."""
    import hashlib
    from pathlib import Path

    import casadi
    import llvmlite

    digest = hashlib.sha256()
    root = Path(__file__).parent.parent
    for path in sorted(root.rglob("*.py")):
        if path.parent.name not in ("cli", "view", "zoo"):
            digest.update(path.read_bytes())
    return f"{llvmlite.__version__} {casadi.CasadiMeta.version()} {digest.hexdigest()}"
