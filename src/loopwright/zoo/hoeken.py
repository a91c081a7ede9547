"""Hoeken's linkage, the first loop of the carpet scraper."""

from __future__ import annotations

import math

from ..mechanism import Mechanism
from .four_bar import linkage

START = {"crank_joint": 0.0, "rocker_joint": 0.9843730608397601, "rocker_pin": 4.314439185500066}
RATES = {"crank_joint": 1.5 * math.pi, "rocker_joint": 1.4044767157224956, "rocker_pin": 0.0}


def hoeken() -> Mechanism:
    r"""Hoeken four-bar: a crank that turns while the coupler's far end draws a straight line.

    ::

                    o rocker_pin
           rocker  / \_ coupler
                  /     \__ o crank_pin
                 o         o          crank .038 m 1.5 kg, rocker .1152 m 3 kg,
          rocker_joint  crank_joint   coupler .1152 m 5 kg, ground .0895 m

    The first loop of the carpet scraper, by itself: the coupler, which hangs on the rocker with its x axis from
    rocker_pin to crank_pin, ends there; the rocker's pivot is at x = -.0895. It is run at 45 turns a minute.
    Source: the four-bar of [Saha2013, 4], which is the first loop of [Koul2014]; ReDySim's Hoeken linkage [Shah2012].
    """
    return linkage(
        "hoeken",
        "ReDySim, Hoeken four-bar [Shah2012]; [Saha2013, section 4]; first loop of [Koul2014]",
        lengths=(0.038, 0.1152, 0.1152, 0.0895),
        masses=(1.5, 5.0, 3.0),
        thickness=0.01,
        coupler_on="rocker",
        side=-1.0,
    )
