"""Many states of a mechanism, and what the quantities measured take of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import numpy as np

import loopwright as lw

from .models import ROBOTS

BATCH = 4096
TAKES = {
    "forward": ("q", "v", "tau"),
    "inverse": ("q", "v", "a"),
    "mass_matrix": ("q",),
    "forward_derivatives": ("q", "v", "tau"),
}


@dataclass(frozen=True)
class States:
    """One state a row; `tau` are the forces that give the accelerations `a`."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray

    def of(self, quantity: str) -> tuple[np.ndarray, ...]:
        """The arguments of a quantity."""
        return tuple(getattr(self, name) for name in TAKES[quantity])

    def __getitem__(self, rows: slice) -> States:
        return States(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True)
class Subject:
    """A robot in many states."""

    mechanism: lw.Mechanism
    dynamics: lw.Dynamics
    states: States


@cache
def subject(name: str) -> Subject:
    """A robot of `models`."""
    return in_states(ROBOTS[name]())


def in_states(mechanism: lw.Mechanism, count: int = BATCH) -> Subject:
    """Angles all around the circle, rates and accelerations of ordinary size; the same in every run."""
    rng = np.random.default_rng(count)
    dynamics = lw.Dynamics(mechanism)
    q = np.array([mechanism.integrate(mechanism.neutral(), rng.uniform(-3, 3, mechanism.nv)) for _ in range(count)])
    v, a = rng.normal(size=(2, count, mechanism.nv))
    return Subject(mechanism, dynamics, States(q, v, a, dynamics.kernel("inverse")(q, v, a)))
