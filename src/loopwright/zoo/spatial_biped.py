"""The spatial biped on one foot."""

from __future__ import annotations

import math

from ..mechanism import Mechanism, Row, modified_dh

START = {
    "stance_ankle_pitch": -0.2089,
    "stance_ankle_roll": 0.0,
    "stance_knee": 0.7410,
    "stance_hip_pitch": -0.5321,
    "stance_hip_roll": -1.5708,
    "stance_hip_yaw": 3.1416,
    "swing_hip_yaw": 0.0,
    "swing_hip_roll": -1.5708,
    "swing_hip_pitch": -0.2089,
    "swing_knee": 0.7410,
    "swing_ankle_roll": 0.0,
    "swing_ankle_pitch": -0.5321,
}

_Q = math.pi / 2
_THIN = 1.0 * 0.5**2 / 12  # shanks and thighs: 1 kg, .5 m, slender along x
_NO_MASS = (0.0, (0, 0, 0), (0, 0, 0))
_LEG = (1.0, (0.25, 0, 0), (0, _THIN, _THIN))
_TRUNK = (5.0, (-0.05, 0, -0.05), (5 * 0.1**2 / 12, 5 * (0.1**2 + 0.1**2) / 12, 5 * 0.1**2 / 12))
_FOOT = (0.2, (0, 0, 0), (0.2 * 0.15**2 / 12, 0.2 * 0.01**2 / 12, 0.2 * 0.15**2 / 12))
_ROWS = (  # joint, body that it moves, alpha, a, (mass, centre, inertia about it)
    ("stance_ankle_pitch", "stance_ankle", 0, 0, _NO_MASS),
    ("stance_ankle_roll", "stance_shank", _Q, 0, _LEG),
    ("stance_knee", "stance_thigh", -_Q, 0.5, _LEG),
    ("stance_hip_pitch", "stance_hip", 0, 0.5, _NO_MASS),
    ("stance_hip_roll", "stance_pelvis", _Q, 0, _NO_MASS),
    ("stance_hip_yaw", "trunk", _Q, 0, _TRUNK),
    ("swing_hip_yaw", "swing_pelvis", math.pi, -0.1, _NO_MASS),
    ("swing_hip_roll", "swing_hip", _Q, 0, _NO_MASS),
    ("swing_hip_pitch", "swing_thigh", _Q, 0, _LEG),
    ("swing_knee", "swing_shank", 0, 0.5, _LEG),
    ("swing_ankle_roll", "swing_ankle", -_Q, 0.5, _NO_MASS),
    ("swing_ankle_pitch", "swing_foot", _Q, 0, _FOOT),
)


def spatial_biped() -> Mechanism:
    r"""Biped in single support: seven links and twelve revolute joints, the stance foot being the ground.

    ::

                trunk
               o-----o        hips: yaw, roll, pitch
              /       |
       thigh /        |
            o         o       knees
             \         \
        shank \         \
           ====o         o=   ankles: pitch, roll
        stance foot    swing foot

    Up is x, and gravity along -x; it walks towards -y. Where two or three axes meet, the bodies between them have
    no mass: of the twelve bodies that the modified Denavit-Hartenberg table needs, the stance shank and thigh, the
    trunk, the swing thigh, shank and foot are real.
    Source: Shah, Saha, Dutt [Shah2013]; ReDySim's spatial biped [Shah2012]; used in [Saha2013, 3.5].
    """
    rows = [
        Row(alpha=alpha, a=a, mass=mass, com=com, inertia=inertia, joint=joint, body=body)
        for joint, body, alpha, a, (mass, com, inertia) in _ROWS
    ]
    return modified_dh(
        "spatial_biped",
        rows,
        gravity=(-9.81, 0, 0),
        source="Shah, Saha, Dutt 2013 [Shah2013]; ReDySim [Shah2012]; [Saha2013, 3.5]",
    )
