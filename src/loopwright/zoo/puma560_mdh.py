"""The PUMA 560 in modified Denavit-Hartenberg form."""

from __future__ import annotations

import math

from ..mechanism import Mechanism, Row, modified_dh

START = {f"joint{k}": 0.0 for k in range(1, 7)}

# Link 1 was measured about its axis alone, and has no mass: that is what a rotor's inertia adds.
_LINK_1 = 0.35

_LINKS = (  # d, a, alpha; mass, centre, inertia about it; the rotor's, reflected
    (0, 0, 0, 0, (0, 0, 0), (0, 0, 0), 1.14),
    (0.2435, 0, -math.pi / 2, 17.4, (0.068, 0.006, -0.016), (0.13, 0.524, 0.539), 4.71),
    (-0.0934, 0.4318, 0, 4.8, (0, -0.070, 0.014), (0.066, 0.0125, 0.066), 0.83),
    (0.4331, -0.0203, math.pi / 2, 0.82, (0, 0, -0.019), (1.8e-3, 1.8e-3, 1.3e-3), 0.2),
    (0, 0, -math.pi / 2, 0.34, (0, 0, 0), (0.3e-3, 0.3e-3, 0.4e-3), 0.179),
    (0, 0, math.pi / 2, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3), 0.193),
)


def puma560_mdh(rotors: bool = True) -> Mechanism:
    """PUMA 560 arm as Armstrong, Khatib and Burdick measured it, modified Denavit-Hartenberg form.

    ::

             joint2    joint3
        z  ____o===========o
        | |  upper arm     |         every frame stands at its own joint
        | o joint1         | forearm
        |_|_               o joint4, 5, 6
         base              V

    `rotors=False` leaves out the motors' inertia.
    Source: Armstrong, Khatib, Burdick [Armstrong1986].
    """
    rows: list[Row] = []
    for d, a, alpha, mass, com, inertia, rotor in _LINKS:
        options = {"rotor_inertia": rotor * rotors + (0.0 if rows else _LINK_1)}
        rows.append(Row(alpha=alpha, a=a, d=d, mass=mass, com=com, inertia=inertia, options=options))
    return modified_dh("puma560_mdh", rows, source="Armstrong, Khatib, Burdick 1986 [Armstrong1986]")
