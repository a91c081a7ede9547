"""The programs that keep loops closed over time say what their definitions ask; runs pass where their pivots fail."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import formulation
from loopwright.simulate.drives import drive
from loopwright.simulate.loops import closed as text
from loopwright.simulate.loops import places as at
from loopwright.simulate.march import March
from loopwright.simulate.methods import method
from loopwright.simulate.motion import begun, in_loops
from loopwright.simulate.quantities import fitting, flowing, nearest

NAMES = ("four_bar", "andrews", "stewart", "rssr")


def opened(name):
    """A mechanism in a state that is not quite closed, in position and in velocity, and its kept rows there."""
    mechanism = lw.zoo.MECHANISMS[name]()
    dynamics = lw.Dynamics(mechanism)
    rng = np.random.default_rng(7)
    start = lw.State.of(mechanism, lw.zoo.start(name))
    q = mechanism.integrate(start.q, rng.uniform(-1e-4, 1e-4, mechanism.nv))
    kept = list(dynamics.loops.structure(dynamics.topology.forest).rows)
    return dynamics, q, rng.normal(size=mechanism.nv), dynamics.closure_jacobian(q)[kept], dynamics.closure(q)[kept]


@pytest.mark.parametrize("name", NAMES)
def test_newtons_step_and_the_velocities_of_dependent_coordinates(name):
    dynamics, q, v, J, gap = opened(name)
    n, free = dynamics.mechanism.nv, list(dynamics.loops.independent)
    found = dynamics.kernel_of(fitting(dynamics.loops))(q, v)
    step, whole, quality = found[:n], found[n : 2 * n], found[2 * n]
    assert np.abs(J @ step + gap).max() < 1e-13
    assert (step[free] == 0.0).all()
    assert np.abs(J @ whole).max() < 1e-11 * np.abs(whole).max()
    assert (whole[free] == v[free]).all()
    assert 0.0 < quality <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_the_nearest_closed_state_is_nearest_by_kinetic_energy(name):
    dynamics, q, v, J, gap = opened(name)
    n, I = dynamics.mechanism.nv, dynamics.mass_matrix(q)
    found = dynamics.kernel_of(nearest(dynamics.loops))(q, v)
    # x = -I^-1 J^T (J I^-1 J^T)^-1 r
    pull = np.linalg.solve(I, J.T)
    for answer, left in ((found[:n], gap), (found[n : 2 * n], J @ v)):
        wanted = -pull @ np.linalg.solve(J @ pull, left)
        assert np.abs(answer - wanted).max() < 1e-9 * np.abs(wanted).max()


def test_velocities_that_do_not_fit_are_completed_before_accelerations_are_found():
    dynamics, _, v, *_ = opened("andrews")
    start = lw.State.of(dynamics.mechanism, lw.zoo.start("andrews"))
    n, free = dynamics.mechanism.nv, list(dynamics.loops.independent)
    found = dynamics.kernel_of(flowing(formulation("embedding"), dynamics.loops))(start.q, v, np.zeros(1))
    whole = dynamics.complete(start.q, {dynamics.mechanism.velocities[k]: v[k] for k in free}, {})[0]
    assert np.abs(found[n + 1 :] - whole).max() < 1e-9 * np.abs(whole).max()
    a = dynamics.forward(start.q, whole, np.zeros(1))
    assert np.abs(found[:n] - a).max() < 1e-9 * np.abs(a).max()


def rocking():
    """A linkage whose crank swings to and fro between dead points, where it no longer determines the other bars."""
    return lw.zoo.four_bar(lengths=(0.6, 0.5, 0.4, 1.0))


def swinging(mechanism):
    return max(lw.assemble(mechanism, {"crank_joint": 0.3}), key=lambda state: state["rocker_joint"])


def test_a_crank_that_turns_back_at_its_dead_points():
    mechanism = rocking()
    embedding, multiplier = (
        lw.simulate(mechanism, swinging(mechanism), 4.0, formulation=name, progress=False, save=0.05)
        for name in ("embedding", "multiplier")
    )
    assert embedding.finished
    assert np.count_nonzero(np.diff(np.sign(np.diff(embedding["crank_joint"])))) > 3
    assert embedding.measured.health.min() < 0.02
    assert np.abs(embedding.q - multiplier.q).max() < 1e-6
    assert np.ptp(embedding.measured.energy) < 1e-9 * np.ptp(embedding.measured.kinetic)
    assert np.abs(embedding.measured.gap).max() < 1e-13


def test_the_program_is_left_at_dead_points_and_taken_up_again():
    mechanism = rocking()
    start, dynamics = swinging(mechanism), lw.Dynamics(mechanism, "embedding")
    problem = in_loops(dynamics, drive(mechanism, None), "project", 20.0)
    begun(problem, start.q)
    march = March(problem, method("dop853"), 0.0, np.concatenate([start.q, start.v]), rtol=1e-8)
    march.begin(4.0)
    watched = (ctypes.c_double * text.WATCHES).from_address(int(problem.context[text.WATCHED]))
    used = [watched[text.AS_USUAL]]
    while march.to(4.0, 1) == at.PAUSED:
        used.append(watched[text.AS_USUAL])
    assert march.t == 4.0
    assert used[0] == 1.0
    changes = np.diff(used)
    assert np.count_nonzero(changes == -1.0) > 3
    assert np.count_nonzero(changes == 1.0) > 3
