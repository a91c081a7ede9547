"""--motion: coordinates over time, from a CSV file, along a cycloid, or said one by one.

The file has a column `t`, increasing, and one column per coordinate, named as the report names them; of a mechanism
with loops as many as there are freedoms are enough (completed.py). Rates and accelerations may be given as NAME' and
NAME''; what is not given comes from splines through what is (of degree 5, with few rows 3). Columns named tau.NAME
are passed over, so that a table written by `inverse` can be read back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import LoopwrightError
from .columns import columns_of
from .expressions import expression

if TYPE_CHECKING:
    from ..mechanism import Mechanism

CYCLOID = "cycloid"
_SAMPLES = 101
_FEWEST = 4  # rows that a spline of degree 3 needs


@dataclass(frozen=True)
class Motion:
    """Rows of q, v and a for every entry of t."""

    t: Any
    q: Any
    v: Any
    a: Any
    source: str


@dataclass(frozen=True)
class Some:
    """Positions, rates and accelerations of some coordinates, by name, a row for every entry of t."""

    t: Any
    values: Mapping[str, Any]
    rates: Mapping[str, Any]
    gains: Mapping[str, Any]
    source: str


def read_motion(mechanism: Mechanism, given: str, near: Mapping[str, Any] | None = None) -> Motion:
    """From the word cycloid, NAME=cycloid:START:END:SECONDS;…, or the file of that name.

    `near` says where the other coordinates are about, which tells one way to close loops from another.
    """
    if _in_words(given):
        some = _said(mechanism, given)
        if not mechanism.tree.cuts:
            return _of_tree(mechanism, some)
    else:
        path = Path(given)
        columns = columns_of(path)
        if not mechanism.tree.cuts or all(name in columns for name in mechanism.coordinates):
            return _from_file(mechanism, columns, path)
        some = _some_columns(mechanism, columns, path)
    from .completed import completed

    return completed(mechanism, some, near)


def _in_words(given: str) -> bool:
    return given.split(":")[0] == CYCLOID or ("=" in given and not given.lower().endswith(".csv"))


# in words


def read_driven(mechanism: Mechanism, given: str) -> dict[str, Any]:
    """What `simulate` takes as motion: a trajectory for every coordinate that is named."""
    from ..control.trajectory import Samples

    if _in_words(given):
        return _paths(mechanism, given)[0]
    path = Path(given)
    columns = columns_of(path)
    known = (*mechanism.coordinates, *mechanism.cut_coordinates)
    _require_known(mechanism, columns, path, ("t", *known))
    if "t" not in columns:
        raise LoopwrightError(f"{path} lacks the column t")
    t = _moments(columns, path)
    return {name: Samples(t, columns[name], "quintic") for name in columns if name in known}


def _said(mechanism: Mechanism, given: str) -> Some:
    import numpy as np

    paths, longest = _paths(mechanism, given)
    t = (longest or 1.0) * np.linspace(0.0, 1.0, _SAMPLES)
    x, v, a = ({name: path.at(t, order) for name, path in paths.items()} for order in range(3))
    return Some(t, x, v, a, _told(mechanism, given, paths))


def _paths(mechanism: Mechanism, given: str) -> tuple[dict[str, Any], float]:
    """By coordinate, and how long the longest cycloid takes."""
    chosen: dict[str, str] = {}
    if given.split(":")[0] == CYCLOID:
        chosen = dict.fromkeys(_usual(mechanism), given)
    for part in given.split(";") if not chosen else ():
        name, sign, text = (x.strip() for x in part.partition("="))
        if not (name and sign and text) or name in chosen:
            raise _typed_wrong(
                f"'{part.strip()}' should be NAME={CYCLOID}:START:END:SECONDS or NAME=EXPRESSION, once for each"
            )
        chosen[name] = text
    found = {name: _path(text) for name, text in chosen.items()}
    return {name: path for name, (path, _) in found.items()}, max(duration for _, duration in found.values())


def _path(text: str) -> tuple[Any, float]:
    """A cycloid, or an expression of t; and how long it takes."""
    from ..control.trajectory import cycloid, hold, of

    if text.split(":")[0] == CYCLOID:
        start, end, duration = _cycloid_numbers(text)
        return cycloid(start, end, duration), duration
    try:
        return hold(angle(text, text)), 0.0
    except typer.BadParameter:
        law, changes = expression(text, "--motion")
    if changes:
        return of(lambda t: law(t, None, None)), 0.0
    try:
        return hold(law(0.0, None, None)), 0.0
    except (ArithmeticError, ValueError) as error:
        raise _typed_wrong(f"'{text}' has no value: {error}") from None


def _told(mechanism: Mechanism, given: str, chosen: Mapping[str, str]) -> str:
    if given.split(":")[0] != CYCLOID:
        return given
    start, end, duration = _cycloid_numbers(given)
    said = f"cycloid {start:.6g} to {end:.6g} in {duration:g} s"
    if mechanism.tree.cuts:
        return f"{said} of {', '.join(chosen)}"
    still = sorted(_joints_with_quaternions(mechanism))
    return f"{said}, {', '.join(still)} held still" if still else said


def _usual(mechanism: Mechanism) -> list[str]:
    """What a cycloid moves when nothing is named: all that turns or slides, or what drives the loops."""
    still = _joints_with_quaternions(mechanism)
    if not mechanism.tree.cuts:
        return [name for name in mechanism.coordinates if name.rpartition(".")[0] not in still]
    from ..verbs import Dynamics
    from .completed import drives

    return drives(Dynamics(mechanism))


def _of_tree(mechanism: Mechanism, some: Some) -> Motion:
    """What is not named stands still."""
    import numpy as np

    from ..mechanism import named

    q = np.tile(mechanism.neutral(), (some.t.size, 1))
    v, a = np.zeros((some.t.size, mechanism.nv)), np.zeros((some.t.size, mechanism.nv))
    for one in named(mechanism, dict.fromkeys(some.values, 0.0)):
        if not one.kind.flat:
            raise LoopwrightError(f"'{one.label}' is no single turn or slide, which is what a cycloid moves")
        q[:, one.at[0]] = some.values[one.label]
        v[:, one.rates[0]], a[:, one.rates[0]] = some.rates[one.label], some.gains[one.label]
    return Motion(some.t, q, v, a, some.source)


def _joints_with_quaternions(mechanism: Mechanism) -> set[str]:
    return {name.removesuffix(".qw") for name in mechanism.coordinates if name.endswith(".qw")}


def _typed_wrong(words: str) -> typer.BadParameter:
    return typer.BadParameter(words, param_hint="--motion")


def _cycloid_numbers(given: str) -> tuple[float, float, float]:
    parts = given.split(":")[1:]
    if not parts:
        return 0.0, math.pi / 3.0, 1.0
    if len(parts) != 3:
        raise typer.BadParameter(f"'{given}' should be cycloid or cycloid:START:END:SECONDS", param_hint="--motion")
    start, end, duration = (angle(part, given) for part in parts)
    if duration <= 0.0:
        raise typer.BadParameter(f"'{given}': it must take more than 0 seconds", param_hint="--motion")
    return start, end, duration


def angle(text: str, given: str, option: str = "--motion") -> float:
    """A number, perhaps with pi in it (pi, -pi/2, 2pi/3), or degrees (30deg)."""
    plain = text.strip().lower().replace("π", "pi").replace("*", "")
    found = re.fullmatch(r"([-+]?[0-9.]*(?:e[-+]?[0-9]+)?)(pi|deg)?(?:/([0-9.]+))?", plain)
    value = math.nan
    if found:
        factor, unit, divisor = found.groups()
        factor = f"{factor}1" if unit == "pi" and factor in ("", "+", "-") else factor
        try:
            value = float(factor) * {"pi": math.pi, "deg": math.pi / 180.0, None: 1.0}[unit] / float(divisor or 1.0)
        except (ValueError, ZeroDivisionError):
            value = math.nan
    if not math.isfinite(value):
        raise typer.BadParameter(f"'{given}': '{text}' is not a number such as 1.2, pi/3 or 60deg", param_hint=option)
    return value


# from a file


def _from_file(mechanism: Mechanism, columns: Mapping[str, Any], path: Path) -> Motion:
    import numpy as np

    _require_columns(mechanism, columns, path)
    t = _moments(columns, path)
    q = np.column_stack([columns[name] for name in mechanism.coordinates])
    v = _given_or(columns, mechanism.velocities, "'", _rates(mechanism, t, q))
    a = _given_or(columns, mechanism.velocities, "''", _slope(t, v))
    flat = _same_names(mechanism)
    if flat:
        # straight from the positions where no rates are given: one spline instead of two
        second = _slope(t, q, 2)
        for name, k, i in flat:
            if f"{name}'" not in columns and f"{name}''" not in columns:
                a[:, k] = second[:, i]
    motion = Motion(t, q, v, a, str(path))
    if not mechanism.tree.cuts:
        return motion
    from .completed import made_whole

    return made_whole(mechanism, motion)


def _some_columns(mechanism: Mechanism, columns: Mapping[str, Any], path: Path) -> Some:
    """Of a mechanism with loops: what is named, which drives the rest."""
    import numpy as np

    known = (*mechanism.coordinates, *mechanism.cut_coordinates)
    names = [name for name in columns if name in known]
    _require_known(mechanism, columns, path, ("t", *known))
    if "t" not in columns or not names:
        raise LoopwrightError(
            f"{path} needs a column t and one for every freedom of '{mechanism.name}', by name: of {', '.join(known)}"
        )
    t = _moments(columns, path)
    x = np.column_stack([columns[name] for name in names])
    v = _given_or(columns, tuple(names), "'", _slope(t, x))
    a = _given_or(columns, tuple(names), "''", _slope(t, v))
    for k, name in enumerate(names):
        if f"{name}'" not in columns and f"{name}''" not in columns:
            a[:, k] = _slope(t, x[:, k], 2)
    values, rates, gains = ({name: table[:, k] for k, name in enumerate(names)} for table in (x, v, a))
    return Some(t, values, rates, gains, str(path))


def _moments(columns: Mapping[str, Any], path: Path) -> Any:
    import numpy as np

    t = np.array(columns["t"])
    if len(t) < _FEWEST:
        raise LoopwrightError(f"{path}: {len(t)} rows; a motion needs at least {_FEWEST}")
    steps = np.diff(t)
    if not np.all(steps > 0.0):
        row = int(np.argmax(steps <= 0.0)) + 3
        raise LoopwrightError(f"{path}, line {row}: t must increase, and {t[row - 2]:g} comes after {t[row - 3]:g}")
    return t


def _require_columns(mechanism: Mechanism, columns: Mapping[str, Any], path: Path) -> None:
    needed = ["t", *mechanism.coordinates]
    missing = [name for name in needed if name not in columns]
    if missing:
        raise LoopwrightError(
            f"{path} lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; the motion of "
            f"'{mechanism.name}' needs {', '.join(needed)}, and may have rates NAME' and accelerations NAME''"
        )
    _require_known(mechanism, columns, path, needed)


def _require_known(mechanism: Mechanism, columns: Mapping[str, Any], path: Path, names: Sequence[str]) -> None:
    rates = (*mechanism.velocities, *mechanism.cut_velocities)
    known = {*names, *(name + mark for name in rates for mark in ("'", "''"))}
    for name in columns:
        if name not in known and not name.startswith("tau."):
            raise LoopwrightError(
                f"{path}: '{mechanism.name}' has no coordinate for column '{name}'; it has {', '.join(names[1:])}"
            )


def _same_names(mechanism: Mechanism) -> list[tuple[str, int, int]]:
    """Coordinates whose rate is the velocity of that name: their places in v and in q."""
    still = _joints_with_quaternions(mechanism)
    places = {name: i for i, name in enumerate(mechanism.coordinates)}
    return [
        (name, k, places[name])
        for k, name in enumerate(mechanism.velocities)
        if name in places and name.rpartition(".")[0] not in still
    ]


def _given_or(columns: Mapping[str, Any], names: tuple[str, ...], mark: str, computed: Any) -> Any:
    for k, name in enumerate(names):
        if name + mark in columns:
            computed[:, k] = columns[name + mark]
    return computed


def _rates(mechanism: Mechanism, t: Any, q: Any) -> Any:
    """v from dq/dt: the same but for quaternions, where dq/dt = G(q) v is solved for v."""
    import numpy as np

    from ..verbs import Dynamics

    slope = _slope(t, q)
    if not _joints_with_quaternions(mechanism):
        return slope
    dynamics = Dynamics(mechanism)
    eye = np.eye(mechanism.nv)
    v = np.zeros((len(t), mechanism.nv))
    for row, (here, rate) in enumerate(zip(q, slope, strict=True)):
        v[row] = np.linalg.lstsq(dynamics.rates(here, eye).T, rate, rcond=None)[0]
    return v


def _slope(t: Any, values: Any, order: int = 1) -> Any:
    """Derivatives, at t, of the spline through the values."""
    from scipy.interpolate import make_interp_spline

    degree = 5 if len(t) >= 6 else 3
    return make_interp_spline(t, values, k=degree)(t, order)
