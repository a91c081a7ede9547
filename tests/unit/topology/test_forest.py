from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.dynamics import FORWARD, INVERSE, MASS, links_at, loads, poses, twists
from loopwright.mechanism import GROUND
from loopwright.spatial import Inertia, Pose, from_rpy, symmetric
from loopwright.testing import random_inertia, random_tree
from loopwright.topology import BASE, Topology, forest

from ..spatial.samples import assert_close
from .graphs import four_bar


def body_pose(laid_out, body, q):
    seat = laid_out.seats[body]
    X = poses(links_at(laid_out, q))
    return seat.X if seat.node == BASE else X[seat.node] @ seat.X


def computed(mechanism, q, v):
    """Everything the equations of motion have, with all loads."""
    laid_out = forest(mechanism)
    links = links_at(laid_out, q, v)
    acting = loads(laid_out, 0.5, q, v, poses(links), twists(links))
    return np.concatenate(
        [
            MASS[0].function(links, laid_out.nv).ravel(),
            INVERSE[0].function(links, v, laid_out.gravity, acting.on_links) - acting.at_joints,
            FORWARD[0].function(links, acting.at_joints, laid_out.gravity, acting.on_links, laid_out.nv),
        ]
    )


@given(st.integers(0, 10**6))
def test_nodes_come_with_parents_first_and_fill_q_and_v(seed):
    mechanism = random_tree(seed, floating=seed % 2 == 0)
    laid_out = forest(mechanism)
    assert [node.index for node in laid_out.nodes] == list(range(len(laid_out.nodes)))
    assert all(node.parent < node.index for node in laid_out.nodes)
    assert laid_out.parents == tuple(node.parent for node in laid_out.nodes)
    assert (laid_out.nq, laid_out.nv) == (mechanism.nq, mechanism.nv)
    i = j = 0
    for node in laid_out.nodes:
        assert (node.q, node.v) == (slice(i, i + node.kind.nq), slice(j, j + node.kind.nv))
        assert node.rotor.shape == (node.kind.nv,)
        i, j = node.q.stop, node.v.stop
    assert (i, j) == (laid_out.nq, laid_out.nv)
    assert laid_out.damping.shape == (laid_out.nv,)
    assert laid_out.friction.shape == (laid_out.nv, 2)
    children = laid_out.children()
    for node in laid_out.nodes:
        assert node.parent == BASE or node.index in children[node.parent]
    assert sum(map(len, children)) == sum(node.parent != BASE for node in laid_out.nodes)


def merged(first, second, X):
    """The body that `first` and `second`, standing at X in it, make together."""
    a, b = (Inertia.of(x.mass, np.array(x.com), symmetric(np.array(x.inertia))) for x in (first, second))
    both = a + b.gathered(X)
    return both.mass, both.centre, both.tensor_at_centre


@pytest.mark.parametrize("backwards", [False, True], ids=["onto", "under"])
@given(st.integers(0, 10**6))
def test_bodies_welded_together_move_as_the_one_they_make(backwards, seed):
    rng = np.random.default_rng(seed)
    placing = {name: rng.normal(size=3) for name in ("xyz", "rpy", "child_xyz", "child_rpy")}
    on_tool = Pose.at(rng.normal(size=3), rng.normal(size=3))
    in_parent = Pose.at(placing["xyz"], placing["rpy"])
    X = in_parent @ Pose.at(placing["child_xyz"], placing["child_rpy"]).inverse()  # of the tool in the arm
    if backwards:
        X = X.inverse()

    def robot(welded):
        """An arm with a tool, and a finger hinged to the tool; or the two in one."""
        b = lw.Builder("robot", gravity=rng_gravity)
        b.body("arm", *bodies["arm"])
        b.body("tool", *bodies["tool"])
        arm, tool = b._bodies
        if not welded:
            b._bodies.clear()
            mass, com, tensor = merged(arm, tool, X)
            b.body("arm", mass, com, tensor)
        b.body("finger", *bodies["finger"])
        b.revolute("shoulder", GROUND, "arm", axis=(1, 2, 3), rotor_inertia=0.1)
        at = on_tool if welded else X @ on_tool
        if welded:
            b.weld("grip", *(("tool", "arm") if backwards else ("arm", "tool")), **placing)
        on = "tool" if welded else "arm"
        b.spherical("knuckle", on, "finger", xyz=at.p, rpy=_rpy(at.R), damping=0.2)
        b.spring("spring", GROUND, on, xyz=(1, 1, 1), child_xyz=at.p, stiffness=5.0, damping=0.3)
        b.wrench("push", on, force=(1, 2, 3), torque=(0, 1, 0), xyz=at.p)
        turned = (np.eye(3) if welded else X.R) @ np.array([3.0, 2.0, 1.0])
        b.wrench("jet", on, force=turned, xyz=at.p, axes="body")
        return b.build()

    rng_gravity = rng.normal(size=3)
    bodies = {
        name: (rng.uniform(0.5, 2.0), rng.normal(size=3), random_inertia(rng)) for name in ("arm", "tool", "finger")
    }
    apart, together = robot(True), robot(False)
    assert apart.coordinates == together.coordinates
    assert len(forest(apart).nodes) == 2
    q, v = apart.random_state(seed)
    for f in (forest(apart), forest(together)):
        assert_close(body_pose(f, "finger", q).matrix(), body_pose(forest(apart), "finger", q).matrix(), scale=100.0)
    expected = computed(together, q, v)
    np.testing.assert_allclose(computed(apart, q, v), expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())


