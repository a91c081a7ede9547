import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import GROUND
from loopwright.mechanism.regularity import singular_coordinates
from loopwright.testing import random_tree

from .placed import mass_matrix

ball = {"inertia": (0.1, 0.1, 0.1)}


def refused(b):
    """The joint and the coordinate that nothing resists."""
    with pytest.raises(lw.LoopwrightError, match="nothing resists motion of joint") as raised:
        b.build()
    return str(raised.value).removeprefix("nothing resists motion of joint ").split(":")[0]


def pendulum(kind="revolute", rotor=0.0, tip=0.0, joint=None, **body):
    """A body on a joint of the ground, and a point mass welded to it `tip` away along x."""
    b = lw.Builder("m")
    b.body("body", **body)
    getattr(b, kind)("joint", GROUND, "body", rotor_inertia=rotor, **(joint or {}))
    if tip:
        b.body("tip", 1.0)
        b.weld("fit", "body", "tip", xyz=(tip, 0, 0))
    return b


@given(st.integers(0, 10**6))
def test_a_tree_of_ordinary_bodies_is_regular(seed):
    mechanism = random_tree(seed)
    assert list(singular_coordinates(mechanism)) == []
    assert np.linalg.eigvalsh(mass_matrix(mechanism, mechanism.random_state(seed)[0]))[0] > 0.0


def test_mass_away_from_the_axis_resists():
    assert refused(pendulum(mass=1.0)) == "'joint'"
    assert refused(pendulum(mass=1.0, com=(0, 0, 3.0))) == "'joint'"
    assert refused(pendulum(mass=1.0, com=(0, 0, 3.0), inertia=(1, 1, 0))) == "'joint'"
    pendulum(mass=1.0, com=(1e-3, 0, 3.0)).build()
    pendulum(mass=1.0, inertia=(0, 1e-6, 1e-6)).build()


def test_a_rotor_resists():
    pendulum(rotor=1e-9).build()
    pendulum("spherical", rotor=1e-9, mass=1.0).build()


def test_what_is_welded_on_resists():
    assert refused(pendulum()) == "'joint'"
    pendulum(tip=0.5).build()
    assert refused(pendulum("spherical", tip=0.5)) == "'joint' (coordinate wx)"


def test_a_slide_needs_mass_only():
    pendulum("prismatic", mass=1e-9).build()
    assert refused(pendulum("prismatic")) == "'joint'"
    assert refused(pendulum("cylindrical", mass=1.0)) == "'joint' (coordinate angle)"
    assert refused(pendulum("cylindrical")) in ("'joint' (coordinate angle)", "'joint' (coordinate slide)")
    assert refused(pendulum("planar", mass=1.0)) == "'joint' (coordinate angle)"
    pendulum("screw", mass=1.0, joint={"pitch": 0.1}).build()
    assert refused(pendulum("screw", mass=1.0, joint={"pitch": 0.0})) == "'joint'"


def test_a_free_body_needs_inertia_about_every_axis():
    assert refused(pendulum("free", mass=1.0)).startswith("'joint' (coordinate w")
    assert refused(pendulum("free", mass=1.0, inertia=(1, 1, 0))) == "'joint' (coordinate wz)"
    pendulum("free", mass=1.0, inertia=(1, 1, 1e-9)).build()


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e6])
def test_the_scale_of_a_machine_does_not_matter(scale):
    """A cube on a cylindrical joint: its turn and its slide resist in units that are far apart."""
    mass = 1000.0 * scale**3
    moment = mass * scale**2 / 6.0
    pendulum("cylindrical", mass=mass, inertia=(moment,) * 3, com=(0, 0, scale)).build()
    pendulum("free", mass=mass, inertia=(moment,) * 3).build()


def chain(axis, between=0.0, **body):
    """Two revolutes, the first about z; `between` is the axial inertia of the body between them."""
    b = lw.Builder("m")
    b.body("between", 1.0, inertia=(between, between, between))
    b.body("end", **body)
    b.revolute("first", GROUND, "between")
    b.revolute("second", "between", "end", axis=axis)
    return b


def test_two_axes_in_line_need_something_between():
    assert refused(chain((0, 0, 1), mass=1.0, **ball)) == "'first'"
    chain((0, 0, 1), between=1e-3, mass=1.0, **ball).build()
    chain((0, 1, 0), mass=1.0, **ball).build()


def test_bodies_without_mass_are_well_between_others():
    b = lw.Builder("gimbal")
    b.body("outer_ring")
    b.body("inner_ring")
    b.body("camera", 1.0, **ball)
    b.revolute("yaw", GROUND, "outer_ring", axis=(0, 0, 1))
    b.revolute("pitch", "outer_ring", "inner_ring", axis=(0, 1, 0))
    b.revolute("roll", "inner_ring", "camera", axis=(1, 0, 0))
    assert b.build().nv == 3
    b.body("plate")
    b.revolute("idle", "camera", "plate", axis=(1, 0, 0))
    assert refused(b) == "'idle'"


def test_every_joint_to_blame_is_named():
    b = lw.Builder("m")
    for k in range(3):
        b.body(f"b{k}")
        b.prismatic(f"j{k}", GROUND if k == 0 else f"b{k - 1}", f"b{k}", axis=np.eye(3)[k])
    with pytest.raises(lw.LoopwrightError, match=r"3 problems:(\n.*nothing resists.*'j[012]'.*){3}"):
        b.build()


def test_walked_backwards_it_is_the_same():
    b = lw.Builder("m")
    b.rod("rod", 1.0, (0, 0, 1))
    b.universal("joint", "rod", GROUND, axes=((1, 0, 0), (0, 1, 0)))
    b.build()
    b.rod("pin", 1.0, (0, 0, 1))
    b.revolute("spin", "pin", "rod")
    assert refused(b) == "'spin'"


def test_a_loop_may_hold_what_the_tree_does_not():
    """The massless coupler of a parallelogram is held by the loop; that is for the closed loop to judge."""
    b = lw.Builder("parallelogram")
    b.rod("left", 1.0, (0, 1, 0))
    b.rod("right", 1.0, (0, 1, 0))
    b.body("coupler")
    b.revolute("a", GROUND, "left")
    b.revolute("b", GROUND, "right", xyz=(1, 0, 0))
    b.revolute("c", "left", "coupler", xyz=(0, 1, 0))
    b.revolute("d", "right", "coupler", xyz=(0, 1, 0), child_xyz=(1, 0, 0))
    assert len(b.build().tree.cuts) == 1
    b.body("flag")
    b.revolute("e", "coupler", "flag")
    assert refused(b) == "'e'"
