"""Every open-tree algorithm against every other, over the zoo and random trees."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.dynamics import FORWARD, INVERSE, MASS
from loopwright.dynamics.factor import factored
from loopwright.dynamics.links import links_at
from loopwright.dynamics.reverse_gaussian import pivots
from loopwright.testing import random_tree
from tests.mechanisms import SEEDS, close, everywhere, open_zoo, subjects


def _answers(registry, dyn, ask):
    """name -> answer, for the algorithms that treat the mechanism's joints."""
    kinds = {node.kind.name for node in dyn.topology.forest.nodes}
    return {algorithm.name: ask(algorithm.name) for algorithm in registry if kinds <= set(algorithm.joints or kinds)}


def _acceleration(mech, seed=5):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, mech.nv)


def _condition(I):
    return np.linalg.cond(I)


@pytest.mark.parametrize("loads", [False, True])
def test_inverse_dynamics(loads):
    for _, mech in subjects(loads=loads):
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(1)
        a = _acceleration(mech)
        answers = _answers(INVERSE, dyn, lambda name, d=dyn, s=(q, v, a): d.inverse(*s, algorithm=name, details=True))
        for answer in answers.values():
            close(everywhere(mech, answer), everywhere(mech, answers["rnea"]))


def test_mass_matrix():
    for _, mech in subjects():
        dyn, (q, _) = lw.Dynamics(mech), mech.random_state(2)
        answers = _answers(MASS, dyn, lambda name, d=dyn, q=q: d.mass_matrix(q, name))
        for answer in answers.values():
            close(answer, answers["crba"])


def test_every_mass_algorithm_on_revolute_trees():
    for seed in SEEDS:
        mech = random_tree(seed, kinds=("revolute",))
        dyn, (q, _) = lw.Dynamics(mech), mech.random_state(seed)
        answers = _answers(MASS, dyn, lambda name, d=dyn, q=q: d.mass_matrix(q, name))
        assert set(answers) == {"crba", "gah", "noc", "denoc"}
        for answer in answers.values():
            close(answer, answers["crba"])


def test_gah_refuses_other_joints_by_name():
    mech = random_tree(3, bodies=4, kinds=("prismatic",))
    with pytest.raises(lw.LoopwrightError, match=r"'gah' treats revolute joints only, not 'j0' \(prismatic\)"):
        lw.Dynamics(mech).mass_matrix(mech.neutral(), "gah")


@pytest.mark.parametrize("loads", [False, True])
def test_forward_dynamics(loads):
    for _, mech in subjects(loads=loads):
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(3)
        tau = np.random.default_rng(7).uniform(-3.0, 3.0, mech.nu)
        answers = _answers(FORWARD, dyn, lambda name, d=dyn, s=(q, v, tau): d.forward(*s, algorithm=name))
        # solving I a = f loses cond(I) of the rounding whatever the algorithm
        digits = max(1e-10, 20.0 * np.finfo(float).eps * _condition(dyn.mass_matrix(q)))
        for answer in answers.values():
            close(answer, answers["aba"], digits)


def test_forward_undoes_inverse():
    for _, mech in subjects(loads=True):
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(4)
        f = _acceleration(mech, 11)
        tau = f[list(mech.actuated)]
        a = dyn.forward(q, v, tau)
        met = dyn.inverse(q, v, a, details=True)
        scale = max(np.abs(tau).max(), np.abs(dyn.bias(q, v)).max())
        close(met.tau, tau, scale=scale)
        for force in met.unmet.values():
            close(force, 0.0 * force, scale=scale)


def test_bias_and_mass_matrix_make_inverse_dynamics():
    for _, mech in subjects(loads=True):
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(6)
        a = _acceleration(mech)
        close(dyn.mass_matrix(q) @ a + dyn.bias(q, v), everywhere(mech, dyn.inverse(q, v, a, details=True)))


