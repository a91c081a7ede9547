"""Forces in closed loops against Newton's and Euler's laws, body by body, and against each other."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import motors, rank
from loopwright.dynamics import links_at
from loopwright.mechanism import GROUND, evaluated
from loopwright.spatial import symmetric
from loopwright.testing import random_loops
from tests.mechanisms import FULL, close

SEEDS = range(60 if FULL else 5)


def subjects():
    """Label, mechanism, closed position; every ready mechanism with loops, and random ones."""
    for make in lw.zoo.CLOSED:
        mechanism, start = make(), lw.zoo.start(make.__name__)
        yield make.__name__, mechanism, np.array([start[name] for name in mechanism.coordinates])
    for planar in (True, False):
        for seed in SEEDS:
            yield f"{'planar' if planar else 'spatial'} {seed}", *random_loops(seed, planar=planar)


SUBJECTS = {label: (mechanism, q) for label, mechanism, q in subjects()}


def motion(dyn, q, seed=0):
    """A velocity that the loops allow, and a basis of all of them."""
    N = np.linalg.svd(dyn.closure_jacobian(q))[2][rank(dyn.closure_jacobian(q)) :].T
    return N @ np.random.default_rng(seed).normal(size=N.shape[1]), N


def lacking(mechanism, dyn, q, v, a, reactions):
    """Of every body, the wrench about its mass centre that would be missing to move it so; and the largest part."""
    g = np.array(evaluated(mechanism.gravity, mechanism.values), dtype=float)
    wrong, size = {}, 0.0
    for body in mechanism.bodies:
        mass, com, inertia = evaluated((body.mass, body.com, body.inertia), mechanism.values)
        X, com = dyn.pose(body.name, q), np.array(com, dtype=float)
        w = dyn.twist(body.name, q, v)[:3]
        rate = dyn.twist_rate(body.name, q, v, a, point=com)
        I = X.R @ symmetric(np.array(inertia, dtype=float)) @ X.R.T
        # n = I w' + w x I w,   f = m (a - g)
        needed = np.concatenate([I @ rate[:3] + np.cross(w, I @ w), mass * (rate[3:] - g)])
        size = max(size, np.abs(needed).max())
        for joint in mechanism.joints:
            for end, sign in ((joint.child, 1.0), (joint.parent, -1.0)):
                if end == body.name:
                    at = X_child(joint, mechanism, dyn, q)
                    n, f = sign * reactions[joint.name][:3], sign * reactions[joint.name][3:]
                    needed = needed - np.concatenate([n + np.cross(at - X.point(com), f), f])
                    size = max(size, np.abs(f).max(), np.abs(n).max())
        for n, f, at in pulled(mechanism, dyn, q, v, body.name):
            needed = needed - np.concatenate([n + np.cross(at - X.point(com), f), f])
        wrong[body.name] = np.abs(needed).max()
    return wrong, size


def pulled(mechanism, dyn, q, v, body):
    """Moment, force and point of everything but joints and gravity that acts on a body: springs between points."""
    for spring in mechanism.springs:
        k, c, length = (evaluated(x, mechanism.values) for x in (spring.stiffness, spring.damping, spring.length))
        ends = []
        for name, local in ((spring.parent, spring.in_parent), (spring.child, spring.in_child)):
            xyz = np.array(evaluated(local, mechanism.values), dtype=float)
            still = name == GROUND
            at = xyz if still else dyn.pose(name, q).point(xyz)
            ends.append((name, at, np.zeros(3) if still else dyn.twist(name, q, v, point=xyz)[3:]))
        (one, p, p_rate), (other, r, r_rate) = ends
        along = (r - p) / np.linalg.norm(r - p)
        pull = k * (np.linalg.norm(r - p) - length) + c * along @ (r_rate - p_rate)
        if one == body:
            yield np.zeros(3), pull * along, p
        if other == body:
            yield np.zeros(3), -pull * along, r


def X_child(joint, mechanism, dyn, q):
    xyz = np.array(evaluated(joint.in_child.xyz, mechanism.values), dtype=float)
    return xyz if joint.child == GROUND else dyn.pose(joint.child, q).point(xyz)


@pytest.mark.parametrize("label", SUBJECTS)
def test_every_body_moves_as_the_wrenches_on_it_say(label):
    mechanism, q = SUBJECTS[label]
    dyn = lw.Dynamics(mechanism, compiled=False)
    v, _ = motion(dyn, q)
    tau = np.random.default_rng(1).normal(size=mechanism.nu)
    found = dyn.forward(q, v, tau, details=True)
    assert set(found.reactions) == {joint.name for joint in mechanism.joints}
    wrong, size = lacking(mechanism, dyn, q, v, found.a, found.reactions)
    assert max(wrong.values()) < 1e-9 * max(size, np.abs(found.a).max())


def idle(mechanism):
    """Whether nothing but motors acts in the joints."""
    passive = [x for joint in mechanism.joints for x in (joint.damping, joint.friction, joint.stiffness)]
    return not mechanism.efforts and not np.any(np.concatenate([np.ravel(x) for x in passive if len(x)] or [[0.0]]))


@pytest.mark.parametrize("label", [label for label, (mechanism, _) in SUBJECTS.items() if idle(mechanism)])
def test_the_joints_have_no_virtual_power_but_that_of_their_motors(label):
    """For every motion that the loops allow, whatever the wrenches that redundancy leaves open."""
    mechanism, q = SUBJECTS[label]
    dyn = lw.Dynamics(mechanism, compiled=False)
    v, N = motion(dyn, q)
    tau = np.random.default_rng(5).normal(size=mechanism.nu)
    found = dyn.forward(q, v, tau, details=True)
    size = max(np.abs(w).max() for w in found.reactions.values())
    for w in N.T:
        power = 0.0
        for joint in mechanism.joints:
            at = X_child(joint, mechanism, dyn, q)
            apart = carried(joint.child, dyn, q, w, at) - carried(joint.parent, dyn, q, w, at)
            power += found.reactions[joint.name] @ apart
        driven = motors(dyn.topology.forest, links_at(dyn.topology.forest, q), mechanism.nu).T @ w
        assert abs(power - tau @ driven) < 1e-9 * max(size, 1.0)


def carried(body, dyn, q, w, at):
    """Twist of the point of a body that is at `at` in the ground."""
    if body == GROUND:
        return np.zeros(6)
    X = dyn.pose(body, q)
    return dyn.twist(body, q, w, point=X.R.T @ (at - X.p))


@pytest.mark.parametrize("label", SUBJECTS)
def test_inverse_dynamics_gives_the_motion_back(label):
    mechanism, q = SUBJECTS[label]
    dyn = lw.Dynamics(mechanism, compiled=False)
    v, _ = motion(dyn, q)
    a = dyn.forward(q, v, np.random.default_rng(2).normal(size=mechanism.nu))
    tau = dyn.inverse(q, v, a)
    # with more motors than freedoms the forces may be others, but they make the same motion
    close(dyn.forward(q, v, tau), a, 1e-8)


def test_a_redundant_actuation_takes_the_least_forces_about_its_preload():
    b = lw.Builder("two_motors", gravity=(0, -9.81, 0))
    b.rod("crank", 1.0, to=(0.3, 0, 0))
    b.rod("coupler", 2.0, to=(0.8, 0, 0))
    b.rod("rocker", 1.5, to=(0.6, 0, 0))
    b.revolute("crank_joint", GROUND, "crank", actuated=True)
    b.revolute("rocker_joint", GROUND, "rocker", xyz=(0.9, 0, 0), actuated=True)
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(0.8, 0, 0), child_xyz=(0.6, 0, 0))
    mechanism = b.build()
    dyn = lw.Dynamics(mechanism)
    q = dyn.loops.positions[0]
    v, N = motion(dyn, q)
    a = dyn.forward(q, v, [1.0, 2.0])
    by_row = N.T[:, list(mechanism.actuated)]  # N^T B, one row
    needed = by_row @ [1.0, 2.0]
    for weights, preload in ((None, None), ([1.0, 5.0], None), ([2.0, 1.0], [3.0, -1.0])):
        W, p = np.diag(weights or [1.0, 1.0]), np.array(preload or [0.0, 0.0])
        tau = dyn.inverse(q, v, a, weights=weights, preload=preload)
        # W (tau - p) is along the row, and the row's equation holds: nothing smaller does
        expected = p + np.linalg.solve(W, by_row.T) @ np.linalg.solve(
            by_row @ np.linalg.solve(W, by_row.T), needed - by_row @ p
        )
        close(tau, expected, 1e-10)
        close(dyn.forward(q, v, tau), a, 1e-10)


def test_what_no_motor_can_do_is_said():
    b = lw.Builder("loose", gravity=(0, -9.81, 0))
    for k, (body, inner) in enumerate((("a", GROUND), ("b", "a"), ("c", "b"), ("d", "c"))):
        b.rod(body, 1.0, to=(0.5, 0, 0))
        b.revolute(f"j{k}", inner, body, xyz=(0.5, 0, 0) if k else (0, 0, 0), actuated=k == 0)
    b.revolute("close", "d", GROUND, xyz=(0.5, 0, 0), child_xyz=(0.9, 0, 0))
    mechanism = b.build()
    dyn = lw.Dynamics(mechanism)
    q = dyn.loops.positions[0]
    v, N = motion(dyn, q)
    found = dyn.inverse(q, v, dyn.forward(q, v, [0.7]), details=True)
    close(found.tau, [0.7], 1e-10)
    assert max(np.abs(list(found.unmet.values()))) < 1e-9
    rate = dyn.forward(q, v, [0.7]) + N @ [0.0, 1.0]
    with pytest.raises(lw.LoopwrightError, match=r"cannot make this motion: j.* lacks"):
        dyn.inverse(q, v, rate)


def test_compliance_settles_what_redundancy_leaves_open():
    mechanism, q = SUBJECTS["four_bar"]
    dyn = lw.Dynamics(mechanism)
    v, _ = motion(dyn, q)
    even = dyn.forward(q, v, [1.0], details=True)
    flags = even.determinate["rocker_pin"]
    # in its plane a four-bar is determinate: the moment across it and the forces along it
    assert list(flags) == [False, False, True, True, True, False]
    soft = dyn.forward(q, v, [1.0], details=True, compliance={"rocker_pin": 1.0})
    close(soft.reactions["rocker_pin"][3:5], even.reactions["rocker_pin"][3:5], 1e-10)
    # a joint that gives at the least force carries none of what the others can take
    close(soft.reactions["rocker_pin"][[0, 1, 5]], np.zeros(3), 1e-9, scale=1.0)
    with pytest.raises(lw.LoopwrightError, match="no joint 'rocker_pn'"):
        dyn.forward(q, v, [1.0], details=True, compliance={"rocker_pn": 1.0})


def test_welds_and_joints_walked_backwards_have_reactions_too():
    b = lw.Builder("welded", gravity=(0, 0, -9.81))
    b.body("post", 2.0, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.01))
    b.body("arm", 1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
    b.body("load", 3.0, inertia=(0.01, 0.01, 0.01))
    b.weld("foot", GROUND, "post")
    b.revolute("shoulder", "arm", "post", axis=(0, 1, 0), child_xyz=(0, 0, 1.0))
    b.weld("grip", "arm", "load", xyz=(1.0, 0, 0))
    mechanism = b.build()
    dyn = lw.Dynamics(mechanism)
    found = dyn.inverse([0.0], [0.0], [0.0], details=True)
    g = 9.81
    close(found.reactions["grip"], [0, 0, 0, 0, 0, 3 * g], 1e-12)
    close(found.reactions["foot"], [0, -(0.5 * 1 + 1.0 * 3) * g, 0, 0, 0, 6 * g], 1e-12)
    # what the arm does to the post, at the joint: it hangs on it
    close(found.reactions["shoulder"], [0, (0.5 * 1 + 1.0 * 3) * g, 0, 0, 0, -4 * g], 1e-12)
    wrong, size = lacking(mechanism, dyn, [0.3], [0.7], [0.2], dyn.inverse([0.3], [0.7], [0.2], details=True).reactions)
    assert max(wrong.values()) < 1e-12 * size


def test_states_that_open_a_loop_are_refused():
    mechanism, q = SUBJECTS["four_bar"]
    dyn = lw.Dynamics(mechanism)
    v, _ = motion(dyn, q)
    a = dyn.forward(q, v)
    with pytest.raises(lw.LoopwrightError, match=r"loop 'rocker_pin' is open by .* between 'coupler' and 'rocker'"):
        dyn.forward(q + 0.1, v)
    with pytest.raises(lw.LoopwrightError, match=r"loop 'rocker_pin' would open at .* per second between"):
        dyn.forward(q, v + 0.1)
    with pytest.raises(lw.LoopwrightError, match="with these accelerations loop 'rocker_pin' would open"):
        dyn.inverse(q, v, a + 0.1)
