"""`loopwright demo`: a platform and a linkage with loops simulated, audited and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .models import AsJson

if TYPE_CHECKING:
    from ..simulate import Run

# mechanism, force of its actuators, seconds, coordinates to tell of, what it shows
SHOWN = (
    ("stewart", "9*sin(pi*t)", 2.0, "slide", "A Gough-Stewart platform under 9 sin(pi t) N in every leg [Wang2002]"),
    ("four_bar", None, 10.0, "", "A four-bar linkage let go from rest [Saha2001]"),
)


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the runs and their pictures go.")] = Path(
        "loopwright-demo"
    ),
    as_json: AsJson = False,
) -> None:
    """Simulate a Gough-Stewart platform and a four-bar linkage; print their audits, write runs and pictures."""
    from . import screen
    from .simulate import answer, show, write

    answers = {}
    for name, force, seconds, told, what in SHOWN:
        run = _simulated(name, force, seconds)
        files = write(run, out / name)
        if as_json:
            answers[name] = answer(run, files)
            continue
        screen.heading(what)
        show(run, files, only=told)
        screen.say()
    if as_json:
        screen.data(answers)
    else:
        screen.say(f"Open {out / SHOWN[0][0] / 'run.html'} to see the platform moving; the pictures are beside it.")


def _simulated(name: str, force: str | None, seconds: float) -> Run:
    from .. import zoo
    from ..simulate import simulate
    from .forces import read_tau

    mechanism = zoo.MECHANISMS[name]()
    drive: Any = None if force is None else read_tau(mechanism, force)
    return simulate(mechanism, zoo.start(name), seconds, tau=drive)
