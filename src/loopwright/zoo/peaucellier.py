"""Peaucellier's straight line."""

from __future__ import annotations

import math

from ..errors import LoopwrightError
from ..mechanism import Builder, Mechanism
from .keywords import positive

_LONG, _SHORT, _CRANK = 0.5, 0.2, 0.2


def start(
    angle: float = math.radians(40), long: float = _LONG, short: float = _SHORT, crank: float = _CRANK
) -> dict[str, float]:
    """Closed at any angle of the crank that the linkage reaches, by inversion: OA OP = long^2 - short^2."""
    # A is on the circle through O about the crank's pivot: OA = 2 crank cos(angle/2), seen under half the angle
    half, near = angle / 2, 2 * crank * math.cos(angle / 2)
    far = (long**2 - short**2) / near
    spread, tilt = math.acos((near + far) / 2 / long), math.acos((far - near) / 2 / short)
    # the rhombus has its sides under half + tilt and half - tilt
    return {
        "crank_joint": angle,
        "side_1_joint": half + tilt - angle,
        "side_2_joint": half - tilt - angle,
        "long_1_joint": half + spread,
        "side_3_joint": -tilt - spread,
        "long_2_joint": half - spread,
        "side_4_joint": tilt + spread,
    }


START = start()


def peaucellier(long: float = _LONG, short: float = _SHORT, crank: float = _CRANK, per_metre: float = 2.0) -> Mechanism:
    r"""Peaucellier's linkage: seven bars and hinges that draw an exact straight line.

    ::

                        o B                   |
              long_1 /  |  \ side_3           |
                  /  side_1   \               |
               /        |       \             |
           O o    A o ------      o P         |  P stays on the line
               \   /    |       /             |
          Q o   \ crank |side_2               |
                  \     |   / side_4
              long_2 \  | /
                        o C

    The bars `long` turn about O = (0, 0), the crank about Q = (crank, 0), so that A runs on a circle through O; the
    four sides of the rhombus A B P C are `short`. P inverts A in a circle about O and so runs on the line
    x = (long^2 - short^2) / (2 crank). All bars weigh `per_metre`. Three hinge pairs share an axis: ten hinges, three
    loops, one freedom. `start(angle)` of this file closes it at other angles of the crank.
    Source: Peaucellier [Peaucellier1873]; the dimensions are this library's own.
    """
    lengths = {"long": long, "short": short, "crank": crank}
    long, short, crank = (positive("peaucellier", name, value) for name, value in lengths.items())
    if not long - short < 2 * crank < long + short:
        raise LoopwrightError(
            f"zoo.peaucellier: twice the crank, {2 * crank:g} m, must lie between {long - short:g} m, which is "
            f"long - short, and {long + short:g} m, long + short, or the rhombus cannot reach the crank"
        )
    weight = positive("peaucellier", "per_metre", per_metre)
    b = Builder("peaucellier", gravity=(0, -9.81, 0), source="Peaucellier 1873 [Peaucellier1873]; dimensions our own")
    b.rod("crank", weight * crank, to=(crank, 0, 0))
    for k in (1, 2):
        b.rod(f"long_{k}", weight * long, to=(long, 0, 0))
    for k in (1, 2, 3, 4):
        b.rod(f"side_{k}", weight * short, to=(short, 0, 0))
    b.revolute("crank_joint", "ground", "crank", xyz=(crank, 0, 0), actuated=True)
    b.revolute("long_1_joint", "ground", "long_1")
    b.revolute("long_2_joint", "ground", "long_2")
    b.revolute("side_1_joint", "crank", "side_1", xyz=(crank, 0, 0))
    b.revolute("side_2_joint", "crank", "side_2", xyz=(crank, 0, 0))
    b.revolute("side_3_joint", "long_1", "side_3", xyz=(long, 0, 0))
    b.revolute("side_4_joint", "long_2", "side_4", xyz=(long, 0, 0))
    b.revolute("B", "long_1", "side_1", xyz=(long, 0, 0), child_xyz=(short, 0, 0))
    b.revolute("C", "long_2", "side_2", xyz=(long, 0, 0), child_xyz=(short, 0, 0))
    b.revolute("P", "side_3", "side_4", xyz=(short, 0, 0), child_xyz=(short, 0, 0))
    return b.build()
