import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import BY_NAME, GROUND, KINDS
from loopwright.mechanism.joints import Reversed, turn_to
from loopwright.spatial import Pose, about, from_quaternion, is_rotation, skew

from ..spatial.samples import angles, assert_close, numbers_within, units, vectors
from .placed import body_pose

KNOWN = ("revolute", "prismatic", "screw", "universal", "cylindrical", "spherical", "planar", "free", "weld")
BOTH_WAYS = [*KINDS, *(Reversed(kind) for kind in KINDS)]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
both_ways = pytest.mark.parametrize(
    "kind", BOTH_WAYS, ids=lambda kind: f"{kind.name}{'-reversed' * isinstance(kind, Reversed)}"
)
few = settings(max_examples=settings().max_examples // 3)  # of the many kinds of joint each
STEP = 1e-5  # of central differences, whose error is STEP^2 by truncation and EPS / STEP by rounding, times 1000
WRONG = 2e-8


def shape_of(kind, data):
    """The numbers a canonical joint depends on besides its coordinates."""
    if kind.name == "screw":
        return (data.draw(numbers_within(0.5), label="pitch"),)
    if kind.name == "universal":
        between = data.draw(st.floats(0.2, 3.0), label="angle between the axes")
        return (np.cos(between), np.sin(between))
    return ()


def somewhere(kind, data):
    """A position of the joint, and a speed."""
    q = kind.integrate(kind.neutral(), data.draw(vectors(2.0, kind.nv), label="q from neutral"))
    return np.asarray(q), data.draw(vectors(2.0, kind.nv), label="v")


def slope(function, kind, q, v):
    """d function(q) / dt when q moves at v, by central differences."""
    ahead, behind = kind.integrate(q, STEP * v), kind.integrate(q, -STEP * v)
    return (function(ahead) - function(behind)) / (2.0 * STEP)


def test_every_kind_is_registered_once():
    assert tuple(kind.name for kind in KINDS) == KNOWN
    assert {name: BY_NAME[name] for name in KNOWN} == {kind.name: kind for kind in KINDS}


@both_ways
def test_a_kind_says_how_many_numbers_it_has(kind):
    assert len(kind.positions) == kind.nq
    assert len(kind.velocities) == kind.nv
    assert np.shape(kind.neutral()) == (kind.nq,)
    assert kind.flat == (kind.positions == kind.velocities)


@both_ways
@few
@given(st.data())
def test_the_pose_is_rigid(kind, data):
    shape, (q, _) = shape_of(kind, data), somewhere(kind, data)
    X = kind.pose(shape, q)
    assert is_rotation(X.R)
    assert X.p.shape == (3,)


@both_ways
@few
@given(st.data())
def test_the_motion_subspace_is_the_derivative_of_the_pose(kind, data):
    shape, (q, v) = shape_of(kind, data), somewhere(kind, data)
    X, twist = kind.pose(shape, q), kind.motion(shape, q) @ v
    R_rate = slope(lambda q: kind.pose(shape, q).R, kind, q, v)
    p_rate = slope(lambda q: kind.pose(shape, q).p, kind, q, v)
    np.testing.assert_allclose(X.R.T @ R_rate, skew(twist[:3]), atol=WRONG)
    np.testing.assert_allclose(X.R.T @ p_rate, twist[3:], atol=WRONG)


@both_ways
@few
@given(st.data())
def test_the_motion_rate_is_the_derivative_of_the_motion_subspace(kind, data):
    shape, (q, v) = shape_of(kind, data), somewhere(kind, data)
    assert kind.motion_rate(shape, q, v).shape == (6, kind.nv)
    expected = slope(lambda q: np.asarray(kind.motion(shape, q), dtype=float), kind, q, v)
    np.testing.assert_allclose(kind.motion_rate(shape, q, v), expected, atol=WRONG)


@both_ways
@few
@given(st.data())
def test_the_rates_are_the_derivative_of_the_coordinates(kind, data):
    q, v = somewhere(kind, data)
    np.testing.assert_allclose(kind.rates(q, v), slope(np.asarray, kind, q, v), atol=WRONG)
    if kind.flat:
        np.testing.assert_array_equal(kind.rates(q, v), v)


@both_ways
@few
@given(st.data())
def test_the_difference_of_two_positions_leads_from_one_to_the_other(kind, data):
    (q0, _), (q1, _) = somewhere(kind, data), somewhere(kind, data)
    way = kind.difference(q0, q1)
    reached = np.asarray(kind.integrate(q0, way))
    sign = np.sign(reached[-4:] @ q1[-4:]) if not kind.flat else 1.0  # q and -q are one orientation
    assert_close(np.concatenate([reached[:-4], sign * reached[-4:]]), q1, scale=10.0)
    assert_close(kind.difference(q0, q0), np.zeros(kind.nv))
    assert way.shape == (kind.nv,)


@both_ways
@few
@given(st.data())
def test_a_small_motion_is_the_difference_it_makes(kind, data):
    q, v = somewhere(kind, data)
    v = v / 2.0  # a turn of less than half a revolution
    assert_close(kind.difference(q, kind.integrate(q, v)), v, scale=10.0)


@pytest.mark.parametrize("kind", [k for k in KINDS if k.mirror is not None], ids=lambda kind: kind.name)
@few
@given(st.data())
def test_a_mirrored_joint_is_the_joint_from_its_other_end(kind, data):
    shape, (q, _) = shape_of(kind, data), somewhere(kind, data)
    over = Pose(kind.mirror, np.zeros(3))
    assert is_rotation(kind.mirror)
    mirrored = over.inverse() @ kind.pose(shape, q) @ over
    assert_close(mirrored.matrix(), kind.pose(shape, q).inverse().matrix(), scale=10.0)


@kinds
@few
@given(st.data())
def test_a_reversed_joint_is_the_joint_from_its_other_end(kind, data):
    shape, (q, _) = shape_of(kind, data), somewhere(kind, data)
    back = Reversed(kind)
    assert_close((kind.pose(shape, q) @ back.pose(shape, q)).matrix(), np.eye(4), scale=10.0)
    assert (back.name, back.nq, back.nv, back.positions) == (kind.name, kind.nq, kind.nv, kind.positions)


@kinds
@few
@given(st.data())
def test_the_steps_of_a_pose_make_the_pose(kind, data):
    shape, (q, _) = shape_of(kind, data), somewhere(kind, data)
    made = Pose()
    for axis, angle, slide in kind.turns(shape, q):
        e = np.eye(3)[axis]
        made = made @ Pose(about(e, angle), slide * e)
    if kind.turns(shape, q):
        assert_close(made.matrix(), kind.pose(shape, q).matrix(), scale=10.0)


@given(units(), numbers_within(10.0))
def test_a_turn_to_an_axis(axis, length):
    axis = axis * (abs(length) + 0.01)
    R = turn_to(axis, axis)
    assert is_rotation(R)
    assert_close(R[:, 2], axis / np.linalg.norm(axis))


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("k", range(3))
def test_a_turn_to_a_coordinate_axis_only_renames_axes(k, sign):
    R = turn_to(3.0 * sign * np.eye(3)[k], sign * np.eye(3)[k])
    np.testing.assert_array_equal(np.sort(np.abs(R), axis=0), np.array([[0.0] * 3, [0.0] * 3, [1.0] * 3]))
    assert is_rotation(R)


# In the user's frames: the joint frame of the parent, the motion in words, the joint frame of the child.


def plane(normal, q):
    """Moved in the plane across the normal by (q0, q1), then turned about it."""
    frame = turn_to(normal, normal)
    return Pose(about(normal, q[2]), q[0] * frame[:, 0] + q[1] * frame[:, 1])


MOTIONS = {
    "revolute": lambda g, q: Pose(about(g["axis"], q[0])),
    "prismatic": lambda g, q: Pose(p=g["axis"] * q[0]),
    "screw": lambda g, q: Pose(about(g["axis"], q[0]), g["axis"] * g["pitch"] * q[0] / (2.0 * np.pi)),
    "universal": lambda g, q: Pose(about(g["axes"][0], q[0]) @ about(g["axes"][1], q[1])),
    "cylindrical": lambda g, q: Pose(about(g["axis"], q[0]), g["axis"] * q[1]),
    "spherical": lambda g, q: Pose(from_quaternion(q)),
    "planar": lambda g, q: plane(g["normal"], q),
    "free": lambda g, q: Pose(from_quaternion(q[3:]), q[:3]),
    "weld": lambda g, q: Pose(),
}


def geometry_of(kind, data):
    given = {}
    for option in kind.geometry:
        if option == "pitch":
            given[option] = data.draw(numbers_within(0.5))
        elif option == "axes":
            a, b = data.draw(st.tuples(units(), units()).filter(lambda p: np.linalg.norm(np.cross(*p)) > 0.1))
            given[option] = (a, b)
        else:
            given[option] = data.draw(units())
    return given


@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
@kinds
@few
@given(st.data())
def test_a_joint_moves_its_child_in_its_parent(kind, backwards, data):
    geometry, (q, _) = geometry_of(kind, data), somewhere(kind, data)
    placing = {option: data.draw(vectors(3.0)) for option in ("xyz", "rpy", "child_xyz", "child_rpy")}
    b = lw.Builder("m")
    b.body("body", 1.0, inertia=(1, 1, 1))
    ends = ("body", GROUND) if backwards else (GROUND, "body")
    scaled = {name: value if name == "pitch" else 3.0 * np.asarray(value) for name, value in geometry.items()}
    getattr(b, kind.name)("joint", *ends, **scaled, **placing)
    X_PC = Pose.at(placing["xyz"], placing["rpy"]) @ MOTIONS[kind.name](geometry, q)
    X_PC = X_PC @ Pose.at(placing["child_xyz"], placing["child_rpy"]).inverse()
    X_WB = body_pose(b.build(), "body", q)
    assert_close((X_WB if not backwards else X_WB.inverse()).matrix(), X_PC.matrix(), scale=100.0)


@kinds
def test_at_neutral_the_frames_coincide(kind):
    b = lw.Builder("m")
    b.body("body", 1.0, inertia=(1, 1, 1))
    getattr(b, kind.name)("joint", GROUND, "body", **({"pitch": 1.0} if kind.name == "screw" else {}))
    mechanism = b.build()
    assert_close(body_pose(mechanism, "body", mechanism.neutral()).matrix(), np.eye(4))


@given(angles())
def test_a_screw_advances_its_pitch_in_a_turn(angle):
    b = lw.Builder("m")
    b.body("nut", 1.0, inertia=(1, 1, 1))
    b.screw("thread", GROUND, "nut", axis=(0, 2, 0), pitch=0.5)
    mechanism = b.build()
    travelled = (
        body_pose(mechanism, "nut", np.array([angle + 2 * np.pi])).p - body_pose(mechanism, "nut", np.array([angle])).p
    )
    assert_close(travelled, [0.0, 0.5, 0.0], scale=10.0)
