"""Legs of parallel architectures: recognised, refused with the reason, and in agreement with everything else."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import rank
from loopwright.closure.legs import recognised
from loopwright.testing import random_parallel
from loopwright.verbs.closed import loaded
from loopwright.zoo.three_rrr import PAPER_CUTS
from tests.mechanisms import FULL, close

SEEDS = range(60 if FULL else 4)
RECOGNISED = {
    "four_bar": "coupler",
    "hoeken": "coupler",
    "redysim_four_bar": "coupler",
    "wang_four_bar": "coupler",
    "slider_crank": "rod",
    "five_bar": "lower_1",
    "three_rrr": "platform",
    "stewart": "platform",
    "andrews": "K2",
    "stephenson_six_bar": "coupler",
    "rsur": "coupler",
    "schatz": "link_3",
}
REFUSED = {
    "delta": r"legs are chains, and one body alone, the platform, has more than two joints; here 'arm_1' \(shoulder_1",
    "rssr": "2 freedoms and 1 motors",
    "bennett": "the motors 'joint_2' and 'joint_4' drive one leg.*no motor is declared",
    "carpet_scraper": r"here 'link_3' \(joint_3, joint_8, joint_9\), 'link_4'",
}


@cache
def subjects():
    """Parallel architectures with a position at which they are closed."""
    found = {}
    for name in RECOGNISED:
        mechanism, start = lw.zoo.MECHANISMS[name](), lw.zoo.start(name)
        found[name] = mechanism, np.array([start[c] for c in mechanism.coordinates])
    floating = lw.zoo.stewart(floating=True)
    found["stewart with a floating platform"] = floating, lw.Dynamics(floating).loops.positions[0]
    paper = lw.Dynamics(lw.zoo.three_rrr(), cuts=PAPER_CUTS)
    found["three_rrr cut in its legs"] = paper.mechanism, paper.loops.positions[0]
    for planar in (True, False):
        for seed in SEEDS:
            found[f"{'planar' if planar else 'spatial'} {seed}"] = random_parallel(seed, planar)
    return found


@cache
def solved(name):
    """By legs, in NumPy, with the position."""
    mechanism, q = subjects()[name]
    return lw.Dynamics(mechanism, formulation="legs", compiled=False), q


def motion(dyn, q, seed=0):
    """A velocity that the loops allow, and forces of the motors."""
    rng = np.random.default_rng(seed)
    J = dyn.closure_jacobian(q)
    N = np.linalg.svd(J)[2][rank(J) :].T
    return N @ rng.normal(size=N.shape[1]), rng.normal(size=dyn.mechanism.nu)


def kkt(dyn, q, v, tau):
    """[a; -lambda] by a general solver with pivoting, and how many digits that has."""
    at = loaded(dyn.topology.forest, dyn.loops, q, v, tau, 0.0)
    m = len(at.d)
    K = np.block([[at.I, at.J.T], [at.J, np.zeros((m, m))]])
    x = np.linalg.solve(K, np.concatenate([at.phi, -at.d]))
    return x[: at.nv], -x[at.nv :], np.linalg.cond(K) * 1e-16


def by_motors(dyn, q):
    """K with v = K th', from a basis of what the rows allow and not from any recursion; and digits.

    Phi is made of squares, so it loses twice the digits that the motors' grip on the platform does.
    """
    J = dyn.closure_jacobian(q)
    N = np.linalg.svd(J)[2][rank(J) :].T
    grip = N[list(dyn.mechanism.actuated)]
    return N @ np.linalg.inv(grip), max(1e-11, 1e-14 * np.linalg.cond(grip) ** 2)


@pytest.mark.parametrize("name", subjects())
def test_forward_and_inverse_dynamics_of_legs(name):
    dyn, q = solved(name)
    v, tau = motion(dyn, q)
    a, multipliers, lost = kkt(dyn, q, v, tau)
    found = dyn.formulation.forward_dynamics(loaded(dyn.topology.forest, dyn.loops, q, v, tau, 0.0))
    size = max(np.abs(a).max(), np.abs(multipliers).max())
    close(found.a, a, max(1e-10, 100 * lost), scale=size)
    close(found.multipliers, multipliers, max(1e-10, 100 * lost), scale=size)
    assert found.health > 1e-8
    # its own inverse dynamics gives the forces back
    phi = np.abs(dyn.mass_matrix(q)).max() * np.abs(a).max()
    close(dyn.inverse(q, v, a), tau, max(1e-11, 100 * lost), scale=phi)


@pytest.mark.parametrize("name", ["four_bar", "three_rrr", "stewart", "planar 2", "spatial 1"])
def test_legs_are_compiled_like_the_others(name):
    plain, q = solved(name)
    native = lw.Dynamics(plain.mechanism, formulation="legs", compiled=True)
    v, tau = motion(plain, q)
    a = plain.forward(q, v, tau)
    close(native.forward(q, v, tau), a, 1e-9)
    three = np.stack([v, 2 * v, -v])
    close(native.forward(q, three, tau), plain.forward(q, three, tau), 1e-9)
    force = np.abs(plain.mass_matrix(q)).max() * np.abs(a).max()
    close(native.inverse(q, v, a), tau, 1e-9, scale=force)


@pytest.mark.parametrize("name", subjects())
def test_the_denoc_matrices_of_loops(name):
    dyn, q = solved(name)
    found, (K, digits) = dyn.denoc_loops(q), by_motors(dyn, q)
    N = found.N_l @ found.N_c @ found.N_d
    # twists of all bodies: those of the tree's own matrices
    lower, diagonal = dyn.denoc(q)
    names = [node.body for node in dyn.topology.forest.nodes]
    expected = np.concatenate([(lower @ diagonal @ K)[6 * k : 6 * k + 6] for k in map(names.index, found.bodies)])
    close(N, expected, digits)
    # the platform's Jacobian
    close(found.J, dyn.jacobian(found.bodies[-1], q) @ K, digits)
    # I = N^T M N                                                      [Saha2001, 26]
    rotors = np.diag(np.concatenate([node.rotor for node in dyn.topology.forest.nodes]))
    close(N.T @ found.M @ N, K.T @ (dyn.mass_matrix(q) - rotors) @ K, digits)


@pytest.mark.parametrize("name", ["five_bar", "stewart", "spatial 1", "spatial 3"])
def test_the_steps_of_the_paper_one_by_one(name):
    dyn, q = solved(name)
    v, tau = motion(dyn, q)
    a, found = dyn.forward(q, v, tau), dyn.denoc_loops(q)
    legs = recognised(dyn.topology.forest)
    of = [(n, leg) for n, leg in enumerate(legs.legs) for _ in leg.bodies(legs.platform)]
    # what every body takes to move so, by itself, at its link's origin and in its axes
    w, counted = [], set()
    for body in found.bodies:
        w.append(np.zeros(6) if body in counted else wrench(dyn, body, q, v, a))
        counted.add(body)
    # IDA-1: w~ = N_l^T w, leg by leg from the platform inwards        [Saha2001, 20, 21]
    w_tilde = list(w)
    for i in reversed(range(len(w) - 1)):
        if of[i] == of[i + 1]:
            A = found.N_l[6 * i + 6 : 6 * i + 12, 6 * i : 6 * i + 6]
            w_tilde[i] = w[i] + A.T @ w_tilde[i + 1]
    close(np.concatenate(w_tilde), found.N_l.T @ np.concatenate(w), 1e-9)
    # IDA-2, IDA-3                                                     [19, 22, 24]
    w_bar = found.N_c.T @ np.concatenate(w_tilde)
    force = np.abs(np.concatenate(w)).max() + np.abs(tau).max()
    close(found.N_d.T @ w_bar, tau, 1e-8, scale=force)
    # FDA-1: M~_ij = M~_i A~_ij,  M~_i = M_i + A~^T M~_i+1 A~          [27, 28]
    M_tilde = found.N_l.T @ found.M @ found.N_l
    composite = [found.M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] for i in range(len(w))]
    for i in reversed(range(len(w) - 1)):
        if of[i] == of[i + 1]:
            A = found.N_l[6 * i + 6 : 6 * i + 12, 6 * i : 6 * i + 6]
            composite[i] = composite[i] + A.T @ composite[i + 1] @ A
    for i in range(len(w)):
        for j in range(i + 1):
            A_ij = found.N_l[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
            close(M_tilde[6 * i : 6 * i + 6, 6 * j : 6 * j + 6], composite[i] @ A_ij, 1e-9, scale=np.abs(M_tilde).max())


def wrench(dyn, body, q, v, a):
    """M t' + O M E t less gravity's share, by Newton and Euler in ground axes, turned to the link."""
    seat = dyn.topology.forest.seats[body]
    node = dyn.topology.forest.nodes[seat.node]
    X = dyn.pose(body, q) @ seat.X.inverse()  # of the link's own frame
    mass, d = node.inertia.mass, X.R @ node.inertia.centre
    I_C = X.R @ node.inertia.tensor_at_centre @ X.R.T
    rate = dyn.twist_rate(body, q, v, a, point=dyn.pose(body, q).inverse().point(X.p + d))
    omega = dyn.twist(body, q, v)[:3]
    force = mass * (rate[3:] - dyn.topology.forest.gravity)
    moment = I_C @ rate[:3] + np.cross(omega, I_C @ omega) + np.cross(d, force)
    return np.concatenate([X.R.T @ moment, X.R.T @ force])


def test_every_load_goes_through_the_passive_joints_to_the_motors():
    b = lw.Builder("loaded", gravity=(0, -9.81, 0))
    for leg, x in ((1, 0.0), (2, 1.2)):
        b.rod(f"upper_{leg}", 2.0, to=(0.7, 0, 0))
        b.rod(f"lower_{leg}", 1.0, to=(1.0, 0, 0))
        b.revolute(f"shoulder_{leg}", "ground", f"upper_{leg}", xyz=(x, 0, 0), actuated=True, rotor_inertia=0.3)
        b.revolute(f"elbow_{leg}", f"upper_{leg}", f"lower_{leg}", xyz=(0.7, 0, 0), damping=0.4, rotor_inertia=0.2)
    b.revolute(
        "tip", "lower_1", "lower_2", xyz=(1, 0, 0), child_xyz=(1, 0, 0), stiffness=3.0, damping=0.2, friction=0.1
    )
    b.spring("spring", "ground", "lower_1", (0.5, 1, 0), (0.3, 0, 0), stiffness=40.0, damping=1.0, length=0.2)
    b.wrench("push", "lower_2", force=(3.0, 1.0, 0), torque=(0, 0, 0.5), xyz=(0.2, 0, 0))
    mechanism = b.build()
    legs, other = (lw.Dynamics(mechanism, formulation=name) for name in ("legs", "system"))
    q = legs.loops.positions[0]
    v, tau = motion(legs, q)
    a = other.forward(q, v, tau)
    close(legs.forward(q, v, tau), a, 1e-11)
    close(legs.inverse(q, v, a), tau, 1e-10)
    close(legs.inverse(q, v, a), other.inverse(q, v, a), 1e-10)


@pytest.mark.parametrize("name", RECOGNISED)
def test_the_platform_is_seen_not_declared(name):
    mechanism, _ = subjects()[name]
    laid_out = lw.Topology.of(mechanism).forest
    assert laid_out.nodes[recognised(laid_out).platform].body == RECOGNISED[name]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_parallel_architecture_is_refused_with_the_reason(name):
    with pytest.raises(lw.LoopwrightError, match=REFUSED[name]):
        lw.Dynamics(lw.zoo.MECHANISMS[name](), formulation="legs")


def five_bar_with(tip_actuated=False, tail=False, second_motor="shoulder_2"):
    b = lw.Builder("arm", gravity=(0, -9.81, 0))
    for leg, x in ((1, 0.0), (2, 1.2)):
        b.rod(f"upper_{leg}", 2.0, to=(0.7, 0, 0))
        b.rod(f"lower_{leg}", 1.0, to=(1.0, 0, 0))
        driven = {"shoulder_1", second_motor}
        b.revolute(f"shoulder_{leg}", "ground", f"upper_{leg}", xyz=(x, 0, 0), actuated=f"shoulder_{leg}" in driven)
        b.revolute(f"elbow_{leg}", f"upper_{leg}", f"lower_{leg}", xyz=(0.7, 0, 0), actuated=f"elbow_{leg}" in driven)
    b.revolute("tip", "lower_1", "lower_2", xyz=(1, 0, 0), child_xyz=(1, 0, 0), actuated=tip_actuated)
    if tail:
        b.rod("tail", 1.0, to=(0.2, 0, 0))
        b.revolute("wag", "lower_1", "tail")
    return b.build()


def test_refusals_name_what_is_in_the_way():
    with pytest.raises(lw.LoopwrightError, match="'tail' is no part of a loop: only 'wag' holds it"):
        lw.Dynamics(five_bar_with(tail=True), formulation="legs")
    with pytest.raises(lw.LoopwrightError, match="the motor of 'tip' sits on a joint that is cut"):
        lw.Dynamics(five_bar_with(tip_actuated=True, second_motor="none"), formulation="legs", cuts=["tip"])
    # two motors on one side: the platform is chosen between them, wherever the loop is cut
    mechanism = five_bar_with(second_motor="elbow_1")
    dyn, other = lw.Dynamics(mechanism, formulation="legs"), lw.Dynamics(mechanism, formulation="system")
    assert dyn.topology.forest.nodes[recognised(dyn.topology.forest).platform].body == "upper_1"
    q = dyn.loops.positions[0]
    v, tau = motion(dyn, q)
    close(dyn.forward(q, v, tau), other.forward(q, v, tau), 1e-10)


def hinged(*pairs):
    """Bodies hinged in pairs, along z at places of their own."""
    b = lw.Builder("hinged")
    for body in sorted({body for pair in pairs for body in pair} - {"ground"}):
        b.body(body, 1.0, inertia=(0.1, 0.1, 0.1))
    for k, (parent, child) in enumerate(pairs):
        b.revolute(f"hinge_{k}", parent, child, xyz=(0.1 * k, 0.05 * k * k, 0), actuated=k == 0)
    return b.build()


def test_loops_that_share_no_platform_are_refused_by_name():
    apart = hinged(("ground", "a"), ("a", "b"), ("b", "ground"), ("ground", "c"), ("c", "d"), ("d", "ground"))
    with pytest.raises(lw.LoopwrightError, match="its 2 loops share no body: no platform joins the legs"):
        recognised(lw.Topology.of(apart).forest)
    # as many joints at the ground as at the body with three, but two of them are of another loop
    past = hinged(("ground", "a"), ("a", "p"), ("p", "d"), ("d", "p"), ("ground", "c"), ("c", "e"), ("e", "ground"))
    with pytest.raises(lw.LoopwrightError, match="goes from the ground back to it, past 'p'"):
        recognised(lw.Topology.of(past).forest)


def test_where_the_motors_lose_the_platform_the_pivots_say_so():
    """Five-bar with its lower bars in one line: locked motors leave the tip a motion."""
    mechanism = lw.zoo.five_bar()
    dyn = lw.Dynamics(mechanism, formulation="legs", compiled=False)
    # elbows 1.9 m apart, at (x1, y1) and (x2, y2)
    th1 = np.radians(150.0)
    elbow = 0.6 * np.array([np.cos(th1), np.sin(th1)])
    reach = np.array([1.2, 0.0]) - elbow
    d = np.hypot(*reach)
    angle = np.arccos((d**2 + 0.7**2 - 1.9**2) / (2 * d * 0.7))
    th2 = np.arctan2(reach[1], reach[0]) + np.pi - angle
    other = np.array([1.2, 0.0]) + 0.7 * np.array([np.cos(th2), np.sin(th2)])
    line = np.arctan2(*(other - elbow)[::-1])
    q = np.array([th1, line - th1, th2, line + np.pi - th2])
    assert np.abs(dyn.closure(q)).max() < 1e-12
    at = loaded(dyn.topology.forest, dyn.loops, q, np.zeros(4), np.zeros(2), 0.0)
    assert dyn.formulation.forward_dynamics(at).health < 1e-12
