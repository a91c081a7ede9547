"""The slider-crank."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Builder, Mechanism

START = {"crank_joint": 0.0, "crank_pin": 0.0, "slide": 0.45}
RATES = {"crank_joint": 150.0, "crank_pin": -225.0, "slide": 0.0}


def slider_crank(gravity: Sequence[float] = (0.0, 0.0, 0.0)) -> Mechanism:
    r"""Slider-crank: crank, connecting rod and a slider on the line through the crank's pivot.

    ::

        y       crank_pin
        |        o.
        | crank /  '-._  rod
        |      /       '-._     wrist_pin
        |__   o            '-.[o]------ slide
           x crank_joint

    Crank .15 m 0.36 kg, rod .3 m 0.151104 kg, slider 0.075552 kg; the moments of inertia are published about the
    inner end of crank and rod, .002727 and .0045339259 kg m^2. The rigid form of a benchmark in which the rod is
    elastic: the crank turns at 150 rad/s from the stretched position, without gravity.
    Source: Simeon [Simeon1996]; slider crank of the IVP test set [Mazzia2008].
    """
    b = Builder(
        "slider_crank",
        gravity=gravity,
        source="Simeon 1996 [Simeon1996]; test set for IVP solvers, slider crank [Mazzia2008]",
    )
    for body, mass, length, about_end in (("crank", 0.36, 0.15, 0.002727), ("rod", 0.151104, 0.3, 0.0045339259)):
        across = about_end - mass * (length / 2) ** 2
        b.body(body, mass, com=(length / 2, 0, 0), inertia=(0, across, across))
    b.body("slider", 0.075552)
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("crank_pin", "crank", "rod", xyz=(0.15, 0, 0))
    b.prismatic("slide", "ground", "slider", axis=(1, 0, 0))
    b.revolute("wrist_pin", "rod", "slider", xyz=(0.3, 0, 0))
    return b.build()
