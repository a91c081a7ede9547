"""A scalar that stands for a value not known yet: what an algorithm is run on to record it.

It wraps one scalar CasADi expression, so that arrays of symbols are ordinary NumPy arrays, and it never
records work with structural zeros and ones: 0 * x is 0, x + 0 and 1 * x are x.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

_PLAIN = (float, int, np.floating, np.integer)


class Symbol:
    """One scalar expression; `.sx` is the CasADi SX behind it."""

    __slots__ = ("sx",)
    __hash__ = None  # type: ignore[assignment]  # == records a comparison

    def __init__(self, sx: Any) -> None:
        self.sx = sx

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Symbol):
            return _two("ADD", self, other)
        if isinstance(other, _PLAIN):
            return self if other == 0 else _two("ADD", self, other)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Symbol):
            return _two("SUB", self, other)
        if isinstance(other, _PLAIN):
            return self if other == 0 else _two("SUB", self, other)
        return NotImplemented

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, _PLAIN):
            return -self if other == 0 else _two("SUB", other, self)
        return NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Symbol):
            return _two("MUL", self, other)
        if isinstance(other, _PLAIN):
            if other == 0:
                return 0.0
            if other == 1:
                return self
            return -self if other == -1 else _two("MUL", self, other)
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Symbol):
            return _two("DIV", self, other)
        if isinstance(other, _PLAIN):
            return self if other == 1 else _two("DIV", self, other)
        return NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, _PLAIN):
            return 0.0 if other == 0 else _two("DIV", other, self)
        return NotImplemented

    def __pow__(self, power: Any) -> Any:
        if isinstance(power, Symbol):
            return _two("POW", self, power)
        return self * self if power == 2 else _two("POW", self, power)

    def __rpow__(self, base: Any) -> Any:
        return _two("POW", base, self)

    def __neg__(self) -> Symbol:
        return _one("NEG", self)

    def __pos__(self) -> Symbol:
        return self

    def __lt__(self, other: Any) -> Symbol:
        return _two("LT", self, other)

    def __le__(self, other: Any) -> Symbol:
        return _two("LE", self, other)

    def __gt__(self, other: Any) -> Symbol:
        return _two("LT", other, self)

    def __ge__(self, other: Any) -> Symbol:
        return _two("LE", other, self)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return _two("EQ", self, other)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return _two("NE", self, other)

    def __bool__(self) -> bool:
        raise TypeError("a symbol has no truth value: its number is not known yet; use lw.where(condition, yes, no)")

    def __repr__(self) -> str:
        return str(self.sx)

    def sin(self) -> Symbol:
        return _one("SIN", self)

    def cos(self) -> Symbol:
        return _one("COS", self)

    def sqrt(self) -> Symbol:
        return _one("SQRT", self)

    def fabs(self) -> Symbol:
        return _one("FABS", self)

    __abs__ = fabs

    def sign(self) -> Symbol:
        return _one("SIGN", self)

    def tan(self) -> Symbol:
        return _one("TAN", self)

    def arcsin(self) -> Symbol:
        return _one("ASIN", self)

    def arccos(self) -> Symbol:
        return _one("ACOS", self)

    def arctan(self) -> Symbol:
        return _one("ATAN", self)

    def exp(self) -> Symbol:
        return _one("EXP", self)

    def log(self) -> Symbol:
        return _one("LOG", self)

    def sinh(self) -> Symbol:
        return _one("SINH", self)

    def cosh(self) -> Symbol:
        return _one("COSH", self)

    def tanh(self) -> Symbol:
        return _one("TANH", self)

    def arctan2(self, x: Any) -> Symbol:
        """The angle of the point (x, self)."""
        return _two("ATAN2", self, x)

    def choose(self, yes: Any, no: Any) -> Symbol:
        """`yes` where this condition holds, `no` elsewhere."""
        import casadi

        return Symbol(casadi.if_else(self.sx, _sx(yes), _sx(no)))


@cache
def _code(name: str) -> int:
    import casadi

    return int(getattr(casadi, f"OP_{name}"))


def _two(name: str, a: Any, b: Any) -> Symbol:
    """What CasADi's own operators do, at a tenth of the time: they try other meanings first, in Python.

    And Ctrl-C meanwhile would be lost there.
    """
    x, y = _scalar(a), _scalar(b)
    return Symbol(x.binary(_code(name), x, y))


def _one(name: str, a: Symbol) -> Symbol:
    return Symbol(a.sx.unary(_code(name), a.sx))


def _scalar(value: Any) -> Any:
    if isinstance(value, Symbol):
        return value.sx
    import casadi

    return casadi.SX(float(value))


def _sx(value: Any) -> Any:
    return value.sx if isinstance(value, Symbol) else float(value)


def symbols(expression: Any) -> Any:
    """The array of the scalars of a CasADi SX: a column becomes a vector, a 1 x 1 a vector of one."""
    scalars = np.empty(expression.numel(), dtype=object)
    for k, scalar in enumerate(expression.elements()):
        scalars[k] = scalar if isinstance(scalar, float) else Symbol(scalar)  # a DM holds floats
    return scalars if expression.shape[1] == 1 else scalars.reshape(expression.shape, order="F")


def expression(values: Any) -> Any:
    """The CasADi SX of an array of symbols and numbers; a vector becomes a column."""
    import casadi

    given = np.asarray(values, dtype=object)
    shape = given.shape if given.ndim == 2 else (given.size, 1)
    flat = casadi.vertcat(*(_sx(value) for value in given.reshape(-1, order="F")))
    return casadi.SX(flat).reshape(shape) if given.size else casadi.SX(*shape)
