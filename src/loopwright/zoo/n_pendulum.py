"""The pendulum of n point masses."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .keywords import positive, whole

START = {f"pivot_{k}": 0.0 for k in (1, 2, 3)}  # stretched along x, at rest


def n_pendulum(n: int = 3, length: float = 1.0, mass: float = 1.0) -> Mechanism:
    """Pendulum of n equal point masses on bars without mass, in a plane.

    ::

           o-------(m)-------(m)-------(m)
        pivot_1  pivot_2   pivot_3

    The coordinates are relative angles; all at zero it is stretched along x. With n = 2 it is the double
    pendulum, chaotic at large swings, with large n a hanging rope.
    Source: Bernoulli's hanging chain of point masses, 1738 [Bernoulli1738].
    """
    n = whole("n_pendulum", "n", n)
    length, mass = positive("n_pendulum", "length", length), positive("n_pendulum", "mass", mass)
    b = Builder("n_pendulum", gravity=(0, -9.81, 0), source="hanging chain of point masses [Bernoulli1738]")
    for k in range(1, n + 1):
        b.body(f"bob_{k}", mass, com=(length, 0, 0))
        parent, at = ("ground", 0.0) if k == 1 else (f"bob_{k - 1}", length)
        b.revolute(f"pivot_{k}", parent, f"bob_{k}", xyz=(at, 0, 0))
    return b.build()
