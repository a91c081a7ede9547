"""What is measured along a run, against the verbs, against closed forms and against integrals done otherwise."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.mechanism import GROUND
from loopwright.simulate import poses
from loopwright.simulate.quadrature import integrals


def damped():
    """A pendulum with a damper, dry friction, a spring, a motor and a wind."""
    b = lw.Builder("damped")
    b.rod("bar", mass=2.0, to=(0, 0, -1.0))
    b.revolute("pivot", "ground", "bar", axis=(0, 1, 0), damping=0.3, stiffness=2.0, rest=0.1, actuated=True)
    b.spring("rope", "ground", "bar", xyz=(1, 0, 0), child_xyz=(0, 0, -0.5), stiffness=20, damping=0.4, length=0.3)
    b.wrench("wind", "bar", force=lambda t: (2 * np.sin(3 * t), 0, 0), xyz=(0, 0, -1))
    return b.build()


@pytest.fixture(scope="module")
def platform():
    """Several loops, ball joints, and bodies that stand in the tree in another order than they were named."""
    mech = lw.zoo.stewart()
    return lw.simulate(mech, lw.zoo.start("stewart"), 0.5, formulation="multiplier", tau=4.0, save=0.1, progress=False)


def test_poses_are_those_of_the_bodies_in_the_mechanisms_order(platform):
    found = poses(platform)
    dyn = lw.Dynamics(platform.mechanism, compiled=False)
    names = [GROUND, *(body.name for body in platform.mechanism.bodies)]
    assert found.shape == (len(platform), len(names), 3, 4)
    for k, name in enumerate(names):
        X = dyn.pose(name, platform.q[-1])
        np.testing.assert_allclose(found[-1, k], np.column_stack([X.R, X.p]), atol=1e-13)


def test_energies_powers_and_openings_are_those_of_the_verbs(platform):
    m, dyn = platform.measured, lw.Dynamics(platform.mechanism)
    energy = dyn.energy(platform.q, platform.v)
    np.testing.assert_allclose(m.kinetic, energy.kinetic, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(m.potential, energy.potential, rtol=1e-12)
    power = dyn.power(platform.q, platform.v, platform.tau)
    np.testing.assert_allclose(m.power["actuators"], power.actuators, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(m.gap, dyn.closure(platform.q), atol=1e-14)
    J = dyn.closure_jacobian(platform.q)
    np.testing.assert_allclose(m.gap_rate, np.einsum("tij,tj->ti", J, platform.v), atol=1e-13)
    assert m.gap.shape == (len(platform), 15)
    assert np.all((m.health > 1e-6) & (m.health <= 1.0 + 1e-12))


def test_work_is_the_integral_of_the_power_and_balances_the_energy():
    mech = damped()
    run = lw.simulate(mech, ([1.2], [0.0]), 2.0, tau=lambda t, q, v: [np.cos(t)], save=0.01, progress=False)
    m = run.measured
    # against powers integrated by Simpson's rule, of fourth order: h^4 f'''' T / 180, rates of at most some 20 per s
    for kind, power in m.power.items():
        simpson = (run.t[2] / 6) * (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum())
        assert m.work[kind][-1] == pytest.approx(simpson, abs=1e-5 * max(1.0, np.abs(power).max()))
    assert abs(m.work["dampers"][-1]) > 0.1
    assert m.springs[-1] - m.springs[0] == pytest.approx(-m.work["springs"][-1], abs=1e-6)
    assert np.abs(m.imbalance).max() < 1e-6 * m.exchanged
    # nothing of it is left out: without any one kind it does not balance
    for kind in ("actuators", "dampers", "loads"):
        assert np.abs(m.imbalance + m.work[kind]).max() > 1e-3 * m.exchanged


def test_the_energy_that_moved_of_a_pendulum():
    mech = lw.zoo.n_pendulum(n=1, length=1.0)
    run = lw.simulate(mech, ([np.pi / 2], [0.0]), 3.0, progress=False)
    kinetic = run.measured.kinetic
    assert run.measured.exchanged == pytest.approx(kinetic.max(), rel=1e-6)


@pytest.mark.parametrize("count", [2, 3, 5, 6, 7, 40])
def test_integrals_are_exact_up_to_the_degree(count):
    rng = np.random.default_rng(count)
    t = np.cumsum(rng.uniform(0.5, 1.5, count)) / 10
    c = rng.normal(size=min(6, count))
    values, exact = np.polyval(c, t), np.polyval(np.polyint(c), t)
    np.testing.assert_allclose(integrals(t, values), exact - exact[0], rtol=1e-11, atol=1e-12)


def test_integrals_of_a_sine_are_of_sixth_order():
    errors = []
    for n in (40, 80):
        t = np.linspace(0, 3, n + 1)
        errors.append(np.abs(integrals(t, np.cos(5 * t)) - np.sin(5 * t) / 5).max())
    assert 40 < errors[0] / errors[1] < 150
    assert integrals(np.zeros(0), np.zeros(0)).shape == (0,)


def test_every_entry_has_its_unit():
    run = lw.simulate(lw.zoo.slider_crank(), lw.zoo.start("slider_crank"), 0.01, progress=False)
    units = dict(zip(run.data["coordinate"].values.tolist(), run.data["unit"].values.tolist(), strict=True))
    kinds = {joint.name: joint.kind for joint in run.mechanism.joints}
    assert units == {name: "m" if kinds[name] == "prismatic" else "rad" for name in run.mechanism.coordinates}
    assert set(run.data["rate_unit"].values) <= {"rad/s", "m/s"}
    assert set(run.data["force_unit"].values) <= {"N", "N·m"}
