"""What a Rosenbrock method is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...spatial import Array
from .method import Method


@dataclass(frozen=True, eq=False)
class Rosenbrock:
    """The numbers of [Hairer1996, IV.7], rows below the diagonal; the last stage is the error.

    `H`: y(theta) = (1 - theta) y_0 + theta (y_1 + (1 - theta) (h_1 + theta (h_2 + ...))),  h_k = sum_j H_kj u_j.
    """

    gamma: float
    a: Sequence[Sequence[float]]
    c: Sequence[Sequence[float]]
    H: Array
    error_order: int

    @property
    def A(self) -> Array:
        return _below(self.a)

    @property
    def C(self) -> Array:
        return _below(self.c)

    @cached_property
    def Gamma(self) -> Array:
        """Of the form without transformed stages, u = Gamma k:   C = 1/gamma - Gamma^-1."""
        return np.linalg.inv(np.eye(len(self.A)) / self.gamma - self.C)

    @property
    def m(self) -> Array:
        """Stiffly accurate: the end is the last stage and its increment."""
        return self.A[-1] + self.e

    @property
    def e(self) -> Array:
        return np.eye(len(self.A))[-1]

    def P(self) -> Array:
        """Of y(theta) in powers of theta, from the first on."""
        theta = np.polynomial.Polynomial([0.0, 1.0])
        found = np.zeros((len(self.A), len(self.H) + 2))
        for j, m in enumerate(self.m):
            inner = np.polynomial.Polynomial(self.H[:, j])
            coef = (theta * (m + (1.0 - theta) * inner)).coef[1:]
            found[j, : len(coef)] = coef
        return found[:, : len(self.H) + 1]

    def packed(self) -> Array:
        """As loops/rosenbrock.py reads it; where stages stand in time follows from the rest."""
        A, Gamma, P = self.A, self.Gamma, self.P()
        alpha, gammas = _clean((A @ Gamma).sum(axis=1)), _clean(Gamma.sum(axis=1))
        head = [len(A), P.shape[1], self.error_order, self.gamma]
        return np.concatenate([head, A.ravel(), self.C.ravel(), alpha, gammas, self.m, self.e, P.ravel()])


def _below(rows: Sequence[Sequence[float]]) -> Array:
    found = np.zeros((len(rows) + 1, len(rows) + 1))
    for i, row in enumerate(rows, start=1):
        found[i, : len(row)] = row
    return found


def _clean(values: Array) -> Array:
    """Without what rounding leaves of 0 and 1."""
    whole = np.round(values)
    return np.where(np.abs(values - whole) < 1e-12, whole, values)


def rosenbrock(name: str, order: int, tableau: Rosenbrock, source: str) -> Method:
    """A Rosenbrock method with an error estimate."""
    from ..loops import rosenbrock as text

    stages = len(tableau.A)
    return Method(
        name,
        order,
        text.step,
        text.dense,
        tableau.packed(),
        lambda n: text.room(stages, n),
        source,
        implicit=True,
    )
