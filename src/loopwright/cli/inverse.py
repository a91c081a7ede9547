"""`loopwright inverse`: actuator forces and reactions along a motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .models import AsJson, Model, Parameters

if TYPE_CHECKING:
    from ..mechanism import Mechanism


def inverse(
    model: Model,
    motion: Annotated[
        str,
        typer.Option(
            metavar="FILE|cycloid",
            help="A CSV file with columns t and every coordinate by name, of a mechanism with loops any independent "
            "ones; perhaps with rates NAME' and accelerations NAME'' (splines otherwise). Or the word cycloid: from 0 "
            "to pi/3 in 1 s, or as in cycloid:START:END:SECONDS, for example cycloid:30deg:pi/2:20. Or by name, "
            "crank=cycloid:0:90deg:2;slide=0.1.",
            show_default=False,
        ),
    ],
    near: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT=VALUE",
            help="About where another coordinate starts, which tells ways to close the loops apart. May be repeated.",
            show_default=False,
        ),
    ] = None,
    reactions: Annotated[bool, typer.Option(help="Also the forces and moments in all joints.")] = True,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write inverse.csv (the table), inverse.png (the plot), reactions.csv and reactions.png there.",
            show_default=False,
        ),
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Compute the actuator forces that make MODEL follow a motion, and the reactions in its joints; print the peaks."""
    from . import reactions as in_joints
    from . import screen
    from .models import load
    from .motions import read_motion
    from .torques import answer, forces, show_peaks, write

    mechanism = load(model, parameters)
    path = read_motion(mechanism, motion, _about(mechanism, model, near or ()))
    tau = forces(mechanism, path)
    inside = in_joints.along(mechanism, path, tau) if reactions else None
    files = write(mechanism, path, tau, out) if out is not None else {}
    if inside is not None and out is not None:
        files |= in_joints.write(mechanism, path, inside, out)
    if as_json:
        screen.data(answer(mechanism, path, tau, files, in_joints.answer(inside) if inside is not None else {}))
        return
    screen.heading(f"{mechanism.name}: {path.source}")
    show_peaks(mechanism, path.t, tau)
    if inside is not None:
        screen.say()
        in_joints.show(path, inside)
    for what, file in files.items():
        screen.say(f"{what}: {file}")
    if out is None:
        screen.say("--out DIR keeps the whole table and a plot")


def _about(mechanism: Mechanism, model: str, near: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """Where the ready mechanism's published motion begins, and what was typed."""
    from .. import zoo
    from .starting import values

    if not mechanism.tree.cuts:
        return {}
    usual = zoo.start(model) if model in zoo.MECHANISMS else {}
    known = {name: value for name, value in usual.items() if name in mechanism.coordinates}
    return {**known, **values(mechanism, near, "--near")}
