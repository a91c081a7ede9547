import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import GROUND
from loopwright.testing import random_tree

from .wrong import arm, four_bar


def every_kind():
    """A chain with one joint of every kind, named by it."""
    b = lw.Builder("every_kind")
    kinds = ("free", "weld", "revolute", "prismatic", "screw", "universal", "cylindrical", "spherical", "planar")
    inner = GROUND
    for kind in kinds:
        b.body(f"b_{kind}", 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
        pitch = {"pitch": 0.1} if kind == "screw" else {}
        getattr(b, kind)(kind, inner, f"b_{kind}", actuated=True, **pitch) if kind in ("screw", "planar") else getattr(
            b, kind
        )(kind, inner, f"b_{kind}", **pitch)
        inner = f"b_{kind}"
    return b.build()


def test_coordinates_are_named_after_their_joints():
    mechanism = every_kind()
    free = ["free.x", "free.y", "free.z", "free.qx", "free.qy", "free.qz", "free.qw"]
    single = ["revolute", "prismatic", "screw"]
    pairs = ["universal.1", "universal.2", "cylindrical.angle", "cylindrical.slide"]
    ball = ["spherical.qx", "spherical.qy", "spherical.qz", "spherical.qw"]
    planar = ["planar.x", "planar.y", "planar.angle"]
    assert list(mechanism.coordinates) == free + single + pairs + ball + planar
    free = ["free.vx", "free.vy", "free.vz", "free.wx", "free.wy", "free.wz"]
    ball = ["spherical.wx", "spherical.wy", "spherical.wz"]
    assert list(mechanism.velocities) == free + single + pairs + ball + planar
    assert (mechanism.nq, mechanism.nv) == (21, 19)


def test_actuators_are_the_actuated_coordinates_in_the_order_of_the_velocities():
    mechanism = every_kind()
    assert mechanism.actuators == ("screw", "planar.x", "planar.y", "planar.angle")
    assert [mechanism.velocities[k] for k in mechanism.actuated] == list(mechanism.actuators)
    assert mechanism.nu == 4


def test_without_declared_actuators_every_coordinate_takes_a_force():
    mechanism = arm().build()
    assert mechanism.actuators == mechanism.velocities == ("shoulder", "elbow")
    assert mechanism.actuated == (0, 1)


def test_the_order_of_coordinates_is_that_of_the_tree():
    b = lw.Builder("tree")
    for name in "abc":
        b.rod(name, 1.0, (1, 0, 0))
    b.revolute("c_on_b", "b", "c", actuated=True)
    b.revolute("b_on_a", "a", "b")
    b.revolute("a_on_ground", GROUND, "a", actuated=True)
    mechanism = b.build()
    assert mechanism.coordinates == ("a_on_ground", "b_on_a", "c_on_b")
    assert mechanism.actuators == ("a_on_ground", "c_on_b")


def test_a_cut_joint_has_no_coordinate():
    mechanism = four_bar().build()
    assert [joint.name for joint in mechanism.tree.cuts] == ["closing"]
    assert mechanism.coordinates == ("crank_pin", "coupler_pin", "rocker_pin")
    assert four_bar().build(cuts=["crank_pin"]).coordinates == ("rocker_pin", "closing", "coupler_pin")


def test_bodies_and_joints_by_name():
    mechanism = arm().build()
    assert mechanism.body("lower") is mechanism.bodies[1]
    assert mechanism.joint("elbow") is mechanism.joints[1]
    with pytest.raises(lw.LoopwrightError, match="has no body 'ground'; it has upper, lower"):
        mechanism.body(GROUND)


def test_a_long_list_of_names_is_shortened():
    b = lw.Builder("chain")
    for k in range(30):
        b.rod(f"rod{k}", 1.0, (1, 0, 0))
        b.revolute(f"pin{k}", f"rod{k - 1}" if k else GROUND, f"rod{k}", axis=(0, 1, 0))
    with pytest.raises(lw.LoopwrightError, match=r"no body 'Q'; it has rod0, .*, rod11 … \(30 in all\)$"):
        b.build().body("Q")


def test_neutral_is_the_identity():
    mechanism = every_kind()
    q = mechanism.neutral()
    expected = [float(name.endswith(".qw")) for name in mechanism.coordinates]
    np.testing.assert_array_equal(q, expected)


@given(st.integers(0, 10**6))
def test_the_same_seed_gives_the_same_state(seed):
    mechanism = random_tree(seed)
    q, v = mechanism.random_state(seed)
    again = mechanism.random_state(seed)
    np.testing.assert_array_equal(q, again[0])
    np.testing.assert_array_equal(v, again[1])
    assert not np.array_equal(v, mechanism.random_state(seed + 1)[1])
    assert (q.shape, v.shape) == ((mechanism.nq,), (mechanism.nv,))


def test_a_generator_goes_on_to_other_states():
    rng = np.random.default_rng(1)
    mechanism = arm().build()
    assert not np.array_equal(mechanism.random_state(rng)[0], mechanism.random_state(rng)[0])


@given(st.integers(0, 10**6))
def test_differences_lead_from_state_to_state(seed):
    mechanism = random_tree(seed, floating=True)
    rng = np.random.default_rng(seed)
    (q0, v), (q1, _) = mechanism.random_state(rng), mechanism.random_state(rng)
    reached = mechanism.integrate(q0, mechanism.difference(q0, q1))
    np.testing.assert_allclose(mechanism.difference(q1, reached), np.zeros(mechanism.nv), atol=1e-10)
    np.testing.assert_allclose(mechanism.difference(q0, mechanism.integrate(q0, v)), v, atol=1e-10)
    np.testing.assert_array_equal(mechanism.integrate(mechanism.neutral(), 0.0 * v), mechanism.neutral())


@given(st.integers(0, 10**6))
def test_quaternions_stay_unit(seed):
    mechanism = random_tree(seed, bodies=3, kinds=("spherical", "free"))
    q, v = mechanism.random_state(seed)
    for _ in range(5):
        q = mechanism.integrate(q, v)
    for k, name in enumerate(mechanism.coordinates):
        if name.endswith(".qw"):
            assert abs(np.linalg.norm(q[k - 3 : k + 1]) - 1.0) < 1e-14


def test_lists_are_positions_too():
    mechanism = arm().build()
    np.testing.assert_array_equal(mechanism.integrate([0.1, 0.2], [1, 2]), [1.1, 2.2])
    np.testing.assert_array_equal(mechanism.difference((0, 1), (2, 4)), [2.0, 3.0])


def test_symbols_are_positions_too():
    import casadi

    from loopwright.spatial import symbols

    mechanism = every_kind()
    q, dv = casadi.SX.sym("q", mechanism.nq), casadi.SX.sym("dv", mechanism.nv)
    moved = mechanism.integrate(symbols(q), symbols(dv))
    function = casadi.Function("f", [q, dv], [casadi.vertcat(*(getattr(x, "sx", x) for x in moved))])
    at, by = mechanism.random_state(5)
    np.testing.assert_allclose(np.array(function(at, by)).ravel(), mechanism.integrate(at, by), atol=1e-14)


def test_it_says_what_it_is():
    assert repr(arm().build()) == "Mechanism('arm': 2 bodies, 2 joints, 0 loops, 2 tree coordinates, 2 actuators)"
    assert (
        repr(four_bar().build()) == "Mechanism('four_bar': 3 bodies, 4 joints, 1 loop, 3 tree coordinates, 3 actuators)"
    )


def test_a_mechanism_that_stands_still():
    b = lw.Builder("plinth")
    b.body("stone", 100.0)
    b.weld("mortar", GROUND, "stone")
    mechanism = b.build()
    assert (mechanism.nq, mechanism.nv, mechanism.coordinates) == (0, 0, ())
    assert mechanism.neutral().shape == (0,)
    assert mechanism.integrate([], []).shape == mechanism.difference([], []).shape == (0,)
