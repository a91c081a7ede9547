"""`loopwright compare`: every formulation on one mechanism, or along a family of them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .models import AsJson, Model, Parameters

if TYPE_CHECKING:
    from ..verbs.comparison import Compared


def compare(
    model: Model,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=A,B,…",
            help="Compare at several values of one parameter, as -p takes it: --over n=1,2,4,8.",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw there operations and times, and which is the least: .png, .svg, .pdf.",
            show_default=False,
        ),
    ] = None,
    parameters: Parameters = None,
    untimed: Annotated[bool, typer.Option("--untimed", help="Count operations only, without compiling.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare every formulation on MODEL: agreement, operations and time of forward dynamics.

    Agreement is with the equations solved by a general solver, relative to the largest acceleration. Times are per
    state on one thread, of states computed one by one and side by side. A mechanism without loops has algorithms in
    the place of formulations. Springs hold loops softly: they agree with nothing at once, and do not win in the plot.
    The formulation dae, which simulates and gives no accelerations, is not among them.
    """
    from . import screen
    from .models import load

    name, values = _family(over)
    at = {value: load(model, [*(parameters or ()), *([f"{name}={value:g}"] if name else [])]) for value in values}
    from ..verbs.comparison import chosen, compared, ways

    wanted = {value: chosen(mechanism) for value, mechanism in at.items()}
    pairs = [(value, way) for value, mechanism in at.items() for way in ways(mechanism)]
    found: dict[float, list[Compared]] = {value: [] for value in values}
    for value, way in screen.progress(pairs, "comparing"):
        found[value].append(compared(at[value], way, wanted[value][0], not untimed))
    title = next(iter(at.values())).name
    files = {"plot": str(_draw(found, title, name, plot))} if plot is not None else {}
    if as_json:
        listed = {f"{value:g}": [_row(one) for one in rows] for value, rows in found.items()}
        told = {"over": name, "values": listed} if name else {"rows": next(iter(listed.values()))}
        screen.data({"name": title, **told, "files": files})
        return
    for value, rows in found.items():
        screen.heading(f"{title}{f', {name} = {value:g}' if name else ''}: forward dynamics")
        _show(rows)
        screen.say(f"taken when none is asked for: {wanted[value][1]}")
        for one in rows:
            if one.why_not:
                screen.say(f"{one.name}: {one.why_not}")
    for what, file in files.items():
        screen.say(f"{what}: {file}")


def _family(over: str | None) -> tuple[str, list[float]]:
    """The parameter and its values; one nameless value where there is no family."""
    if over is None:
        return "", [0.0]
    name, sign, text = over.partition("=")
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not sign or not name.strip() or not values:
        raise typer.BadParameter(f"'{over}' should be NAME=A,B,…, numbers with commas between", param_hint="--over")
    return name.strip(), list(dict.fromkeys(values))


def _show(rows: list[Compared]) -> None:
    from . import screen

    columns = [("", "left"), ("×", "right"), ("+", "right"), ("÷", "right"), ("all operations", "right")]
    columns += [("apart", "right"), ("one by one", "right"), ("side by side", "right")]
    screen.table(columns, [_line(one) for one in rows if one.counts is not None])


def _line(one: Compared) -> list[str]:
    assert one.counts is not None
    c = one.counts
    apart = "soft" if one.soft else "" if one.apart is None else f"{one.apart:.1e}"
    times = ["" if s is None else _time(s) for s in (one.one_by_one, one.side_by_side)]
    counted = [str(n) for n in (c.multiplications, c.additions, c.divisions, c.total)]
    return [f"{one.name}{' *' if one.chosen else ''}", *counted, apart, *times]


def _time(seconds: float) -> str:
    return f"{seconds * 1e9:.0f} ns" if seconds < 1e-6 else f"{seconds * 1e6:.3g} µs"


def _row(one: Compared) -> dict[str, Any]:
    """For a program."""
    found = asdict(one)
    if one.counts is not None:
        found["counts"]["total"] = one.counts.total
    return found


def _draw(found: dict[float, list[Compared]], title: str, name: str, file: Path) -> Path:
    from ..view import comparison_figure, save

    return save(comparison_figure(found, f"{title}: forward dynamics by formulation", name), file)
