"""The four-bar linkage on which virtual springs were tried."""

from __future__ import annotations

import math

from ..mechanism import Mechanism
from .four_bar import linkage

START = {"crank_joint": math.pi / 2, "crank_pin": -1.217515430596791, "rocker_joint": 1.2648578195810691}


def wang_four_bar() -> Mechanism:
    r"""Rigid four-bar of the virtual-spring approach: a torque of 6 N m drives the input link.

    ::

                coupler 4 m   ___o B
               _____-----'''''  /
              o                /  output link 2.5 m
        input |               /
          1 m |              /
              o             o O' (3, 0)
              O

    Every bar weighs 1 kg, its centre at half length; g is 9.8. The paper's absolute angles theta, alpha, phi are
    crank_joint, crank_joint + crank_pin and rocker_joint; it starts at rest and runs 2 s.
    Source: Wang, Gosselin, Cheng [Wang2002, 3.1].
    """
    return linkage(
        "wang_four_bar",
        "Wang, Gosselin, Cheng 2002, section 3.1 [Wang2002]",
        lengths=(1.0, 4.0, 2.5, 3.0),
        masses=(1.0, 1.0, 1.0),
        gravity=9.8,
    )
