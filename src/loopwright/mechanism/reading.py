"""Turning what the user typed into tuples of numbers, with a sentence when it cannot be done."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array
from .expression import Expression
from .joints import BY_NAME
from .parts import Shape

LARGEST = 1e50  # so that products of a few such numbers, as recursions make them, still fit a float

# what float() would take, or take apart, without being one real number
_NOT_NUMBERS = (bool, np.bool_, str, bytes, complex, np.complexfloating, np.ndarray)


def name(what: str, given: Any) -> str:
    if not isinstance(given, str) or not given.strip():
        raise LoopwrightError(f"{what}: a name must be a non-empty string, got {given!r}")
    return given


def chosen_cuts(given: Any) -> tuple[str, ...]:
    """The user's choice of joints to cut, as names."""
    names = tuple(given) if several(given) else (None,)
    if not all(isinstance(name, str) for name in names):
        raise LoopwrightError(f"cuts must be a list of joint names, got {given!r}")
    return names


def number(what: str, option: str, given: Any) -> Any:
    """A float, or an expression of parameters."""
    plain = _unboxed(given)
    if isinstance(plain, Expression):
        return plain
    value = _float(what, option, plain)
    why = why_unusable(value)
    if why:
        raise LoopwrightError(f"{what}: {option} {why}")
    return value


def plain_number(what: str, option: str, given: Any) -> float:
    """A float, and no expression."""
    value = number(what, option, given)
    if isinstance(value, Expression):
        raise LoopwrightError(f"{what}: {option} must be a plain number, not the expression {value} of parameters")
    return float(value)


def why_unusable(value: Any) -> str:
    """Why nothing can be computed with a number, or "" when it can."""
    if isinstance(value, complex):
        return "is not a real number"
    if not np.isfinite(value):
        return f"is {value}; it must be a finite number"
    return f"is {value:g}, too large to compute with (more than {LARGEST:g})" if abs(value) > LARGEST else ""


def _float(what: str, option: str, plain: Any) -> float:
    if not _may_be_real(plain):
        raise LoopwrightError(f"{what}: {option} must be a number, got {plain!r}")
    try:
        return float(plain)
    except OverflowError:
        raise LoopwrightError(f"{what}: {option} is too large to compute with (more than {LARGEST:g})") from None
    except (TypeError, ValueError, RuntimeError):
        raise LoopwrightError(f"{what}: {option} must be a number, got {plain!r}") from None


def _may_be_real(given: Any) -> bool:
    return not isinstance(given, _NOT_NUMBERS) and (hasattr(given, "__float__") or hasattr(given, "__index__"))


def floats(what: str, given: Any) -> Array:
    """An array of real numbers, whatever its shape; words and complex numbers, which NumPy would cast, are refused."""
    if type(given) is np.ndarray and given.dtype == float:
        return given
    try:
        values = np.asarray(given)
        if values.dtype.kind in "iuf":
            return values.astype(float)
        if values.dtype.kind == "O" and all(_may_be_real(entry) for entry in values.flat):
            return values.astype(float)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        pass
    raise LoopwrightError(f"{what} must be an array of numbers, got {given!r}")


def _unboxed(given: Any) -> Any:
    """The element of an array without axes."""
    return given[()] if isinstance(given, np.ndarray) and given.ndim == 0 else given


def several(given: Any) -> bool:
    """Whether it is a list of things rather than one thing."""
    return hasattr(given, "__iter__") and not isinstance(_unboxed(given), (str, bytes, Expression)) and _axes(given) > 0


def _axes(given: Any) -> int:
    return given.ndim if isinstance(given, np.ndarray) else 1


def _sequence(what: str, option: str, given: Any, wanted: str) -> list[Any]:
    if not several(given) or isinstance(given, (dict, set, frozenset)):
        raise LoopwrightError(f"{what}: {option} needs {wanted}, got {given!r}")
    return list(given)


def triple(what: str, option: str, given: Any) -> tuple[Any, Any, Any]:
    items = _sequence(what, option, given, "3 numbers")
    if len(items) != 3:
        raise LoopwrightError(f"{what}: {option} needs 3 numbers, got {len(items)}: {given!r}")
    x, y, z = (number(what, f"{option}[{k}]", item) for k, item in enumerate(items))
    return x, y, z


def inertia(what: str, given: Any) -> tuple[Any, ...]:
    """(xx, yy, zz, xy, xz, yz) from 3 or 6 numbers or a symmetric 3x3 matrix."""
    rows = _sequence(what, "inertia", given, "3 or 6 numbers or a 3x3 matrix")
    if len(rows) == 3 and all(several(row) for row in rows):
        m = [triple(what, f"inertia[{k}]", row) for k, row in enumerate(rows)]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            if m[i][j] != m[j][i]:
                raise LoopwrightError(f"{what}: the inertia matrix is not symmetric: {m[i][j]} against {m[j][i]}")
        return (m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2])
    if len(rows) not in (3, 6):
        raise LoopwrightError(f"{what}: inertia needs 3 or 6 numbers (xx, yy, zz[, xy, xz, yz]), got {len(rows)}")
    values = tuple(number(what, f"inertia[{k}]", row) for k, row in enumerate(rows))
    return values if len(values) == 6 else (*values, 0.0, 0.0, 0.0)


def each(what: str, option: str, given: Any, count: int) -> tuple[Any, ...]:
    """One number per coordinate; a single number serves all."""
    if not several(given):
        return (number(what, option, given),) * count
    items = _sequence(what, option, given, one_or(count, "number"))
    if len(items) != count:
        raise LoopwrightError(f"{what}: {option} needs {one_or(count, 'number')}, got {len(items)}")
    return entries(what, option, items)


