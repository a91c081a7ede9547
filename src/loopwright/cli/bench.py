"""`loopwright bench`: speed beside the peers, measured by the `benchmarks` of a checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import LoopwrightError
from .models import AsJson

CHECKOUT = Path(__file__).parents[3]


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Some of the benchmarks: batched, loops, import_time …"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure speed beside the peers that are installed; all ratios are of one run. Minutes, and a quiet machine.

    Needs a checkout of Loopwright's source, as the benchmarks are no part of the installed package.
    """
    if not (CHECKOUT / "benchmarks" / "__main__.py").is_file():
        raise LoopwrightError(
            "the benchmarks are no part of the installed package: check its source out, and type `make bench` there"
        )
    asked = [*(names or ()), *(["--json"] if as_json else [])]
    done = subprocess.run([sys.executable, "-m", "benchmarks", *asked], cwd=CHECKOUT)
    if done.returncode != 0:
        raise typer.Exit(done.returncode)
