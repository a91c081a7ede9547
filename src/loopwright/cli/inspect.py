"""`loopwright inspect`: what a mechanism is and how it will be computed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .models import AsJson, Model, Parameters


def inspect(
    model: Model,
    graph: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg", help="Draw bodies, joints, loops and cuts into this file.", show_default=False
        ),
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Report bodies, joints, loops, cuts, subsystems and the count of freedoms of MODEL."""
    from ..verbs import report
    from . import screen
    from .models import load

    if graph is not None and graph.suffix.lower() != ".svg":
        raise typer.BadParameter(f"'{graph}': the drawing is SVG, so the name must end in .svg", param_hint="--graph")
    mechanism = load(model, parameters)
    told = report(mechanism)
    if graph is not None:
        from ..view import graph_svg, save

        save(graph_svg(mechanism), graph)
    if as_json:
        screen.data({**told.data, **({"graph": str(graph)} if graph is not None else {})})
        return
    screen.say(str(told))
    if graph is not None:
        screen.say(f"\ngraph: {graph}")
