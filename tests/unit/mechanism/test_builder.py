import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import loopwright as lw
from loopwright.mechanism import GROUND, KINDS, Expression, Placement, Shape, evaluated
from loopwright.spatial import symmetric

from ..spatial.samples import assert_close, largest, numbers_within, vectors

ball = {"inertia": (0.1, 0.1, 0.1)}


def one(kind, **options):
    """A mechanism of one body on one joint."""
    b = lw.Builder("one")
    b.body("body", 1.0, (0.1, 0.2, 0.3), **ball)
    getattr(b, kind)("joint", GROUND, "body", **options)
    return b.build()


def test_what_is_said_is_kept():
    b = lw.Builder("arm", gravity=(0, -9.81, 0), source="a book")
    b.body("upper", 2, [0.5, 0, 0], np.diag([0.1, 0.2, 0.2]), shapes=[Shape("box", (1.0, 0.1, 0.1))])
    b.revolute(
        "shoulder",
        "ground",
        "upper",
        axis=(0, 1, 0),
        xyz=np.array([1, 2, 3]),
        rpy=[0.1, 0.2, 0.3],
        child_xyz=(-1, 0, 0),
        child_rpy=(0, 0, np.float32(0.5)),
        actuated=True,
        limits=(-1, 2),
        damping=0.1,
        friction=0.2,
        stiffness=3,
        rest=0.4,
        rotor_inertia=Fraction(1, 4),
    )
    b.note("seen in a book")
    mechanism = b.build()
    assert (mechanism.name, mechanism.gravity, mechanism.source) == ("arm", (0.0, -9.81, 0.0), "a book")
    assert mechanism.notes == ("seen in a book",)
    body, joint = mechanism.body("upper"), mechanism.joint("shoulder")
    assert (body.mass, body.com, body.inertia) == (2.0, (0.5, 0.0, 0.0), (0.1, 0.2, 0.2, 0.0, 0.0, 0.0))
    assert body.shapes == (Shape("box", (1.0, 0.1, 0.1)),)
    assert (joint.kind, joint.parent, joint.child) == ("revolute", GROUND, "upper")
    assert joint.in_parent == Placement((1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
    assert joint.in_child == Placement((-1.0, 0.0, 0.0), (0.0, 0.0, 0.5))
    assert joint.shape("axis") == (0.0, 1.0, 0.0)
    assert (joint.actuated, joint.limits) == ((True,), ((-1.0, 2.0),))
    assert (joint.damping, joint.friction, joint.stiffness) == ((0.1,), ((0.2, 0.2),), (3.0,))
    assert (joint.rest, joint.rotor_inertia) == ((0.4,), (0.25,))


def test_a_mechanism_never_changes():
    mechanism = one("revolute")
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.name = "other"
    assert mechanism == one("revolute")
    assert hash(mechanism) == hash(one("revolute"))
    assert mechanism != one("prismatic")


@pytest.mark.parametrize(
    "inertia",
    [
        (1, 2, 2.5, 0.1, 0.2, 0.3),
        [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]],
        np.array([[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]]),
    ],
)
def test_inertia_is_six_numbers_or_a_matrix(inertia):
    b = lw.Builder("m")
    b.body("a", 1.0, inertia=inertia)
    b.free("f", GROUND, "a")
    assert b.build().body("a").inertia == (1.0, 2.0, 2.5, 0.1, 0.2, 0.3)


@given(vectors(2.0), vectors(2.0), numbers_within(5.0))
def test_a_rod_is_a_row_of_points(start, to, mass):
    b = lw.Builder("m")
    b.rod("rod", abs(mass), to, start)
    rod = b._bodies[0]
    # Gauss-Legendre with two points is exact for the second moments of a line
    middle, half = (start + to) / 2.0, (to - start) / 2.0
    r = half / np.sqrt(3.0)
    expected = abs(mass) * (r @ r * np.eye(3) - np.outer(r, r))
    assert rod.mass == abs(mass)
    assert_close(rod.com, middle, scale=largest(start, to))
    assert_close(symmetric(rod.inertia), expected, scale=largest(mass, start, to, to))


def test_a_rod_of_parameters_has_its_length_later():
    b = lw.Builder("m")
    b.rod("rod", 2 * b.parameter("rho", 3.0), to=(0, b.parameter("l", 2.0), 0))
    b.revolute("pin", GROUND, "rod")
    mechanism = b.build()
    rod = mechanism.body("rod")
    assert evaluated((rod.mass, rod.com), mechanism.values) == (6.0, (0.0, 1.0, 0.0))
    np.testing.assert_allclose(evaluated(rod.inertia, mechanism.values), (2, 0, 2, 0, 0, 0), atol=1e-15)
    longer = mechanism.with_parameters(l=4.0)
    np.testing.assert_allclose(evaluated(rod.inertia, longer.values), (8, 0, 8, 0, 0, 0), atol=1e-15)
    assert rod.shapes == ()


def test_a_rod_is_drawn_as_a_line():
    b = lw.Builder("m")
    b.rod("rod", 1.0, to=(1, 2, 3), start=(0, 1, 0))
    assert b._bodies[0].shapes == (Shape("line", (0.0, 1.0, 0.0, 1.0, 2.0, 3.0)),)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.nv], ids=lambda kind: kind.name)
