"""Runs every benchmark, or those named on the command line; prints one table and keeps the numbers as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from rich.console import Console

from .accuracy import accuracy
from .batched import batched
from .chains import chains
from .compile_time import compile_time
from .import_time import import_time
from .loops import loops
from .many_loops import many_loops
from .multipliers import multipliers
from .row import Row
from .simulating import simulating
from .single_call import single_call
from .table import show

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("numpy", "casadi", "llvmlite", "pin", "mujoco", "exudyn")

# A benchmark is a function without arguments that returns rows. To add one, name it here.
BENCHMARKS: tuple[Callable[[], list[Row]], ...] = (
    batched,
    single_call,
    compile_time,
    chains,
    loops,
    simulating,
    many_loops,
    multipliers,
    accuracy,
    import_time,
)


def main() -> None:
    by_name = {benchmark.__name__: benchmark for benchmark in BENCHMARKS}
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(by_name)} (default: all)")
    parser.add_argument("--json", action="store_true", help="print the record as JSON, and nothing else")
    typed = parser.parse_args()
    names = typed.names or list(by_name)
    unknown = [name for name in names if name not in by_name]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are: {', '.join(by_name)}")
    os.environ["OMP_NUM_THREADS"] = "1"  # before a peer is imported
    measured: dict[str, list[Row]] = {}
    with Console(stderr=True).status("") as status:
        for name in names:
            status.update(f"measuring: {name.replace('_', ' ')}")
            measured[name] = by_name[name]()
    path = keep(measured)
    if typed.json:
        print(path.read_text(encoding="utf-8"), end="")
        return
    show(measured)
    print(f"kept in {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")


def keep(measured: dict[str, list[Row]]) -> Path:
    """Writes the rows with the machine they hold for."""
    now = datetime.now(UTC)
    record = {
        "when": now.isoformat(timespec="seconds"),
        "machine": {"cpu": processor(), "cores": os.cpu_count(), "system": platform.platform()},
        "versions": {"python": platform.python_version()} | {p: version(p) for p in PACKAGES},
        "benchmarks": {
            name: [asdict(row) | {"ratio": row.ratio, "met": row.met} for row in rows]
            for name, rows in measured.items()
        },
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{now:%Y%m%d-%H%M%S}.json"
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return path


def version(package: str) -> str | None:
    """None where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    """The name on the chip where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
