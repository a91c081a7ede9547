"""What a number may be: a float, a complex number, or a symbol; the one file that tells them apart.

Everything else in Loopwright is written over NumPy arrays whose elements support `+ - * /`. An array of
floats is computed at once; an array of `Symbol`s (dtype object) records an expression. The few functions
that NumPy cannot apply to symbols live here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .symbol import Symbol, symbols

Array = Any  # an ndarray of floats, complex numbers or symbols: one text for all of them
Number = Any  # one element of such an array

_COUNTED = (float, int, complex, np.number)


def array(items: Sequence[Any]) -> Array:
    """An array from nested sequences of numbers: float or complex when it can be, object when it cannot."""
    built = np.array(items)
    if built.dtype == float:  # most are, and looking at every number costs more than all else
        return built
    return _tightened(np.array(items, dtype=object))


def _tightened(built: Array) -> Array:
    kinds = {type(x) for x in built.flat}
    if all(issubclass(k, (float, int, np.floating, np.integer)) for k in kinds):
        return built.astype(float)
    if all(issubclass(k, _COUNTED) for k in kinds):
        return built.astype(complex)
    return built


def blockwise(rows: int, columns: int, blocks: Iterable[tuple[Any, Any, Array]]) -> Array:
    """A matrix of zeros with blocks put in place: (row slice or index, column slice or index, block)."""
    matrix = np.full((rows, columns), 0.0, dtype=object)
    for i, j, values in blocks:
        matrix[i, j] = values
    return _tightened(matrix)


def numbers(value: Any) -> Array:
    """`value` as an array this library computes with, whatever it came as."""
    if hasattr(value, "elements") and hasattr(value, "sparsity"):
        return _tightened(symbols(value))
    given = array(value) if isinstance(value, (list, tuple)) else np.asarray(value)
    if given.dtype.kind in "fc":
        return given
    if given.dtype.kind in "iub":
        return given.astype(float)
    tight = _tightened(given)
    if not all(isinstance(x, (*_COUNTED, Symbol)) for x in tight.flat):
        raise TypeError(f"neither numbers nor symbols: {value!r}")
    return tight


def is_symbolic(value: Any) -> bool:
    """Whether any element is a symbol, so that its value is not known now."""
    return any(isinstance(x, Symbol) for x in np.asarray(value, dtype=object).flat)


def is_nothing(value: Number) -> bool:
    """Whether one number is known to be zero; a symbol never is."""
    return isinstance(value, (float, int, np.number)) and value == 0


def _elementwise(name: str, plain: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def scalar(x: Any) -> Any:
        return plain(x) if isinstance(x, (float, int, complex, np.number)) else getattr(x, name)()

    over_objects = np.frompyfunc(scalar, 1, 1)

    def apply(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return over_objects(x) if x.dtype == object else plain(x)
        return scalar(x)

    apply.__name__ = name
    apply.__doc__ = f"{name} of numbers or symbols, element by element."
    return apply


sin = _elementwise("sin", np.sin)
cos = _elementwise("cos", np.cos)
sqrt = _elementwise("sqrt", np.sqrt)
absolute = _elementwise("fabs", np.abs)
sign = _elementwise("sign", np.sign)


def arctan2(y: Number, x: Number) -> Number:
    """The angle of the point (x, y), of two numbers or symbols."""
    if isinstance(y, Symbol):
        return y.arctan2(x)
    return Symbol(_constant(y)).arctan2(x) if isinstance(x, Symbol) else math.atan2(y, x)


def where(condition: Any, yes: Number, no: Number) -> Number:
    """`yes` where the condition holds, `no` elsewhere; neither taints the other when it is not finite."""
    if isinstance(condition, Symbol):
        return condition.choose(yes, no)
    return yes if condition else no


def _constant(value: float) -> Any:
    import casadi

    return casadi.SX(float(value))