def test_one_number_serves_every_coordinate(kind):
    pitch = {"pitch": 0.1} if kind.name == "screw" else {}
    stiffness = 0.0 if kind.name == "free" else 2.0
    joint = one(kind.name, damping=0.5, friction=0.25, stiffness=stiffness, actuated=True, **pitch).joint("joint")
    assert joint.damping == (0.5,) * kind.nv
    assert joint.friction == ((0.25, 0.25),) * kind.nv
    assert joint.stiffness == (stiffness,) * kind.nv
    assert joint.actuated == (True,) * kind.nv
    assert joint.rest == tuple(kind.neutral())
    assert joint.limits == ()


def test_one_number_per_coordinate():
    joint = one("planar", damping=(1, 2, 3), stiffness=[4, 5, 6], rest=np.arange(3.0), actuated=(True, False, True))
    joint = joint.joint("joint")
    assert joint.damping == (1.0, 2.0, 3.0)
    assert joint.stiffness == (4.0, 5.0, 6.0)
    assert joint.rest == (0.0, 1.0, 2.0)
    assert joint.actuated == (True, False, True)


@pytest.mark.parametrize(
    "kind, given, read",
    [
        ("revolute", 0.1, ((0.1, 0.1),)),
        ("revolute", (0.1, 0.2), ((0.1, 0.2),)),
        ("revolute", [(0.1, 0.2)], ((0.1, 0.2),)),
        ("cylindrical", 0.1, ((0.1, 0.1), (0.1, 0.1))),
        ("cylindrical", (0.1, 0.2), ((0.1, 0.1), (0.2, 0.2))),
        ("cylindrical", (0.1, (0.2, 0.3)), ((0.1, 0.1), (0.2, 0.3))),
        ("spherical", np.array([0.1, 0.2, 0.3]), ((0.1, 0.1), (0.2, 0.2), (0.3, 0.3))),
    ],
)
def test_dry_friction_may_differ_by_direction(kind, given, read):
    assert one(kind, friction=given).joint("joint").friction == read


@pytest.mark.parametrize(
    "kind, given, read",
    [
        ("prismatic", None, ()),
        ("prismatic", (-1, 1), ((-1.0, 1.0),)),
        ("prismatic", [[-1, 1]], ((-1.0, 1.0),)),
        ("revolute", (-np.inf, 1), ((-np.inf, 1.0),)),
        ("revolute", np.array([0.5, 0.5]), ((0.5, 0.5),)),
        ("universal", ((-1, 1), (-2, np.inf)), ((-1.0, 1.0), (-2.0, np.inf))),
        ("planar", np.array([[-1, 1]] * 3), ((-1.0, 1.0),) * 3),
    ],
)
def test_limits_are_pairs(kind, given, read):
    assert one(kind, limits=given).joint("joint").limits == read


