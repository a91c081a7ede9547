"""The spatial four-bar with a ball and a universal joint."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Mechanism
from .rssr import spatial_four_bar

START = {
    "crank_joint": 0.5,
    "rocker_joint": 1.8326956263674992,
    "rocker_pin.1": 2.691123086969676,
    "rocker_pin.2": -1.0796371862326317,
}


def rsur(lengths: Sequence[float] = (0.1, 0.45, 0.3), per_metre: float = 2.0) -> Mechanism:
    r"""RSUR linkage: a spatial four-bar with a ball at the crank and a universal joint at the rocker.

    ::

                         coupler      universal joint rocker_pin
        crank_pin  o-------------------+
        ball      /                     \ rocker
           crank /                       \
                o crank_joint, along z    o rocker_joint, along x
              (0, 0, 0)                 (.3, .2, .1)

    The bars are those of the RSSR linkage; the universal joint, with axes along the rocker's x and the coupler's z,
    keeps the coupler from spinning. One freedom, and six closing equations none of which repeats another: the
    spatial four-bar to build when reactions should be determinate.
    Source: Hartenberg, Denavit [Hartenberg1964]; the dimensions are this library's own.
    """
    b = spatial_four_bar("rsur", lengths, per_metre)
    axes, end = ((1, 0, 0), (0, 0, 1)), (lengths[1], 0, 0)
    b.universal("rocker_pin", "rocker", "coupler", axes=axes, xyz=(0, lengths[2], 0), child_xyz=end)
    return b.build()
