import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.testing import random_inertia

from ..spatial.samples import assert_close, numbers_within, vectors
from .placed import body_pose, forces, mass_matrix


def turn(k, angle):
    """Rotation about axis k as a 4x4 matrix."""
    T, c, s = np.eye(4), np.cos(angle), np.sin(angle)
    i, j = (k + 1) % 3, (k + 2) % 3
    T[i, i], T[i, j], T[j, i], T[j, j] = c, -s, s, c
    return T


def slide(k, length):
    T = np.eye(4)
    T[k, 3] = length
    return T


X, Z = 0, 2


def standard(row, q):
    """Rz(theta) Tz(d) Tx(a) Rx(alpha)   [Denavit1955]"""
    theta, d = (row["theta"], row["d"] + q) if row["prismatic"] else (row["theta"] + q, row["d"])
    return turn(Z, theta) @ slide(Z, d) @ slide(X, row["a"]) @ turn(X, row["alpha"])


def modified(row, q):
    """Rz(gamma) Tz(epsilon) Rx(alpha) Tx(a) Rz(theta) Tz(d)   [Khalil1986]"""
    theta, d = (row["theta"], row["d"] + q) if row["prismatic"] else (row["theta"] + q, row["d"])
    branch = turn(Z, row.get("gamma", 0.0)) @ slide(Z, row.get("epsilon", 0.0))
    return branch @ turn(X, row["alpha"]) @ slide(X, row["a"]) @ turn(Z, theta) @ slide(Z, d)


def lengths():
    return numbers_within(2.0)


def twists():
    """Angles, the right ones among them."""
    return st.sampled_from([0.0, np.pi / 2, -np.pi / 2, np.pi]) | numbers_within(3.0)


@st.composite
def rows(draw, branches=False):
    """Up to six links of ordinary weight."""
    made = []
    for i in range(draw(st.integers(1, 6))):
        row = {"alpha": draw(twists()), "a": draw(lengths()), "d": draw(lengths()), "theta": draw(twists())}
        row |= {"prismatic": draw(st.booleans()), "mass": 1.0 + i, "com": draw(vectors(0.5))}
        row["inertia"] = random_inertia(np.random.default_rng(i))
        if branches:
            row |= {"gamma": draw(twists()), "epsilon": draw(lengths()), "parent": draw(st.integers(0, i))}
        made.append(row)
    return made


def positions(table, data):
    return np.array([data.draw(numbers_within(3.0)) for _ in table])


@given(rows(), st.data())
def test_a_standard_table_is_the_product_of_its_matrices(table, data):
    mechanism, q = lw.standard_dh("arm", table), positions(table, data)
    T = np.eye(4)
    for i, row in enumerate(table, start=1):
        T = T @ standard(row, q[i - 1])
        assert_close(body_pose(mechanism, f"link{i}", q).matrix(), T, scale=100.0)


@given(rows(branches=True), st.data())
def test_a_modified_table_is_the_product_of_its_matrices_from_parent_to_child(table, data):
    mechanism = lw.modified_dh("tree", table)
    values = positions(table, data)
    q = np.array([values[int(name.removeprefix("joint")) - 1] for name in mechanism.coordinates])
    T = [np.eye(4)]
    for i, row in enumerate(table, start=1):
        T.append(T[row["parent"]] @ modified(row, values[i - 1]))
        assert_close(body_pose(mechanism, f"link{i}", q).matrix(), T[i], scale=100.0)


