"""Expressions as typed: read, never run as Python.

They know numbers, + - * / **, t, pi, the functions below, and q[NAME] and v[NAME] of a coordinate. What is read works
on numbers and on symbols, so it becomes native code.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any

import typer

from ..spatial import Symbol, arctan2, where

if TYPE_CHECKING:
    from ..mechanism import Mechanism

Law = Callable[[Any, Any, Any], Any]


def _of_one(name: str, plain: Callable[[float], float]) -> Callable[[Any], Any]:
    """A function of one number, or of a symbol, which has it as a method."""
    return lambda x: plain(x) if isinstance(x, float) else getattr(x, name)()


def _least(first: Any, second: Any, *others: Any) -> Any:
    return reduce(lambda a, b: where(b < a, b, a), (first, second, *others))


def _most(first: Any, second: Any, *others: Any) -> Any:
    return reduce(lambda a, b: where(b > a, b, a), (first, second, *others))


def _power(base: Any, exponent: Any) -> Any:
    return math.pow(base, exponent) if isinstance(base, float) and isinstance(exponent, float) else base**exponent


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": _of_one("sin", math.sin),
    "cos": _of_one("cos", math.cos),
    "tan": _of_one("tan", math.tan),
    "exp": _of_one("exp", math.exp),
    "sqrt": _of_one("sqrt", math.sqrt),
    "log": _of_one("log", math.log),
    "tanh": _of_one("tanh", math.tanh),
    "atan2": arctan2,
    "abs": abs,
    "min": _least,
    "max": _most,
    "sign": _of_one("sign", lambda x: math.copysign(1.0, x) if x else 0.0),
    "step": lambda x: where(x >= 0.0, 1.0, 0.0),
}
_CONSTANTS = {"pi": math.pi}
_LONGEST = 2000  # characters
_DEEPEST = 100


def expression(text: str, option: str, mechanism: Mechanism | None = None) -> tuple[Law, bool]:
    """The function of (t, q, v) that an expression stands for, and whether it changes.

    Without a mechanism it knows no coordinates.
    """
    if len(text) > _LONGEST:
        raise typed_wrong(f"an expression of more than {_LONGEST} characters is better written in Python", option)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise typed_wrong(f"'{text.strip()}' is not an expression such as 9*sin(pi*t)", option) from None
    return _Reading(mechanism, text.strip(), option).of(tree, 0)


def typed_wrong(words: str, option: str) -> typer.BadParameter:
    """What to raise for something typed after an option."""
    return typer.BadParameter(words, param_hint=option)


class _Reading:
    """One expression, part by part."""

    def __init__(self, mechanism: Mechanism | None, text: str, option: str) -> None:
        self.mechanism, self.text, self.option = mechanism, text, option

    def of(self, node: ast.AST, depth: int) -> tuple[Law, bool]:
        """The function of a part, and whether it changes."""
        if depth > _DEEPEST:
            raise self._wrong(f"'{self.text[:40]}…' has too many brackets within each other")
        match node:
            case ast.Constant(value=bool()):
                raise self._unknown(node)
            case ast.Constant(value=int() | float() as value):
                number = self._number(value)
                return lambda t, q, v: number, False
            case ast.Name(id="t"):
                return lambda t, q, v: t, True
            case ast.Name(id=name) if name in _CONSTANTS:
                constant = _CONSTANTS[name]
                return lambda t, q, v: constant, False
            case ast.Subscript(value=ast.Name(id="q" | "v" as which), slice=where) if self.mechanism is not None:
                return self._state(self.mechanism, which, ast.unparse(where)), True
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                inner, changes = self.of(operand, depth + 1)
                return (inner if isinstance(op, ast.UAdd) else lambda t, q, v: -inner(t, q, v)), changes
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(node, op, [left, right], depth)
            case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in FUNCTIONS and given:
                return self._called(name, given, depth)
        raise self._unknown(node)

    def _operation(self, node: ast.AST, op: ast.operator, sides: list[ast.expr], depth: int) -> tuple[Law, bool]:
        (a, a_changes), (b, b_changes) = (self.of(side, depth + 1) for side in sides)
        changes = a_changes or b_changes
        match op:
            case ast.Add():
                return lambda t, q, v: a(t, q, v) + b(t, q, v), changes
            case ast.Sub():
                return lambda t, q, v: a(t, q, v) - b(t, q, v), changes
            case ast.Mult():
                return lambda t, q, v: a(t, q, v) * b(t, q, v), changes
            case ast.Div():
                return lambda t, q, v: a(t, q, v) / b(t, q, v), changes
            case ast.Pow():
                return lambda t, q, v: _power(a(t, q, v), b(t, q, v)), changes
        raise self._unknown(node)

    def _called(self, name: str, given: list[ast.expr], depth: int) -> tuple[Law, bool]:
        parts = [self.of(part, depth + 1) for part in given]
        function, laws = FUNCTIONS[name], [law for law, _ in parts]
        try:
            function(*(0.5 for _ in laws))
        except TypeError:
            raise self._wrong(f"{name}() does not take {len(laws)} values, in '{self.text}'") from None
        return lambda t, q, v: function(*(law(t, q, v) for law in laws)), any(changes for _, changes in parts)

    def _state(self, m: Mechanism, which: str, name: str) -> Law:
        names = m.coordinates if which == "q" else m.velocities
        plain = name.strip("'\"")
        if plain not in names:
            raise self._wrong(f"'{m.name}' has no {which}[{plain}]; there are {', '.join(names)}")
        k = names.index(plain)
        return (lambda t, q, v: _number(q[k])) if which == "q" else (lambda t, q, v: _number(v[k]))

    def _number(self, value: int | float) -> float:
        try:
            return float(value)
        except OverflowError:
            raise self._wrong(f"a number in '{self.text[:40]}…' is too large") from None

    def _unknown(self, node: ast.AST) -> typer.BadParameter:
        part = ast.unparse(node) if isinstance(node, ast.expr) else self.text
        state = ", q[NAME], v[NAME]" if self.mechanism is not None else ""
        return self._wrong(
            f"'{part[:60]}' is not known here; expressions are made of numbers, + - * / **, t, pi{state} and "
            f"{', '.join(FUNCTIONS)}"
        )

    def _wrong(self, words: str) -> typer.BadParameter:
        return typed_wrong(words, self.option)


def _number(x: Any) -> Any:
    return x if isinstance(x, Symbol) else float(x)
