"""Watt's six-bar linkage."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Builder, Mechanism
from .keywords import closable, positive, positives
from .polygon import polygon

START = {
    "crank_joint": 1.0471975511965976,
    "crank_pin": -0.4655702052353291,
    "coupler_tip": 0.6516953091172991,
    "rocker_joint": 1.7299696105694096,
    "rocker_tip": 0.6064277682233858,
}

_COUPLER_TIP, _ROCKER_TIP = (0.2, 0.2), (0.45, 0.0)  # from each link's first pin, along and across it


def watt_six_bar(
    lengths: Sequence[float] = (0.12, 0.35, 0.3, 0.4), outer: Sequence[float] = (0.22, 0.2), per_metre: float = 2.0
) -> Mechanism:
    r"""Watt's six-bar linkage: a second loop of two bars on the coupler and the rocker of a four-bar.

    ::

                       outer_1
           coupler_tip o------o tip_pin
                      / \      \ outer_2
                     /   \      o rocker_tip
                    /     \     |
         crank_pin o-------o----' rocker_pin: rocker_tip is on the rocker, beyond rocker_pin
                  /  coupler  \
           crank o             o rocker_joint
            crank_joint

    `lengths` are crank, coupler and rocker from pin to pin, and ground; `outer` the two bars that meet at tip_pin.
    The coupler is a triangle of bars, the rocker one bar of .45 m; all bars weigh `per_metre`. The crank turns all
    the way round. Seven hinges, two loops, one freedom.
    Source: Watt's chain as in Hartenberg, Denavit [Hartenberg1964]; the dimensions are this library's own.
    """
    crank, coupler, rocker, ground = positives("watt_six_bar", "lengths", lengths, 4)
    closable("watt_six_bar", {"crank": crank, "coupler": coupler, "rocker": rocker, "ground": ground})
    outer_1, outer_2 = positives("watt_six_bar", "outer", outer, 2)
    weight = positive("watt_six_bar", "per_metre", per_metre)
    b = Builder("watt_six_bar", gravity=(0, -9.81, 0), source="Watt's chain [Hartenberg1964]; dimensions our own")
    polygon(b, "crank", ((0, 0), (crank, 0)), weight)
    polygon(b, "coupler", ((0, 0), (coupler, 0), _COUPLER_TIP), weight)
    polygon(b, "rocker", ((0, 0), _ROCKER_TIP), weight)
    polygon(b, "outer_1", ((0, 0), (outer_1, 0)), weight)
    polygon(b, "outer_2", ((0, 0), (outer_2, 0)), weight)
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("rocker_joint", "ground", "rocker", xyz=(ground, 0, 0))
    b.revolute("crank_pin", "crank", "coupler", xyz=(crank, 0, 0))
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(coupler, 0, 0), child_xyz=(rocker, 0, 0))
    b.revolute("rocker_tip", "rocker", "outer_2", xyz=(*_ROCKER_TIP, 0))
    b.revolute("coupler_tip", "coupler", "outer_1", xyz=(*_COUPLER_TIP, 0))
    b.revolute("tip_pin", "outer_1", "outer_2", xyz=(outer_1, 0, 0), child_xyz=(outer_2, 0, 0))
    return b.build()