@given(rows(), st.data())
def test_the_two_forms_of_one_arm_move_and_weigh_the_same(table, data):
    """Frame i of the standard form is Tx(a) Rx(alpha) beyond frame i of the modified one."""
    before, khalil = {"a": 0.0, "alpha": 0.0}, []
    for row in table:
        R = turn(X, row["alpha"])[:3, :3]
        centre = R @ row["com"] + [row["a"], 0.0, 0.0]
        khalil.append({**row, **before, "com": centre, "inertia": R @ row["inertia"] @ R.T})
        khalil[-1]["inertia"] = (khalil[-1]["inertia"] + khalil[-1]["inertia"].T) / 2.0
        before = {"a": row["a"], "alpha": row["alpha"]}
    ours, theirs = lw.standard_dh("arm", table), lw.modified_dh("arm", khalil)
    q, v, a = (positions(table, data) for _ in range(3))
    for i, row in enumerate(table, start=1):
        beyond = slide(X, row["a"]) @ turn(X, row["alpha"])
        assert_close(
            body_pose(theirs, f"link{i}", q).matrix() @ beyond, body_pose(ours, f"link{i}", q).matrix(), scale=100.0
        )
    np.testing.assert_allclose(mass_matrix(ours, q), mass_matrix(theirs, q), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(forces(ours, q, v, a), forces(theirs, q, v, a), rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("prismatic", [False, True])
@pytest.mark.parametrize("make, columns", [(lw.standard_dh, 4), (lw.modified_dh, 6)])
def test_every_column_may_be_a_parameter(make, columns, prismatic):
    values = dict(zip(("alpha", "a", "d", "theta", "gamma", "epsilon")[:columns], np.arange(3, 9) / 10.0, strict=False))
    link = {"mass": 2.0, "com": (0.3, 0.1, 0.0), "inertia": (0.1, 0.2, 0.2), "options": {"rotor_inertia": 0.1}}
    b = lw.Builder("arm", gravity=(0, -9.81, 0))
    row = {column: 2 * b.parameter(column, 1.0) for column in values}
    adjustable = make(b, [link, {**link, **row, "prismatic": prismatic}, link])
    plain = make("arm", [link, {**link, **values, "prismatic": prismatic}, link], gravity=(0, -9.81, 0))
    halves = adjustable.with_parameters(**{column: value / 2.0 for column, value in values.items()})
    q, v = plain.random_state(3)
    assert_close(body_pose(halves, "link3", q).matrix(), body_pose(plain, "link3", q).matrix(), scale=10.0)
    assert_close(mass_matrix(halves, q), mass_matrix(plain, q), scale=100.0)
    assert_close(forces(halves, q, v, v), forces(plain, q, v, v), scale=1000.0)


def test_rows_are_named_and_take_what_joints_take():
    mechanism = lw.modified_dh(
        "arm",
        [
            lw.Row(d=0.4, mass=1.0, com=(0.1, 0, 0), joint="waist", body="trunk", options={"actuated": True}),
            {"alpha": np.pi / 2, "mass": 1.0, "com": (0.1, 0, 0), "options": {"limits": (-1, 1), "damping": 0.5}},
            lw.Row(a=0.5, prismatic=True, mass=1.0, parent=np.int64(1)),
        ],
        gravity=(0, 0, -1.62),
        source="the moon",
    )
    assert [body.name for body in mechanism.bodies] == ["trunk", "link2", "link3"]
    assert [(joint.name, joint.kind) for joint in mechanism.joints] == [
        ("waist", "revolute"),
        ("joint2", "revolute"),
        ("joint3", "prismatic"),
    ]
    assert [joint.parent for joint in mechanism.joints] == ["ground", "trunk", "trunk"]
    assert mechanism.actuators == ("waist",)
    assert mechanism.joint("joint2").limits == ((-1.0, 1.0),)
    assert (mechanism.gravity, mechanism.source) == ((0.0, 0.0, -1.62), "the moon")


def test_right_angles_leave_no_rounding_behind():
    """cos(pi/2) kept as 6e-17 would be multiplied through every recursion."""
    table = [{"alpha": k * np.pi / 2, "d": 0.5, "mass": 1.0, "com": (0.1, 0.1, 0.1)} for k in range(-2, 3)]
    for make in (lw.standard_dh, lw.modified_dh):
        for node in lw.Topology.of(make("arm", table)).forest.nodes:
            values = np.abs(np.concatenate([node.X_tree.R.ravel(), node.X_tree.p]))
            assert not np.any((values > 0.0) & (values < 1e-12))
