"""`loopwright count`: what one evaluation costs, beside what the literature gives."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .models import AsJson, Model, Parameters

if TYPE_CHECKING:
    from ..verbs.literature import Formula
    from ..verbs.tally import Tally

HEADS = ("×", "+", "÷", "√", "sin, cos", "other")


def count(
    model: Model,
    quantity: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="One quantity only: forward, inverse, mass_matrix, bias …", show_default=False
        ),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(metavar="NAME", help="One algorithm only: aba, crba, rnea …", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Draw there how counts and formulas grow with the freedoms of a general chain, 1 to 12.",
            show_default=False,
        ),
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Count the operations of every algorithm for MODEL, its constants folded in; formulas of the literature beside.

    Formulas are of serial arms in general position. They count multiplications (with divisions) and additions.
    """
    from . import screen
    from .models import load

    mechanism = load(model, parameters)
    rows = [_told(mechanism, *pair) for pair in screen.progress(_wanted(quantity, algorithm), "counting")]
    files = _draw(sorted({row.quantity for row in rows}), out) if out is not None else {}
    if as_json:
        screen.data({"name": mechanism.name, "rows": [_row(row) for row in rows], "files": files})
        return
    opened = ", with its loops open at the cuts" if mechanism.tree.cuts else ""
    screen.heading(f"{mechanism.name}: operations of one evaluation{opened}")
    _show(rows)
    for what, file in files.items():
        screen.say(f"{what}: {file}")


def _told(mechanism: Any, quantity: str, algorithm: str) -> Tally:
    from ..verbs.tally import tally

    return tally(mechanism, quantity, algorithm)


def _wanted(quantity: str | None, algorithm: str | None) -> list[tuple[str, str]]:
    """(quantity, algorithm) of every line that was asked for."""
    from ..verbs.tally import ALGORITHMS, WITHOUT_ALGORITHM

    known = dict.fromkeys([*(q for q, _ in ALGORITHMS), *WITHOUT_ALGORITHM])
    if quantity is not None and quantity not in known:
        raise typer.BadParameter(f"no quantity '{quantity}'; there are {', '.join(known)}", param_hint="--quantity")
    pairs = [*ALGORITHMS, *((q, "") for q in WITHOUT_ALGORITHM if q == quantity)]
    pairs = [pair for pair in pairs if quantity in (None, pair[0])]
    found = [pair for pair in pairs if algorithm in (None, pair[1])]
    if not found:
        names = ", ".join(dict.fromkeys(name for _, name in pairs if name)) or "none to choose"
        raise typer.BadParameter(f"no algorithm '{algorithm}'; there are {names}", param_hint="--algorithm")
    return found


def _show(rows: list[Tally]) -> None:
    from . import screen

    columns = [
        ("quantity", "left"),
        ("algorithm", "left"),
        *((head, "right") for head in HEADS),
        ("literature", "left"),
    ]
    counted = [row for row in rows if row.counts is not None]
    screen.table(columns, [[row.quantity, row.algorithm, *_numbers(row), _beside(row)] for row in counted])
    for row in rows:
        if row.counts is None:
            screen.say(f"{row.quantity} {row.algorithm}: {row.why_not}")
    if any(row.formulas for row in counted):
        screen.say("literature: multiplications (with divisions) / additions, for arms in general position;")
        screen.say("(?) marks formulas that are copies of copies")


def _numbers(row: Tally) -> list[str]:
    return [str(value) for value in asdict(row.counts).values()] if row.counts is not None else []


def _beside(row: Tally) -> str:
    return "\n".join(_formula(formula, row) for formula in row.formulas)


def _formula(formula: Formula, row: Tally) -> str:
    multiplications, additions = formula.at(row.joints or ())
    doubt = "" if formula.confirmed else " (?)"
    return f"{multiplications:.0f} / {additions:.0f}  {formula.name}{doubt}"


def _row(row: Tally) -> dict[str, Any]:
    """For a program."""
    given = []
    for formula in row.formulas:
        multiplications, additions = formula.at(row.joints or ())
        given.append(
            {
                "name": formula.name,
                "source": formula.source,
                "confirmed": formula.confirmed,
                "multiplications": multiplications,
                "additions": additions,
            }
        )
    counts = None if row.counts is None else {**asdict(row.counts), "total": row.counts.total}
    return {
        "quantity": row.quantity,
        "algorithm": row.algorithm,
        "counts": counts,
        "why_not": row.why_not,
        "literature": given,
    }


def _draw(quantities: list[str], folder: Path) -> dict[str, str]:
    """One picture for each quantity that has algorithms to compare."""
    from ..verbs.growth import MIXES, growth
    from ..verbs.tally import ALGORITHMS
    from ..view import operations_figure, save
    from . import screen

    compared = [quantity for quantity in quantities if quantity in dict(ALGORITHMS)]
    every = [(quantity, title) for quantity in compared for title in MIXES]
    lines = {at: growth(at[0], MIXES[at[1]]) for at in screen.progress(every, "general chains")}
    files = {}
    for quantity in compared:
        panels = {title: lines[quantity, title] for title in MIXES}
        title = f"{quantity.replace('_', ' ')}: operations of chains in general position"
        files[quantity] = str(save(operations_figure(panels, title), folder / f"operations_{quantity}.png"))
    return files
