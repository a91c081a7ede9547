"""A hand: an open tree."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .keywords import one_of

START = {"wrist": 0.0, "knuckle": 0.0, "finger_joint": 0.0, "thumb_joint": 1.5707963267948966}


def gripper_tree(jaws: str = "revolute") -> Mechanism:
    """Gripper: a palm that turns at the wrist, a finger of two phalanges and a thumb of one.

    ::

        y                     thumb
        |                       |
        |                       |
        |  o====================o========o=======>
         wrist    palm       knuckle, finger_joint
                           thumb_joint

    Palm .1 m, 0.4 kg, phalanges and thumb .05 m, 0.2 kg, all slender and all in one plane, as published. The
    published grip moves from (0, 0, 0, 90) to (60, 80, 80, 120) degrees.
    With `jaws="prismatic"` finger and thumb become two jaws that slide across the end of the palm, from .01 m off
    its line; those dimensions are this library's own.
    Source: ReDySim's robotic gripper [Shah2012].
    """
    one_of("gripper_tree", "jaws", jaws, ("revolute", "prismatic"))
    b = Builder("gripper_tree", gravity=(0, -9.81, 0), source="ReDySim, robotic gripper [Shah2012]")
    b.rod("palm", 0.4, to=(0.1, 0, 0))
    b.revolute("wrist", "ground", "palm")
    if jaws == "revolute":
        for body in ("near_phalanx", "far_phalanx", "thumb"):
            b.rod(body, 0.2, to=(0.05, 0, 0))
        b.revolute("knuckle", "palm", "near_phalanx", xyz=(0.1, 0, 0))
        b.revolute("finger_joint", "near_phalanx", "far_phalanx", xyz=(0.05, 0, 0))
        b.revolute("thumb_joint", "palm", "thumb", xyz=(0.1, 0, 0))
        return b.build()
    for side, jaw in ((1.0, "finger"), (-1.0, "thumb")):
        b.rod(jaw, 0.2, to=(0.05, 0, 0))
        b.prismatic(f"{jaw}_slide", "palm", jaw, axis=(0, side, 0), xyz=(0.1, 0.01 * side, 0), limits=(0.0, 0.05))
    return b.build()
