"""A load given as a function: called with what it takes, its answer read as numbers, its failures told by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array, Number, is_symbolic, numbers
from .expression import evaluated, parameters_in
from .reading import arguments_taken, one_or, several


@dataclass(frozen=True)
class LoadFunction:
    """The user's function, which takes t or (t, q, v) and gives `count` numbers."""

    what: str  # "wrench 'push': its force"
    function: Callable[..., Any]
    takes: int
    count: int
    one_serves_all: bool

    def __call__(self, t: Number, q: Array, v: Array) -> Array:
        given = self._called(t, q, v)
        if isinstance(given, (str, bytes, Mapping, set, frozenset)):
            raise self._wrong(given)
        try:
            values = numbers(np.atleast_1d(numbers(list(given) if several(given) else given)))
        except (TypeError, ValueError):
            raise self._wrong(given) from None
        fits = values.shape == (self.count,) or (self.one_serves_all and values.shape == (1,))
        real = values.dtype.kind == "f" or is_symbolic(values)
        if not (fits and real) or any(parameters_in(value) for value in values.flat):
            raise self._wrong(given)
        return values if values.shape == (self.count,) else np.repeat(values, self.count)

    def _called(self, t: Number, q: Array, v: Array) -> Any:
        try:
            return self.function(t) if self.takes == 1 else self.function(t, _to_read(q), _to_read(v))
        except Exception as error:
            if is_symbolic(t) or is_symbolic(q) or is_symbolic(v):
                raise LoopwrightError(
                    f"{self.what} cannot be recorded: it is a Python function that does not work on symbols "
                    f"({error}). Write it with + - * / and np.sin, np.cos, np.sqrt only, or stay with compiled=False"
                ) from error
            raise LoopwrightError(f"{self.what} failed at t = {float(t):g}: {type(error).__name__}: {error}") from error

    def _wrong(self, given: Any) -> LoopwrightError:
        wanted = one_or(self.count, "number") if self.one_serves_all else f"{self.count} numbers"
        shown = str(given) if len(str(given)) < 80 else type(given).__name__
        return LoopwrightError(f"{self.what} must be {wanted}, and its function returned {shown}")


def acting(
    what: str, option: str, given: Any, count: int, values: Mapping[str, Any], one_serves_all: bool = False
) -> Any:
    """What a load is made of: numbers now, or a function to be asked."""
    if callable(given):
        takes = arguments_taken(what, option, given)
        return LoadFunction(f"{what}: its {option}", given, takes, count, one_serves_all)
    return evaluated(given, values)


def _to_read(values: Array) -> Array:
    """The state as a function of the user's may see it, and not change it."""
    seen = values.view()
    seen.flags.writeable = False
    return seen
