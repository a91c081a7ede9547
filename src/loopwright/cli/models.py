"""MODEL and its parameters, as typed."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import LoopwrightError

if TYPE_CHECKING:
    from ..mechanism import Mechanism

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help='A ready mechanism, by its name in "loopwright zoo".', show_default=False)
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        "-p",
        metavar="NAME=VALUE",
        help="A keyword or a parameter of the mechanism: -p n=4, -p lengths=0.3,1,0.6,1. May be repeated.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program, and nothing else.")]

_FILES = {".urdf", ".xml", ".mjcf", ".sdf", ".yaml", ".yml", ".json", ".csv", ".xacro"}


def load(model: str, parameters: Sequence[str] | None = None) -> Mechanism:
    """The mechanism that was meant."""
    from ..zoo import MECHANISMS

    if model not in MECHANISMS:
        _refuse(model, list(MECHANISMS))
    make = MECHANISMS[model]
    given = _pairs(parameters or ())
    taken = inspect.signature(make).parameters
    mechanism = make(**{name: _like(taken[name].default, name, given.pop(name)) for name in taken if name in given})
    _require_known(model, list(given), make, mechanism)
    changes = {name: _like(0.0, name, value) for name, value in given.items()}
    return mechanism.with_parameters(**changes) if changes else mechanism


def _refuse(model: str, known: list[str]) -> None:
    if Path(model).suffix.lower() in _FILES or "/" in model or "\\" in model or Path(model).is_file():
        raise LoopwrightError(
            f"cannot read '{model}': this version does not read model files yet, only the ready mechanisms by name "
            '("loopwright zoo" lists them); in Python, lw.Builder makes any mechanism'
        )
    near = difflib.get_close_matches(model, known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    raise typer.BadParameter(
        f"there is no mechanism '{model}'{hint} The ready ones are {', '.join(known)}", param_hint="MODEL"
    )


def _require_known(model: str, names: list[str], make: Callable[..., Any], mechanism: Mechanism) -> None:
    known = [*inspect.signature(make).parameters, *mechanism.values]
    for name in names:
        if name not in mechanism.values:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(known) or 'none'}"
            raise typer.BadParameter(f"'{model}' has no parameter '{name}'{hint}", param_hint="--parameter")


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (tuple, "numbers with commas between"),
    (str, "a word"),
)


def _like(default: Any, name: str, value: Any) -> Any:
    """The value, if it is of the default's kind; one number may stand where several are expected."""
    if isinstance(default, tuple) and not isinstance(value, tuple):
        value = (value,)
    for kind, words in _KINDS:
        if isinstance(default, kind):
            if not isinstance(value, kind) or isinstance(value, bool) != isinstance(default, bool):
                raise typer.BadParameter(f"{name} must be {words}, not {_typed(value)}", param_hint="--parameter")
            break
    return value


def _typed(value: Any) -> str:
    return ",".join(map(_typed, value)) if isinstance(value, tuple) else str(value)


def _pairs(given: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in given:
        name, sign, text = pair.partition("=")
        name = name.strip()
        if not sign or not name or not text.strip():
            raise typer.BadParameter(f"'{pair}' should be NAME=VALUE", param_hint="--parameter")
        if name in found:
            raise typer.BadParameter(f"'{name}' is given twice", param_hint="--parameter")
        found[name] = _value(text.strip())
    return found


def _value(text: str) -> Any:
    """A number, true or false, several of these with commas between, or the word itself."""
    if "," in text:
        return tuple(_value(part.strip()) for part in text.strip("()[]").split(",") if part.strip())
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
