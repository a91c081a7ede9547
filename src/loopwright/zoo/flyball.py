"""Watt's governor with springs for links."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism

START = {"shaft_joint": 0.0, "arm_1_joint": math.pi / 6, "arm_2_joint": math.pi / 6, "slide": 0.5}
RATES = {"shaft_joint": 2 * math.pi, "arm_1_joint": 0.0, "arm_2_joint": 0.0, "slide": 0.0}

_DENSITY = 3000.0


def flyball() -> Mechanism:
    r"""Flyball governor: a spinning shaft, two arms with balls and a slider, held by stiff springs.

    ::

                  z
         arm_2_joint | arm_1_joint
               o---+---o
             /     |     \           arms 30 degrees below the horizontal
           /\      |      /\
         /   \s    |    s/   \       s: springs of 8e5 N/m and dampers of 4e4 N s/m,
        O     \   [ ]   /     O         free length .5 m
                 slider
                   |
                   o shaft_joint

    Shaft and arms 1 m long, .01 m square, slider a cube of .1 m, all of density 3000 kg/m^3; balls of 5 kg, points,
    at the ends of the arms; the arms' hinges .05 m either side of the shaft's top. The springs, from the
    slider's sides to the middles of the arms, take the place of Watt's links: an open tree, but stiff. It starts
    with one turn a second, the slider at .5 m, the springs slack, and runs 10 s.
    Source: IFToMM library of benchmark problems, A05 [Gonzalez2006].
    """
    b = Builder("flyball", source="IFToMM benchmark library, A05 [Gonzalez2006]")
    mass = _DENSITY * 0.01**2
    along, across = mass * 0.01**2 / 6, mass * (1 + 0.01**2) / 12
    b.body("shaft", mass, com=(0, 0, 0.5), inertia=(across, across, along))
    b.revolute("shaft_joint", "ground", "shaft")
    cube = _DENSITY * 0.1**3
    b.body("slider", cube, inertia=(cube * 0.1**2 / 6,) * 3)
    b.prismatic("slide", "shaft", "slider")
    for k, (x, yaw) in enumerate(((0.05, 0.0), (-0.05, math.pi)), start=1):
        # x runs outward along the arm; a positive angle lowers it
        b.body(f"arm_{k}", mass, com=(0.5, 0, 0), inertia=(along, across, across))
        b.revolute(f"arm_{k}_joint", "shaft", f"arm_{k}", axis=(0, 1, 0), xyz=(x, 0, 1), rpy=(0, 0, yaw))
        b.body(f"ball_{k}", 5.0)
        b.weld(f"ball_{k}_weld", f"arm_{k}", f"ball_{k}", xyz=(1, 0, 0))
        b.spring(
            f"spring_{k}",
            "slider",
            f"arm_{k}",
            xyz=(x, 0, 0),
            child_xyz=(0.5, 0, 0),
            stiffness=8e5,
            damping=4e4,
            length=0.5,
        )
    return b.build()
