"""Eliminating a joint: what is handed on carries no inertia along it, and agrees with plain elimination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from loopwright.dynamics import links_at
from loopwright.dynamics.articulated_body import forward_dynamics
from loopwright.dynamics.pivot import pivot
from loopwright.spatial import Inertia
from loopwright.testing import MOVING, random_tree
from loopwright.topology import forest
from tests.mechanisms import close


def _link(kind, rotor):
    """One joint of a kind, with rotors, and something heavy and stiff beyond it."""
    mech = random_tree(3, bodies=1, kinds=(kind,), backwards=False)
    links = links_at(forest(mech), mech.random_state(1)[0])
    rng = np.random.default_rng(7)
    beyond = rng.normal(size=(6, 6))
    return replace(links[0], rotor=rotor * np.arange(1.0, mech.nv + 1.0)), beyond @ beyond.T + 6.0 * np.eye(6)


@pytest.mark.parametrize("rotor", [0.0, 0.4])
@pytest.mark.parametrize("kind", MOVING)
def test_the_remaining_inertia_is_the_schur_complement(kind, rotor):
    link, M = _link(kind, rotor)
    found = pivot(link, M)
    # what is felt beyond the joint when its coordinates follow freely: M - M P (P^T M P + rotor)^-1 P^T M
    U = M @ link.P
    D = link.P.T @ U + np.diag(link.rotor)
    close(found.m_hat, D, 1e-14)
    close(found.psi, U @ np.linalg.inv(D), 1e-13)
    close(found.M_bar, M - U @ np.linalg.inv(D) @ U.T, 1e-13, scale=np.abs(M).max())
    close(found.over(D @ np.ones(len(D))), np.ones(len(D)), 1e-13)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "spherical", "free"])
def test_a_joint_without_rotor_hands_on_nothing_along_itself(kind):
    link, M = _link(kind, 0.0)
    # exactly, not to rounding: this is what makes programs short
    np.testing.assert_array_equal(pivot(link, M).M_bar @ link.P, np.zeros_like(link.P))
    np.testing.assert_array_equal(link.P.T @ pivot(link, M).psi, np.eye(link.P.shape[1]))


def test_a_rotor_alone_can_carry_a_joint():
    # a massless link on a rotor: D is the rotor, nothing is handed on, and the joint accelerates by its own torque
    link, _ = _link("revolute", 0.4)
    found = pivot(link, np.zeros((6, 6)))
    np.testing.assert_array_equal(found.M_bar, np.zeros((6, 6)))
    massless = [replace(link, M=Inertia.zero())]
    close(forward_dynamics(massless, np.array([2.0]), np.zeros(3), [np.zeros(6)]), [2.0 / 0.4], 1e-15)
