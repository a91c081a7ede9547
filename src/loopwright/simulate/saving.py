"""A run as a NetCDF file: arrays with names, and the mechanism, settings and audit as JSON beside them.

The classic format of NetCDF-3, which SciPy writes and every reader of NetCDF knows. Numbers stand there to their
last bit, names in UTF-8.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LoopwrightError
from ..formats import as_text
from ..spatial import Array
from .labelled import columns, labels

if TYPE_CHECKING:
    from .audit import Audit
    from .run import Run

FORMAT = "loopwright run 1"
JSON = ("settings", "counts", "events", "audit")


def write(run: Run, file: str | Path) -> Path:
    """The whole file or none: it is written beside and then put in place."""
    path = Path(file)
    if path.suffix.lower() != ".nc":
        raise LoopwrightError(f"a run is written as NetCDF: its name must end in .nc, not '{path.name}'")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _fill(run, beside)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise LoopwrightError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def _fill(run: Run, path: Path) -> None:
    from scipy.io import netcdf_file

    with netcdf_file(path, "w", version=2) as made:
        for name, text in _texts(run).items():
            setattr(made, name, text.encode())
        if len(run):
            made.createDimension("time", len(run))
            time = made.createVariable("time", "f8", ("time",))
            time[:] = run.t
            time.units = b"s"
        for name, words in labels(run).items():
            if words:
                _named(made, name, words)
        for name, (dimensions, values, said) in columns(run).items():
            if values.size:  # NetCDF has no dimensions of length zero
                variable = made.createVariable(name, "f8", dimensions)
                variable[:] = values
                for key, text in said.items():
                    setattr(variable, key, text.encode())


def _named(made: Any, dimension: str, words: tuple[str, ...]) -> None:
    """Names along a dimension, as rows of characters."""
    coded = [word.encode() for word in words]
    width = max(map(len, coded))
    made.createDimension(dimension, len(words))
    made.createDimension(f"{dimension}_letters", width)
    variable = made.createVariable(dimension, "c", (dimension, f"{dimension}_letters"))
    variable[:] = np.array([list(_bytes(word, width)) for word in coded], dtype="S1")
    variable._Encoding = b"utf-8"


def _bytes(word: bytes, width: int) -> list[bytes]:
    return [word[k : k + 1] for k in range(width)]


def _texts(run: Run) -> dict[str, str]:
    """The attributes of the file."""
    return {
        "Conventions": "CF-1.8",
        "title": f"{run.mechanism.name}: {run.status}",
        "format": FORMAT,
        "status": run.status,
        "mechanism": as_text(run.mechanism),
        "settings": json.dumps(asdict(run.settings)),
        "counts": json.dumps(asdict(run.counts)),
        "events": json.dumps([asdict(event) for event in run.events], default=_plain),
        "audit": json.dumps(_audit(run.audit), default=_plain),
    }


def _audit(audit: Audit) -> dict[str, Any]:
    return asdict(audit)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item()


def unwritten(values: Array, rows: int) -> Array:
    """An array of no columns, in place of one that NetCDF cannot hold."""
    return values if values.size else np.zeros((rows, 0))
