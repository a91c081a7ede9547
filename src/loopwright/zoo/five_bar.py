"""The planar parallel arm of five bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..mechanism import Builder, Mechanism
from .keywords import closable, positives

START = {
    "shoulder_1": math.radians(80),
    "elbow_1": -0.7051735690442587,
    "shoulder_2": math.radians(70),
    "elbow_2": 1.0045242531528646,
}


def five_bar(
    lengths: Sequence[float] = (0.6, 1.1, 0.7, 0.8, 1.2), masses: Sequence[float] = (3.0, 1.6, 2.0, 1.1)
) -> Mechanism:
    r"""Five-bar planar parallel manipulator: two driven legs that meet at the tip.

    ::

                    __--o tip
         elbow_1 o--     \
        y        |        o elbow_2
        |        |       /
        |__      o      o
           x  shoulder_1  shoulder_2     .6, 1.1 m; .7, .8 m; 1.2 m apart

    `lengths`: upper and lower bar of leg 1, of leg 2, and the ground; `masses`: upper and lower bar of leg 1, of
    leg 2; all slender. The paper drives leg 1 from 30 to 90, leg 2 from 30 to 70.3 degrees in 20 s, and lets the
    arm fall from 80 and 70 degrees, which is the start, until it reaches a singular position after about 1.4 s. With
    the tip above the elbows, as drawn and as it starts here, one comes after 0.48 s; with the tip below, after 1.33 s.
    Source: Saha, Schiehlen [Saha2001, Fig. 9].
    """
    upper_1, lower_1, upper_2, lower_2, ground = positives("five_bar", "lengths", lengths, 5)
    closable("five_bar", dict(zip(("upper_1", "lower_1", "upper_2", "lower_2", "ground"), lengths, strict=True)))
    m = positives("five_bar", "masses", masses, 4)
    b = Builder("five_bar", gravity=(0, -9.81, 0), source="Saha, Schiehlen 2001, Fig. 9 [Saha2001]")
    for leg, (upper, lower, x) in enumerate(((upper_1, lower_1, 0.0), (upper_2, lower_2, ground)), start=1):
        b.rod(f"upper_{leg}", m[2 * leg - 2], to=(upper, 0, 0))
        b.rod(f"lower_{leg}", m[2 * leg - 1], to=(lower, 0, 0))
        b.revolute(f"shoulder_{leg}", "ground", f"upper_{leg}", xyz=(x, 0, 0), actuated=True)
        b.revolute(f"elbow_{leg}", f"upper_{leg}", f"lower_{leg}", xyz=(upper, 0, 0))
    b.revolute("tip", "lower_1", "lower_2", xyz=(lower_1, 0, 0), child_xyz=(lower_2, 0, 0))
    return b.build()
