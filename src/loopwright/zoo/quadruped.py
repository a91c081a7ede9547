"""A walking robot on four legs."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .legged import BEND, LINK_LENGTH, body, leg, standing

HIPS = {
    "left_rear": (-0.25, -0.5, 0.0),
    "left_front": (-0.25, 0.5, 0.0),
    "right_rear": (0.25, -0.5, 0.0),
    "right_front": (0.25, 0.5, 0.0),
}
START = standing(tuple(HIPS), (0.0, 0.0, 2 * LINK_LENGTH * math.cos(BEND)))


def quadruped() -> Mechanism:
    r"""Quadruped: a body that floats, and four legs with a universal hip and a revolute knee each.

    ::

                 _________________
         z  y   /                /|    forward is y, up is z
         | /   /________________/ |
         |/    |________________|/o    hip: about y, then about x
           x    o   o          o /
               /   /          /  o     knee: about x
              o   o          o    \
               \   \          \

    The body weighs 4 kg and measures 1 m along y, .5 m along x; thighs and shanks are slender, 1 kg and .3 m. The
    hips as universal joints and the body's height, .1 m, are this library's own. There is no ground to stand on:
    the published one pushes with springs of 2500 N/m and friction .7.
    Source: the quadruped of Shah, Saha, Dutt [Shah2013].
    """
    b = Builder("quadruped", source="Shah, Saha, Dutt 2013 [Shah2013]; hips and height our own")
    body(b, 4.0, (0.5, 1.0, 0.1))
    for name, hip in HIPS.items():
        leg(b, name, hip, 1.0, down=(0, 0, -1), forward=(0, 1, 0), across=(1, 0, 0))
    return b.build()
