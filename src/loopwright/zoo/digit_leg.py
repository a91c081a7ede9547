"""A leg like Digit's."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .sprung_leg import ACROSS, push_rod, sprung_leg

START = {
    "hip_joint": -1.0471975511965976,
    "knee_joint": -1.1344640137963145,
    "shin_spring": 0.0,
    "ankle_joint": 1.3564108568067896,
    "heel_spring": 0.0,
    "foot_joint.1": 0.8203047484373349,
    "foot_joint.2": 0.1,
    "crank_1_joint": -1.574038522379436,
    "toe_1_joint.1": 1.6143678699071473,
    "toe_1_joint.2": -0.000644623879737939,
    "crank_2_joint": -1.4709066141378075,
    "toe_2_joint.1": 1.492772656830167,
    "toe_2_joint.2": 0.0006446238797379373,
    "achilles_joint.1": -0.9957425041513733,
    "achilles_joint.2": -0.09012194501459525,
}


def digit_leg() -> Mechanism:
    r"""Leg like Digit's: Cassie's sprung four-bar, and a foot that two motors tip and roll by two rods.

    ::

                 hip_joint
                  o_
                 /  \_ thigh
      achilles  /     o knee_joint
         rod   /     / knee, shin_spring
              /     /
             /     / shin
            o__   /
                \o ankle_joint
       heel_spring \ o o crank_1_joint, crank_2_joint
                    \ \ \
            z   tarsus \ \ \ rods 1 and 2, .04 m to the left and right
            |__ x       \ \ \
                         o  o  o
                      foot_joint: tips, then rolls

    The hip hangs on the ground. Motors turn hip, knee and the two toe cranks, which tip the foot when they turn
    together and roll it when they turn apart. The leg is that of cassie_leg down to the ankle. Hip, knee, two
    springs, tip and roll are six freedoms; fourteen joints, three loops. It starts crouched, the springs slack and
    the foot rolled a little.
    Source: the leg of Digit as in Castillo and others [Castillo2021]; dimensions and masses are this library's own.
    """
    b = Builder("digit_leg", source="Digit's leg [Castillo2021]; dimensions and masses our own")
    sprung_leg(b)
    b.body("foot", 0.6, com=(0.02, 0, -0.03), inertia=(0.0008, 0.003, 0.0035))
    b.universal("foot_joint", "tarsus", "foot", axes=(ACROSS, (1, 0, 0)), xyz=(0.41, 0, -0.04))
    for k, side in ((1, 0.04), (2, -0.04)):
        b.rod(f"crank_{k}", 0.13, to=(0.055, 0, 0))
        b.rod(f"toe_rod_{k}", 0.1, to=(0.31, 0, 0))
        b.revolute(f"crank_{k}_joint", "tarsus", f"crank_{k}", axis=ACROSS, xyz=(0.06, side, -0.035), actuated=True)
        push_rod(b, f"toe_{k}", f"crank_{k}", f"toe_rod_{k}", "foot", (0.055, 0, 0), 0.31, (-0.055, side, 0))
    return b.build()
