"""What `import loopwright` costs, beside what it cannot avoid."""

from __future__ import annotations

import os
import subprocess
import sys

from .row import Row, Taken, Target

TIMES = 11
MODULES = ("numpy", "loopwright")
CLOCK = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
CHEAP = Target(at_most=0.3)


def import_time() -> list[Row]:
    """Seconds per import, each in a fresh process, the modules taking turns so that a busy spell hits all alike."""
    samples: dict[str, list[float]] = {module: [] for module in MODULES}
    for module in MODULES:
        seconds(module)  # writes the byte code and warms the disk cache
    for _ in range(TIMES):
        for module in MODULES:
            samples[module].append(seconds(module))
    floor, ours = (Taken.of(samples[module]) for module in MODULES)
    return [Row("import loopwright", ours, "s", "import numpy", floor, CHEAP)]


def seconds(module: str) -> float:
    """What the import takes in a process of its own, without starting the interpreter."""
    # A user's second import reads byte code, so it must be allowed to be kept.
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", CLOCK.format(module)]
    child = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    return float(child.stdout)
