"""The scissor lift."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .keywords import positive, whole


def start(n: int, angle: float = math.pi / 6, length: float = 1.0) -> dict[str, float]:
    """Closed with every bar at that angle from the level."""
    rising = {f"rising_{k}": angle for k in range(1, n + 1)}
    falling = {f"falling_{k}": math.pi - angle for k in range(1, n + 1)}
    tilt = {**rising, **falling}
    slides = dict.fromkeys(("base_slide", "deck_slide"), length * math.cos(angle))
    joints = [branch.joint for branch in scissor_lift(n, length).tree.branches]
    return {
        joint.name: slides.get(joint.name, tilt.get(joint.child, 0.0) - tilt.get(joint.parent, 0.0)) for joint in joints
    }


def scissor_lift(n: int = 3, length: float = 1.0, mass: float = 4.0, load: float = 50.0) -> Mechanism:
    r"""Scissor lift of n stages: crossing bars raise a deck when a slide pulls their feet together.

    ::

           ======================= deck
           o                    [o] deck_slide
             \_ rising_2      _/
                \_        _/   falling_2
                    \_o_/          cross_2
                   _/  \_
                _/        \_
        right_2 o           o left_2
                \_        _/
        y          \_o_/           cross_1
        |          _/  \_
        |__     o           [o]--- base_slide
          x  foot          slider

    All 2n bars have that `length` and `mass`, uniform and slender. Rising bars start at the left, falling ones at the
    right. The deck carries `load` in its middle; the sliders are cubes, a tenth of a bar in size and mass. 2n + 3
    bodies, 3n + 4 joints, n + 1 loops: counted in the plane, one freedom for any n. `start(n)` of this file closes it.
    Source: Spackman [Spackman1989]; the dimensions are this library's own.
    """
    n = whole("scissor_lift", "n", n)
    length, mass, load = (
        positive("scissor_lift", name, value) for name, value in (("length", length), ("mass", mass), ("load", load))
    )
    b = Builder("scissor_lift", gravity=(0, -9.81, 0), source="Spackman 1989 [Spackman1989]; dimensions our own")
    for k in range(1, n + 1):
        b.rod(f"rising_{k}", mass, to=(length, 0, 0))
        b.rod(f"falling_{k}", mass, to=(length, 0, 0))
    cube = mass / 10 * (length / 10) ** 2 / 6
    b.body("slider", mass / 10, inertia=(cube, cube, cube))
    b.body("deck", load, com=(length / 2, 0, 0), inertia=(0, load * length**2 / 12, load * length**2 / 12))
    b.body("deck_slider", mass / 10, inertia=(cube, cube, cube))
    b.prismatic("base_slide", "ground", "slider", axis=(1, 0, 0), actuated=True)
    b.revolute("foot", "ground", "rising_1")
    for k in range(1, n + 1):
        middle = {"xyz": (length / 2, 0, 0), "child_xyz": (length / 2, 0, 0)}
        b.revolute(f"cross_{k}", f"rising_{k}", f"falling_{k}", **middle)
        if k > 1:
            b.revolute(f"left_{k}", f"falling_{k - 1}", f"rising_{k}", xyz=(length, 0, 0))
            b.revolute(f"right_{k}", f"rising_{k - 1}", f"falling_{k}", xyz=(length, 0, 0))
    b.revolute("slider_pin", "slider", "falling_1")
    b.revolute("deck_pin", f"falling_{n}", "deck", xyz=(length, 0, 0))
    b.prismatic("deck_slide", "deck", "deck_slider", axis=(1, 0, 0))
    b.revolute("deck_slider_pin", f"rising_{n}", "deck_slider", xyz=(length, 0, 0))
    return b.build()


START = {  # what start(3) finds, which has to build the mechanism for it
    "base_slide": math.cos(math.pi / 6),
    "foot": math.pi / 6,
    "cross_1": 2 * math.pi / 3,
    "right_2": 2 * math.pi / 3,
    "cross_2": 2 * math.pi / 3,
    "left_3": -2 * math.pi / 3,
    "cross_3": 2 * math.pi / 3,
    "deck_pin": -5 * math.pi / 6,
    "deck_slider_pin": -math.pi / 6,
}
