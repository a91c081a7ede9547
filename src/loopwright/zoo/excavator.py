"""An excavator with three hydraulic cylinders."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .polygon import Point, polygon

START = {
    "joint_1": 0.5235987755982989,
    "joint_2": -0.5235987755982988,
    "joint_3": -0.44823295426053456,
    "joint_4": 2.5544945265826273,
    "joint_6": 0.5235987755982988,
    "joint_7": -1.5707963267948968,
    "joint_8": 0.0,
    "joint_12": 0.027770636593421025,
    "joint_13": 1.8006943105369109,
    "joint_9": 1.1613726534814026,
    "joint_10": 1.2536103983763645,
}

_GUIDE, _CARRIER = 1.5, ((0.0, 0.0), (0.3, -0.3), (0.4, -0.6), (0.6, 0.0))  # pins 2, 15, 11, 3
_BOOM = ((0.0, 0.0), (1.5, 0.0), (3.0, 0.0), (1.2, 0.35))  # pins 6, 15, 7, 12
_STICK = ((0.0, 0.0), (2.0, 0.0), (-0.4, 0.0))  # pins 7, 8, 14
_BUCKET = ((0.0, 0.0), (0.0, 0.35), (0.9, 0.3), (0.8, -0.2))  # pins 8, 5, then the cutting edge
_PIVOTS = {"joint_1": (-0.3, 1.3), "joint_6": (0.0, 1.0), "joint_9": (0.9, 0.3)}
_BARREL, _ROD = 0.8, 0.8


def excavator() -> Mechanism:
    r"""Excavator: guide, carrier, boom, stick and bucket, moved by three cylinders; eleven bodies, four loops.

    ::

                              _o 14
                          _.-' \
                     13_.-'   __o 7
        guide   12 _.-'   _.-'   \
            ____o--------o 3      \ stick
        1 o-'  2 \_-' 15/ '-.      \
               _.-\o   / carrier    \
        6 o--'  boom\ /      '-. 4   \
                  11 o          '-.   o 8
                    /              '-/ \
                10 /                5 o---\
              9  o                      bucket

    Joint numbers are the paper's, whose text tells the topology: loops 1-2-15-6, 7-14-13-12, 3-4-5-8-7-15 and
    9-10-11-2-1; joints 4, 10 and 13 slide and are driven, the others are hinges. So the bodies are guide (1-2), carrier
    (2-15-3-11), boom (6-15-7-12), stick (7-8-14), bucket (8-5) and the barrel and rod of the bucket cylinder (3-4-5),
    the boom cylinder (9-10-11) and the stick cylinder (12-13-14). Guide and boom make a parallelogram, which keeps
    the carrier level. A slide's coordinate is the distance between the eyes of its cylinder. Three freedoms.
    Left to the rules, the loops open at joints 5, 11, 14 and 15, into the paper's three subsystems.
    Source: Koul, Shah, Saha, Manivannan [Koul2014, Fig. 1]; the dimensions are this library's own.
    """
    b = Builder("excavator", gravity=(0, -9.81, 0), source="Koul et al. 2014, Fig. 1 [Koul2014]; dimensions our own")
    polygon(b, "guide", ((0, 0), (_GUIDE, 0)), 20.0)
    polygon(b, "carrier", _CARRIER, 30.0)
    polygon(b, "boom", _BOOM, 70.0)
    polygon(b, "stick", _STICK, 40.0)
    polygon(b, "bucket", _BUCKET, 60.0)
    for cylinder in ("bucket", "boom", "stick"):
        b.rod(f"{cylinder}_barrel", 40.0, to=(_BARREL, 0, 0))
        b.rod(f"{cylinder}_rod", 25.0, to=(-_ROD, 0, 0))

    def hinge(k: int, parent: str, child: str, xyz: Point = (0.0, 0.0), child_xyz: Point = (0.0, 0.0)) -> None:
        b.revolute(f"joint_{k}", parent, child, xyz=(*xyz, 0), child_xyz=(*child_xyz, 0))

    def slide(k: int, name: str) -> None:
        b.prismatic(f"joint_{k}", f"{name}_barrel", f"{name}_rod", axis=(1, 0, 0), actuated=True)

    hinge(1, "ground", "guide", _PIVOTS["joint_1"])
    hinge(2, "guide", "carrier", (_GUIDE, 0))
    hinge(3, "carrier", "bucket_barrel", _CARRIER[3])
    slide(4, "bucket")
    hinge(6, "ground", "boom", _PIVOTS["joint_6"])
    hinge(7, "boom", "stick", _BOOM[2])
    hinge(8, "stick", "bucket", _STICK[1])
    hinge(9, "ground", "boom_barrel", _PIVOTS["joint_9"])
    slide(10, "boom")
    hinge(12, "boom", "stick_barrel", _BOOM[3])
    slide(13, "stick")
    hinge(5, "bucket_rod", "bucket", (0, 0), _BUCKET[1])
    hinge(11, "boom_rod", "carrier", (0, 0), _CARRIER[2])
    hinge(14, "stick_rod", "stick", (0, 0), _STICK[2])
    hinge(15, "carrier", "boom", _CARRIER[1], _BOOM[1])
    return b.build()
