"""A Tape as one C99 file: no dependency but <math.h>, no state, no allocation; for controllers and other languages."""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import LoopwrightError
from .tape import CONSTANT, INPUT, OUTPUT, Operation, Tape

_WIDTH = 110
_OF_ONE = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sqrt", "exp",
    "log", "log1p", "expm1", "fabs", "floor", "ceil", "erf",
)  # fmt: skip
_OF_TWO = ("atan2", "pow", "fmod", "remainder", "copysign", "hypot", "fmin", "fmax")
_FORMS: dict[str, str] = {
    **{name: f"{name}({{0}})" for name in _OF_ONE},
    **{name: f"{name}({{0}}, {{1}})" for name in _OF_TWO},
    "constpow": "pow({0}, {1})",
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "neg": "-{0}",
    "assign": "{0}",
    "sq": "{0} * {0}",
    "twice": "{0} + {0}",
    "inv": "1.0 / {0}",
    "lt": "{0} < {1}",
    "le": "{0} <= {1}",
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "not": "{0} == 0.0",
    "and": "{0} != 0.0 && {1} != 0.0",
    "or": "{0} != 0.0 || {1} != 0.0",
    # what is neither above nor below is zero itself, or not a number: it is handed on
    "sign": "{0} > 0.0 ? 1.0 : {0} < 0.0 ? -1.0 : {0}",
    "if_else_zero": "{0} != 0.0 ? {1} : 0.0",
}
# words of C99 and of <math.h>; j0, y1 and gamma are among what older headers declare
_TAKEN = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long main
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while linux
    unix cbrt erfc exp2 fdim fma frexp gamma ilogb isfinite isinf isnan isnormal isgreater isless isunordered j0 j1 jn
    ldexp lgamma llrint llround log10 log2 logb lrint lround modf nan nearbyint nextafter nexttoward remquo rint round
    scalbln scalbn signbit signgam tgamma trunc y0 y1 yn NAN INFINITY HUGE_VAL""".split()  # noqa: SIM905
).union(_OF_ONE, _OF_TWO)


@dataclass(frozen=True)
class Argument:
    """One input: `size` None is a number given by value. `meaning` is for the reader."""

    name: str
    size: int | None
    meaning: str


def identifier(text: str) -> str:
    """A valid C identifier that reads like `text`."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    word = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_") or "unnamed"
    taken = word in _TAKEN or word.startswith(("M_", "FP_", "MATH_"))
    return f"n{word}" if word[0].isdigit() else f"{word}_" if taken else word


def c_source(tape: Tape, function: str, title: str, arguments: Sequence[Argument], result: str) -> str:
    """The file; entries of an argument are read before any result is written, so `out` may be one of the inputs."""
    names = _distinct([argument.name for argument in arguments])
    taken = [_parameter(name, argument) for name, argument in zip(names, arguments, strict=True)]
    signature = f"void {function}({', '.join([*taken, 'double *out'])})"
    rows = [(name, argument.size, argument.meaning) for name, argument in zip(names, arguments, strict=True)]
    header = _comment(title, signature, [*rows, ("out", tape.outputs[0], result)])
    return "\n".join([header, "#include <math.h>", "", signature, "{", *_body(tape, names, arguments), "}", ""])


def _parameter(name: str, argument: Argument) -> str:
    return f"double {name}" if argument.size is None else f"const double *{name}"


def _distinct(names: Sequence[str]) -> list[str]:
    """Identifiers of the arguments; w1, w2 … are the values in between."""
    found: list[str] = []
    for name in names:
        word = identifier(name)
        while word in found or word == "out" or re.fullmatch(r"w\d+", word):
            word += "_"
        found.append(word)
    return found


def _body(tape: Tape, names: Sequence[str], arguments: Sequence[Argument]) -> list[str]:
    values: list[str] = []
    lines: list[str] = []
    results: list[str] = []
    unread = set(range(len(names)))
    for k, operation in enumerate(tape.operations):
        if operation.name == OUTPUT:
            results.append(f"    out[{operation.place[1]}] = {values[operation.of[0]]};")
            values.append("")
        elif operation.name == CONSTANT:
            values.append(_number(operation.value))
        else:
            argument, entry = operation.place
            if operation.name == INPUT:
                unread.discard(argument)
                text = names[argument] if arguments[argument].size is None else f"{names[argument]}[{entry}]"
            else:
                text = _form(operation, [values[i] for i in operation.of])
            values.append(f"w{k}")
            lines.append(f"    const double w{k} = {text};")
    return [*lines, *(f"    (void){names[k]};" for k in sorted(unread)), *results]


def _form(operation: Operation, of: Sequence[str]) -> str:
    if operation.name not in _FORMS:
        raise LoopwrightError(f"the operation '{operation.name}' has no form in C99")
    return _FORMS[operation.name].format(*of)


def _number(value: float) -> str:
    """The shortest decimal that reads back to the same bits."""
    if math.isnan(value):
        return "NAN"
    text = "INFINITY" if math.isinf(value) else repr(abs(value))
    return text if math.copysign(1.0, value) > 0.0 else f"(-{text})"


def _comment(title: str, signature: str, rows: Sequence[tuple[str, int | None, str]]) -> str:
    heads = [name if size is None else f"{name}[{size}]" for name, size, _ in rows]
    indent = max(map(len, heads)) + 4
    lines = [
        *textwrap.wrap(_harmless(title), _WIDTH - 3),
        "",
        *textwrap.wrap(signature, _WIDTH - 3, subsequent_indent="    "),
        "",
    ]
    for head, (_, _, meaning) in zip(heads, rows, strict=True):
        first = f"  {head}".ljust(indent)
        lines += textwrap.wrap(_harmless(meaning), _WIDTH - 3, initial_indent=first, subsequent_indent=" " * indent)
    lines += [
        "",
        "It needs C99 and <math.h>, keeps no state and allocates nothing: several threads may call it at once, and",
        "`out` may be one of the inputs.",
    ]
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])


def _harmless(text: str) -> str:
    """Nothing in a name may end the comment, begin another or continue its line."""
    return " ".join(text.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace("??", "? ?").split())
