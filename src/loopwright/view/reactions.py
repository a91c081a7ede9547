"""What the joints carry over time: sizes of forces and of moments under each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .motion import Lines, draw, legend, looks_of
from .saving import as_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def reactions_figure(t: Any, sizes: Mapping[str, tuple[Any, Any]], title: str = "") -> Figure:
    """By joint the size of its moment and of its force, a number for every entry of t."""
    from matplotlib.figure import Figure

    moments, forces = (np.array([pair[k] for pair in sizes.values()]).T for k in (0, 1))
    panels = [Lines("force", "N", list(sizes), forces), Lines("moment", "N·m", list(sizes), moments)]
    looks = looks_of(list(sizes))
    figure = Figure(figsize=(9.0, 6.0), layout="constrained")
    axes = figure.subplots(2, 1, sharex=True)
    for ax, lines in zip(axes, panels, strict=True):
        draw(ax, np.asarray(t, dtype=float), lines, looks)
    axes[-1].set_xlabel("time (s)")
    legend(figure, panels, looks)
    figure.suptitle(as_words(title), x=0.01, ha="left", fontweight="bold")
    return figure
