"""The PUMA 560 in standard Denavit-Hartenberg form."""

from __future__ import annotations

import math

from ..mechanism import Mechanism, Row, standard_dh

# Corke's nominal position qn
START = {
    "joint1": 0.0, "joint2": math.pi / 4, "joint3": math.pi, "joint4": 0.0, "joint5": math.pi / 4, "joint6": 0.0,
}  # fmt: skip

# Link 1 is published with an inertia about its axis and no mass: that is what a rotor's adds.
_LINK_1 = 0.35
# No real body has link 3's published inertia, (.066, .086, .0125). What a link feels only across a joint's axis may
# as well stand on the other side of that joint, and here a little of link 2's does: the motion is the same.
_LENT = 0.004

_LINKS = (  # d, a, alpha; mass, centre, inertia about it
    (0, 0, math.pi / 2, 0, (0, 0, 0), (0, 0, 0)),
    (0, 0.4318, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13 - _LENT, 0.524 - _LENT, 0.539)),
    (0.15005, 0.0203, -math.pi / 2, 4.8, (-0.0203, -0.0141, 0.070), (0.066 + _LENT, 0.086, 0.0125 + _LENT)),
    (0.4318, 0, math.pi / 2, 0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0, 0, -math.pi / 2, 0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0, 0, 0, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
_MOTORS = (  # gear ratio; at the motor: inertia, viscous friction, dry friction forward and backward
    (-62.6111, 200e-6, 1.48e-3, 0.395, 0.435),
    (107.815, 200e-6, 0.817e-3, 0.126, 0.071),
    (-53.7063, 200e-6, 1.38e-3, 0.132, 0.105),
    (76.0364, 33e-6, 71.2e-6, 0.0112, 0.0169),
    (71.923, 33e-6, 82.6e-6, 0.00926, 0.0145),
    (76.686, 33e-6, 36.7e-6, 0.00396, 0.0105),
)


def puma560(rotors: bool = True, friction: bool = True) -> Mechanism:
    """PUMA 560 arm, standard Denavit-Hartenberg form, with rotor inertia and joint friction.

    ::

             joint2    joint3
        z  ____o===========o
        | |  upper arm     |
        | o joint1         | forearm
        |_|_               o joint4, 5, 6: wrist axes meet
         base              V

    The motors' inertia and viscous friction are reflected by the gear ratio squared, their dry friction, which is
    not the same both ways, by its magnitude; `rotors=False` and `friction=False` leave them out.
    Source: Corke and Armstrong-Hélouvry [Corke1994]; the Robotics Toolbox [Corke1996].
    """
    rows: list[Row] = []
    for (d, a, alpha, mass, com, inertia), (gear, rotor, viscous, forward, backward) in zip(
        _LINKS, _MOTORS, strict=True
    ):
        options: dict[str, object] = {"rotor_inertia": gear**2 * rotor * rotors + (0.0 if rows else _LINK_1)}
        if friction:
            options["damping"] = gear**2 * viscous
            options["friction"] = (abs(gear) * forward, abs(gear) * backward)
        rows.append(Row(alpha=alpha, a=a, d=d, mass=mass, com=com, inertia=inertia, options=options))
    return standard_dh(
        "puma560", rows, source="Corke, Armstrong-Hélouvry 1994 [Corke1994]; Robotics Toolbox [Corke1996]"
    )
