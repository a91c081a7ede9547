"""The planar 3-RRR parallel manipulator."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism

START = {
    "shoulder_1": 1.04,
    "elbow_1": 5.430272504650103,
    "wrist_1": -2.5543190943018725,
    "shoulder_2": 4.1883,
    "elbow_2": -2.1058741111087698,
    "shoulder_3": 5.7637,
    "elbow_3": -0.9778363295990132,
}

PAPER_CUTS = ("elbow_2", "elbow_3")  # where [Koul2014] opens the loops: subsystems of five, one and one body


def three_rrr() -> Mechanism:
    r"""3-RRR planar parallel manipulator: a triangle carried by three driven legs.

    ::

                     o shoulder_3
                      \
                       o elbow_3
                      /
                     o wrist_3
                    / \
           wrist_1 o---o wrist_2
                  /     \
         elbow_1 o       o elbow_2
                  \     /
        shoulder_1 o   o shoulder_2      bases (0, 0), (1, 0), (.5, .8660)

    Legs of .4 m 3 kg and .6 m 4 kg, slender; platform an equilateral triangle of side .4 m, 8 kg, its frame in the
    corner at wrist_1, centre (.2, .1155), .16 kg m^2 about it. The start has the driven angles of [Koul2014], 1.04,
    4.1883 and 5.7637 rad, at rest; the seven angles that ReDySim's example starts from, with 1.0467 for the first,
    leave the loops 9 mm open.
    Left to the rules, the loops open at wrist_2 and wrist_3; `PAPER_CUTS` of this file names the paper's cuts.
    Source: Koul, Shah, Saha, Manivannan [Koul2014]; ReDySim's 3-RRR robot [Shah2012].
    """
    b = Builder("three_rrr", gravity=(0, -9.81, 0), source="Koul et al. 2014, 4.2 [Koul2014]; ReDySim [Shah2012]")
    high = math.sin(math.pi / 3)
    b.body("platform", 8.0, com=(0.2, 0.1155, 0), inertia=(0.08, 0.08, 0.16))
    bases = ((0.0, 0.0), (1.0, 0.0), (0.5, high))
    corners = ((0.0, 0.0), (0.4, 0.0), (0.2, 0.4 * high))
    for k, (base, corner) in enumerate(zip(bases, corners, strict=True), start=1):
        b.rod(f"upper_{k}", 3.0, to=(0.4, 0, 0))
        b.rod(f"lower_{k}", 4.0, to=(0.6, 0, 0))
        b.revolute(f"shoulder_{k}", "ground", f"upper_{k}", xyz=(*base, 0), actuated=True)
        b.revolute(f"elbow_{k}", f"upper_{k}", f"lower_{k}", xyz=(0.4, 0, 0))
        b.revolute(f"wrist_{k}", f"lower_{k}", "platform", xyz=(0.6, 0, 0), child_xyz=(*corner, 0))
    return b.build()
