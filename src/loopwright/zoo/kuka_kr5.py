"""The KUKA KR5 arc."""

from __future__ import annotations

import math

from ..mechanism import Mechanism, Row, modified_dh

START = {f"joint{k}": 0.0 for k in range(1, 7)}

_Q = math.pi / 2
_LINKS = (  # alpha, a, d; mass, centre; inertia about it in 1e-6 kg m^2
    (0, 0, 0.4, 16.038, (0.104667, 0.005077, 0.059035), (176938.765, 266532.371, 262222.375)),
    (_Q, 0.18, 0, 7.988, (0.267012, 0, 0), (271640.468, 276878.849, 21894.253)),
    (0, 0.6, 0, 12.973, (0.087677, -0.034263, 0.007779), (388988.085, 376583.684, 104146.290)),
    (_Q, 0.12, 0.62, 2.051, (-0.000033, 0.007634, -0.109372), (4767.354, 10122.217, 12108.860)),
    (-_Q, 0, 0, 0.811, (0, 0.032618, -0.009789), (760.688, 1783.961, 1801.078)),
    (_Q, 0, 0, 0.008, (0, 0, 0.111885), (3.113, 1.512, 1.652)),
)


def kuka_kr5() -> Mechanism:
    """KUKA KR5 arc: an industrial arm of six revolute joints.

    ::

        joint2       joint3
          o=============o==,          at q = 0: the upper arm along x,
        z |                |          the forearm down
        | o joint1         | forearm
        |_|_               o joint4, 5, 6
                           V

    The usual motion is the cycloid from 0 to pi/3 at every joint in 1 s.
    Source: ReDySim's KUKA robot [Shah2012].
    """
    rows = [
        Row(alpha=alpha, a=a, d=d, mass=mass, com=com, inertia=[1e-6 * entry for entry in inertia])
        for alpha, a, d, mass, com, inertia in _LINKS
    ]
    return modified_dh("kuka_kr5", rows, source="ReDySim, KUKA KR5 [Shah2012]")