def test_reverse_gaussian_elimination_factors_the_mass_matrix():
    """I = U D U^T, and the recursive pivots are the diagonal blocks of D   [Saha2013, 27, 30]."""
    for seed in SEEDS:
        mech = random_tree(seed, kinds=("revolute", "prismatic", "screw"))
        dyn, (q, _) = lw.Dynamics(mech), mech.random_state(seed)
        I = dyn.mass_matrix(q)
        links = links_at(dyn.topology.forest, q)
        factor = factored(I, links)
        U, D = np.eye(mech.nv), [factor.D[k] for k in range(mech.nv)]
        for k, column in factor.U.items():
            for i, u in column.items():
                U[i, k] = u
        close(U @ np.diag(D) @ U.T, I)
        close([pivot.m_hat[0, 0] for pivot in pivots(links)], D)


def test_denoc_matrices_in_both_forms():
    """t = N_l N_d th' and I = N^T M N, at the joints and at the mass centres."""
    from loopwright.dynamics import denoc, twists

    for _, mech in subjects():
        if mech.nv > 30:
            continue  # 6n x 6n matrices of the large trees add time, not cases
        dyn, (q, v) = lw.Dynamics(mech), mech.random_state(8)
        links = links_at(dyn.topology.forest, q, v)
        N_l, N_d = dyn.denoc(q)
        t = np.concatenate(twists(links))
        close(N_l @ N_d @ v, t)
        C_l, C_d = dyn.denoc(q, at="centres")
        at_centres = [
            np.concatenate([w[:3], w[3:] + np.cross(w[:3], link.M.centre)])
            for w, link in zip(t.reshape(-1, 6), links, strict=True)
        ]
        close(C_l @ C_d @ v, np.concatenate(at_centres))
        N, C = N_l @ N_d, C_l @ C_d
        rotors = denoc.rotors(links, mech.nv)
        close(N.T @ denoc.M(links) @ N + rotors, dyn.mass_matrix(q))
        close(C.T @ denoc.M_at_centres(links) @ C + rotors, dyn.mass_matrix(q))


def test_several_freedoms_as_euler_angle_joints():
    """The same body accelerations from native joints and from chains of one-dof joints."""
    from dataclasses import replace

    from loopwright.mechanism import native_state

    for seed in SEEDS:
        mech = random_tree(seed, bodies=1 + seed % 6)
        # a rotor on Euler angles is another machine than one on the angular velocity
        joints = tuple(replace(joint, rotor_inertia=(0.0,) * len(joint.rotor_inertia)) for joint in mech.joints)
        mech = replace(mech, joints=joints)
        sequence = ("ZYX", "XYZ", "ZXZ", "YXY", "XZY", "ZYZ")[seed % 6]
        chain = lw.as_one_dof_joints(mech, sequence)
        there, here = lw.Dynamics(chain), lw.Dynamics(mech)
        q1, v1 = chain.random_state(seed)
        q, v = native_state(mech, chain, q1, v1)
        a1, a = there.forward(q1, v1), here.forward(q, v)
        digits = max(1e-10, 50.0 * np.finfo(float).eps * _condition(there.mass_matrix(q1)))
        scale = max(np.abs(there.twist_rate(body.name, q1, v1, a1)).max() for body in mech.bodies)
        for body in mech.bodies:
            close(here.twist_rate(body.name, q, v, a), there.twist_rate(body.name, q1, v1, a1), digits, scale)


def test_batches_give_what_single_calls_give():
    mech = random_tree(9, bodies=5)
    dyn = lw.Dynamics(mech)
    states = [mech.random_state(seed) for seed in range(6)]
    q = np.array([s[0] for s in states]).reshape(2, 3, -1)
    v = np.array([s[1] for s in states]).reshape(2, 3, -1)
    tau = np.linspace(-1.0, 1.0, mech.nu)
    batch = dyn.forward(q, v, tau)
    assert batch.shape == (2, 3, mech.nv)
    for index in np.ndindex(2, 3):
        assert np.array_equal(batch[index], dyn.forward(q[index], v[index], tau))
    assert dyn.mass_matrix(q).shape == (2, 3, mech.nv, mech.nv)
    assert dyn.energy(q, v).total.shape == (2, 3)
    assert dyn.pose("b2", q).R.shape == (2, 3, 3, 3)
    assert dyn.forward(q[:0], v[:0], tau).shape == (0, 3, mech.nv)


def test_zoo_is_among_the_subjects():
    assert len(open_zoo()) >= 12
