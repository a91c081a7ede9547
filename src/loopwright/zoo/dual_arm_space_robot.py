"""A free-floating robot with two arms."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .keywords import one_of
from .space_robot import arm, floating_base

START = {  # base="planar"
    "base_joint.x": 0.0,
    "base_joint.y": 0.0,
    "base_joint.angle": 0.0,
    "right_shoulder": 0.3803,
    "right_elbow": -0.6198,
    "right_wrist": 1.2867,
    "left_shoulder": 2.4411,
    "left_elbow": 1.7062,
    "left_wrist": -1.0058,
}


def dual_arm_space_robot(base: str = "planar") -> Mechanism:
    """Space robot with two arms on a floating base: a tree of seven bodies without gravity.

    ::

                                 ,-------.
        <======o======o======o   |   +   |   o======o======o======>
                       left  '---|       |---'  right
                                 '-------'

    The arms start half a metre either side of the base's centre; bodies are those of `space_robot`.
    `base="planar"` or `base="free"` as there.
    Source: ReDySim, floating base, dual-arm robot [Shah2012].
    """
    one_of("dual_arm_space_robot", "base", base, ("planar", "free"))
    b = Builder("dual_arm_space_robot", gravity=(0, 0, 0), source="ReDySim, floating base, dual arm [Shah2012]")
    floating_base(b, base)
    for side, sign in (("right", 1.0), ("left", -1.0)):
        joints = (f"{side}_shoulder", f"{side}_elbow", f"{side}_wrist")
        arm(b, joints, (f"{side}_upper_arm", f"{side}_forearm", f"{side}_hand"), sign)
    return b.build()
