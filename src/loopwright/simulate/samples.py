"""`lw.Samples`: values known at some moments, and what is taken between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array
from .pieces import Pieces, of_spline

DEGREES = {"previous": 0, "linear": 1, "cubic": 3, "quintic": 5}
_TIMES = ("time", "t")


class Samples(Pieces):
    """`values` (a row for every entry of `t`, or a number each) and polynomials between them.

    `kind`: "previous" holds each value until the next, "linear" joins them by straight lines, "cubic" and "quintic"
    by splines with continuous derivatives up to the second and fourth. Before the first moment and after the last
    the values there hold. `names` say what the columns are, where it matters: actuators, or coordinates.
    """

    def __init__(self, t: Any, values: Any, kind: str = "linear", names: Sequence[str] | None = None) -> None:
        if kind not in DEGREES:
            raise LoopwrightError(f"no kind '{kind}' of samples; there are {', '.join(DEGREES)}")
        moments, rows, scalar = _read(t, values)
        if names is not None and len(names) != rows.shape[1]:
            raise LoopwrightError(f"{len(names)} names ({', '.join(names)}) for {rows.shape[1]} columns of values")
        self.t, self.kind = moments, kind
        self.names = None if names is None else tuple(names)
        found = _between(moments, rows, DEGREES[kind])
        super().__init__(found.knots, found.coefficients, moments, scalar)

    @staticmethod
    def of(data: Any, kind: str = "linear") -> Samples:
        """From an xarray DataArray over `time` (or `t`), columns by their names where they have any."""
        along = [name for name in data.dims if name in _TIMES]
        others = [name for name in data.dims if name not in _TIMES]
        if len(along) != 1 or len(others) > 1 or along[0] not in data.coords:
            raise LoopwrightError(
                f"values over time need one dimension 'time' with a coordinate, and at most one other; this array has "
                f"the dimensions {', '.join(map(str, data.dims)) or 'none'}"
            )
        table = data.transpose(along[0], *others)
        named = bool(others) and others[0] in data.coords
        names = [str(name) for name in data.coords[others[0]].values] if named else None
        return Samples(table.coords[along[0]].values, table.values, kind, names)

    def ordered(self, names: Sequence[str], what: str) -> Samples:
        """The columns in this order, by name."""
        if self.names is None or self.names == tuple(names):
            return self
        missing = [name for name in names if name not in self.names]
        beyond = [name for name in self.names if name not in names]
        if missing or beyond:
            wrong = f"lack {', '.join(missing)}" if missing else f"have {', '.join(beyond)}, which is none"
            raise LoopwrightError(f"the samples {wrong}; {what} {', '.join(names) or 'none'}")
        order = [self.names.index(name) for name in names]
        made: Samples = Samples.__new__(Samples)
        Pieces.__init__(made, self.knots, self.coefficients[:, order], self.breaks, self.scalar)
        made.t, made.kind, made.names = self.t, self.kind, tuple(names)
        return made


def _read(t: Any, values: Any) -> tuple[Array, Array, bool]:
    try:
        moments, rows = np.array(t, dtype=float), np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise LoopwrightError("samples need numbers: times, and a value or a row of values for each") from None
    scalar = rows.ndim == 1
    rows = rows[:, None] if scalar else rows
    if moments.ndim != 1 or rows.ndim != 2 or len(rows) != len(moments):
        raise LoopwrightError(
            f"samples need one row of values for every time, got times of shape {moments.shape} and values of shape "
            f"{np.shape(values)}"
        )
    if len(moments) < 2:
        raise LoopwrightError(f"samples need at least two moments, got {len(moments)}")
    steps = np.diff(moments)
    if not (np.isfinite(moments).all() and (steps > 0.0).all()):
        k = int(np.argmax(~(steps > 0.0)))
        raise LoopwrightError(f"the times of samples must increase, and {moments[k + 1]:g} comes after {moments[k]:g}")
    if not np.isfinite(rows).all():
        k = int(np.argmax(~np.isfinite(rows).all(axis=1)))
        raise LoopwrightError(f"the sample at t = {moments[k]:g} is not a finite number: {rows[k]}")
    return moments, rows, scalar


def _between(t: Array, rows: Array, degree: int) -> Pieces:
    if degree == 0:
        return Pieces(np.append(t, 2.0 * t[-1] - t[-2]), rows[:, :, None])
    if degree == 1 or len(t) == 2:
        rise = np.diff(rows, axis=0) / np.diff(t)[:, None]
        return Pieces(t, np.stack([rise, rows[:-1]], axis=2))
    from scipy.interpolate import make_interp_spline

    # of few samples, the polynomial through them all
    return of_spline(make_interp_spline(t, rows, k=degree if len(t) > degree else len(t) - 1))
