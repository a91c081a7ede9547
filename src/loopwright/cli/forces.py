"""--tau: the actuators' forces over time, as a number, an expression or a CSV file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoopwrightError
from .columns import columns_of
from .expressions import Law, expression, typed_wrong

if TYPE_CHECKING:
    from ..mechanism import Mechanism

_OPTION = "--tau"


def read_tau(mechanism: Mechanism, given: str) -> Any:
    """What `simulate` takes: numbers, a law, or samples."""
    if given.lower().endswith(".csv"):
        return _from_file(mechanism, Path(given))
    return _from_text(mechanism, given)


# an expression for all actuators, or NAME=EXPR; NAME=EXPR


def _from_text(mechanism: Mechanism, given: str) -> Any:
    laws: dict[str, Law] = {}
    steady = True
    for part in given.split(";"):
        name, sign, text = part.rpartition("=")
        law, free = expression(text, _OPTION, mechanism)
        steady &= not free
        for actuator in _actuators(mechanism, name.strip(), bool(sign)):
            if actuator in laws:
                raise typed_wrong(f"actuator '{actuator}' is given twice", _OPTION)
            laws[actuator] = law
    from ..control import law as law_of

    ordered: list[Law] = [laws.get(name, _nothing) for name in mechanism.actuators]
    if steady:
        try:
            values = [law(0.0, None, None) for law in ordered]
        except (ArithmeticError, ValueError) as error:
            raise typed_wrong(f"'{given}' has no value: {error}", _OPTION) from None
        if not all(map(math.isfinite, values)):
            raise typed_wrong(f"'{given}' is not a finite number", _OPTION)
        return values
    return law_of(mechanism, lambda t, q, v: [law(t, q, v) for law in ordered])


def _nothing(t: Any, q: Any, v: Any) -> float:
    return 0.0


def _actuators(mechanism: Mechanism, name: str, named: bool) -> tuple[str, ...]:
    if not named:
        return mechanism.actuators
    if name not in mechanism.actuators:
        known = ", ".join(mechanism.actuators) or "none"
        raise typed_wrong(f"'{mechanism.name}' has no actuator '{name}'; it has {known}", _OPTION)
    return (name,)


# columns of a file


def _from_file(mechanism: Mechanism, path: Path) -> Any:
    """A smooth curve through the rows, held at its ends; columns are tau.NAME, as `inverse` writes them, or NAME."""
    import numpy as np

    from ..control.trajectory import Samples

    columns = columns_of(path, "table of forces")
    if "t" not in columns:
        raise LoopwrightError(f"{path} lacks the column t")
    if not mechanism.actuators:
        raise LoopwrightError(f"'{mechanism.name}' has no actuator for the forces in {path}")
    found = []
    for name in mechanism.actuators:
        values = columns.get(f"tau.{name}", columns.get(name))
        if values is None:
            raise LoopwrightError(f"{path} lacks the column tau.{name}; '{mechanism.name}' has an actuator there")
        found.append(np.array(values))
    try:
        return Samples(columns["t"], np.stack(found, axis=1), "cubic")
    except LoopwrightError as error:
        raise LoopwrightError(f"{path}: {error}") from None
