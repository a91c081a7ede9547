"""What a method of integration is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...spatial import Array


@dataclass(frozen=True, eq=False)
class Method:
    """`step` and `dense` are texts of loops/, `table` their numbers; `rows` of memory that they need, for n entries."""

    name: str
    order: int  # the global error falls as the step to this power
    step: Callable[[int, int, int], int]
    dense: Callable[[int, int, int, float, int], int]
    table: Array
    rows: Callable[[int], int]  # numbers of work memory for n entries
    source: str
    fixed: bool = False  # its steps have the length that the user says
    implicit: bool = False  # it needs the slope of the flow
    variable: bool = False  # its order changes on the way; `order` is that of its highest
    also: tuple[str, ...] = ()  # other names it goes by
    library: str = ""  # whose steps they are, when they are not ours


@dataclass(frozen=True, eq=False)
class Tableau:
    """A has one row for every stage, one for the end of the step, and those for the state within it."""

    stages: int
    A: Array
    c: Array
    P: Array  # y(theta) = y + h sum_i k_i sum_j P_ij theta^(j+1)
    e: Array
    e3: Array | None = None
    error_order: int = 0  # 0: the step is fixed

    def packed(self) -> Array:
        """As loops/runge_kutta.py reads it."""
        S, powers = self.P.shape
        kind = 0 if self.error_order == 0 else 1 if self.e3 is None else 2
        A = np.zeros((S, S))
        A[: len(self.A), : self.A.shape[1]] = self.A
        b = A[self.stages]
        wide = [
            np.concatenate([x, np.zeros(S - len(x))]) for x in (self.e, np.zeros(0) if self.e3 is None else self.e3)
        ]
        head = [self.stages, S, powers, self.error_order, kind]
        return np.concatenate([head, A.ravel(), b, self.c, *wide, self.P.ravel()])


def explicit(
    name: str,
    order: int,
    tableau: Tableau,
    source: str,
) -> Method:
    """A Runge-Kutta method."""
    from ..loops import runge_kutta

    stages = len(tableau.c)
    return Method(
        name,
        order,
        runge_kutta.step,
        runge_kutta.dense,
        tableau.packed(),
        lambda n: (stages + 1) * n,
        source,
        fixed=tableau.error_order == 0,
    )


def foreign(name: str, order: int, library: str, source: str) -> Method:
    """A method of another library, by which ours are checked."""
    return Method(name, order, _elsewhere, _elsewhere, np.zeros(1), lambda n: 1, source, library=library)


def _elsewhere(*given: object) -> int:
    raise NotImplementedError("the library takes this step")


def hermite(b: Array) -> Array:
    """P of the cubic through both ends and their rates; the last stage is the end."""
    # y + (3 s^2 - 2 s^3) dy + h (s - 2 s^2 + s^3) f_0 + h (s^3 - s^2) f_1
    P = np.outer(np.append(b, 0.0), [0.0, 3.0, -2.0])
    P[0] += [1.0, -2.0, 1.0]
    P[-1] += [0.0, -1.0, 1.0]
    return P