def one_or(count: int, thing: str) -> str:
    """How many things serve `count` coordinates."""
    return f"1 {thing}" if count == 1 else f"1 or {count} {thing}s"


def entries(what: str, option: str, given: Any) -> tuple[Any, ...]:
    """As many numbers as there are; one when it is a single number."""
    if not several(given):
        return (number(what, option, given),)
    items = _sequence(what, option, given, "numbers")
    return tuple(number(what, f"{option}[{k}]", item) for k, item in enumerate(items))


def flags(what: str, option: str, given: Any, count: int) -> tuple[bool, ...]:
    """One True or False per coordinate; a single one serves all."""
    items = list(given) if several(given) else [_unboxed(given)] * count
    if len(items) != count or not all(isinstance(item, (bool, np.bool_)) for item in items):
        wanted = "True or False" + (f", or {count} of them" if count > 1 else "")
        raise LoopwrightError(f"{what}: {option} must be {wanted}, got {given!r}")
    return tuple(bool(item) for item in items)


def friction(what: str, given: Any, count: int) -> tuple[tuple[Any, Any], ...]:
    """Magnitudes (forward, backward) for every coordinate; one number serves both directions."""
    if not several(given):
        return ((number(what, "friction", given),) * 2,) * count
    items = _sequence(what, "friction", given, "numbers")
    if count == 1 and len(items) == 2:
        return (_both_ways(what, items),)
    if len(items) != count:
        wanted = "1 number or (forward, backward)" if count == 1 else one_or(count, "number")
        raise LoopwrightError(f"{what}: friction needs {wanted}, got {len(items)} numbers")
    return tuple(_both_ways(what, item) for item in items)


def _both_ways(what: str, given: Any) -> tuple[Any, Any]:
    found = entries(what, "friction", given)
    if len(found) not in (1, 2):
        raise LoopwrightError(f"{what}: friction of a coordinate is 1 number or (forward, backward), got {given!r}")
    return found[0], found[-1]


def limits(what: str, given: Any, kind: str) -> tuple[tuple[float, float], ...]:
    """One (lower, upper) per position coordinate; infinities allowed."""
    if given is None:
        return ()
    joint = BY_NAME[kind]
    if not joint.flat:
        raise LoopwrightError(
            f"{what}: a {kind} joint takes no limits; make it of revolutes, one per angle, to limit those"
        )
    pairs = _sequence(what, "limits", given, "(lower, upper)")
    if joint.nq == 1 and len(pairs) == 2 and not any(several(pair) for pair in pairs):
        pairs = [pairs]
    if len(pairs) != joint.nq or not all(several(pair) for pair in pairs):
        wanted = "(lower, upper)" if joint.nq == 1 else f"one (lower, upper) for each of {', '.join(joint.positions)}"
        raise LoopwrightError(f"{what}: limits needs {wanted}, got {given!r}")
    return tuple(_interval(what, pair) for pair in pairs)


def _interval(what: str, given: Any) -> tuple[float, float]:
    ends = _sequence(what, "limits", given, "(lower, upper)")
    if len(ends) != 2:
        raise LoopwrightError(f"{what}: limits are (lower, upper), got {given!r}")
    lower, upper = (_end(what, end) for end in ends)
    if lower > upper:
        raise LoopwrightError(f"{what}: the lower limit {lower:g} is above the upper limit {upper:g}; swap them")
    if lower == np.inf or upper == -np.inf:
        raise LoopwrightError(f"{what}: the limits ({lower:g}, {upper:g}) leave no position; use -inf below, inf above")
    return lower, upper


def _end(what: str, given: Any) -> float:
    if isinstance(_unboxed(given), Expression):
        raise LoopwrightError(f"{what}: limits must be plain numbers, not the expression {given} of parameters")
    value = _float(what, "a limit", _unboxed(given))
    if np.isnan(value):
        raise LoopwrightError(f"{what}: a limit is nan; it must be a number, -inf or inf")
    return value


def rest(what: str, given: Any, kind: str) -> tuple[Any, ...]:
    """The position at which the joint's spring is slack: nq numbers."""
    joint = BY_NAME[kind]
    if joint.flat or several(given):
        return each(what, "rest", given, joint.nq)
    if number(what, "rest", given) != 0.0:
        raise LoopwrightError(
            f"{what}: rest of a {kind} joint needs {joint.nq} numbers ({', '.join(joint.positions)}), got {given!r}"
        )
    return tuple(float(value) for value in joint.neutral())


def shapes(what: str, given: Any) -> tuple[Shape, ...]:
    """Things to draw."""
    items = _sequence(what, "shapes", given, "a list of Shape")
    for item in items:
        if not isinstance(item, Shape):
            raise LoopwrightError(f"{what}: shapes needs a list of Shape, got {item!r}")
    return tuple(items)


def geometry(what: str, option: str, given: Any) -> Any:
    """An axis or normal, a pair of axes, or a pitch."""
    if option == "pitch":
        return number(what, option, given)
    if option == "axes":
        pair = _sequence(what, option, given, "two axes")
        if len(pair) != 2:
            raise LoopwrightError(f"{what}: axes needs two axes, got {len(pair)}")
        return (triple(what, "axes", pair[0]), triple(what, "axes", pair[1]))
    return triple(what, option, given)


def function_or(what: str, option: str, given: Any, plain: Callable[[str, str, Any], Any]) -> Any:
    """A function of t or of (t, q, v), or plain numbers."""
    if not callable(given):
        return plain(what, option, given)
    arguments_taken(what, option, given)
    return given


def arguments_taken(what: str, option: str, function: Any) -> int:
    """1 for a function of t, 3 for one of (t, q, v)."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return 1
    for count in (1, 3):
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return count
    raise LoopwrightError(f"{what}: {option} must be a function of t or of (t, q, v), not {signature}")
