"""Stephenson's six-bar linkage."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Builder, Mechanism
from .keywords import closable, positive, positives
from .polygon import polygon

START = {
    "crank_joint": 1.0471975511965976,
    "crank_pin": -0.46557020523532894,
    "rocker_joint": 1.7299696105694096,
    "output_joint": 2.0685486565845594,
    "link_pin": 1.441528915470091,
}

_COUPLER_TIP = (0.2, 0.25)  # from crank_pin, along the coupler and across it
_THIRD_PIVOT = (0.75, 0.35)


def stephenson_six_bar(
    lengths: Sequence[float] = (0.12, 0.35, 0.3, 0.4), outer: Sequence[float] = (0.55, 0.45), per_metre: float = 2.0
) -> Mechanism:
    r"""Stephenson's six-bar linkage: a point of a four-bar's coupler moves a rocker on a third pivot.

    ::

             coupler_tip   link
                  o-------------------o link_pin
                 / \                  |
                /   '-._              | output
               /  coupler'-._         |
        crank_pin o----------o        o output_joint
                 /  rocker_pin \
        crank   o              o rocker
          crank_joint     rocker_joint

    The third of Stephenson's inversions. `lengths` are crank, coupler and rocker from pin to pin, and ground;
    `outer` the link and the output rocker, whose pivot is at (.75, .35). The coupler is a triangle of bars; all
    bars weigh `per_metre`. The crank turns all the way round. Seven hinges, two loops, one freedom.
    Source: Stephenson's chain as in Hartenberg, Denavit [Hartenberg1964]; the dimensions are this library's own.
    """
    crank, coupler, rocker, ground = positives("stephenson_six_bar", "lengths", lengths, 4)
    closable("stephenson_six_bar", {"crank": crank, "coupler": coupler, "rocker": rocker, "ground": ground})
    link, output = positives("stephenson_six_bar", "outer", outer, 2)
    weight = positive("stephenson_six_bar", "per_metre", per_metre)
    b = Builder(
        "stephenson_six_bar",
        gravity=(0, -9.81, 0),
        source="Stephenson's chain [Hartenberg1964]; dimensions our own",
    )
    polygon(b, "crank", ((0, 0), (crank, 0)), weight)
    polygon(b, "coupler", ((0, 0), (coupler, 0), _COUPLER_TIP), weight)
    for name, length in (("rocker", rocker), ("link", link), ("output", output)):
        polygon(b, name, ((0, 0), (length, 0)), weight)
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("rocker_joint", "ground", "rocker", xyz=(ground, 0, 0))
    b.revolute("output_joint", "ground", "output", xyz=(*_THIRD_PIVOT, 0))
    b.revolute("crank_pin", "crank", "coupler", xyz=(crank, 0, 0))
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(coupler, 0, 0), child_xyz=(rocker, 0, 0))
    b.revolute("coupler_tip", "coupler", "link", xyz=(*_COUPLER_TIP, 0))
    b.revolute("link_pin", "link", "output", xyz=(link, 0, 0), child_xyz=(output, 0, 0))
    return b.build()
