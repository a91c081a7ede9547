from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import GROUND, native_state, one_dof_state
from loopwright.spatial import EULER_SEQUENCES, about_x, about_z, from_euler
from loopwright.testing import random_tree

from ..spatial.samples import assert_close, vectors
from .placed import body_pose, energies, forces, mass_matrix

few = settings(max_examples=settings().max_examples // 3)  # of every sequence
sequences = pytest.mark.parametrize("sequence", EULER_SEQUENCES)

# A spherical joint as three revolutes in modified Denavit-Hartenberg parameters, all in degrees: a turn about z
# that leads from the joint's frame to the first row, the twist angles alpha of the rows, the offsets added to
# their coordinates, and turns about x and then z that lead from the last row to the body. The first letters'
# angles are the coordinates:  Rz(pre) prod [Rx(alpha_k) Rz(q_k + offset_k)] Rx(post) Rz(post) == R(q).
TABLES = {
    "ZXZ": (0, (0, 90, -90), (90, 0, -90), (0, 0)),
    "ZYZ": (0, (0, -90, 90), (0, 0, 0), (0, 0)),
    "ZXY": (0, (0, 90, 90), (90, 90, 90), (90, 0)),
    "ZYX": (0, (0, -90, 90), (0, 90, 90), (-90, -90)),
    "YXY": (0, (-90, 90, -90), (90, 0, -90), (90, 0)),
    "YZY": (0, (-90, 90, -90), (0, 0, 0), (90, 0)),
    "YXZ": (0, (-90, 90, 90), (90, -90, 90), (0, 0)),
    "YZX": (0, (-90, 90, 90), (0, 90, 0), (-90, -90)),
    "XYX": (90, (90, 90, -90), (90, 0, 90), (90, 90)),
    "XZX": (90, (90, -90, 90), (0, 0, 0), (-90, -90)),
    "XYZ": (90, (90, 90, 90), (90, 90, 0), (0, 0)),
    "XZY": (-90, (-90, 90, -90), (0, 90, 0), (90, 0)),
}


@sequences
@given(vectors(3.0))
def test_three_revolutes_by_modified_dh_make_every_euler_sequence(sequence, angles):
    pre, alphas, offsets, (post_x, post_z) = TABLES[sequence]
    rows = [
        {"alpha": np.deg2rad(alpha), "theta": np.deg2rad(offset), "options": {"rotor_inertia": 1.0}}
        for alpha, offset in zip(alphas, offsets, strict=True)
    ]
    rows[0]["gamma"] = np.deg2rad(pre)
    rows[2] |= {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
    chain = lw.modified_dh(sequence, rows)
    R = body_pose(chain, "link3", angles).R @ about_x(np.deg2rad(post_x)) @ about_z(np.deg2rad(post_z))
    assert_close(R, from_euler(sequence, angles))


@sequences
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
@given(vectors(3.0))
def test_a_ball_as_three_revolutes_turns_by_euler_angles(sequence, backwards, angles):
    b = lw.Builder("top")
    b.body("top", 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    b.spherical("ball", *(("top", GROUND) if backwards else (GROUND, "top")))
    chain = lw.as_one_dof_joints(b.build(), sequence)
    assert sorted(chain.coordinates) == ["ball.1", "ball.2", "ball.3"]
    q = angles[[int(name[-1]) - 1 for name in chain.coordinates]]
    R = body_pose(chain, "top", q).R
    assert_close(R.T if backwards else R, from_euler(sequence, angles))


def test_a_free_joint_slides_along_three_axes_and_then_turns():
    b = lw.Builder("bird")
    b.body("bird", 1.0, inertia=(0.1, 0.2, 0.25))
    b.free("flight", GROUND, "bird", xyz=(0, 0, 1))
    chain = lw.as_one_dof_joints(b.build(), "ZXZ")
    assert chain.coordinates == tuple(f"flight.{k}" for k in range(1, 7))
    assert [joint.kind for joint in chain.joints] == ["prismatic"] * 3 + ["revolute"] * 3
    X = body_pose(chain, "bird", [1.0, 2.0, 3.0, 0.4, 0.5, 0.6])
    assert_close(X.p, [1.0, 2.0, 4.0], scale=10.0)
    assert_close(X.R, from_euler("ZXZ", (0.4, 0.5, 0.6)))


def assert_same_positions(mechanism, q_a, q_b):
    """As positions: a quaternion and its negative are one."""
    np.testing.assert_allclose(mechanism.difference(q_a, q_b), np.zeros(mechanism.nv), atol=1e-8)


def without_rotors(mechanism):
    """Rotors turn at the speed of a coordinate, which is another in the other form."""
    joints = tuple(replace(joint, rotor_inertia=(0.0,) * len(joint.rotor_inertia)) for joint in mechanism.joints)
    return replace(mechanism, joints=joints)


@sequences
@few
@given(st.integers(0, 10**6))
def test_states_of_the_two_forms_correspond(sequence, seed):
    kinds = ("spherical", "free", "planar", "universal", "screw", "cylindrical")
    native = without_rotors(random_tree(seed, bodies=4, kinds=kinds))
    one_dof = lw.as_one_dof_joints(native, sequence)
    assert all(joint.kind in ("revolute", "prismatic", "screw") for joint in one_dof.joints)
    assert one_dof.nq == one_dof.nv == native.nv
    q, v = one_dof.random_state(seed)
    q_native, v_native = native_state(native, one_dof, q, v)
    for body in native.bodies:
        ours, theirs = body_pose(native, body.name, q_native), body_pose(one_dof, body.name, q)
        assert_close(ours.matrix(), theirs.matrix(), scale=100.0)
    np.testing.assert_allclose(energies(native, q_native, v_native), energies(one_dof, q, v), rtol=1e-9)
    if _least_middle_sine(one_dof, sequence, q) > 0.1:
        again = native_state(native, one_dof, *one_dof_state(native, one_dof, q_native, v_native))
        assert_same_positions(native, q_native, again[0])
        np.testing.assert_allclose(again[1], v_native, atol=1e-7)


def _least_middle_sine(one_dof, sequence, q):
    """How far the Euler joints are from their singular middle angles."""
    place = {name: k for k, name in enumerate(one_dof.coordinates)}
    found = [1.0]
    for name, k in place.items():
        joint, _, part = name.rpartition(".")
        if part == "2" and f"{joint}.3" in place and one_dof.joint(name).kind == "revolute":
            found.append(q[k])
        if part == "5":
            found.append(q[k])
    angle = np.sin if sequence[0] == sequence[2] else np.cos
    return min(abs(angle(x)) for x in found)


@given(st.integers(0, 10**6))
def test_the_two_forms_weigh_the_same(seed):
    """M of the native form, seen through the Jacobian between the velocities, is M of the one-dof form."""
    kinds = ("spherical", "free", "planar", "universal", "cylindrical")
    native = without_rotors(random_tree(seed, bodies=3, kinds=kinds))
    one_dof = lw.as_one_dof_joints(native)
    q, _ = one_dof.random_state(seed)
    # native velocities are linear in the one-dof ones
    columns = [native_state(native, one_dof, q, e)[1] for e in np.eye(one_dof.nv)]
    B, q_native = np.stack(columns, axis=1), native_state(native, one_dof, q, q)[0]
    M = mass_matrix(native, q_native)
    np.testing.assert_allclose(mass_matrix(one_dof, q), B.T @ M @ B, rtol=1e-9, atol=1e-9 * np.abs(M).max())
    still = np.zeros(native.nv)
    held = forces(one_dof, q, still, still)
    np.testing.assert_allclose(held, B.T @ forces(native, q_native, still, still), atol=1e-8 * np.abs(held).max())


def test_options_go_to_the_parts():
    b = lw.Builder("m")
    b.body("a", 1.0, (0.1, 0.0, 0.2), (0.1, 0.1, 0.1))
    b.body("c", 1.0, (0.1, 0.0, 0.2), (0.1, 0.1, 0.1))
    options = {"damping": (1, 2), "stiffness": (3, 4), "rest": (0.1, 0.2), "actuated": (True, False)}
    b.cylindrical("j", GROUND, "a", limits=((-1, 1), (-2, 2)), friction=(0.1, (0.2, 0.3)), xyz=(1, 2, 3), **options)
    b.planar("k", "a", "c", child_rpy=(0.1, 0.2, 0.3))
    b.effort("motor", "j", (5.0, 6.0))
    made = lw.as_one_dof_joints(b.build())
    turn, shift = made.joint("j.1"), made.joint("j.2")
    assert (turn.kind, shift.kind) == ("revolute", "prismatic")
    assert (turn.damping, shift.damping) == ((1.0,), (2.0,))
    assert (turn.stiffness, shift.stiffness) == ((3.0,), (4.0,))
    assert (turn.rest, shift.rest) == ((0.1,), (0.2,))
    assert (turn.limits, shift.limits) == (((-1.0, 1.0),), ((-2.0, 2.0),))
    assert (turn.friction, shift.friction) == (((0.1, 0.1),), ((0.2, 0.3),))
    assert (turn.in_parent.xyz, shift.in_parent.xyz) == ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0))
    assert made.joint("k.3").in_child.rpy == (0.1, 0.2, 0.3)
    assert made.actuators == ("j.1",)
    assert [(effort.name, effort.joint, effort.value) for effort in made.efforts] == [
        ("motor.1", "j.1", (5.0,)),
        ("motor.2", "j.2", (6.0,)),
    ]


def test_joints_of_one_freedom_and_welds_stay_as_they_are():
    b = lw.Builder("m")
    for name in "abcd":
        b.body(name, 1.0, (0.1, 0.0, 0.2), (0.1, 0.1, 0.1))
    b.weld("w", GROUND, "a")
    b.revolute("r", "a", "b")
    b.prismatic("p", "b", "c")
    b.screw("s", "c", "d", pitch=0.1)
    mechanism = b.build()
    assert lw.as_one_dof_joints(mechanism) == mechanism


def test_a_joint_that_is_cut_has_no_coordinate_to_take_apart():
    b = lw.Builder("platform")
    b.rod("left", 1.0, (0, 0, 1))
    b.rod("right", 1.0, (0, 0, 1))
    b.rod("bar", 1.0, (1, 0, 0))
    b.universal("a", GROUND, "left")
    b.universal("b", GROUND, "right", xyz=(1, 0, 0))
    b.revolute("c", "left", "bar", axis=(0, 1, 0), xyz=(0, 0, 1))
    b.spherical("d", "right", "bar", xyz=(0, 0, 1), child_xyz=(1, 0, 0))
    native = b.build()
    one_dof = lw.as_one_dof_joints(native)
    assert [joint.name for joint in one_dof.tree.cuts] == [joint.name for joint in native.tree.cuts] == ["d"]
    assert one_dof.joint("d").kind == "spherical"
    assert one_dof.coordinates == ("a.1", "a.2", "c", "b.1", "b.2")
    q, v = one_dof.random_state(1)
    assert_close(native_state(native, one_dof, q, v)[0], q)


def test_forms_of_different_mechanisms_do_not_correspond():
    native, other = random_tree(3, bodies=2, kinds=("spherical",)), random_tree(4, bodies=2, kinds=("revolute",))
    with pytest.raises(lw.LoopwrightError, match=r"no coordinate 'j0.1', so it is no one-dof form of 'random_3'"):
        native_state(native, other, *other.random_state())
    with pytest.raises(lw.LoopwrightError, match="make that with as_one_dof_joints"):
        one_dof_state(native, native, *native.random_state())
