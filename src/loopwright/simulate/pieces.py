"""Polynomials one after the other in time, held at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array, Symbol, where
from .loops import curves
from .trajectory import Native, Trajectory

_MOST_WRITTEN_OUT = 64  # pieces, in a program made of symbols


class Pieces(Trajectory):
    """`coefficients[i, n, j]` of value n on piece i, of (t - knots[i])^(degree - j).

    Before the first knot and after the last the values there hold and rates are nothing.
    """

    def __init__(
        self, knots: Array, coefficients: Array, breaks: Sequence[float] | Array | None = None, scalar: bool = False
    ) -> None:
        self.knots = np.ascontiguousarray(knots, dtype=float)
        self.coefficients = np.ascontiguousarray(coefficients, dtype=float)
        self.width, self.scalar = self.coefficients.shape[1], scalar
        self.breaks = tuple(float(x) for x in (self.knots if breaks is None else breaks))

    @property
    def degree(self) -> int:
        return int(self.coefficients.shape[2] - 1)

    @property
    def begin(self) -> float:
        return float(self.knots[0])

    @property
    def end(self) -> float:
        return float(self.knots[-1])

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.width} value{'s' * (self.width > 1)}, {self.begin:g} … {self.end:g} s, "
            f"{len(self.coefficients)} pieces of degree {self.degree})"
        )

    def at(self, t: Any, order: int = 0) -> Any:
        """On numbers, arrays of them, or a symbol."""
        if isinstance(t, Symbol):
            return self.shaped(self._on_symbol(t, order))
        moments = np.asarray(t, dtype=float)
        inside = np.clip(moments, self.begin, self.end)
        piece = np.clip(np.searchsorted(self.knots, inside, side="right") - 1, 0, len(self.coefficients) - 1)
        x = (inside - self.knots[piece])[..., None]
        found = np.zeros((*moments.shape, self.width))
        c = self._derived(order)[piece]
        for j in range(c.shape[-1]):
            found = found * x + c[..., j]
        if order:
            found = np.where(((moments < self.begin) | (moments > self.end))[..., None], 0.0, found)
        return self.shaped(found)

    def _derived(self, order: int) -> Array:
        c = self.coefficients
        for _ in range(order):
            powers = np.arange(c.shape[2] - 1, 0, -1)
            c = c[:, :, :-1] * powers if len(powers) else np.zeros((*c.shape[:2], 1))
        return c

    def _on_symbol(self, t: Symbol, order: int) -> Array:
        if len(self.coefficients) > _MOST_WRITTEN_OUT:
            raise LoopwrightError(
                f"a trajectory of {len(self.coefficients)} pieces cannot be written out within a law; hand it to the "
                "law instead: lw.law(mech, lambda t, q, v, wanted: …, along=trajectory)"
            )
        inside = where(t > self.begin, where(t < self.end, t, self.end), self.begin)
        c, start = self._derived(order), self.knots
        chosen, begin = [list(row) for row in c[0]], start[0]
        for k in range(1, len(c)):
            later = inside >= start[k]
            begin = where(later, start[k], begin)
            chosen = [
                [where(later, new, old) for new, old in zip(a, b, strict=True)]
                for a, b in zip(c[k], chosen, strict=True)
            ]
        x = inside - begin
        found = []
        for row in chosen:
            value: Any = 0.0
            for entry in row:
                value = value * x + entry
            found.append(where(t < self.begin, 0.0, where(t > self.end, 0.0, value)) if order else value)
        return np.array(found, dtype=object)

    def native(self) -> Native:
        """The knots and coefficients as one table."""
        pieces, width, terms = self.coefficients.shape
        table = np.concatenate([[pieces, width, terms], self.knots, self.coefficients.ravel()])
        return Native(curves.pieces, table)


def constant(values: Any) -> Pieces:
    """The same values at all times."""
    given = np.asarray(values, dtype=float)
    return Pieces(np.array([0.0, 1.0]), given.reshape(1, -1, 1), breaks=(), scalar=given.ndim == 0)


def of_spline(spline: Any, breaks: Sequence[float] | Array | None = None, scalar: bool = False) -> Pieces:
    """From a BSpline of SciPy, whose rows are values."""
    knots = np.unique(spline.t)
    powers = [spline(knots[:-1], j) / factorial(j) for j in range(spline.k, -1, -1)]
    return Pieces(knots, np.stack(powers, axis=2), breaks, scalar)
