"""From a mechanism to its first answer, when the kernel must be made and when it has been kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from .models import ROBOTS
from .row import Row, Taken, Target
from .states import TAKES

COLD, KEPT = 3, 7  # processes
FORWARD = {"ur5": 0.5, "panda": 0.5, "anymal": 1.5, "g1": 4.0}  # seconds to make it that are thought bearable
CACHED = Target(at_most=0.05)


def compile_time() -> list[Row]:
    """Seconds in fresh processes, after all imports of ours and the building of the mechanism."""
    return [row for name in ROBOTS for quantity in TAKES for row in _rows(name, quantity)]


def _rows(name: str, quantity: str) -> list[Row]:
    made = [_in_new_process(name, quantity) for _ in range(COLD if quantity == "forward" else 1)]
    rows = [
        _row(f"{name} {quantity}, compiled", made, Target(at_most=FORWARD[name]) if quantity == "forward" else None)
    ]
    if quantity == "forward":
        with tempfile.TemporaryDirectory() as folder:
            _in_new_process(name, quantity, folder)
            kept = [_in_new_process(name, quantity, folder) for _ in range(KEPT)]
        rows.append(_row(f"{name} {quantity}, kept from before", kept, CACHED))
    return rows


def _row(case: str, spent: list[dict[str, float]], target: Target | None) -> Row:
    best = min(spent, key=lambda each: each["answer"])
    parts = {step: taken for step, taken in best.items() if step != "answer"}
    parts["other"] = best["answer"] - sum(taken for step, taken in parts.items() if step != "build")
    note = ", ".join(f"{step} {taken * 1e3:.0f}" for step, taken in parts.items()) + " ms"
    return Row(case, Taken.of([each["answer"] for each in spent]), "s", target=target, note=note)


def _in_new_process(name: str, quantity: str, folder: str | None = None) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as empty:
        # byte code may be kept, as it is for a user
        settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        settings["LOOPWRIGHT_CACHE"] = folder or empty
        command = [sys.executable, "-m", "benchmarks.starting", name, quantity]
        child = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    spent: dict[str, float] = json.loads(child.stdout)
    return spent
