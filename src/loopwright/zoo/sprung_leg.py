"""What the legs with a four-bar between knee and ankle share, down to the tarsus."""

from __future__ import annotations

import math

from ..mechanism import Builder

Vector = tuple[float, float, float]

ACROSS = (0, -1, 0)  # hinges turn x towards z: a positive angle lifts what lies forward of it
_KNEE, _SHIN, _ANKLE = (0.12, 0.0, 0.0), (0.06, 0.0, 0.05), (0.435, 0.0, 0.02)
_HEEL, _HEEL_ANGLE = (-0.013, 0.0, -0.03), math.radians(156)
_ACHILLES, _ACHILLES_LENGTH, _HEEL_END = (0.0, 0.045, 0.0), 0.5, (0.12, 0.0, -0.01)


def sprung_leg(b: Builder) -> None:
    """Hip, knee, sprung shin, ankle, and the rod from hip to sprung heel that bends the ankle with the knee."""
    b.rod("thigh", 4.0, to=_KNEE)
    b.rod("knee", 0.8, to=_SHIN)
    b.rod("shin", 0.7, to=_ANKLE)
    b.rod("tarsus", 0.9, to=(0.41, 0, -0.04))
    b.rod("heel", 0.13, to=_HEEL_END)
    b.rod("achilles_rod", 0.16, to=(_ACHILLES_LENGTH, 0, 0))
    b.revolute("hip_joint", "ground", "thigh", axis=ACROSS, actuated=True)
    b.revolute("knee_joint", "thigh", "knee", axis=ACROSS, xyz=_KNEE, actuated=True)
    b.revolute("shin_spring", "knee", "shin", axis=ACROSS, xyz=_SHIN, stiffness=1500.0, damping=0.1)
    b.revolute("ankle_joint", "shin", "tarsus", axis=ACROSS, xyz=_ANKLE)
    b.revolute(
        "heel_spring", "tarsus", "heel", axis=ACROSS, xyz=_HEEL, rpy=(0, -_HEEL_ANGLE, 0), stiffness=1250.0, damping=0.1
    )
    push_rod(b, "achilles", "thigh", "achilles_rod", "heel", _ACHILLES, _ACHILLES_LENGTH, _HEEL_END)


def push_rod(
    b: Builder, name: str, parent: str, rod: str, child: str, start: Vector, length: float, end: Vector
) -> None:
    """A rod on a universal joint of the parent, which keeps it from spinning, and on a ball of the child."""
    b.universal(f"{name}_joint", parent, rod, axes=(ACROSS, (0, 0, 1)), xyz=start)
    b.spherical(f"{name}_ball", rod, child, xyz=(length, 0, 0), child_xyz=end)
