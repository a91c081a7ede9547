"""`lw.open_run`: a run from a file, which is not trusted: nothing in it runs, and what is damaged is said."""

from __future__ import annotations

import json
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..formats import from_text
from ..spatial import Array
from .audit import Again, Audit
from .measured import Measured
from .observed import rows_of
from .run import Counts, Happened, Run, Settings, Stored
from .saving import FORMAT

_DAMAGE = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, MemoryError, RecursionError,
    OverflowError, EOFError, struct.error,
)  # fmt: skip


def open_run(file: str | Path) -> Run:
    """The run that `run.save` wrote. What drove it is not in the file, so it cannot be computed again."""
    path = Path(file)
    try:
        content = _read(path)
        return _run(content, path)
    except LoopwrightError:
        raise
    except OSError as error:
        raise LoopwrightError(f"cannot read {path}: {error.strerror or error}") from None
    except _DAMAGE as error:
        raise LoopwrightError(
            f"{path} is not a run that Loopwright wrote, or is damaged ({type(error).__name__}: {str(error)[:200]})"
        ) from None


class _Content:
    """Attributes and variables, in memory."""

    def __init__(self, texts: dict[str, str], arrays: dict[str, Array]) -> None:
        self.texts, self.arrays = texts, arrays

    def array(self, name: str, rows: int, *columns: int) -> Array:
        """A variable of the shape it must have; one without entries is not in the file."""
        shape = (rows, *columns)
        if 0 in shape:
            return np.zeros(shape)
        values = self.arrays[name]
        if values.shape != shape:
            raise ValueError(f"'{name}' has the shape {values.shape} instead of {shape}")
        return values


def _read(path: Path) -> _Content:
    from scipy.io import netcdf_file

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with netcdf_file(path, "r", mmap=False) as file:
            texts = {
                name: value.decode("utf-8") for name, value in file._attributes.items() if isinstance(value, bytes)
            }
            arrays = {
                name: np.array(variable.data, dtype=float)
                for name, variable in file.variables.items()
                if variable.data.dtype.kind == "f"
            }
    if texts.get("format") != FORMAT:
        raise LoopwrightError(f"{path} is a NetCDF file, but not a run that this version of Loopwright wrote")
    return _Content(texts, arrays)


def _run(content: _Content, path: Path) -> Run:
    m = from_text(content.texts["mechanism"], str(path))
    rows = len(content.arrays.get("time", ()))
    array = content.array
    settings = _record(Settings, json.loads(content.texts["settings"]))
    counts = _record(Counts, json.loads(content.texts["counts"]))
    work = _kinds(content, "work_", rows)
    loops = rows_of(m)
    measured = Measured(
        kinetic=array("kinetic", rows),
        gravity=array("gravity", rows),
        springs=array("springs", rows),
        power=_kinds(content, "power_", rows),
        work=work,
        gap=array("gap", rows, loops),
        gap_rate=array("gap_rate", rows, loops),
        health=array("health", rows) if loops else np.ones(rows),
    )
    return Run(
        m, array("time", rows), array("q", rows, m.nq), array("v", rows, m.nv), array("a", rows, m.nv),
        array("tau", rows, m.nu), content.texts["status"], counts, settings, work, _events(content, m.nq, m.nv),
        stored=Stored(measured, _audit(json.loads(content.texts["audit"]))),
    )  # fmt: skip


def _kinds(content: _Content, prefix: str, rows: int) -> dict[str, Array]:
    names = [name for name in content.arrays if name.startswith(prefix)]
    return {name.removeprefix(prefix): content.array(name, rows) for name in names}


def _record(kind: Any, given: Any) -> Any:
    """One of our records, its fields words, numbers or nothing."""
    if not isinstance(given, dict) or not all(
        value is None or isinstance(value, (str, int, float)) for value in given.values()
    ):
        raise ValueError(f"{kind.__name__} is not as expected")
    return kind(**given)


def _events(content: _Content, nq: int, nv: int) -> tuple[Happened, ...]:
    given = json.loads(content.texts["events"])
    found = []
    for event in given:
        q, v = (np.array(event[name], dtype=float) for name in ("q", "v"))
        if q.shape != (nq,) or v.shape != (nv,):
            raise ValueError("an event has another number of coordinates")
        found.append(Happened(str(event["name"]), float(event["t"]), q, v))
    return tuple(found)


def _audit(given: dict[str, Any]) -> Audit:
    others = {name: given.pop(name) for name in ("second", "tighter", "whole", "digits_over_time", "notes")}
    again = {
        name: None if others[name] is None else _record(Again, others[name]) for name in ("second", "tighter", "whole")
    }
    return Audit(
        **vars(_record(Audit, given))
        | again
        | {
            "digits_over_time": np.array(others["digits_over_time"], dtype=float),
            "notes": tuple(map(str, others["notes"])),
        }
    )
