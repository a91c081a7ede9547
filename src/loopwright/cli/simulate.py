"""`loopwright simulate`: the motion of a mechanism, and what makes it believable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .models import AsJson, Model, Parameters

if TYPE_CHECKING:
    from ..simulate import Run

_POSES = 5
_MOST_MET = 8
_PER_SECOND, _MOST_PICTURES = 25, 1500


def simulate(
    model: Model,
    t: Annotated[float, typer.Option("--t", metavar="SECONDS", help="How long.")] = 5.0,
    position: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="JOINT=VALUE",
            help="Where a coordinate starts: 1.2, pi/3, 60deg. May be repeated; the loops are closed around it.",
            show_default=False,
        ),
    ] = None,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT=VALUE", help="How fast it starts, per second. May be repeated.", show_default=False
        ),
    ] = None,
    formulation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How loops are solved: embedding, multiplier, dae …", show_default=False),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="How time is stepped: dop853, abm, rodas5p, scipy:BDF, cvodes …", show_default=False
        ),
    ] = None,
    rtol: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Relative tolerance.", show_default=False)
    ] = None,
    atol: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Absolute tolerance.", show_default=False)
    ] = None,
    step: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Of methods with a fixed step.", show_default=False)
    ] = None,
    tau: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|EXPR",
            help="Forces of the actuators: an expression for all, 9*sin(pi*t), or by name, crank=2;slide=-5*v[slide]; "
            "or a CSV file with columns t and tau.NAME.",
            show_default=False,
        ),
    ] = None,
    motion: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|NAME=…",
            help="Coordinates that move as they are told, the others freely: crank=cycloid:0:90deg:2;slide=0.1*sin(t), "
            "or a CSV file with columns t and NAME.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[float, typer.Option(metavar="SECONDS", help="Between two saved states.")] = 0.01,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write run.nc, run.png, poses.png and run.html there.", show_default=False),
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Simulate MODEL; print where it went, and an audit of energy, closure and digits believed.

    Ctrl-C ends it early and keeps what there is.
    """
    from ..simulate import simulate as simulated
    from . import screen
    from .forces import read_tau
    from .models import load
    from .motions import read_driven
    from .starting import starting
    from .torques import show_peaks

    mechanism = load(model, parameters)
    drive = None if tau is None else read_tau(mechanism, tau)
    given = None if motion is None else read_driven(mechanism, motion)
    start = starting(mechanism, model, position or (), rate or (), given)
    asked: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol}
    run = simulated(
        mechanism,
        start,
        t,
        formulation=formulation,
        step=step,
        tau=drive,
        motion=given,
        save=save,
        **{name: value for name, value in asked.items() if value is not None},
    )
    files = write(run, out) if out is not None else {}
    if as_json:
        screen.data(answer(run, files))
    else:
        show(run, files)
        if given is not None and len(run):
            screen.say()
            show_peaks(mechanism, run.t, run.tau)
        if out is None:
            screen.say("--out DIR keeps it all: run.nc, pictures, and a page that shows it moving")
    if not run.finished:
        _end(run)


def show(run: Run, files: dict[str, Path], only: str = "") -> None:
    """Where it went, the audit, and the files; of coordinates, those whose names begin with `only`."""
    from . import screen

    s = run.settings
    span = f"{run.t[0]:g} to {run.t[-1]:g} s" if len(run) else "nothing saved"
    screen.heading(f"{run.mechanism.name}: {s.formulation}, {s.method}, {span}")
    if len(run):
        screen.table(
            [("coordinate", "left"), *((head, "right") for head in ("start", "end", "least", "most")), ("", "left")],
            [
                (r["coordinate"], *(f"{r[key]:.6g}" for key in ("start", "end", "least", "most")), r["unit"])
                for r in travelled(run)
                if r["coordinate"].startswith(only)
            ],
        )
        screen.say()
    if run.events:
        screen.table([("met", "left"), ("at t (s)", "right")], [(e.name, f"{e.t:.6g}") for e in run.events[:_MOST_MET]])
        if len(run.events) > _MOST_MET:
            screen.say(f"and {len(run.events) - _MOST_MET} more")
        screen.say()
    screen.table([("audit", "left"), ("", "left")], run.audit.rows)
    for what, file in files.items():
        screen.say(f"{what}: {file}")


def travelled(run: Run) -> list[dict[str, Any]]:
    """For every coordinate, where it began, ended, and turned."""
    from ..mechanism import position_units

    return [
        {
            "coordinate": name,
            "unit": unit,
            "start": float(values[0]),
            "end": float(values[-1]),
            "least": float(values.min()),
            "most": float(values.max()),
        }
        for name, unit, values in zip(run.mechanism.coordinates, position_units(run.mechanism), run.q.T, strict=True)
    ]


def write(run: Run, folder: Path) -> dict[str, Path]:
    """The run, its figure, where it was at some moments, and a page that shows it moving."""
    from ..view import pose_figure, save

    files = {"run": run.save(folder / "run.nc")}
    if len(run):
        import numpy as np

        some = np.unique(np.linspace(0, len(run) - 1, _POSES).round().astype(int))
        title = f"{run.mechanism.name}: {run.t[0]:g} to {run.t[-1]:g} s"
        run.plot(folder / "run.png")
        files["figure"] = folder / "run.png"
        files["poses"] = save(pose_figure(run.mechanism, run.q[some], title=title), folder / "poses.png")
        # the page has its own handle for time
        speed = max(1.0, float(run.t[-1] - run.t[0]) * _PER_SECOND / _MOST_PICTURES)
        files["moving"] = run.animate(folder / "run.html", _PER_SECOND, speed)
    return files


def answer(run: Run, files: dict[str, Path]) -> dict[str, Any]:
    """All of it, for a program."""
    from dataclasses import asdict

    m = run.mechanism
    audit = asdict(run.audit)
    return {
        "name": m.name,
        "status": run.status,
        "settings": asdict(run.settings),
        "coordinates": list(m.coordinates),
        "velocities": list(m.velocities),
        "actuators": list(m.actuators),
        "travelled": travelled(run) if len(run) else [],
        "audit": {**audit, "digits_over_time": audit["digits_over_time"].tolist()},
        **{name: getattr(run, name).tolist() for name in ("t", "q", "v", "a", "tau")},
        "energy": run.measured.energy.tolist(),
        "events": [{"name": one.name, "t": one.t} for one in run.events],
        "files": {what: str(file) for what, file in files.items()},
    }


def _end(run: Run) -> None:
    """The status of the command when the run did not go all the way."""
    from . import screen
    from .doorway import FAILED, INTERRUPTED

    screen.complain(run.status)
    raise typer.Exit(INTERRUPTED if "interrupted" in run.status else FAILED)
