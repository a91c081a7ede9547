"""Where each formulation wins: operations and time, as bars for one mechanism or as lines over a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..verbs.comparison import Compared
from .motion import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WHAT = ("operations", "one by one (µs a state)", "side by side (µs a state)")


def comparison_figure(over: Mapping[float, Sequence[Compared]], title: str, parameter: str = "") -> Figure:
    """Of one mechanism, or of several by the value of a parameter."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 4.6), layout="constrained")
    names = list(dict.fromkeys(one.name for rows in over.values() for one in rows if one.counts is not None))
    for ax, what in zip(figure.subplots(1, len(_WHAT)), _WHAT, strict=True):
        if parameter:
            _lines(ax, over, names, what)
            ax.set_xlabel(parameter)
            ax.set_yscale("log")
            ax.set_xscale("log", base=2)
            ax.set_xticks(list(over), [f"{value:g}" for value in over])
            ax.minorticks_off()
        else:
            _bars(ax, next(iter(over.values())), names, what)
        ax.set_title(what, loc="left", fontsize=10)
        ax.grid(color="#dde3e9", linewidth=0.8, axis="both" if parameter else "x")
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    if parameter:
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize=9)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _value(one: Compared, what: str) -> float | None:
    if what == _WHAT[0]:
        return None if one.counts is None else float(one.counts.total)
    seconds = one.one_by_one if what == _WHAT[1] else one.side_by_side
    return None if seconds is None else 1e6 * seconds


def _lines(ax: Axes, over: Mapping[float, Sequence[Compared]], names: Sequence[str], what: str) -> None:
    for k, name in enumerate(names):
        points = [(at, _value(one, what)) for at, rows in over.items() for one in rows if one.name == name]
        known = [(at, value) for at, value in points if value is not None]
        if known:
            ax.plot(*zip(*known, strict=True), color=COLOURS[k % len(COLOURS)], marker="o", ms=4, label=name)


def _bars(ax: Axes, rows: Sequence[Compared], names: Sequence[str], what: str) -> None:
    values = [next((_value(one, what) for one in rows if one.name == name), None) or 0.0 for name in names]
    places = list(range(len(names)))[::-1]
    ax.barh(places, values, color=[COLOURS[k % len(COLOURS)] for k in range(len(names))], height=0.65)
    ax.set_yticks(places, list(names))
    for place, value in zip(places, values, strict=True):
        ax.annotate(f" {value:.4g}", (value, place), va="center", fontsize=8)
    ax.margins(x=0.18)
