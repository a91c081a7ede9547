"""`loopwright export`: a quantity of a mechanism in a form for other programs, or for paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import LoopwrightError
from .models import AsJson, Model, Parameters

if TYPE_CHECKING:
    from ..verbs import Dynamics


@dataclass(frozen=True)
class Form:
    """`written(dynamics, quantity, which)` is the text of the file."""

    suffix: str
    written: Callable[[Dynamics, str, dict[str, Any]], str]


def _in_c(dynamics: Dynamics, quantity: str, which: dict[str, Any]) -> str:
    return dynamics.c_source(quantity, **which)


def _in_casadi(dynamics: Dynamics, quantity: str, which: dict[str, Any]) -> str:
    """What `casadi.Function.load` reads: text, though CasADi writes it to files only."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / quantity
        dynamics.casadi(quantity, **which).save(str(file))
        return file.read_text(encoding="ascii")


def _in_latex(dynamics: Dynamics, quantity: str, which: dict[str, Any]) -> str:
    if not which["parameters"]:
        which = {**which, "parameters": None}  # equations name them all unless some are chosen
    text: str = dynamics.equations(quantity, form="latex", **which)
    return text


FORMS = {"c": Form(".c", _in_c), "casadi": Form(".casadi", _in_casadi), "latex": Form(".tex", _in_latex)}


def export(
    model: Model,
    to: Annotated[str, typer.Option(metavar="|".join(FORMS), help="The form to write.", show_default=False)],
    quantity: Annotated[
        str, typer.Option(metavar="NAME", help="What to compute: forward, inverse, mass_matrix, bias, pose …")
    ] = "forward",
    algorithm: Annotated[
        str | None, typer.Option(metavar="NAME", help="By which algorithm: aba, crba, rnea …", show_default=False)
    ] = None,
    body: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of which body, for pose, jacobian and twist.", show_default=False),
    ] = None,
    free: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A parameter that stays an input (in LaTeX a letter). May be repeated.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it; the screen otherwise.", show_default=False)
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Write the equations of MODEL as a C file, a CasADi function or LaTeX.

    The C file is C99 without dependencies. casadi.Function.load reads the CasADi file. LaTeX is for small mechanisms.
    """
    from ..verbs import Dynamics
    from . import screen
    from .models import load

    if to not in FORMS:
        raise typer.BadParameter(f"no form '{to}'; there are {', '.join(FORMS)}", param_hint="--to")
    mechanism = load(model, parameters)
    which: dict[str, Any] = {"parameters": tuple(free or ())}
    which |= {name: value for name, value in (("algorithm", algorithm), ("body", body)) if value is not None}
    text = FORMS[to].written(Dynamics(mechanism), quantity, which)
    if out is not None:
        _write(text, out)
    if as_json:
        answer = {"name": mechanism.name, "quantity": quantity, "form": to, "suffix": FORMS[to].suffix}
        screen.data({**answer, **({"file": str(out)} if out is not None else {"text": text})})
    elif out is None:
        screen.say(text)
    else:
        screen.say(f"{quantity} of {mechanism.name}: {out}")


def _write(text: str, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise LoopwrightError(f"cannot write {path}: {error.strerror or error}") from None
