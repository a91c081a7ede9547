"""Where each formulation wins: operations and time, as bars for one mechanism or as lines over a parameter.

The least of those that hold loops exactly wins and is marked; soft loops are drawn pale.
"""

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

    rows = [one for compared in over.values() for one in compared]
    # a formulation keeps its colour where others cannot be had
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(dict.fromkeys(one.name for one in rows))}
    shown = [what for what in _WHAT if any(_value(one, what) is not None for one in rows)]
    figure = Figure(figsize=(3.0 + 4.0 * len(shown), 4.6), layout="constrained")
    for ax, what in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        if parameter:
            _lines(ax, over, colours, what)
            ax.set_xlabel(parameter)
            ax.set_yscale("log")
            ax.set_xscale("log", base=2)
            ax.set_xticks(list(over), [f"{value:g}" for value in over])
            ax.minorticks_off()
        else:
            _bars(ax, next(iter(over.values())), colours, what)
        ax.set_title(what, loc="left", fontsize=10)
        ax.grid(color="#dde3e9", linewidth=0.8, axis="both" if parameter else "x")
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    if parameter:
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", frameon=False, fontsize=9)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _value(one: Compared, what: str) -> float | None:
    if what == _WHAT[0]:
        return None if one.counts is None else float(one.counts.total)
    seconds = one.one_by_one if what == _WHAT[1] else one.side_by_side
    return None if seconds is None else 1e6 * seconds


def _winner(rows: Sequence[Compared], what: str) -> Compared | None:
    exact = [one for one in rows if not one.soft and _value(one, what) is not None]
    return min(exact, key=lambda one: _value(one, what) or 0.0, default=None)


def _lines(ax: Axes, over: Mapping[float, Sequence[Compared]], colours: Mapping[str, str], what: str) -> None:
    for name, colour in colours.items():
        points = [(at, one) for at, rows in over.items() for one in rows if one.name == name]
        known = [(at, value) for at, one in points if (value := _value(one, what)) is not None]
        soft = any(one.soft for _, one in points)
        if known:
            style, label = ("--", f"{name} (soft)") if soft else ("-", name)
            ax.plot(*zip(*known, strict=True), color=colour, linestyle=style, marker="o", ms=4, label=label)
    best = [(at, one) for at, rows in over.items() if (one := _winner(rows, what)) is not None]
    won = [(at, _value(one, what)) for at, one in best]
    if won:
        ax.plot(*zip(*won, strict=True), "o", mfc="none", mec="black", ms=9, label="wins")


def _bars(ax: Axes, rows: Sequence[Compared], colours: Mapping[str, str], what: str) -> None:
    there = [(one, value) for one in rows if (value := _value(one, what)) is not None]
    best, places = _winner(rows, what), list(range(len(there)))[::-1]
    bars = ax.barh(places, [value for _, value in there], color=[colours[one.name] for one, _ in there], height=0.65)
    ax.set_yticks(places, [f"{one.name} (soft)" if one.soft else one.name for one, _ in there])
    for place, bar, (one, value) in zip(places, bars, there, strict=True):
        bar.set_alpha(0.4 if one.soft else 1.0)
        said, weight = (f" {value:.4g}  wins", "bold") if one is best else (f" {value:.4g}", "normal")
        ax.annotate(said, (value, place), va="center", fontsize=8, fontweight=weight)
    ax.margins(x=0.25)
