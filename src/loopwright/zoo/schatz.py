"""Schatz's linkage."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .keywords import positive

START = {
    "joint_1": 0.7,
    "joint_2": -2.294777842665325,
    "joint_3": -1.6801651936623394,
    "joint_6": 2.605876859269362,
    "joint_5": 0.7307137299637269,
}


def schatz(length: float = 0.2, shaft: float = 0.15, mass: float = 1.0) -> Mechanism:
    r"""Schatz's linkage: six hinges in a ring that tumble the middle link, though counting says they cannot.

    ::

           joint_3 o=============o joint_4
                  / \  link_3  /  \
         link_2  /   (tumbles)     \ link_4
                /                   \
       joint_2 o                     o joint_5
        link_1 |                     | link_5
               o joint_1             o joint_6      two parallel shafts, sqrt(3) length apart
           ====|====== ground =======|====

    Links 2, 3 and 4 have that `length` between axes at right angles; links 1 and 5 are forks whose axes cross at
    `shaft` from the ground; all axes but those of the ground, which are parallel, are at right
    angles to the next. Bars are slender; links 2 to 4 weigh `mass`, forks half that. One of six closing equations is
    redundant in every position, and one freedom remains. The Turbula mixer is this linkage.
    Source: Baker, Duclong, Khoo [Baker1982]; the dimensions are this library's own.
    """
    a, r = positive("schatz", "length", length), positive("schatz", "shaft", shaft)
    m = positive("schatz", "mass", mass)
    b = Builder("schatz", source="Schatz's linkage [Baker1982]; dimensions our own")
    right = {"rpy": (math.pi / 2, 0, 0)}
    b.rod("link_1", m / 2, to=(0, 0, r))
    b.revolute("joint_1", "ground", "link_1", actuated=True)
    at = (0.0, 0.0, r)
    for k in (2, 3, 4):
        b.rod(f"link_{k}", m, to=(a, 0, 0))
        quarter = math.pi / 2 if k < 4 else -math.pi / 2
        b.revolute(f"joint_{k}", f"link_{k - 1}", f"link_{k}", xyz=at, rpy=(quarter, 0, 0))
        at = (a, 0.0, 0.0)
    b.rod("link_5", m / 2, to=(0, r, 0))
    b.revolute("joint_5", "link_4", "link_5", xyz=at, **right)
    b.revolute("joint_6", "link_5", "ground", xyz=(0, r, 0), **right, child_xyz=(-math.sqrt(3) * a, 0, 0))
    return b.build()
