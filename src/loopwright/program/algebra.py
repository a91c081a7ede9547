"""A Tape as algebra: every result a quotient of polynomials in the inputs, in sines and in cosines, in lowest terms.

Numbers are exact fractions. Sums and products are done at once, with s^2 + c^2 = 1, so that whatever cancels has
cancelled by the end; roots, signs and choices are letters of their own that remember what they stand for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..errors import LoopwrightError
from .tape import CONSTANT, INPUT, OUTPUT, Operation, Tape

_MOST_TERMS = 400  # of a quotient on the way; what ends on a page has never had more than half of that


@dataclass
class Algebra:
    """`field` is SymPy's field of quotients; `means` says what a letter (generator) of it stands for."""

    field: Any
    means: dict[Any, Any] = field(default_factory=dict)  # letter -> SymPy expression
    families: dict[Any, str] = field(default_factory=dict)  # letter -> what it is kept together with when sorting terms
    angles: list[tuple[Any, Any, Any]] = field(default_factory=list)  # (sine, cosine, SymPy expression of the angle)
    relations: list[Any] = field(default_factory=list)  # polynomials that are zero
    results: dict[int, Any] = field(default_factory=dict)  # entry of the output -> quotient

    def reduced(self, value: Any) -> Any:
        """The same quotient without squares of sines and roots."""
        if not self.relations:
            return value
        top, bottom = value.numer.rem(self.relations), value.denom.rem(self.relations)
        if len(top) + len(bottom) > _MOST_TERMS:
            raise TooLarge
        return self.field.field_new(top) / self.field.field_new(bottom)


class TooLarge(Exception):  # noqa: N818  # the asker says what is too large, and what to do
    """The expressions would fill more than a page."""


class NoForm(Exception):  # noqa: N818  # as above
    """A number that is none marks something, and no quotient does that."""


def sympy_package() -> Any:
    """SymPy, which is asked for by name where it is needed."""
    try:
        import sympy
    except ImportError:
        raise LoopwrightError(
            'equations need SymPy, which is not installed: pip install "loopwright[equations]"'
        ) from None
    return sympy


def exact(value: float) -> Fraction:
    """The fraction that was meant: the simplest that reads back to the same bits, or else 14 digits."""
    simple = Fraction(value).limit_denominator(1000)
    return simple if float(simple) == value else Fraction(f"{value:.14g}")


def algebra_of(
    tape: Tape, arguments: Sequence[tuple[str, Sequence[Any]]], write: Callable[[Algebra, Any], Any]
) -> Algebra:
    """Run the tape on quotients; `arguments` give a family and symbols for each input, `write` makes expressions."""
    sympy = sympy_package()
    if any(operation.name == CONSTANT and not math.isfinite(operation.value) for operation in tape.operations):
        raise NoForm  # programs of loops answer so where there is no answer
    letters, places = _letters(tape)
    made = Algebra(sympy.polys.fields.FracField(letters, sympy.QQ, sympy.polys.orderings.lex))
    named = dict(zip(letters, made.field.gens, strict=True))
    values: list[Any] = []
    for k, operation in enumerate(tape.operations):
        of = [values[i] for i in operation.of]
        if operation.name == OUTPUT:
            made.results[operation.place[1]] = of[0]
            values.append(None)
        elif operation.name == CONSTANT:
            fraction = exact(operation.value)
            values.append(made.field(sympy.QQ(fraction.numerator, fraction.denominator)))
        elif operation.name == INPUT:
            argument, entry = operation.place
            letter = named[places[k]]
            family, symbols = arguments[argument]
            made.means[letter], made.families[letter] = symbols[entry], family
            values.append(letter)
        elif operation.name in _RATIONAL:
            values.append(made.reduced(_RATIONAL[operation.name](*of)))
        elif operation.name in ("sin", "cos"):
            values.append(_of_angle(made, named, operation, of[0], write))
        else:
            values.append(_letter(made, named[f"f{k}"], operation, of, write))
    return made


