"""A motion and the forces it takes, over time: coordinates, rates and actuator forces under each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..mechanism import Mechanism, actuator_units, position_units, velocity_units
from ..spatial import Array
from .saving import as_words
from .svg import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#2474b5", "#c8404f", "#2f9150", "#d9822b", "#8a55b3", "#0e9494", "#b0437c", "#77682c")
STYLES: tuple[Literal["-", "--", ":", "-."], ...] = ("-", "--", ":", "-.")
Look = tuple[str, Literal["-", "--", ":", "-."]]
_LEGEND_ROWS = 30
_STRIPE = 4.0  # widths of a line
_LONGEST = 32  # characters of a name
_MOST_NAMED = 60


@dataclass(frozen=True)
class Lines:
    """One panel's worth: what is drawn, its unit, and the columns of `values` with their names."""

    what: str
    unit: str
    names: Sequence[str]
    values: Array


def motion_figure(mechanism: Mechanism, t: Any, q: Any, v: Any, tau: Any, title: str = "") -> Figure:
    """q, v and tau (a row for every entry of t) as lines over time; turning coordinates left, sliding ones right."""
    from matplotlib.figure import Figure

    t = np.asarray(t, dtype=float)
    rows = [
        panels("position", mechanism.coordinates, position_units(mechanism), q),
        panels("rate", mechanism.velocities, velocity_units(mechanism), v),
        panels("force", mechanism.actuators, actuator_units(mechanism), tau),
    ]
    sides = [k for k in (0, 1) if any(row[k] is not None for row in rows)]
    looks = looks_of([*mechanism.velocities, *mechanism.coordinates, *mechanism.actuators])
    figure = Figure(figsize=(7.0 * len(sides) + 2.0, 8.0), layout="constrained")
    axes = figure.subplots(len(rows), max(len(sides), 1), sharex=True, squeeze=False)
    for row, line_of_axes in zip(rows, axes, strict=True):
        for side, ax in zip(sides, line_of_axes, strict=False):
            draw(ax, t, row[side], looks)
    for ax in axes[-1]:
        ax.set_xlabel("time (s)")
    legend(figure, [lines for row in rows for lines in row if lines is not None], looks)
    figure.suptitle(as_words(title or mechanism.name), x=0.01, ha="left", fontweight="bold")
    return figure


def panels(what: str, names: Sequence[str], units: Sequence[str], values: Any) -> list[Lines | None]:
    """What turns (quaternions with it) and what slides."""
    table = np.asarray(values, dtype=float)
    found: list[Lines | None] = []
    for slides in (False, True):
        chosen = [k for k, unit in enumerate(units) if (unit in ("m", "m/s", "N")) == slides]
        if not chosen:
            found.append(None)
            continue
        word = {"force": "force" if slides else "torque", "position": "position" if slides else "angle"}.get(what, what)
        unit = " or ".join(dict.fromkeys(units[k] or "quaternion" for k in chosen))
        found.append(Lines(word, unit, [names[k] for k in chosen], table[:, chosen]))
    return found


def looks_of(names: Sequence[str]) -> dict[str, Look]:
    """Colour and style of every coordinate, the same in all panels."""
    return {
        name: (COLOURS[k % len(COLOURS)], STYLES[k // len(COLOURS) % len(STYLES)])
        for k, name in enumerate(dict.fromkeys(names))
    }


def draw(ax: Axes, t: Array, lines: Lines | None, looks: dict[str, Look]) -> None:
    plain(ax)
    if lines is None:
        ax.set_axis_off()
        return
    ax.set_ylabel(f"{lines.what} ({lines.unit})")
    for k, (count, place) in enumerate(_alike(lines.values)):
        colour, style = looks[lines.names[k]]
        # lines that lie on each other are drawn as stripes of their colours
        striped = (place * _STRIPE, (_STRIPE, (count - 1) * _STRIPE))
        (line,) = ax.plot(t, lines.values[:, k], color=colour, linewidth=1.8, marker="o" if t.size == 1 else "")
        line.set_linestyle(style if count == 1 else striped)


def _alike(values: Array) -> list[tuple[int, int]]:
    """For every column, how many cannot be told from it by eye, itself among them, and its place among those."""
    columns = values.T
    if len(columns) > _MOST_NAMED:
        return [(1, 0)] * len(columns)
    near = 0.003 * float(np.ptp(values))
    groups: list[list[int]] = []
    for k, column in enumerate(columns):
        for group in groups:
            if len(group) < len(COLOURS) and float(np.abs(columns[group[0]] - column).max(initial=0.0)) <= near:
                group.append(k)
                break
        else:
            groups.append([k])
    found = {k: (len(group), place) for group in groups for place, k in enumerate(group)}
    return [found[k] for k in range(len(columns))]


def plain(ax: Axes) -> None:
    ax.grid(color="#dde3e9", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.margins(x=0.01)


def legend(figure: Figure, panels: Sequence[Lines], looks: dict[str, Look]) -> None:
    """One for all panels, beside them."""
    from matplotlib.lines import Line2D

    drawn = {name for lines in panels for name in lines.names}
    names = [name for name in looks if name in drawn]
    shown = names if len(names) <= _MOST_NAMED else [*names[: _MOST_NAMED - 2], names[-1]]
    handles = [Line2D([], [], color=looks[n][0], linestyle=looks[n][1], linewidth=2.0) for n in shown]
    labels = [as_words(shortened(name, _LONGEST)) for name in shown]
    if len(shown) < len(names):
        handles.insert(-1, Line2D([], [], linestyle=""))
        labels.insert(-1, "…")
    figure.legend(
        handles,
        labels,
        loc="outside right upper",
        frameon=False,
        fontsize=9 if len(labels) <= _LEGEND_ROWS else 7,
        ncols=max(1, -(-len(labels) // _LEGEND_ROWS)),
    )
