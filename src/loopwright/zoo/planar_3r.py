"""The planar arm of three links."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Builder, Mechanism
from .keywords import positives

START = {"shoulder": 0.0, "elbow": 0.0, "wrist": 0.0}


def planar_3r(lengths: Sequence[float] = (0.3, 0.25, 0.22), masses: Sequence[float] = (0.5, 0.4, 0.3)) -> Mechanism:
    """Planar arm of three slender links and three revolute joints.

    ::

        y
        |
        o===========o=========o=======>
     shoulder     elbow     wrist         stretched along x at q = 0

    The usual motion is the cycloid from 0 to pi at every joint in 10 s.
    Source: ReDySim's three-link robot [Shah2012].
    """
    lengths, masses = positives("planar_3r", "lengths", lengths, 3), positives("planar_3r", "masses", masses, 3)
    b = Builder("planar_3r", gravity=(0, -9.81, 0), source="ReDySim, three-link robot [Shah2012]")
    parent, at = "ground", 0.0
    for joint, body, length, mass in zip(
        ("shoulder", "elbow", "wrist"), ("upper_arm", "forearm", "hand"), lengths, masses, strict=True
    ):
        b.rod(body, mass, to=(length, 0, 0))
        b.revolute(joint, parent, body, xyz=(at, 0, 0))
        parent, at = body, length
    return b.build()