def _rpy(R):
    """Roll, pitch, yaw of a rotation."""
    from loopwright.spatial import to_euler

    yaw, pitch, roll = to_euler("ZYX", R)
    assert_close(from_rpy((roll, pitch, yaw)), R, roundings=1e6)
    return roll, pitch, yaw


def test_what_is_welded_to_the_ground_is_a_place_and_no_link():
    b = lw.Builder("m")
    b.body("base", 100.0)
    b.body("column", 10.0)
    b.body("arm", 1.0, (0.1, 0, 0))
    b.weld("bolts", GROUND, "base", xyz=(1, 0, 0))
    b.weld("flange", "column", "base", xyz=(0, 0, -2))
    b.revolute("shoulder", "column", "arm", xyz=(0, 0, 0.5))
    laid_out = forest(b.build())
    assert [node.body for node in laid_out.nodes] == ["arm"]
    assert {name: seat.node for name, seat in laid_out.seats.items()} == {
        GROUND: -1,
        "base": -1,
        "column": -1,
        "arm": 0,
    }
    assert_close(laid_out.seats["base"].X.p, (1, 0, 0))
    assert_close(laid_out.seats["column"].X.p, (1, 0, 2))
    assert_close(laid_out.nodes[0].X_tree.p, (1, 0, 2.5))
    assert laid_out.nodes[0].inertia.mass == 1.0


def test_an_axis_is_z_in_its_node_and_the_seat_turns_back():
    b = lw.Builder("m")
    b.body("arm", 1.0, (0.3, 0, 0))
    b.revolute("shoulder", GROUND, "arm", axis=(0, 1, 0), child_xyz=(0.2, 0, 0))
    laid_out = forest(b.build())
    node, seat = laid_out.nodes[0], laid_out.seats["arm"]
    assert_close(node.X_tree.R[:, 2], (0, 1, 0))
    assert_close((node.X_tree @ seat.X).R, np.eye(3))
    assert_close(seat.X.R @ np.array([0.3 - 0.2, 0, 0]), node.inertia.moment)


def test_the_loads_are_laid_out_by_coordinate():
    b = lw.Builder("m", gravity=(0, -9.81, 0))
    for name in ("a", "b", "c"):
        b.body(name, 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    b.spherical("ball", "b", "c", damping=3.0, stiffness=7.0, rest=(0, 0, 0.6, 0.8))
    b.cylindrical("slide", "a", "b", damping=(1, 2), friction=((0.1, 0.2), 0.3), stiffness=(0, 5), rest=(0, 0.4))
    b.revolute("pin", GROUND, "a", friction=(0.4, 0.5))
    b.effort("motor", "slide", (1.0, 2.0))
    b.effort("fan", "pin", lambda t: t)
    laid_out = forest(b.build())
    assert laid_out.damping.tolist() == [0.0, 1.0, 2.0, 3.0, 3.0, 3.0]
    assert laid_out.friction.tolist() == [[0.4, 0.5], [0.1, 0.2], [0.3, 0.3], [0, 0], [0, 0], [0, 0]]
    assert [(spring.v, spring.stiffness.tolist()) for spring in laid_out.joint_springs] == [
        (slice(1, 3), [0.0, 5.0]),
        (slice(3, 6), [7.0, 7.0, 7.0]),
    ]
    assert laid_out.joint_springs[1].rest.tolist() == [0, 0, 0.6, 0.8]
    assert [extra.v for extra in laid_out.extras] == [slice(1, 3), slice(0, 1)]
    assert laid_out.extras[1].value(3.0, np.zeros(0), np.zeros(0)) == 3.0
    assert laid_out.gravity.tolist() == [0.0, -9.81, 0.0]


def test_what_sits_on_a_cut_joint_is_not_in_the_tree():
    mechanism = four_bar()
    assert [joint.name for joint in mechanism.tree.cuts] == ["rocker_pin"]
    joints = [replace(j, damping=(1.0,), stiffness=(2.0,), rotor_inertia=(3.0,)) for j in mechanism.joints]
    laid_out = forest(replace(mechanism, joints=tuple(joints)))
    assert laid_out.damping.tolist() == [1.0, 1.0, 1.0]
    assert len(laid_out.joint_springs) == 3
    assert [node.joint for node in laid_out.nodes] == ["crank_joint", "crank_pin", "rocker_joint"]


def test_a_topology_lays_its_forest_out_once():
    topology = Topology.of(random_tree(3))
    assert topology.forest is topology.forest


def test_a_plinth_has_no_nodes():
    b = lw.Builder("m")
    b.body("stone", 1.0)
    b.weld("mortar", GROUND, "stone")
    laid_out = forest(b.build())
    assert (laid_out.nodes, laid_out.nq, laid_out.nv) == ((), 0, 0)
    assert laid_out.damping.shape == (0,)
    assert laid_out.friction.shape == (0, 2)
