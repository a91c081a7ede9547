"""The Delta robot."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .keywords import one_of, positive

START = {
    "shoulder_1": 0.09052153180544753,
    "elbow_1a.1": 0.4659175415333081,
    "elbow_1a.2": -0.07148944988552054,
    "ball_1a.qx": 0.03436287713002441,
    "ball_1a.qy": -0.2744686517865517,
    "ball_1a.qz": -0.009814986974684818,
    "ball_1a.qw": 0.9609317446585404,
    "elbow_1b.1": 0.4659175415333081,
    "elbow_1b.2": -0.07148944988552054,
    "shoulder_2": 0.46271051777971195,
    "elbow_2a.1": 0.3385467451334311,
    "elbow_2a.2": -0.06330231500460554,
    "elbow_2b.1": 0.3385467451334311,
    "elbow_2b.2": -0.06330231500460554,
    "shoulder_3": 0.271088776462145,
    "elbow_3a.1": 0.40816663585611124,
    "elbow_3a.2": 0.135099209908637,
    "elbow_3b.1": 0.40816663585611124,
    "elbow_3b.2": 0.135099209908637,
}

_BASE, _PLATFORM = 0.2, 0.05  # radius of the arms' pivots, of the rods' ends on the platform
_APART = 0.1  # of the two rods of a pair
_RADIUS = 0.006  # of a rod: a thin tube


def delta(arm: float = 0.3, rod: float = 0.7, load: float = 0.5, elbows: str = "universal") -> Mechanism:
    r"""Delta robot: three driven arms hold a platform by pairs of parallel rods, so that it never turns.

    ::

                  shoulder_1   base   shoulder_2
             arm_1  ___o=================o___
               ___--        (shoulder_3)     --___  arm_2
              o                                   o
       elbow_1a \\                             // elbow_2b
                  \\ rod_1a, rod_1b          //
                    \\                     //
        z             \\___  platform ___//
        |__ x      ball_1a o==========o ball_2a

    Arms stand 120 degrees apart on a circle of .2 m radius and turn downwards for positive angles; the rods of a
    pair are .1 m apart; the platform, `load` kg, has its frame in its centre. Every rod has a universal joint at the
    elbow, a ball at the platform: fifteen joints, five loops, three freedoms. With elbows="spherical" the rods
    have balls at both ends, as built machines do, and six idle spins more. The start holds the platform at
    (.08, -.05, -.62), at rest; `START` is for universal elbows.
    Source: Clavel [Clavel1988]; the dimensions are this library's own.
    """
    one_of("delta", "elbows", elbows, ("universal", "spherical"))
    arm, rod, load = (positive("delta", name, value) for name, value in (("arm", arm), ("rod", rod), ("load", load)))
    b = Builder("delta", source="Clavel 1988 [Clavel1988]; dimensions our own")
    b.body("platform", load, inertia=(load * _PLATFORM**2 / 4, load * _PLATFORM**2 / 4, load * _PLATFORM**2 / 2))
    across, along = 0.1 * rod**2 / 12, 0.1 * _RADIUS**2
    for k in (1, 2, 3):
        # leg k lies in the x-z plane turned by its azimuth: arms along x, rods along -z
        azimuth = 2 * math.pi * (k - 1) / 3
        turn = {"rpy": (0, 0, azimuth)}
        c, s = math.cos(azimuth), math.sin(azimuth)
        b.rod(f"arm_{k}", 0.5, to=(arm, 0, 0))
        b.revolute(
            f"shoulder_{k}", "ground", f"arm_{k}", axis=(0, 1, 0), xyz=(_BASE * c, _BASE * s, 0), actuated=True, **turn
        )
        for side, y in (("a", -_APART / 2), ("b", _APART / 2)):
            name = f"{k}{side}"
            b.body(f"rod_{name}", 0.1, com=(0, 0, -rod / 2), inertia=(across, across, along))
            if elbows == "universal":
                b.universal(f"elbow_{name}", f"arm_{k}", f"rod_{name}", axes=((0, 1, 0), (1, 0, 0)), xyz=(arm, y, 0))
            else:
                b.spherical(f"elbow_{name}", f"arm_{k}", f"rod_{name}", xyz=(arm, y, 0))
            end = (_PLATFORM * c - y * s, _PLATFORM * s + y * c, 0)
            b.spherical(
                f"ball_{name}", f"rod_{name}", "platform", xyz=(0, 0, -rod), child_xyz=end, child_rpy=(0, 0, azimuth)
            )
    return b.build()
