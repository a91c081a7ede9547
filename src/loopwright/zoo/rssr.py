"""The spatial four-bar with two balls, and what builds the one with a ball and a universal joint."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Builder, Mechanism
from .keywords import positive, positives

START = {
    "crank_joint": 0.5,
    "crank_pin.qx": 0.0,
    "crank_pin.qy": -0.5012197147697438,
    "crank_pin.qz": -0.04690723419436547,
    "crank_pin.qw": 0.8640477468903969,
    "rocker_joint": 1.8326956263674992,
}

_ROCKER_PIVOT = (0.3, 0.2, 0.1)
_THICKNESS = 0.02  # of the coupler, a round bar: something must resist its idle spin


def rssr(lengths: Sequence[float] = (0.1, 0.45, 0.3), per_metre: float = 2.0) -> Mechanism:
    r"""RSSR linkage: a spatial four-bar with balls at both ends of the coupler, which spins idly.

    ::

                         coupler      ball rocker_pin
        crank_pin  o-------------------o
        ball      /                     \ rocker
           crank /                       \
                o crank_joint, along z    o rocker_joint, along x
              (0, 0, 0)                 (.3, .2, .1)

    `lengths` are crank, coupler and rocker; bars weigh `per_metre`. The crank turns all the way round while the
    rocker, in a plane at right angles to the crank's, swings. Two freedoms, of which the coupler's spin about itself
    moves nothing else.
    Source: Hartenberg, Denavit [Hartenberg1964]; the dimensions are this library's own.
    """
    b = spatial_four_bar("rssr", lengths, per_metre)
    b.spherical("rocker_pin", "rocker", "coupler", xyz=(0, lengths[2], 0), child_xyz=(lengths[1], 0, 0))
    return b.build()


def spatial_four_bar(name: str, lengths: Sequence[float], per_metre: float) -> Builder:
    """Crank, rocker and coupler, which hangs on a ball at the crank; the joint at the rocker is left to say."""
    crank, coupler, rocker = positives(name, "lengths", lengths, 3)
    weight = positive(name, "per_metre", per_metre)
    b = Builder(name, source="spatial four-bar [Hartenberg1964]; dimensions our own")
    b.rod("crank", weight * crank, to=(crank, 0, 0))
    b.rod("rocker", weight * rocker, to=(0, rocker, 0))
    mass = weight * coupler
    along, across = mass * _THICKNESS**2 / 8, mass * (coupler**2 / 12 + _THICKNESS**2 / 16)
    b.body("coupler", mass, com=(coupler / 2, 0, 0), inertia=(along, across, across))
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("rocker_joint", "ground", "rocker", axis=(1, 0, 0), xyz=_ROCKER_PIVOT)
    b.spherical("crank_pin", "crank", "coupler", xyz=(crank, 0, 0))
    return b
