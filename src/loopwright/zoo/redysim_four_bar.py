"""The four-bar linkage of ReDySim's examples."""

from __future__ import annotations

import math

from ..mechanism import Mechanism
from .four_bar import linkage

START = {"crank_joint": 0.0, "rocker_joint": 2.278380763520252, "rocker_pin": -4.0048045436593345}
RATES = {"crank_joint": 1.5 * math.pi, "rocker_joint": -0.75 * math.pi, "rocker_pin": 0.0}


def redysim_four_bar() -> Mechanism:
    r"""ReDySim's four-bar linkage: the example on which programs for closed loops are compared.

    ::

           rocker_pin o
                     / \
           coupler  /   \  rocker
                   /     \           crank .05 m 1.5 kg, rocker .13 m 5 kg,
        o=========o       o          coupler .1 m 3 kg, ground .15 m
        crank_joint      rocker_joint

    The coupler hangs on the rocker (ReDySim: output link), its x axis from rocker_pin to crank_pin. Inertia along
    the bars is that of a thickness of .01 m. It is run at 45 turns a minute, or let fall from the start.
    Source: ReDySim's four-bar mechanism [Shah2012].
    """
    return linkage(
        "redysim_four_bar",
        "ReDySim, four-bar mechanism [Shah2012]",
        lengths=(0.05, 0.1, 0.13, 0.15),
        masses=(1.5, 3.0, 5.0),
        thickness=0.01,
        coupler_on="rocker",
    )
