"""A Tape as LLVM assembly: a body for one state, a body for several side by side, and the loop over a batch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping
from functools import reduce

from ..errors import LoopwrightError
from . import elementary
from .reciprocal import reciprocals
from .tape import CONSTANT, INPUT, OUTPUT, Tape
from .writer import Writer

# LLVM's time grows faster than the length of a stretch without branches: a longer program has some that are never taken
_LONG, _PART = 20_000, 1000  # operations, and lines between branches
LIBRARY = {
    "exp": "exp", "log": "log", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh", "pow": "pow",
    "constpow": "pow", "fmod": "fmod", "remainder": "remainder", "hypot": "hypot", "log1p": "log1p", "expm1": "expm1",
    "erf": "erf",
}  # fmt: skip
_INTRINSIC = {"sqrt": "sqrt", "fabs": "fabs", "floor": "floor", "ceil": "ceil", "copysign": "copysign"}
PLAIN, ALIGNED = "#0", "#2"  # of functions: ALIGNED ones have a stack on which no vector lies across two lines of cache
_COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}


def body(tape: Tape, name: str, width: int, fma: bool, shared: Collection[int] = (), guarded: bool = True) -> Writer:
    """`i1 name(ptr in0, ptr in1, …, ptr out0, …)`: entry k of an argument is at k * width doubles.

    Inputs in `shared` hold each entry once, for all states. It answers whether some lane has to be asked again by
    itself, by a body that is `guarded`: such a one calls the C library where the inline functions end, and its answer
    is always no.
    """
    w = Writer(width, fma, None if guarded else [])
    tape = reciprocals(tape) if fma else tape

    def load(argument: int, entry: int) -> str:
        return (_spread if argument in shared else entry_in)(w, f"%in{argument}", entry)

    def store(argument: int, entry: int, value: str) -> None:
        entry_out(w, f"%out{argument}", entry, value)

    parts = lines(w, tape, load, store)
    doubt = w.any(reduce(w.either, w.doubts)) if w.doubts else "false"
    arguments = [f"ptr noalias readonly %in{k}" for k in range(len(tape.inputs))]
    arguments += [f"ptr noalias %out{k}" for k in range(len(tape.outputs))]
    head = f"define internal i1 @{name}({', '.join(arguments)}) {ALIGNED if width > 2 else PLAIN} {{"
    text = [head, "entry:", *w.lines, f"  ret i1 {doubt}"]
    if parts:
        text[2:2] = ["  %never = icmp eq ptr %out0, null"]
        text += ["stop:", "  ret i1 false"]
    w.lines = [*text, "}"]
    return w


def lines(w: Writer, tape: Tape, load: Callable[[int, int], str], store: Callable[[int, int, str], None]) -> int:
    """Every operation, inputs and outputs as told; how many branches to `stop` there are, taken when `never` holds."""
    values: dict[int, str] = {}
    sums = fused(tape) if w.fma_allowed else {}
    pairs: dict[int, tuple[str, str]] = {}
    parts = 0
    for k, operation in enumerate(tape.operations):
        if operation.name == INPUT:
            values[k] = load(*operation.place)
        elif operation.name == OUTPUT:
            store(*operation.place, values[operation.of[0]])
        else:
            values[k] = written(w, tape, k, values, sums, pairs)
        if len(tape.operations) > _LONG and len(w.lines) > (parts + 1) * _PART:
            parts += 1
            w.branch("%never", "stop", f"part{parts}")
            w.label(f"part{parts}")
    return parts


def fused(tape: Tape) -> dict[int, tuple[int, int, int, str]]:
    """Sums whose term is a product read nowhere else: k -> (a, b, c, how), one rounding instead of two."""
    uses, taken = tape.uses(), set()
    found: dict[int, tuple[int, int, int, str]] = {}
    for k, operation in enumerate(tape.operations):
        if operation.name not in ("add", "sub"):
            continue
        first, second = operation.of
        for product, other, how in ((second, first, operation.name), (first, second, f"{operation.name} reversed")):
            factors = tape.operations[product]
            if factors.name in ("mul", "sq") and uses[product] == 1 and product not in taken:
                found[k] = (factors.of[0], factors.of[-1], other, how)
                taken.add(product)
                break
    return found


def written(
    w: Writer,
    tape: Tape,
    k: int,
    values: MutableMapping[int, str],
    sums: Mapping[int, tuple[int, int, int, str]],
    pairs: dict[int, tuple[str, str]],
) -> str:
    """The value of operation k; `sums` are those fused with a product, `pairs` the sines and cosines made so far."""
    operation = tape.operations[k]
    name = operation.name
    if name == CONSTANT:
        return w.constant(operation.value)
    if k in sums:
        return _muladd(w, sums[k], values)
    of = [values[i] for i in operation.of]
    if name in ("sin", "cos"):
        if operation.of[0] not in pairs:
            pairs[operation.of[0]] = elementary.sincos(w, of[0])
        return pairs[operation.of[0]][0 if name == "sin" else 1]
    if name in LIBRARY:
        return w.lanes(LIBRARY[name], *of)
    if name in _INTRINSIC:
        return w.intrinsic(_INTRINSIC[name], *of)
    if name in _COMPARE:
        return w.truth_value(w.compare(_COMPARE[name], *of))
    if name in _PLAIN:
        return _PLAIN[name](w, *of)
    raise LoopwrightError(
        f"'{tape.name}' uses '{name}', for which there is no native code; write it with + - * /, sqrt, sin, cos, "
        "atan2, exp, log, pow, fabs, sign, fmin, fmax, comparisons and if_else"
    )


def _muladd(w: Writer, parts: tuple[int, int, int, str], values: Mapping[int, str]) -> str:
    a, b, c, how = (values[parts[0]], values[parts[1]], values[parts[2]], parts[3])
    if how in ("add", "add reversed"):
        return w.muladd(a, b, c)  # c + a b
    if how == "sub":
        return w.muladd(w.neg(a), b, c)  # c - a b
    return w.muladd(a, b, w.neg(c))  # a b - c


def entry_in(w: Writer, base: str, entry: int) -> str:
    """An entry of all lanes read."""
    address = w.put(f"getelementptr double, ptr {base}, i64 {entry * w.width}")
    return w.put(f"load {w.type}, ptr {address}, align 8")


def _spread(w: Writer, base: str, entry: int) -> str:
    address = w.put(f"getelementptr double, ptr {base}, i64 {entry}")
    return w.spread(w.put(f"load double, ptr {address}, align 8"))


def entry_out(w: Writer, base: str, entry: int, value: str) -> None:
    """An entry of all lanes written."""
    address = w.put(f"getelementptr double, ptr {base}, i64 {entry * w.width}")
    w.lines.append(f"  store {w.type} {value}, ptr {address}, align 8")


def _sign(w: Writer, x: str) -> str:
    zero, one = w.constant(0.0), w.constant(1.0)
    above, below = w.compare("ogt", x, zero), w.compare("olt", x, zero)
    # what is neither above nor below is zero itself, or not a number: hand it on
    return w.select(above, one, w.select(below, w.constant(-1.0), x))


def _both(w: Writer, a: str, b: str) -> str:
    zero = w.constant(0.0)
    return w.truth_value(w.both(w.compare("une", a, zero), w.compare("une", b, zero)))


def _either(w: Writer, a: str, b: str) -> str:
    zero = w.constant(0.0)
    return w.truth_value(w.either(w.compare("une", a, zero), w.compare("une", b, zero)))


_PLAIN: dict[str, Callable[..., str]] = {
    "add": Writer.add,
    "sub": Writer.sub,
    "mul": Writer.mul,
    "div": Writer.div,
    "neg": Writer.neg,
    "assign": lambda w, a: a,
    "sq": lambda w, a: w.mul(a, a),
    "twice": lambda w, a: w.add(a, a),
    "inv": lambda w, a: w.div(w.constant(1.0), a),
    "sign": _sign,
    "not": lambda w, a: w.truth_value(w.compare("oeq", a, w.constant(0.0))),
    "and": _both,
    "or": _either,
    "if_else_zero": lambda w, c, a: w.select(w.compare("une", c, w.constant(0.0)), a, w.constant(0.0)),
    "fmin": lambda w, a, b: w.intrinsic("minnum", a, b),
    "fmax": lambda w, a, b: w.intrinsic("maxnum", a, b),
    "atan2": elementary.atan2,
}
