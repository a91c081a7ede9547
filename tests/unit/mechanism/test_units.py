"""Units of actuators' forces, in the tree and on cut joints."""

from __future__ import annotations

import loopwright as lw
from loopwright.mechanism import actuator_units


def test_motors_on_cut_joints_have_units_too():
    b = lw.Builder("press", gravity=(0, 0, 0))
    for name, length in (("crank", 0.3), ("rod", 1.0)):
        b.rod(name, 1.0, to=(length, 0, 0))
    b.body("ram", 2.0)
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("crank_pin", "crank", "rod", xyz=(0.3, 0, 0), actuated=True)
    b.prismatic("slide", "ground", "ram", axis=(1, 0, 0), actuated=True)
    b.revolute("ram_pin", "rod", "ram", xyz=(1, 0, 0), actuated=True)
    press = b.build()
    units = dict(zip(press.actuators, actuator_units(press), strict=True))
    assert units == {"crank_joint": "N·m", "crank_pin": "N·m", "slide": "N", "ram_pin": "N·m"}
    assert len(press.actuated) == 3


def test_a_slide_that_is_cut_is_driven_by_a_force():
    b = lw.Builder("press", gravity=(0, 0, 0))
    b.rod("crank", 1.0, to=(0.3, 0, 0))
    b.rod("rod", 1.0, to=(1.0, 0, 0))
    b.body("ram", 2.0)
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("crank_pin", "crank", "rod", xyz=(0.3, 0, 0), actuated=True)
    b.revolute("ram_pin", "rod", "ram", xyz=(1, 0, 0), actuated=True)
    b.prismatic("slide", "ground", "ram", axis=(1, 0, 0), actuated=True)
    made = lw.Topology.of(b.build(), ["slide"]).mechanism
    units = dict(zip(made.actuators, actuator_units(made), strict=True))
    assert units["slide"] == "N"
    assert made.actuators[-1] == "slide"
