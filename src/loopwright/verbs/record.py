"""The one place where a formulation becomes a program: a quantity's text is run on symbols and folded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..dynamics import links_at, towards_ground
from ..mechanism import Mechanism
from ..program import Face, Kernel, System, Tape, compiled, compiled_rolled, tape_of
from ..spatial import Symbol, expression, symbols
from ..topology import BASE, Forest, forest, lean
from . import rolling
from .quantities import Quantity


def face_of(mechanism: Mechanism, quantity: Quantity, parameters: Sequence[str] = ()) -> Face:
    """Names and lengths of what the recorded program takes, and the shape of what it gives."""
    sizes = {"q": mechanism.nq, "t": None, "tau": mechanism.nu, **dict(quantity.sizes)}
    inputs = [(name, sizes.get(name, mechanism.nv)) for name in _taken(mechanism, quantity)]
    inputs += [(name, None) for name in parameters]
    columns = (len(parameters),) if quantity.by_parameters else ()
    return Face(quantity.name, tuple(inputs), quantity.shape(mechanism) + columns)


def _taken(mechanism: Mechanism, quantity: Quantity) -> list[str]:
    """The quantity's inputs; time only where a load depends on it, or the quantity itself."""
    always = {name for name, _ in quantity.sizes}
    return [name for name in quantity.inputs if name != "t" or name in always or functions_of(mechanism)]


def functions_of(mechanism: Mechanism) -> list[Any]:
    """The loads given as Python functions."""
    given = [value for w in mechanism.wrenches for value in (w.force, w.torque)]
    given += [effort.value for effort in mechanism.efforts]
    return [value for value in given if callable(value)]


def recorded(mechanism: Mechanism, quantity: Quantity, parameters: Sequence[str] = ()) -> Any:
    """The `casadi.Function` of a quantity, matrices row by row; named parameters stay inputs."""
    face = face_of(mechanism, quantity, parameters)
    inputs, given = _symbols(face)
    answers = _computed(mechanism, quantity, quantity.compute, given, parameters)
    return _function(quantity.name, inputs, [answers], [name for name, _ in face.inputs])


def _symbols(face: Face) -> tuple[list[Any], list[Any]]:
    """CasADi's symbols for the inputs, and the same as arrays for our texts."""
    import casadi

    inputs = [casadi.SX.sym(name, 1 if size is None else size) for name, size in face.inputs]
    sizes = [size for _, size in face.inputs]
    return inputs, [Symbol(x) if size is None else symbols(x) for x, size in zip(inputs, sizes, strict=True)]


def _computed(
    mechanism: Mechanism,
    quantity: Quantity,
    compute: Callable[..., Any],
    given: list[Any],
    parameters: Sequence[str],
) -> Any:
    """The quantity's text run on symbols."""
    count = len(given) - len(parameters)
    free = dict(zip(parameters, given[count:], strict=True))
    now = [0.0] * (len(quantity.inputs) - count)
    by = [list(free.values())] if quantity.by_parameters else []
    return compute(_forest(mechanism, quantity, free), *given[:count], *now, *by)


def _function(name: str, inputs: list[Any], answers: list[Any], names: list[str]) -> Any:
    import casadi

    folded = casadi.cse([expression(np.reshape(answer, -1)) for answer in answers])
    outputs = ["out"] if len(answers) == 1 else [f"out{k}" for k in range(len(answers))]
    return casadi.Function(name, inputs, [casadi.densify(part) for part in folded], names, outputs)


def _forest(mechanism: Mechanism, quantity: Quantity, free: dict[str, Any]) -> Forest:
    laid_out = forest(mechanism, free)
    return laid_out if quantity.layout == "plain" else lean(laid_out, lump=quantity.layout == "lean")


LARGE = 10  # unknowns of a linear system from which on it is solved in loops instead of written out


def tape(mechanism: Mechanism, quantity: Quantity, parameters: Sequence[str] = ()) -> Tape:
    """The flat list of operations, a large linear system at its end left to be solved in loops."""
    if quantity.unsolved is None or mechanism.nv <= LARGE:
        return tape_of(recorded(mechanism, quantity, parameters))
    face = face_of(mechanism, quantity, parameters)
    inputs, given = _symbols(face)
    S, X = _computed(mechanism, quantity, quantity.unsolved, given, parameters)
    function = _function(quantity.name, inputs, [S, X], [name for name, _ in face.inputs])
    up = towards_ground(links_at(_forest(mechanism, quantity, {}), mechanism.neutral()))
    system = System(tuple(up), tuple(_inner(up, k) for k in range(mechanism.nv)), X.shape[1])
    return replace(tape_of(function), system=system)


def _inner(up: dict[int, int], k: int) -> tuple[int, ...]:
    """The coordinates between k and the ground, nearest first."""
    found = []
    while (k := up[k]) != BASE:
        found.append(k)
    return tuple(found)


def kernel(
    mechanism: Mechanism,
    laid_out: Forest,
    quantity: Quantity,
    parameters: Sequence[str] = (),
    width: int | None = None,
    rolled: bool | None = None,
) -> Kernel:
    """Native code, written out or `rolled`, from the cache when it has been made before."""
    face = face_of(mechanism, quantity, parameters)
    if rolling.chosen(mechanism, laid_out, quantity, parameters, rolled):
        return compiled_rolled(face, rolling.rolled(laid_out, quantity), width)
    return compiled(face, _key(mechanism, quantity, parameters), lambda: tape(mechanism, quantity, parameters), width)


def _key(mechanism: Mechanism, quantity: Quantity, parameters: Sequence[str]) -> str:
    """Everything that the program depends on, or "" when a function of the user's is among it."""
    if functions_of(mechanism):
        return ""
    return f"{_everything(mechanism)} {quantity.label} {list(parameters)}"


def _everything(mechanism: Mechanism) -> str:
    from dataclasses import astuple, fields

    shown = [
        getattr(mechanism, field.name) for field in fields(mechanism) if field.name not in ("name", "notes", "source")
    ]
    return repr(
        [
            [astuple(item) if hasattr(item, "__dataclass_fields__") else item for item in _listed(value)]
            for value in shown
        ]
    )


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]
