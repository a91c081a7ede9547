"""The rows on the screen."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from .row import Row, Taken, Target

NARROWEST = 150  # where the output goes to a file


def show(measured: dict[str, list[Row]]) -> None:
    """One table, a section for every benchmark; times are the best, medians in brackets."""
    table = Table(title="Loopwright and its peers: best (median) of several, one thread", title_justify="left")
    table.add_column("case")
    table.add_column("time", justify="right")
    table.add_column("peer")
    table.add_column("its time", justify="right")
    table.add_column("ratio", justify="right")
    table.add_column("target", justify="right")
    table.add_column("")
    table.add_column("differ", justify="right")
    table.add_column("note")
    for name, rows in measured.items():
        table.add_section()
        table.add_row(f"[bold]{name.replace('_', ' ')}")
        before = ""
        for row in rows:
            table.add_row("" if row.case == before else row.case, *_cells(row, row.case == before))
            before = row.case
    console = Console()
    Console(width=max(console.width, NARROWEST)).print(table)
    judged = [row for rows in measured.values() for row in rows if row.met is not None]
    print(f"{sum(bool(row.met) for row in judged)} of {len(judged)} targets met")


def _cells(row: Row, repeated: bool) -> list[str]:
    ratio = row.ratio
    return [
        "" if repeated else _taken(row.taken, row.unit),
        row.peer,
        "" if row.peer_taken is None else _taken(row.peer_taken, row.unit),
        "" if ratio is None else f"{ratio:.3g}",
        "" if row.target is None else _target(row.target, row.unit),
        {True: "[green]met", False: "[red]missed", None: ""}[row.met],
        "" if row.differ is None else f"{row.differ:.0e}",
        row.note,
    ]


def _target(target: Target, unit: str) -> str:
    if target.times is not None:
        return f">= {target.times:g}"
    return f"<= {_with_prefix(target.at_most or 0.0, unit)}"


def _taken(taken: Taken, unit: str) -> str:
    return f"{_with_prefix(taken.best, unit)} ({_with_prefix(taken.median, unit)})"


def _with_prefix(value: float, unit: str) -> str:
    """Three digits, seconds as ms, us or ns where that reads better."""
    if unit == "s":
        for size, prefix in ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n")):
            if value >= size or prefix == "n":
                return f"{value / size:.3g} {prefix}s"
    return f"{value:.3g} {unit}"
