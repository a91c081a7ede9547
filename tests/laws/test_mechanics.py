"""What any right dynamics obeys: energy, momentum, virtual power, symmetry. Derivatives are exact, not differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import loopwright as lw
from loopwright.dynamics import MASS
from loopwright.testing import random_tree
from loopwright.verbs import quantities as ask
from tests.mechanisms import along_motion, close, subjects

SMALL = 40  # coordinates; recording the largest zoo members adds time, not cases


def _small(**options):
    return [(label, mech) for label, mech in subjects(**options) if mech.nv <= SMALL]


def _still_air(mech):
    """The mechanism without gravity."""
    return replace(mech, gravity=(0.0, 0.0, 0.0))


def test_mass_matrix_is_symmetric_positive_definite_and_the_metric_of_kinetic_energy():
    for _, mech in subjects():
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(1)
        I = dyn.mass_matrix(q)
        assert np.array_equal(I, I.T)
        assert np.linalg.eigvalsh(I)[0] > 0.0
        close(dyn.energy(q, v).kinetic, v @ I @ v / 2.0)


def test_energy_changes_by_the_power_of_the_actuators():
    for _, mech in _small():
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(2)
        undamped = tuple(replace(spring, damping=0.0) for spring in mech.springs)
        passive = replace(mech, joints=tuple(_frictionless(joint) for joint in mech.joints), springs=undamped)
        dyn = lw.Dynamics(passive)
        tau = np.random.default_rng(3).uniform(-3.0, 3.0, mech.nu)
        a = dyn.forward(q, v, tau)
        rate = along_motion(ask.energy, dyn.topology.forest, q, v, a)  # kinetic, potential
        scale = np.abs(rate).max() + np.abs(tau).max() * np.abs(v).max()
        close(rate.sum(), tau @ v[list(mech.actuated)], scale=scale)


def _frictionless(joint):
    return replace(joint, damping=(0.0,) * len(joint.damping), friction=((0.0, 0.0),) * len(joint.friction))


def test_springs_keep_energy_and_dampers_and_friction_take_it():
    for seed in range(20):
        mech = random_tree(seed, bodies=1 + seed % 6, loads=True, floating=seed % 2 == 0)
        mech = replace(mech, wrenches=())
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(seed)
        a = dyn.forward(q, v)
        rate = along_motion(ask.energy, dyn.topology.forest, q, v, a)
        damping = np.array([d for b in mech.tree.branches for d in b.joint.damping])
        friction = np.array([f[0] for b in mech.tree.branches for f in b.joint.friction])
        taken = v @ (damping * v) + friction @ np.abs(v) + _damper_power(mech, dyn, q, v)
        assert taken > 0.0
        close(rate.sum(), -taken, scale=np.abs(rate).max() + taken)


def _damper_power(mech, dyn, q, v):
    (spring,) = mech.springs
    tip = np.array(spring.in_child)
    reach = dyn.pose(spring.child, q).point(tip) - np.array(spring.in_parent)
    closing = reach / np.linalg.norm(reach) @ dyn.twist(spring.child, q, v, tip)[3:]
    return spring.damping * closing**2


def test_wrenches_do_the_work_of_their_point():
    for seed in range(20):
        mech = random_tree(seed, bodies=1 + seed % 6, loads=True)
        pushed, free = lw.Dynamics(mech), lw.Dynamics(replace(mech, wrenches=()))
        q, v = mech.random_state(seed)
        by_loads = (free.bias(q, v) - pushed.bias(q, v)) @ v  # power of N^T w
        total = 0.0
        for wrench in mech.wrenches:
            twist = pushed.twist(wrench.body, q, v, wrench.at)
            R = pushed.pose(wrench.body, q).R if wrench.axes == "body" else np.eye(3)
            total += R @ np.array(wrench.torque) @ twist[:3] + R @ np.array(wrench.force) @ twist[3:]
        close(by_loads, total)


def test_rate_of_the_mass_matrix_less_twice_c_is_skew():
    for _, mech in _small():
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(4)
        mass = ask.mass_matrix(MASS[0]).compute

        def flat(forest, q, v, mass=mass):
            return mass(forest, q).reshape(-1)

        I_rate = along_motion(flat, dyn.topology.forest, q, v, 0.0 * v).reshape(mech.nv, mech.nv)
        S = I_rate - 2.0 * dyn.convective(q, v)
        scale = max(np.abs(I_rate).max(), np.abs(S).max(), np.abs(dyn.mass_matrix(q)).max() * np.abs(v).max())
        close(S, -S.T, scale=scale)


def test_both_convective_matrices_make_the_same_velocity_terms():
    for _, mech in subjects():
        dyn, (q, v) = lw.Dynamics(_still_air(mech)), mech.random_state(5)
        free = replace(dyn.mechanism, joints=tuple(_plain(joint) for joint in dyn.mechanism.joints), springs=())
        terms = lw.Dynamics(free).bias(q, v)
        scale = max(np.abs(terms).max(), np.abs(dyn.mass_matrix(q)).max() * np.abs(v).max() ** 2)
        close(dyn.convective(q, v) @ v, terms, scale=scale)
        close(dyn.convective(q, v, form="papers") @ v, terms, scale=scale)


def _plain(joint):
    return replace(_frictionless(joint), stiffness=(0.0,) * len(joint.stiffness))


def test_the_papers_convective_matrix_is_another_one():
    """At the joint origins dI/dt - 2C is not skew: the two forms are told apart."""
    mech = random_tree(3, bodies=4, kinds=("revolute",))
    dyn, (q, v) = lw.Dynamics(mech), mech.random_state(3)
    assert np.abs(dyn.convective(q, v) - dyn.convective(q, v, form="papers")).max() > 1e-3


def test_momentum_is_kept_when_nothing_acts():
    for seed in range(30):
        mech = _still_air(random_tree(seed, floating=True, branching=15))
        # everything must hang on the floating body, and rotors would push against the ground
        joints = tuple(replace(joint, rotor_inertia=(0.0,) * len(joint.rotor_inertia)) for joint in mech.joints)
        mech = replace(mech, joints=joints)
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(seed)
        internal = np.random.default_rng(seed).uniform(-2.0, 2.0, mech.nv)
        internal[:6] = 0.0
        a = dyn.forward(q, v, internal)
        rate = along_motion(ask.whole_momentum, dyn.topology.forest, q, v, a).reshape(-1)
        scale = np.abs(dyn.momentum(q, v).angular).max() + np.abs(internal).max() + np.abs(a).max()
        close(rate[:6], np.zeros(6), scale=scale)
        close(rate[9:], np.zeros(3), scale=scale)


def test_gravity_is_the_slope_of_its_potential():
    import casadi

    from loopwright.spatial import expression, symbols

    for _, mech in _small():
        dyn, (q, v) = lw.Dynamics(_still_springs(mech)), mech.random_state(7)
        x = casadi.SX.sym("q", mech.nq)
        s = symbols(x)
        w = symbols(casadi.SX.sym("v", mech.nv))
        forest = dyn.topology.forest
        rate = expression(np.concatenate([node.kind.rates(s[node.q], w[node.v]) for node in forest.nodes]))
        V = expression(ask.energy(forest, s, np.zeros(mech.nv)))[1]
        power = casadi.Function("p", [x, expression(w)], [casadi.jtimes(V, x, rate)])
        close(float(power(q, v)), dyn.gravity(q) @ v, scale=np.abs(dyn.gravity(q)).max() + 1e-9)


def _still_springs(mech):
    return replace(mech, joints=tuple(_plain(joint) for joint in mech.joints), springs=())


def test_jacobians_are_the_derivative_of_poses():
    for _, mech in subjects():
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(8)
        body, point = mech.bodies[-1].name, (0.1, -0.2, 0.05)
        J = dyn.jacobian(body, q, point)
        close(J @ v, dyn.twist(body, q, v, point), scale=max(np.abs(J).max() * np.abs(v).max(), 1e-9))
        # J's rate times v is the acceleration without joint acceleration
        a = np.cos(np.arange(mech.nv))
        still = dyn.twist_rate(body, q, v, 0.0 * a, point)
        scale = max(np.abs(still).max(), np.abs(J @ a).max(), 1e-9)
        close(dyn.twist_rate(body, q, v, a, point), J @ a + still, scale=scale)


def test_twist_rates_are_the_derivative_of_twists():
    for seed in range(20):
        mech = random_tree(seed, bodies=1 + seed % 7)
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(seed)
        a = np.random.default_rng(seed).normal(size=mech.nv)
        body = mech.bodies[-1].name
        seat = dyn.topology.forest.seats[body]
        point = np.array([0.1, -0.2, 0.05])
        rate = along_motion(ask.twist_of(seat, point).compute, dyn.topology.forest, q, v, a).reshape(-1)
        close(dyn.twist_rate(body, q, v, a, point), rate)


def test_moving_the_ground_frame_changes_nothing_inside():
    """Turning everything, gravity too, leaves torques and mass matrix alone."""
    from loopwright.spatial import from_rpy

    turn = (0.4, -0.7, 1.9)
    R = from_rpy(np.array(turn))
    for seed in range(20):
        mech = random_tree(seed, bodies=1 + seed % 7, backwards=False, branching=15)
        first = mech.joints[0]
        b_gravity = tuple(R @ np.array(mech.gravity))
        placed = replace(
            first.in_parent,
            xyz=tuple(R @ np.array(first.in_parent.xyz)),
            rpy=_rpy(R @ from_rpy(np.array(first.in_parent.rpy))),
        )
        others = [joint for joint in mech.joints if "ground" in (joint.parent, joint.child)]
        if len(others) > 1:
            continue
        turned = replace(mech, gravity=b_gravity, joints=(replace(first, in_parent=placed), *mech.joints[1:]))
        q, v = mech.random_state(seed)
        close(lw.inverse_dynamics(turned, q, v, v), lw.inverse_dynamics(mech, q, v, v))
        close(lw.mass_matrix(turned, q), lw.mass_matrix(mech, q))


def _rpy(R):
    from loopwright.spatial import to_euler

    yaw, pitch, roll = to_euler("ZYX", R)
    return (roll, pitch, yaw)
