"""Evaluating quantities: by NumPy at first, by a compiled kernel once enough states have been asked for."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..program import Kernel
from ..spatial import Array
from ..topology import Forest
from . import rolling
from .quantities import Quantity
from .record import functions_of, kernel
from .states import each_state, read

PATIENCE = 100  # states of one quantity computed by NumPy before it is worth a compilation of a fraction of a second
# where a program must be written out, compiling it unasked for more coordinates than this would be a long pause
UNASKED_UP_TO = 50


class Answers:
    """Holds the forest for NumPy and the kernels made so far.

    `compiled` True compiles at the first question, False never, None when a quantity has been asked for more
    than PATIENCE states and the mechanism is not too large to compile in a moment. Both ways compute the same to
    rounding.
    """

    def __init__(self, mechanism: Mechanism, forest: Forest, compiled: bool | None) -> None:
        self.mechanism, self.forest, self.compiled = mechanism, forest, compiled
        self._kernels: dict[str, Kernel] = {}
        self._asked: Counter[str] = Counter()
        self.by_time = bool(functions_of(mechanism))
        self._slow: set[str] = set()  # quantities that a user's load function keeps from being recorded

    def kernel(
        self,
        quantity: Quantity,
        parameters: tuple[str, ...] = (),
        width: int | None = None,
        rolled: bool | None = None,
    ) -> Kernel:
        """The compiled quantity, made once."""
        label = f"{quantity.label} {parameters} {width} {rolled}"
        if label not in self._kernels:
            self._kernels[label] = kernel(self.mechanism, self.forest, quantity, parameters, width, rolled)
        return self._kernels[label]

    def __call__(self, quantity: Quantity, given: dict[str, Any]) -> Array:
        values = {name: read(self.mechanism, name, value) for name, value in given.items()}
        if not self.by_time:
            values.pop("t", None)
        made = self._ready(quantity, values)
        if made is not None:
            return _by_kernel(made, values)
        return self._by_numbers(quantity, values)

    def made(self, quantity: Quantity) -> Kernel | None:
        """The kernel that answers for a quantity, if there is one by now."""
        return self._kernels.get(f"{quantity.label} () None None")

    def by_parameters(self, quantity: Quantity, given: dict[str, Any], parameters: tuple[str, ...]) -> Array:
        """A column for each of these parameters, at their present values."""
        values = {name: read(self.mechanism, name, value) for name, value in given.items()}
        if not self.by_time:
            values.pop("t", None)
        present = {name: np.asarray(self.mechanism.values[name]) for name in parameters}
        return _by_kernel(self.kernel(quantity, parameters), {**values, **present})

    def _ready(self, quantity: Quantity, values: dict[str, Array]) -> Kernel | None:
        label = quantity.label
        if quantity.recorded_only:
            return self.kernel(quantity)
        if self.compiled is False or label in self._slow:
            return None
        if self.compiled is None and self.made(quantity) is None:
            self._asked[label] += max(math.prod(value.shape[:-1]) for name, value in values.items() if name != "t")
            if not self._is_worth_it(quantity):
                return None
        try:
            return self.kernel(quantity)
        except LoopwrightError:
            if self.compiled:
                raise
            self._slow.add(label)
            return None

    def _is_worth_it(self, quantity: Quantity) -> bool:
        """Whether so much has been asked that compiling will have been the shorter way."""
        asked, nv = self._asked[quantity.label], self.mechanism.nv
        if rolling.chosen(self.mechanism, self.forest, quantity, (), None):
            return asked * nv > PATIENCE * UNASKED_UP_TO  # which takes as long for many coordinates as for few
        return asked > PATIENCE and nv <= UNASKED_UP_TO

    def _by_numbers(self, quantity: Quantity, values: dict[str, Array]) -> Array:
        cores = [0 if name == "t" else 1 for name in values]
        now = () if "t" in values or "t" not in quantity.inputs else (0.0,)

        def one(*state: Array) -> Array:
            return np.asarray(quantity.compute(self.forest, *state, *now), dtype=float)

        with np.errstate(all="ignore"):
            return each_state(one, list(values.values()), cores)


def _by_kernel(made: Kernel, values: dict[str, Array]) -> Array:
    try:
        return made(*values.values())
    except ValueError:
        shapes = ", ".join(f"{name} {value.shape}" for name, value in values.items())
        raise LoopwrightError(f"the leading axes of {shapes} do not broadcast together") from None
