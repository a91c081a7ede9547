"""The four-bar linkage, and what builds the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..mechanism import Builder, Mechanism
from .keywords import closable, positives

START = {"crank_joint": math.pi / 2, "crank_pin": -1.2679157687722191, "rocker_joint": 1.6467338486390541}


def four_bar(lengths: Sequence[float] = (0.3, 1.0, 0.6, 1.0), masses: Sequence[float] = (1.5, 5.0, 3.0)) -> Mechanism:
    r"""Four-bar linkage: crank, coupler and rocker, on two pivots of the ground.

    ::

                      coupler
                crank_pin ______--o rocker_pin
        y            o----         \
        |    crank  /               \  rocker
        |__        o                 o
            crank_joint  ground   rocker_joint
                x

    `lengths` are those of crank, coupler, rocker and ground, `masses` of the three that move; all are slender.
    The rocker's angle is counted from x, so that it is th1 + th2 + th3 - pi in the relative angles of the paper,
    whose th4 is minus that. The paper drives the crank from 30 to 90 degrees by a cycloid in 20 s, and lets
    the linkage fall from 90 degrees, which is the start.
    Source: Saha, Schiehlen [Saha2001, Fig. 4].
    """
    return linkage("four_bar", "Saha, Schiehlen 2001, Fig. 4 [Saha2001]", lengths, masses)


def linkage(
    name: str,
    source: str,
    lengths: Sequence[float],
    masses: Sequence[float],
    thickness: float = 0.0,
    coupler_on: str = "crank",
    side: float = 1.0,
    gravity: float = 9.81,
) -> Mechanism:
    """A four-bar linkage; its loop opens at the pin that does not carry the coupler.

    Inertia is m l^2/12 across every bar and m thickness^2/12 along it. The rocker's pivot is at x = side * ground.
    """
    crank, coupler, rocker, ground = positives(name, "lengths", lengths, 4)
    closable(name, {"crank": crank, "coupler": coupler, "rocker": rocker, "ground": ground})
    b = Builder(name, gravity=(0, -gravity, 0), source=source)
    for body, length, mass in zip(
        ("crank", "coupler", "rocker"), (crank, coupler, rocker), positives(name, "masses", masses, 3), strict=True
    ):
        across = mass * length**2 / 12
        b.body(body, mass, com=(length / 2, 0, 0), inertia=(mass * thickness**2 / 12, across, across))
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("rocker_joint", "ground", "rocker", xyz=(side * ground, 0, 0))
    if coupler_on == "crank":
        b.revolute("crank_pin", "crank", "coupler", xyz=(crank, 0, 0))
        b.revolute("rocker_pin", "coupler", "rocker", xyz=(coupler, 0, 0), child_xyz=(rocker, 0, 0))
    else:
        b.revolute("rocker_pin", "rocker", "coupler", xyz=(rocker, 0, 0))
        b.revolute("crank_pin", "crank", "coupler", xyz=(crank, 0, 0), child_xyz=(coupler, 0, 0))
    return b.build()
