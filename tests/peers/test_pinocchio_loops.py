"""Pinocchio's accelerations of mechanisms with loops satisfy our equations of motion of the tree."""

import numpy as np
import pytest
from scipy.linalg import null_space

import loopwright as lw
from loopwright import zoo

from ..mechanisms import close
from ..unit.zoo.closing import closed, freedoms, gap_rates, gaps, position
from .pinocchio_loops import PinocchioLoops, passive

# Largest difference over largest entry; the light rods of the legs make systems with a condition of 1e4 and more
TOLERANCE = 1e-11
NAMES = ["stewart", "delta", "cassie_leg", "digit_leg", "robotic_leg", "jansen_leg", "four_bar", "three_rrr", "rssr"]


def ends(mech):
    """(body, point) on both sides of every cut."""
    return [((j.parent, j.in_parent.xyz), (j.child, j.in_child.xyz)) for j in mech.tree.cuts]


def rows(dyn, q):
    """Velocity of one end of every cut seen from the other, for unit velocities: from the bodies' Jacobians."""
    pairs = ends(dyn.mechanism)
    return np.concatenate(
        [dyn.jacobian(b, q, at_b)[3:] - dyn.jacobian(a, q, at_a)[3:] for (a, at_a), (b, at_b) in pairs]
    )


def parting(dyn, q, v, a):
    """Acceleration of one end of every cut seen from the other."""
    rates = [[dyn.twist_rate(body, q, v, a, point)[3:] for body, point in pair] for pair in ends(dyn.mechanism)]
    return np.concatenate([two - one for one, two in rates])


def states(mech, count=3):
    """Closed positions near the start, with velocities that keep them closed."""
    rng = np.random.default_rng(list(mech.name.encode()))
    start = position(mech, zoo.start(mech.name))
    for _ in range(count):
        moves = freedoms(mech, start)[1]
        q = closed(mech, mech.integrate(start, moves @ rng.uniform(-0.1, 0.1, moves.shape[1])))
        free = null_space(rows(lw.Dynamics(mech), q), rcond=1e-9)
        yield q, free @ rng.normal(size=free.shape[1]), rng.normal(size=mech.nu)


@pytest.fixture(scope="module", params=NAMES)
def cases(request):
    mech = zoo.MECHANISMS[request.param]()
    found = []
    for q, v, tau in states(mech):
        dyn, effort = lw.Dynamics(mech), np.zeros(mech.nv)
        effort[list(mech.actuated)] = tau
        found.append((dyn, q, v, effort, PinocchioLoops(mech).forward(q, v, effort + passive(mech, q, v))))
    return found


def test_the_rows_are_those_of_the_closure_differentiated(cases):
    for dyn, q, *_ in cases:
        mech = dyn.mechanism
        assert np.abs(gaps(mech, q)).max() < 1e-13
        assert null_space(rows(dyn, q), rcond=1e-9).shape[1] == freedoms(mech, q)[0]
        # a closed velocity opens nothing, to the accuracy of difference quotients
        assert np.abs(gap_rates(mech, q) @ null_space(rows(dyn, q), rcond=1e-9)).max() < 1e-8


def test_the_loops_stay_closed(cases):
    for dyn, q, v, _, a in cases:
        close(parting(dyn, q, v, a), np.zeros(3 * len(dyn.mechanism.tree.cuts)), TOLERANCE, scale=np.abs(a).max())


def test_virtual_power_vanishes_for_every_motion_that_the_loops_allow(cases):
    """N^T (I a + b - tau) = 0 with J N = 0: what is left are the forces of the cuts, which do no work."""
    for dyn, q, v, effort, a in cases:
        wanted = dyn.mass_matrix(q) @ a + dyn.bias(q, v)
        free = null_space(rows(dyn, q), rcond=1e-9)
        close(free.T @ (wanted - effort), np.zeros(free.shape[1]), TOLERANCE, scale=np.abs(wanted).max())


def test_the_accelerations_are_those_of_our_tree_with_multipliers(cases):
    """I a + b = tau + J^T lambda, J a = -(J' v), solved as one system, lambda of least norm."""
    for dyn, q, v, effort, a in cases:
        I, J = dyn.mass_matrix(q), rows(dyn, q)
        nv, held = len(v), parting(dyn, q, v, np.zeros_like(v))
        system = np.block([[I, -J.T], [J, np.zeros((len(J), len(J)))]])
        right = np.concatenate([effort - dyn.bias(q, v), -held])
        close(a, np.linalg.lstsq(system, right, rcond=1e-11)[0][:nv], TOLERANCE)
