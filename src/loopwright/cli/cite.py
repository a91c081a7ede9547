"""`loopwright cite`: the papers behind a mechanism and what computes it."""

from __future__ import annotations

from typing import Annotated

import typer

from .models import AsJson, Model, Parameters


def cite(
    model: Model,
    formulation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of loops: embedding, sparse, subsystem …", show_default=False),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Simulated by this method: dop853, abm, rodas4 …", show_default=False),
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Name the papers behind MODEL and what computes it, with their entries in BibTeX."""
    from ..verbs import Dynamics
    from ..verbs.sources import Source, bibliography, sources
    from . import screen
    from .models import load

    found = sources(Dynamics(load(model, parameters), formulation))
    if method is not None:
        from ..simulate.methods import method as methods

        one = methods(method)
        found.append(Source("motion over time", one.name, one.source))
    entries = bibliography()
    keys = dict.fromkeys(key for source in found for key in source.keys)
    if as_json:
        rows = [{"what": one.what, "name": one.name, "source": one.source, "keys": one.keys} for one in found]
        screen.data({"name": model, "rows": rows, "entries": {key: entries[key] for key in keys}})
        return
    screen.table(
        [("what", "left"), ("by", "left"), ("source", "left")], [(one.what, one.name, one.source) for one in found]
    )
    for key in keys:
        screen.say(f"\n{entries[key]}")
