"""The simple pendulum."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .keywords import positive

START = {"pivot": math.pi}  # the bar along -x, at rest


def pendulum(length: float = 1.0, mass: float = 1.0) -> Mechanism:
    """Simple pendulum: a point mass at the end of a bar without mass.

    ::

          y
          |   q
          o-----------(m)      q = 0: the bar along x
        pivot  length

    Benchmark A01 starts it from (-1, 0), q = pi, at rest.
    Source: IFToMM library of benchmark problems, A01 [Gonzalez2006].
    """
    length, mass = positive("pendulum", "length", length), positive("pendulum", "mass", mass)
    b = Builder("pendulum", gravity=(0, -9.81, 0), source="IFToMM benchmark library, A01 [Gonzalez2006]")
    b.body("bob", mass, com=(length, 0, 0))
    b.revolute("pivot", "ground", "bob")
    return b.build()
