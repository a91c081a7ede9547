"""The Stanford arm."""

from __future__ import annotations

import math

from ..mechanism import Mechanism, Row, standard_dh
from .keywords import one_of

START = {f"joint{k}": 0.0 for k in range(1, 7)}

_Q = math.pi / 2
_PAUL = (  # theta, d, alpha; mass, centre, inertia about it; the rotor's, reflected
    (0, 0.412, -_Q, 9.29, (0, 0.0175, -0.1105), (0.276, 0.255, 0.071), 0.953),
    (0, 0.154, _Q, 5.01, (0, -0.1054, 0), (0.108, 0.018, 0.100), 2.193),
    (-_Q, 0, 0, 4.25, (0, 0, -0.6447), (2.51, 2.51, 0.006), 0.782),
    (0, 0, -_Q, 1.08, (0, 0.0092, -0.0054), (0.002, 0.001, 0.001), 0.106),
    (0, 0, _Q, 0.63, (0, 0, 0.0566), (0.003, 0.003, 0.0004), 0.097),
    (0, 0.263, 0, 0.51, (0, 0, 0.1554), (0.013, 0.013, 0.0003), 0.020),
)
_SAHA = (
    (0, 0.1, -_Q, 9, (0, 0, 0), (0.01, 0.02, 0.01), 0),
    (0, 0.1, -_Q, 6, (0, 0, 0), (0.05, 0.06, 0.01), 0),
    (0, 0, 0, 4, (0, 0, 0), (0.4, 0.4, 0.01), 0),
    (0, 0.6, _Q, 1, (0, 0, 0), (0.001, 0.001, 0.0005), 0),
    (0, 0, -_Q, 0.6, (0, 0, 0), (0.0005, 0.0005, 0.0002), 0),
    (0, 0, 0, 0.5, (0, 0, 0), (0.003, 0.001, 0.002), 0),
)
_TABLES = {
    "paul": (_PAUL, "Paul 1981, tables 6.5 and 6.6 [Paul1981]; Robotics Toolbox [Corke1996]"),
    "saha": (_SAHA, "a table remembered as that of Saha 1999, not confirmed [Saha1999]"),
}


def stanford_arm(table: str = "paul", rotors: bool = True) -> Mechanism:
    """Stanford arm: two turns, a slide (joint3), and a wrist of three axes that meet.

    ::

              joint2      joint3
         z ____(o)____================>--o--o--o
         | |            slide         joint4, 5, 6
         | o joint1
         |_|_
          base

    Public copies of Paul's table have the centre of link 1 in metres and the others ten times too far out (6.4 m
    for link 3); they are taken here as the centimetres that Paul must have written: .1054, .6447, .0092 and .0054,
    .0566, .1554 m. The inertias are taken about the mass centres, as all copies do, though link 6, with .013
    against .0123 = m r^2, suggests that they were given about the joints. `rotors=False` leaves out the motors.
    `table="saha"` is a table remembered, without confirmation, as the one of Saha (1999), which the papers on
    DeNOC dynamics use; its mass centres are not remembered and stand at the frames' origins.
    Source: Paul [Paul1981], in the copy of the Robotics Toolbox [Corke1996].
    """
    links, source = _TABLES[one_of("stanford_arm", "table", table, tuple(_TABLES))]
    rows = [
        Row(
            alpha=alpha,
            d=d,
            theta=theta,
            prismatic=k == 3,
            mass=mass,
            com=com,
            inertia=inertia,
            options={"rotor_inertia": rotor * rotors},
        )
        for k, (theta, d, alpha, mass, com, inertia, rotor) in enumerate(links, start=1)
    ]
    return standard_dh("stanford_arm", rows, source=source)
