"""A walking robot on six legs."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .legged import BEND, LINK_LENGTH, body, leg, standing

HIPS = {
    f"{side}_{place}": (x, 0.0, z)
    for side, z in (("left", -0.25), ("right", 0.25))
    for place, x in (("rear", -0.6), ("middle", 0.0), ("front", 0.6))
}
START = standing(tuple(HIPS), (0.0, 2 * LINK_LENGTH * math.cos(BEND), 0.0))


def hexapod() -> Mechanism:
    r"""Hexapod: a body that floats, and six legs with a universal hip and a revolute knee each.

    ::

                 ________________________
          y     /                       /|    forward is x, up is y
          |    /_______________________/ |
          |__  |_______________________|/
         /  x   o          o          o       hip: about x, then about z
        z      /          /          /
              o          o          o         knee: about z
               \          \          \

    The body weighs 2 kg; hips at x = -.6, 0, .6 and z = -.25, .25. Not published, and this library's own: universal
    hips, thighs and shanks of .2 kg and .3 m, a body as large as the hips' rectangle and .1 m high, no ground.
    Source: the hexapod of Shah, Saha, Dutt [Shah2013].
    """
    b = Builder("hexapod", gravity=(0, -9.81, 0), source="Shah, Saha, Dutt 2013 [Shah2013]; legs our own")
    body(b, 2.0, (1.2, 0.1, 0.5))
    for name, hip in HIPS.items():
        leg(b, name, hip, 0.2, down=(0, -1, 0), forward=(1, 0, 0), across=(0, 0, 1))
    return b.build()
