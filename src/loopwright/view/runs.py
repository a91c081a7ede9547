"""A run in one figure: the motion on the left; forces, energy balance and errors on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..mechanism import actuator_units, position_units, velocity_units
from ..simulate import Run
from ..spatial import Array
from .motion import COLOURS, draw, legend, looks_of, panels, plain
from .saving import as_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST = 1e-17  # what an error of nothing is drawn at
_GREY = "#5b6670"


def run_figure(run: Run, title: str = "") -> Figure:
    """Coordinates and their rates; actuator forces, energies with the work done, and what went wrong by how much."""
    from matplotlib.figure import Figure

    m = run.mechanism
    positions = panels("position", m.coordinates, position_units(m), run.q)
    rates = panels("rate", m.velocities, velocity_units(m), run.v)
    forces = panels("force", m.actuators, actuator_units(m), run.tau) if np.any(run.tau) else []
    left = [one for one in (*positions, *rates) if one is not None]
    right = [one for one in forces if one is not None]
    looks = looks_of([*m.velocities, *m.coordinates, *m.actuators])
    figure = Figure(figsize=(15.0, 2.6 * max(len(left), len(right) + 2, 3) + 0.6), layout="constrained")
    columns = figure.add_gridspec(1, 2)
    last: list[Any] = []
    for column, lines, extra in ((columns[0], left, ()), (columns[1], right, (_energies, _errors))):
        grid = column.subgridspec(len(lines) + len(extra), 1)
        axes = [figure.add_subplot(grid[k]) for k in range(len(lines) + len(extra))]
        for ax, one in zip(axes, lines, strict=False):
            draw(ax, run.t, one, looks)
        for ax, add in zip(axes[len(lines) :], extra, strict=True):
            plain(ax)
            add(ax, run)
        last.append(axes[-1])
    for ax in last:
        ax.set_xlabel("time (s)")
    legend(figure, [*left, *right], looks)
    words = title or f"{m.name}: {run.settings.formulation}, {run.settings.method}; {run.status}"
    figure.suptitle(as_words(words), x=0.01, ha="left", fontweight="bold")
    return figure


def _energies(ax: Any, run: Run) -> None:
    """Kinetic, potential and their sum against the start, and the work that should account for the sum."""
    m = run.measured
    lines: list[tuple[str, Array]] = [
        ("kinetic", m.kinetic),
        ("potential, against the start", m.potential - m.potential[:1]),
        ("both", m.energy - m.energy[:1] + m.kinetic[:1]),
    ]
    lines += [(f"work of {kind}", done) for kind, done in m.work.items() if kind != "springs" and np.any(done)]
    for k, (name, values) in enumerate(lines):
        ax.plot(
            run.t, values, color=COLOURS[k % len(COLOURS)], linewidth=1.8, label=name, linestyle="--" if k > 2 else "-"
        )
    ax.set_ylabel("energy (J)")
    _named(ax)


def _errors(ax: Any, run: Run) -> None:
    """On a scale of powers of ten."""
    m = run.measured
    lines = [("energy balance, of what moved", np.abs(m.imbalance) / (m.exchanged or 1.0))]
    if m.gap.shape[1]:
        lines += [
            ("loops open (rad, m)", np.abs(m.gap).max(axis=1)),
            ("opening (per s)", np.abs(m.gap_rate).max(axis=1)),
        ]
    audit = run.__dict__.get("audit")
    if audit is not None and len(audit.digits_over_time) == len(run.t):
        lines.append(("against a tighter run", 10.0**-audit.digits_over_time))
    for k, (name, values) in enumerate(lines):
        ax.plot(run.t, np.maximum(values, _LEAST), color=COLOURS[k], linewidth=1.4, label=name)
    ax.set_yscale("log")
    ax.set_ylabel("error")
    _named(ax)


def _named(ax: Any) -> None:
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9, labelcolor=_GREY)
