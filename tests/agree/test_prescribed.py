"""Motions given: formulation against formulation, and the forces found put back into forward and inverse dynamics."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import formulation
from loopwright.closure.prescribed import NAMES
from loopwright.testing import random_loops
from loopwright.verbs.prescribed import driven_of, prescribed
from tests.mechanisms import FULL, close

ZOO = (
    [make.__name__ for make in lw.zoo.CLOSED] if FULL else ["four_bar", "five_bar", "three_rrr", "delta", "cassie_leg"]
)
TREES = ["pendulum", "planar_3r", "puma560", "space_robot", "spatial_biped"]
SEEDS = range(20 if FULL else 3)


def cases():
    for name in [*ZOO, *TREES]:
        yield pytest.param(lambda name=name: (lw.zoo.MECHANISMS[name](), lw.zoo.start(name)), id=name)
    for planar in (True, False):
        for seed in SEEDS:
            yield pytest.param(lambda p=planar, s=seed: random_loops(s, planar=p), id=f"{planar=} {seed}")


def moving(mechanism, start):
    """A dynamics, a closed position and a velocity that the loops allow."""
    dyn, rng = lw.Dynamics(mechanism, compiled=False), np.random.default_rng(0)
    q = lw.State.of(mechanism, start).q
    if not dyn.topology.loops:
        return dyn, q, rng.normal(size=mechanism.nv)
    _, sizes, Vt = np.linalg.svd(dyn.closure_jacobian(q))
    N = Vt[np.count_nonzero(sizes > 1e-8 * sizes.max()) :].T
    return dyn, q, N @ rng.normal(size=N.shape[1])


def drivable(dyn):
    """Sets of coordinates to drive: all that can be, the first of them, and the last."""
    m = dyn.mechanism
    motors = set(m.actuated)
    single = [k for k in dyn.loops.independent if m.velocities[k] in m.coordinates] if dyn.topology.loops else [
        k for k, name in enumerate(m.velocities) if name in m.coordinates
    ]  # fmt: skip
    names = [m.velocities[k] for k in single if k in motors]
    return list({tuple(chosen): 0 for chosen in (names, names[:1], names[-1:]) if chosen})


@pytest.mark.parametrize("made", list(cases()))
def test_formulations_agree_and_forces_make_the_motion(made):
    mechanism, start = made()
    dyn, q, v = moving(mechanism, start)
    m, rng, forest = dyn.mechanism, np.random.default_rng(1), dyn.topology.forest
    sizes = np.linalg.svd(dyn.closure_jacobian(q), compute_uv=False) if dyn.topology.loops else np.ones(1)
    sizes = sizes[sizes > 1e-8 * sizes[0]]
    # rows that nearly depend on each other, as in "planar 16", cost digits twice: forces, and motions of these
    lost = 1e-16 * np.linalg.cond(dyn.mass_matrix(q)) * (sizes[0] / sizes[-1]) ** 2
    for names in drivable(dyn):
        driven = driven_of(m, names)
        given, tau = rng.normal(size=len(names)), rng.normal(size=m.nu)
        answers = []
        for name in NAMES:
            found = prescribed(formulation(name), dyn.loops, driven).compute(forest, q, v, given, tau, 0.0)
            a, quality, forces = np.split(np.asarray(found, dtype=float), [m.nv, m.nv + 1])
            answers.append((a, forces))
            assert 0.0 < quality[0] <= 1.0
            close(a, answers[0][0], max(1e-9, lost))
            close(forces, answers[0][1], max(1e-9, lost))
        a, forces = answers[0]
        np.testing.assert_allclose(a[list(driven.v)], given, rtol=1e-14, atol=1e-14)
        others = [k for k in range(m.nu) if k not in driven.actuators]
        np.testing.assert_array_equal(forces[others], tau[others])
        close(dyn.forward(q, v, forces), a, max(1e-8, lost))
        if len(names) == m.nu:
            by_inverse = dyn.inverse(q, v, a, details=True)
            close(by_inverse.tau, forces, max(1e-8, lost))
