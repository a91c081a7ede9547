"""Named parameters: numbers that can be changed, swept or differentiated after the mechanism is built.

`b["l2"] * 2` is an `Expression`: a small immutable tree that remembers how it was written and is given a
value, a float or a symbol, only when the mechanism is laid out for computing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import cos, sin, sqrt

DEEPEST = 200  # operations within operations, which are read by recursion

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {"sin": sin, "cos": cos, "sqrt": sqrt}
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}


@dataclass(frozen=True, repr=False)
class Expression:
    """`op` is a parameter's name (no arguments), a function, or an operator of two arguments."""

    op: str
    arguments: tuple[Any, ...] = ()
    depth: int = field(init=False, default=1, compare=False)

    def __post_init__(self) -> None:
        depth = 1 + max((argument.depth for argument in self.arguments if isinstance(argument, Expression)), default=0)
        if depth > DEEPEST:
            raise LoopwrightError(
                f"an expression of parameters is more than {DEEPEST} operations deep; let part of it be a parameter"
            )
        object.__setattr__(self, "depth", depth)

    def __add__(self, other: Any) -> Expression:
        return _operation("+", self, other)

    def __radd__(self, other: Any) -> Expression:
        return _operation("+", other, self)

    def __sub__(self, other: Any) -> Expression:
        return _operation("-", self, other)

    def __rsub__(self, other: Any) -> Expression:
        return _operation("-", other, self)

    def __mul__(self, other: Any) -> Expression:
        return _operation("*", self, other)

    def __rmul__(self, other: Any) -> Expression:
        return _operation("*", other, self)

    def __truediv__(self, other: Any) -> Expression:
        return _operation("/", self, other)

    def __rtruediv__(self, other: Any) -> Expression:
        return _operation("/", other, self)

    def __pow__(self, other: Any) -> Expression:
        return _operation("**", self, other)

    def __rpow__(self, other: Any) -> Expression:
        return _operation("**", other, self)

    def __neg__(self) -> Expression:
        return _operation("*", -1.0, self)

    def __pos__(self) -> Expression:
        return self

    # NumPy calls these when its own functions are given an expression: np.sin(b["angle"])
    def sin(self) -> Expression:
        return Expression("sin", (self,))

    def cos(self) -> Expression:
        return Expression("cos", (self,))

    def sqrt(self) -> Expression:
        return Expression("sqrt", (self,))

    def __float__(self) -> float:
        raise LoopwrightError(
            f"'{self}' has no value of its own: it stands for a parameter. Use it where the Builder takes a number, "
            "with + - * / ** and numpy's sin, cos and sqrt (not math's)"
        )

    def __str__(self) -> str:
        if not self.arguments:
            return self.op
        if len(self.arguments) == 1:
            text = str(self.arguments[0])
            return f"{self.op}{text}" if text.startswith("(") else f"{self.op}({text})"
        return f"({self.arguments[0]} {self.op} {self.arguments[1]})"

    __repr__ = __str__  # as messages quote what was given

    def parameters(self) -> Iterator[str]:
        """Names of the parameters it is made of."""
        if not self.arguments:
            yield self.op
        for argument in self.arguments:
            if isinstance(argument, Expression):
                yield from argument.parameters()


_DECLINED: Expression = NotImplemented  # Python then asks the other operand


def _operation(op: str, a: Any, b: Any) -> Expression:
    """The expression; an array is left to take the operation to its elements itself."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _DECLINED
    return Expression(op, (_operand(op, a), _operand(op, b)))


def _operand(op: str, given: Any) -> Any:
    if isinstance(given, Expression):
        return given
    if not isinstance(given, (bool, np.bool_, str, bytes, complex, np.complexfloating)):
        try:
            return float(given)
        except (TypeError, ValueError, OverflowError, RuntimeError):
            pass
    raise LoopwrightError(f"a parameter can stand beside a number in '{op}', not beside {given!r}")


def evaluated(value: Any, values: Mapping[str, Any]) -> Any:
    """The number that `value` stands for; tuples element by element."""
    if isinstance(value, tuple):
        return tuple(evaluated(item, values) for item in value)
    if not isinstance(value, Expression):
        return value
    if not value.arguments:
        return values[value.op]
    arguments = [evaluated(argument, values) for argument in value.arguments]
    try:
        with np.errstate(all="ignore"):
            if len(arguments) == 1:
                return _FUNCTIONS[value.op](arguments[0])
            return _OPERATIONS[value.op](*arguments)
    except (ZeroDivisionError, OverflowError, ValueError):
        return math.nan  # the check that reads the number names the place


def parameters_in(value: Any) -> set[str]:
    """Names of every parameter a value (or a tuple of values) depends on."""
    if isinstance(value, tuple):
        return set().union(*(parameters_in(item) for item in value))
    return set(value.parameters()) if isinstance(value, Expression) else set()
