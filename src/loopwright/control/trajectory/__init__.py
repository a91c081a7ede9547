"""`lw.trajectory`: values over time, for actuators' forces, motions that are given, and laws that follow them.

All of these give `x(t)`, `x.velocity(t)` and `x.acceleration(t)`, for one time or many, or within a law. From single
numbers comes a trajectory of one value, from lists one of as many.
"""

from ...simulate.formula import Formula, of
from ...simulate.samples import Samples
from ...simulate.trajectory import Trajectory
from .cycloids import cycloid
from .sines import sines
from .splines import cubic, quintic, spline
from .steady import hold, steady

__all__ = [
    "Formula",
    "Samples",
    "Trajectory",
    "cubic",
    "cycloid",
    "hold",
    "of",
    "quintic",
    "sines",
    "spline",
    "steady",
]
