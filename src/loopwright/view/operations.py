"""Operations over the number of freedoms: one panel for each kind of chain, ours as lines, the literature's dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..verbs.growth import Line
from .motion import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ((0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 1.5, 1, 1.5)))


def operations_figure(panels: Mapping[str, Sequence[Line]], title: str) -> Figure:
    """Of `growth`, by the kind of chain."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 8.0), layout="constrained")
    grid = figure.subplots(-(-len(panels) // 2), min(len(panels), 2), squeeze=False)
    axes = iter(grid.flat)
    looks = _looks([line for lines in panels.values() for line in lines])
    drawn = {}
    for (what, lines), ax in zip(panels.items(), axes, strict=False):
        for line in lines:
            colour, dashes = looks[_name(line)]
            width, marker = (1.3, "") if line.source else (2.2, "o")
            (drawn[_name(line)],) = ax.plot(
                line.freedoms, line.operations, color=colour, linestyle=dashes, linewidth=width, marker=marker, ms=4
            )
        _dress(ax, what)
    for ax in axes:  # what is left of the grid
        ax.set_axis_off()
    names = sorted(drawn, key=list(looks).index)
    figure.legend([drawn[n] for n in names], names, loc="outside right upper", frameon=False, fontsize=9)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _name(line: Line) -> str:
    return f"{line.algorithm}: {line.source}" if line.source else f"{line.algorithm}, counted here"


def _looks(lines: Sequence[Line]) -> dict[str, tuple[str, object]]:
    """An algorithm has one colour; its formulas are dashed, each its own way."""
    algorithms = list(dict.fromkeys(line.algorithm for line in lines))
    found: dict[str, tuple[str, object]] = {}
    for k, algorithm in enumerate(algorithms):
        sources = dict.fromkeys(line.source for line in lines if line.algorithm == algorithm and line.source)
        found[f"{algorithm}, counted here"] = (COLOURS[k % len(COLOURS)], "-")
        for j, source in enumerate(sources):
            found[f"{algorithm}: {source}"] = (COLOURS[k % len(COLOURS)], _DASHES[j % len(_DASHES)])
    return found


def _dress(ax: Axes, what: str) -> None:
    ax.set_title(what, loc="left", fontsize=10)
    ax.set_xlabel("freedoms n")
    ax.set_ylabel("multiplications and additions")
    ax.set_xlim(0, 12.5)
    ax.grid(color="#dde3e9", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_ylim(bottom=0)
