"""The `loopwright` command: one file per verb, and `main`, which the installed script calls.

Exit status: 0 done, 1 the mechanism or the run failed, 2 typed wrong, 130 interrupted.
"""

from __future__ import annotations

from typing import Annotated

import typer

from .bench import bench
from .cite import cite
from .compare import compare
from .count import count
from .demo import demo
from .doorway import Verbs, run
from .export import export
from .inspect import inspect
from .inverse import inverse
from .simulate import simulate
from .zoo import zoo

EPILOG = "Exit status: 0 done, 1 the mechanism or the run failed (the message says why), 2 the command was typed wrong."

app = typer.Typer(
    name="loopwright",
    cls=Verbs,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)
for verb in (zoo, inspect, simulate, inverse, compare, count, export, bench, cite, demo):
    app.command()(verb)


def _say_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"loopwright {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def loopwright(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Kinematics and dynamics of mechanisms, above all mechanisms with closed loops.

    MODEL is the name of a ready mechanism; "loopwright zoo" lists them.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def main() -> int:
    """Run the command that was typed; returns its exit status."""
    return run(app)


__all__ = ["app", "main"]
