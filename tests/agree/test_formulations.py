"""Every formulation against every other, and against the equations themselves, over the closed zoo and random loops."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import FORMULATIONS, rank, structure
from loopwright.closure.rows import gap, rows
from loopwright.dynamics import links_at
from loopwright.testing import random_loops
from loopwright.topology import forest, lean
from loopwright.verbs.closed import loaded
from tests.mechanisms import FULL, close

SEEDS = range(100 if FULL else 20)
LAYOUTS = {"plain": lambda laid_out: laid_out, "lean": lean}


@cache
def closed_mechanisms():
    """Every ready mechanism with loops and random ones, each with a position at which all are closed."""
    found = {}
    for make in lw.zoo.CLOSED:
        mechanism, start = make(), lw.zoo.start(make.__name__)
        found[make.__name__] = mechanism, np.array([start[name] for name in mechanism.coordinates])
    for planar in (True, False):
        for seed in SEEDS:
            found[f"{'planar' if planar else 'spatial'} {seed}"] = random_loops(seed, planar=planar)
    return found


def allowed(J, rng):
    """A velocity that the loops allow, and a basis of all of them."""
    _, _, Vt = np.linalg.svd(J)
    N = Vt[rank(J) :].T
    return N @ rng.normal(size=N.shape[1]), N


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", closed_mechanisms())
def test_rows_are_the_slope_of_the_gap(name, layout):
    mechanism, q = closed_mechanisms()[name]
    laid_out = LAYOUTS[layout](forest(mechanism))
    assert np.abs(gap(links_at(laid_out, q), laid_out.cuts)).max() < 1e-11
    J = rows(links_at(laid_out, q), laid_out.cuts, mechanism.nv).J
    h = 1e-6
    ends = [
        [gap(links_at(laid_out, mechanism.integrate(q, s * e)), laid_out.cuts) for s in (h, -h)]
        for e in np.eye(mechanism.nv)
    ]
    slope = np.stack([(up - down) / (2 * h) for up, down in ends], axis=1)
    # central differences: h^2 of third derivatives, and rounding by h
    close(J, slope, 1e-8, scale=1.0 + np.abs(J).max())
    v, _ = allowed(J, np.random.default_rng(0))
    ahead, behind = (
        rows(links_at(laid_out, mechanism.integrate(q, s * v)), laid_out.cuts, mechanism.nv).J for s in (h, -h)
    )
    drift = rows(links_at(laid_out, q, v), laid_out.cuts, mechanism.nv).drift
    close(drift, (ahead - behind) @ v / (2 * h), 1e-7, scale=1.0 + np.abs(drift).max())


@pytest.mark.parametrize("name", closed_mechanisms())
def test_formulations_agree(name):
    mechanism, q = closed_mechanisms()[name]
    dyn = lw.Dynamics(mechanism, compiled=False)
    rng = np.random.default_rng(1)
    J = dyn.closure_jacobian(q)
    v, N = allowed(J, rng)
    tau = rng.normal(size=mechanism.nu)
    laid_out = dyn.topology.forest
    at = loaded(laid_out, dyn.loops, q, v, tau, 0.0)
    # the KKT equations solved as they stand, by a general solver with pivoting
    m = len(at.d)
    K = np.block([[at.I, at.J.T], [at.J, np.zeros((m, m))]])
    x = np.linalg.solve(K, np.concatenate([at.phi, -at.d]))
    size, digits = np.abs(x).max(), 1e-16 * np.linalg.cond(K)
    for one in FORMULATIONS:
        found = one.forward_dynamics(at)
        close(found.a, x[: mechanism.nv], max(1e-11, 10 * digits), scale=size)
        close(found.multipliers, -x[mechanism.nv :], max(1e-11, 10 * digits), scale=size)
        # virtual power of the loops' forces is zero, and the loops stay closed
        close(N.T @ (at.I @ found.a - at.phi), np.zeros(N.shape[1]), 1e-11, scale=np.abs(at.phi).max() + size)
        every = rows(at.links, at.cuts, mechanism.nv)
        close(every.J @ found.a, -every.drift, max(1e-10, 10 * digits), scale=size)


@pytest.mark.parametrize("name", [make.__name__ for make in lw.zoo.CLOSED])
def test_recorded_programs_agree(name):
    """In the lean axes that programs are recorded in, with the pivots frozen there."""
    mechanism, q = closed_mechanisms()[name]
    rng = np.random.default_rng(2)
    plain = lw.Dynamics(mechanism, formulation="system", compiled=False)
    v, _ = allowed(plain.closure_jacobian(q), rng)
    tau = rng.normal(size=mechanism.nu)
    expected = plain.forward(q, v, tau)
    for one in FORMULATIONS:
        dyn = lw.Dynamics(mechanism, formulation=one.name)
        dyn.loops = plain.loops
        close(np.asarray(dyn.casadi("forward")(q, v, tau)).ravel(), expected, 1e-9)


def test_a_row_of_rounding_is_never_kept():
    """Entries of 1e-17 are what is left of zeros; taken for a row they would stand for an equation."""
    J = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 6e-17], [0.0, 2.0, 0.0]])
    found = structure([J])
    assert sorted(found.rows) == [0, 2]
    assert found.redundant == (1,)


def test_preferred_coordinates_stay_independent():
    J = np.array([[1.0, 0.9, 0.0], [0.0, 0.3, 1.0]])
    assert structure([J], preferred=(0,)).independent == (0,)
    assert structure([J]).independent != (0,)
