"""Bennett's linkage."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .keywords import positive

START = {"joint_1": math.pi / 2, "joint_2": 2 * math.pi / 3, "joint_4": -2 * math.pi / 3}

_ALPHA, _BETA = math.pi / 6, math.pi / 2  # twists of opposite links; sin(alpha) / a = sin(beta) / b


def bennett(length: float = 0.3, mass: float = 1.0) -> Mechanism:
    r"""Bennett's linkage: four hinges in space that move, though counting leaves minus two freedoms.

    ::

           joint_2 o-------- link_2 --------o joint_3
                  /   2 a, twist 90 deg    /
         link_1  /                        / link_3
          a, 30 /                        /  a, 30 deg
               o------- ground ---------o
           joint_1   2 a, twist 90    joint_4

    Opposite links are equal, offsets are zero, and the sines of the twists are as the lengths: that alone lets
    it move, by tan(q1 / 2) tan(q2 / 2) = sqrt(3), q3 = -q1, q4 = -q2. `length` is a; links 1 and 3 weigh `mass`,
    link 2 twice that, all slender; up is z. Three of the five closure rows are redundant.
    Source: Bennett [Bennett1903]; the dimensions are this library's own.
    """
    a, m = positive("bennett", "length", length), positive("bennett", "mass", mass)
    c = 2 * a
    b = Builder("bennett", source="Bennett 1903 [Bennett1903]; dimensions our own")
    b.rod("link_1", m, to=(a, 0, 0))
    b.rod("link_2", 2 * m, to=(c, 0, 0))
    b.rod("link_3", m, to=(a, 0, 0))
    b.revolute("joint_1", "ground", "link_1")
    b.revolute("joint_2", "link_1", "link_2", xyz=(a, 0, 0), rpy=(_ALPHA, 0, 0))
    b.revolute("joint_3", "link_2", "link_3", xyz=(c, 0, 0), rpy=(_BETA, 0, 0))
    b.revolute(
        "joint_4", "link_3", "ground", xyz=(a, 0, 0), rpy=(_ALPHA, 0, 0), child_xyz=(-c, 0, 0), child_rpy=(-_BETA, 0, 0)
    )
    return b.build()
