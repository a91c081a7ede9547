"""What `import loopwright` costs, beside what it cannot avoid."""

from __future__ import annotations

import os
import subprocess
import sys

from .row import Row, Taken, Target

TIMES = 11
NUMPY = "import numpy"
OURS = {
    "import loopwright": "import loopwright",
    "... and make mechanisms": "from loopwright import Builder, zoo",
    "... and every name": "from loopwright import *",
}
CLOCK = "import time; start = time.perf_counter(); exec({!r}); print(time.perf_counter() - start)"
CHEAP = Target(at_most=0.3)


def import_time() -> list[Row]:
    """Seconds per import, each in a fresh process, the modules taking turns so that a busy spell hits all alike."""
    samples: dict[str, list[float]] = {statement: [] for statement in (NUMPY, *OURS.values())}
    for statement in samples:
        seconds(statement)  # writes the byte code and warms the disk cache
    for _ in range(TIMES):
        for statement, taken in samples.items():
            taken.append(seconds(statement))
    floor = Taken.of(samples[NUMPY])
    return [Row(case, Taken.of(samples[ours]), "s", NUMPY, floor, CHEAP) for case, ours in OURS.items()]


def seconds(statement: str) -> float:
    """What the import takes in a process of its own, without starting the interpreter."""
    # A user's second import reads byte code, so it must be allowed to be kept.
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", CLOCK.format(statement)]
    child = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    return float(child.stdout)
