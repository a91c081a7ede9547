"""The Universal Robots UR5."""

from __future__ import annotations

import math

import numpy as np

from loopwright import Mechanism
from loopwright.spatial import from_rpy, numbers

from .links import Link, Six, built

SOURCE = "Universal Robots, ur_description, config/ur5: lengths, masses, mass centres and principal moments"
TURN = from_rpy(numbers((0.1, 0.2, 0.3)))

_Q = math.pi / 2


def _tensor(xx: float, yy: float, zz: float) -> Six:
    """The published principal moments, their axes turned by TURN."""
    I = TURN @ np.diag([xx, yy, zz]) @ TURN.T
    return I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]


def ur5() -> Mechanism:
    """An arm of six joints; lengths, masses and mass centres as published.

    The published tensors are those of upright cylinders. They are turned a little against the links, as those of
    a measured arm are, so that nothing falls out of the equations but what falls out for a real UR5.
    """
    links = (
        Link("shoulder", "ground", "z", (0, 0, 0.089159), (0, 0, 0),
             3.7, (0, -0.00193, -0.02561), _tensor(0.014972, 0.014972, 0.010406)),
        Link("upper_arm", "shoulder", "z", (0, 0, 0), (_Q, 0, 0),
             8.393, (-0.2125, 0, 0.11336), _tensor(0.015107, 0.13389, 0.13389)),
        Link("forearm", "upper_arm", "z", (-0.425, 0, 0), (0, 0, 0),
             2.33, (-0.24225, 0, 0.0265), _tensor(0.004095, 0.031217, 0.031217)),
        Link("wrist_1", "forearm", "z", (-0.39225, 0, 0.10915), (0, 0, 0),
             1.219, (0, -0.01634, -0.0018), _tensor(0.0020139, 0.0020139, 0.0021942)),
        Link("wrist_2", "wrist_1", "z", (0, -0.09465, 0), (_Q, 0, 0),
             1.219, (0, 0.01634, -0.0018), _tensor(0.0018310, 0.0018310, 0.0021942)),
        Link("wrist_3", "wrist_2", "z", (0, 0.0823, 0), (-_Q, 0, 0),
             0.1879, (0, 0, -0.001159), _tensor(8.0625e-05, 8.0625e-05, 1.3212e-04)),
    )  # fmt: skip
    return built("ur5", SOURCE, links)