@pytest.mark.parametrize("damping", [0.5, np.float32(0.5), np.array(0.5), Fraction(1, 2), [0.5], np.array([0.5])])
def test_numbers_come_in_many_kinds(damping):
    assert one("revolute", damping=damping).joint("joint").damping == (0.5,)


def test_the_spring_of_a_ball_rests_where_it_is_told():
    turned = (0.0, 0.6, 0.0, 0.8)
    assert one("spherical", stiffness=1.0).joint("joint").rest == (0.0, 0.0, 0.0, 1.0)
    assert one("spherical", stiffness=1.0, rest=turned).joint("joint").rest == turned


def test_a_parameter_stands_wherever_a_number_does():
    b = lw.Builder("m")
    p = b.parameter("p", 0.5)
    assert p == b["p"] == Expression("p")
    b.gravity = (0.0, 0.0, -p)
    b.body("a", p, (p, 0, 0), (p, p, p))
    b.universal("u", GROUND, "a", axes=((p, 0, 1), (0, 1, p)), xyz=(p, p, p), child_rpy=(p, 0, 0), rotor_inertia=p)
    b.body("c", 1.0, (p, 2 * p, 0), np.eye(3) * p)
    b.screw("s", "a", "c", pitch=p, damping=p, friction=(p, 2 * p), stiffness=p, rest=p)
    b.spring("spring", GROUND, "c", (p, 0, 0), (0, p, 0), stiffness=p, damping=p, length=p)
    b.wrench("push", "c", force=(p, 0, 0), torque=(0, p, 0), xyz=(0, 0, p))
    b.effort("motor", "u", (p, 1.0))
    forest = lw.Topology.of(b.build().with_parameters(p=0.25)).forest
    assert forest.gravity[2] == -0.25
    assert forest.nodes[0].inertia.mass == 0.25
    assert forest.friction[2].tolist() == [0.25, 0.5]
    assert forest.point_springs[0].length == 0.25
    assert forest.pushes[0].force == (0.25, 0.0, 0.0)
    assert forest.extras[0].value == (0.25, 1.0)
    assert forest.nodes[1].shape == (0.25 / (2.0 * np.pi),)


@pytest.mark.parametrize("given, read", [(2.0, (2.0, 2.0, 2.0)), ((1, 2, 3), (1.0, 2.0, 3.0))])
@pytest.mark.parametrize("effort_first", [True, False])
def test_an_effort_may_be_named_before_its_joint(given, read, effort_first):
    b = lw.Builder("m")
    b.body("a", 1.0, **ball)
    steps = [lambda: b.effort("motor", "ball", given), lambda: b.spherical("ball", GROUND, "a")]
    for step in steps if effort_first else reversed(steps):
        step()
    assert b.build().efforts[0].value == read


def test_loads_may_be_functions_of_time_or_of_the_state():
    b = lw.Builder("m")
    b.body("a", 1.0, **ball)
    b.revolute("pin", GROUND, "a")
    by_time, by_state = (lambda t: (t, 0, 0)), (lambda t, q, v: (q[0], v[0], t))
    b.wrench("push", "a", force=by_time, torque=by_state)
    b.effort("motor", "pin", lambda *state: state[0])
    mechanism = b.build()
    assert mechanism.wrenches[0].force is by_time
    assert mechanism.wrenches[0].torque is by_state


def test_one_builder_makes_several_mechanisms():
    b = lw.Builder("m")
    b.body("a", 1.0, **ball)
    b.revolute("pin", GROUND, "a")
    first = b.build()
    b.body("c", 1.0, **ball)
    b.revolute("knee", "a", "c")
    assert (first.nv, b.build().nv) == (1, 2)
