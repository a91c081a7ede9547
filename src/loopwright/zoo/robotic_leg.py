"""A leg with one motor and three loops."""

from __future__ import annotations

from ..mechanism import Mechanism
from .carpet_scraper import straight_line_pantograph

START = {
    "joint_1": 0.0,
    "joint_2": 4.511031059594359,
    "joint_3": -2.738876812009132,
    "joint_4": -0.8764353181946581,
    "joint_5": -1.4603679254428306,
    "joint_6": -1.4603679254428306,
    "joint_7": -1.6812247281469626,
}


def robotic_leg() -> Mechanism:
    r"""Robotic leg: a Hoeken linkage and a pantograph that make one motor walk; seven links, three loops.

    ::

        joint_1                 o joint_4
          o==o joint_8           \
           #1 \   o joint_2       \ #4            #1 crank
               \ / #2              o joint_5      #2 rocker
                o joint_3         / \             #3 coupler
              #3 \            #5 /   \ #4         #4 thigh
                  \             /     \           #5, #7 short links
                   \           /       o joint_6  #6 shin
                    \         /       /
           joint_9,  \       /       / #6
           joint_10   o-------------o joint_7
                            #7     /
                                  V foot

    Same joints, loops and cuts as the carpet scraper. Lengths .025, .0625, .125, .2, .075, .3, .15 m, masses .0047,
    .0117, .0234, .0374, .0140, .0562, .0281 kg, a thickness of .01 m along the links; ground link .05 m; joint_5 at
    .05 m along #4, joint_7 at .075 m along #6, joint_4 at (.07, -.03). The start, at rest, is ReDySim's, to more
    digits.
    Source: ReDySim's multi-closed-loop robotic leg [Shah2012].
    """
    return straight_line_pantograph(
        "robotic_leg",
        "ReDySim, multi-closed-loop robotic leg [Shah2012]",
        lengths=(0.025, 0.0625, 0.125, 0.2, 0.075, 0.3, 0.15),
        masses=(0.0047, 0.0117, 0.0234, 0.0374, 0.0140, 0.0562, 0.0281),
        ground=0.05,
        pivot=(0.07, -0.03),
        along_4=0.05,
        along_6=0.075,
        thickness=0.01,
    )