def _letters(tape: Tape) -> tuple[list[str], dict[int, str]]:
    """Names of all letters, those to be got rid of first; and which input has which."""
    functions: list[str] = []
    angles: dict[int, None] = {}  # as a set that keeps its order
    inputs: dict[int, str] = {}
    for k, operation in enumerate(tape.operations):
        if operation.name == INPUT:
            inputs[k] = f"x{k}"
        elif operation.name in ("sin", "cos"):
            angles[operation.of[0]] = None
        elif operation.name not in _RATIONAL and operation.name not in (CONSTANT, OUTPUT):
            functions.append(f"f{k}")
    pairs = [f"s{k}" for k in angles] + [f"c{k}" for k in angles]
    return [*reversed(functions), *pairs, *inputs.values()], inputs


def _of_angle(made: Algebra, named: dict[str, Any], operation: Operation, angle: Any, write: Any) -> Any:
    sine, cosine = (named[f"{which}{operation.of[0]}"] for which in "sc")
    if sine not in made.means:
        sympy = sympy_package()
        what = write(made, angle)
        made.means |= {sine: sympy.sin(what), cosine: sympy.cos(what)}
        made.families |= {sine: "angles", cosine: "angles"}
        made.angles.append((sine, cosine, what))
        made.relations.append((sine**2 + cosine**2 - 1).numer)
    return sine if operation.name == "sin" else cosine


def _letter(made: Algebra, letter: Any, operation: Operation, of: Sequence[Any], write: Any) -> Any:
    """A function that is not rational."""
    sympy = sympy_package()
    if operation.name == "lt" and of[0] == 0 and _is_root(made, of[1]):
        return made.field.one  # a distance: zero at single points only
    given = [write(made, value) for value in of]
    made.families[letter] = "angles"
    if operation.name == "sqrt":
        made.means[letter] = sympy.sqrt(given[0])
        if of[0].denom == 1:
            made.relations.append((letter**2 - of[0]).numer)
        return letter
    if operation.name not in _FUNCTIONS:
        raise LoopwrightError(f"the operation '{operation.name}' has no form in equations")
    made.means[letter] = _FUNCTIONS[operation.name](sympy, *given)
    return letter


def _is_root(made: Algebra, value: Any) -> bool:
    meaning = made.means.get(value)
    return meaning is not None and bool(meaning.is_Pow)


def _power(a: Any, b: Any) -> Any:
    if b.denom == 1 and b.numer.is_ground and int(b.numer.LC) == b.numer.LC:
        return a ** int(b.numer.LC)
    raise LoopwrightError("a power that is not a whole number has no form in equations")


_RATIONAL: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "assign": lambda a: a,
    "sq": lambda a: a * a,
    "twice": lambda a: a + a,
    "inv": lambda a: 1 / a,
    "pow": _power,
    "constpow": _power,
    # truth is 1 or 0
    "if_else_zero": lambda truth, a: truth * a,
    "not": lambda a: 1 - a,
    "and": lambda a, b: a * b,
    "or": lambda a, b: a + b - a * b,
}


def _truth(relation: str) -> Callable[..., Any]:
    return lambda sympy, a, b: sympy.Piecewise((1, getattr(sympy, relation)(a, b)), (0, True))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "fabs": lambda sympy, a: sympy.Abs(a),
    "sign": lambda sympy, a: sympy.sign(a),
    "atan2": lambda sympy, y, x: sympy.atan2(y, x),
    "fmin": lambda sympy, a, b: sympy.Min(a, b),
    "fmax": lambda sympy, a, b: sympy.Max(a, b),
    **{
        name: lambda sympy, a, name=name: getattr(sympy, name)(a)
        for name in ("exp", "log", "tan", "asin", "acos", "atan")
    },
    **{name: lambda sympy, a, name=name: getattr(sympy, name)(a) for name in ("sinh", "cosh", "tanh")},
    "lt": _truth("Lt"),
    "le": _truth("Le"),
    "eq": _truth("Eq"),
    "ne": _truth("Ne"),
}
