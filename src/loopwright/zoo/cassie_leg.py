"""A leg like Cassie's."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .sprung_leg import ACROSS, push_rod, sprung_leg

START = {
    "hip_joint": -1.0471975511965976,
    "knee_joint": -1.1344640137963145,
    "shin_spring": 0.0,
    "ankle_joint": 1.3564108568067905,
    "heel_spring": 0.0,
    "crank_joint": -1.6168036413729778,
    "plantar_joint.1": 1.6025221698814551,
    "plantar_joint.2": 0.0,
    "toe_joint": -1.6174532925199434,
    "achilles_joint.1": -0.9957425041513734,
    "achilles_joint.2": -0.09012194501459525,
}


def cassie_leg() -> Mechanism:
    r"""Leg like Cassie's: a rod ties a sprung heel to the hip, another the toe to a motor at the ankle.

    ::

                 hip_joint
                  o_
                 /  \_ thigh
                /     o knee_joint
      achilles /     / knee, shin_spring
         rod  /     o
             /     /
            /     / shin
           o     /
            \__ o ankle_joint
     heel_spring  \o crank_joint
                   \ \\
            z     tarsus \\ plantar rod
            |__ x     \    \\
                       o ---o
                   toe_joint

    The hip hangs on the ground. Motors turn hip, knee and toe crank; shin_spring (1500 N m/rad) and heel_spring
    (1250 N m/rad) are leaf springs drawn as hinges; the push rods run from a universal joint to a ball. Hip, knee, the
    two springs and the toe are five freedoms; the ankle follows the knee through the achilles rod, which hangs .045 m
    beside the plane of the leg. Eleven joints, two loops. Lengths and springs are those of the robot's public
    simulation model, rounded (thigh .12, shin .435, tarsus .41, achilles rod .5, plantar rod .35 m); masses are this
    library's own. It starts crouched, the springs slack, the sole level.
    Source: the leg of Cassie [Gong2019] as in cassie-mujoco-sim [DRL2018].
    """
    b = Builder("cassie_leg", source="Cassie's leg [Gong2019] as in [DRL2018], rounded; masses our own")
    sprung_leg(b)
    b.rod("crank", 0.13, to=(0.055, 0, 0))
    b.rod("plantar_rod", 0.12, to=(0.35, 0, 0))
    b.rod("toe", 0.15, start=(-0.05, 0, 0.09), to=(0.07, 0, -0.01))
    b.revolute("crank_joint", "tarsus", "crank", axis=ACROSS, xyz=(0.06, 0, -0.035), actuated=True)
    b.revolute("toe_joint", "tarsus", "toe", axis=ACROSS, xyz=(0.41, 0, -0.04))
    push_rod(b, "plantar", "crank", "plantar_rod", "toe", (0.055, 0, 0), 0.35, (0.055, 0, 0))
    return b.build()
