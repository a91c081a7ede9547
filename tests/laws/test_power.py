"""Powers against the rate of the energy, and each kind against the forces that go when that kind goes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import rank
from loopwright.testing import random_loops, random_tree
from tests.mechanisms import FULL

SEEDS = range(40 if FULL else 4)
CASES = [("tree", seed) for seed in SEEDS] + [("loops", seed) for seed in SEEDS]


def subject(kind, seed):
    """A mechanism under loads, and a motion that its loops allow."""
    rng = np.random.default_rng(seed)
    if kind == "tree":
        mech = random_tree(seed, floating=seed % 2 == 0)
        q, v = mech.random_state(seed)
    else:
        mech, q = random_loops(seed)
        J = lw.Dynamics(mech).closure_jacobian(q)
        N = np.linalg.svd(J)[2][rank(J) :].T
        v = N @ rng.normal(size=N.shape[1])
    return mech, q, v, rng.normal(size=mech.nu)


def without(mech, kind):
    """The mechanism from which everything of a kind is taken."""
    zero = {"springs": ("stiffness",), "dampers": ("damping",), "friction": (), "loads": ()}[kind]
    joints = tuple(replace(j, **{field: tuple(0.0 for _ in getattr(j, field)) for field in zero}) for j in mech.joints)
    if kind == "friction":
        joints = tuple(replace(j, friction=tuple((0.0, 0.0) for _ in j.friction)) for j in joints)
    springs = tuple(replace(s, **dict.fromkeys(zero, 0.0)) for s in mech.springs)
    loads = {"wrenches": (), "efforts": ()} if kind == "loads" else {}
    return replace(mech, joints=joints, springs=springs, **loads)


@pytest.mark.parametrize("kind, seed", CASES)
def test_all_powers_together_are_the_rate_of_the_energy(kind, seed):
    mech, q, v, tau = subject(kind, seed)
    dyn = lw.Dynamics(mech)
    a = dyn.forward(q, v, tau)
    p = dyn.power(q, v, tau)
    done = p.actuators + p.dampers + p.friction + p.loads

    def rate(h):
        late, early = (dyn.energy(mech.integrate(q, v * s + a * s * s / 2), v + a * s) for s in (h, -h))
        return (late.total - early.total) / (2 * h)

    # central differences, of fourth order by Richardson; h near the fifth root of rounding
    h = 1e-3 / max(1.0, np.abs(v).max(), np.sqrt(np.abs(a).max()))
    found = (4 * rate(h / 2) - rate(h)) / 3
    size = sum(abs(x) for x in (p.actuators, p.springs, p.dampers, p.friction, p.loads))
    size += abs(dyn.energy(q, v).kinetic) + abs(dyn.energy(q, v).potential)
    assert abs(found - done) < 1e-7 * max(size, 1.0) * max(1.0, np.abs(v).max(), np.sqrt(np.abs(a).max()))


@pytest.mark.parametrize("gone", ["springs", "dampers", "friction", "loads"])
@pytest.mark.parametrize("kind, seed", CASES)
def test_each_power_is_what_its_forces_do(kind, seed, gone):
    mech, q, v, tau = subject(kind, seed)
    power = lw.Dynamics(mech).power(q, v, tau)
    less = lw.Dynamics(without(mech, gone))
    # bias counts all loads in the tree; those on cut joints show in forward dynamics: f = I da, and N^T f . v_i = f . v
    if kind == "tree":
        f = less.bias(q, v) - lw.Dynamics(mech).bias(q, v)
    else:
        da = lw.Dynamics(mech).forward(q, v, tau) - less.forward(q, v, tau)
        f = less.mass_matrix(q) @ da  # the loops' own forces do no work along v
    size = np.abs(f) @ np.abs(v)
    assert getattr(power, gone) == pytest.approx(f @ v, rel=1e-9, abs=1e-10 * max(size, 1e-3))


def test_motors_do_their_force_times_their_rate():
    b = lw.Builder("driven", gravity=(0, 0, 0))
    for k, body in enumerate(("one", "two", "three")):
        b.rod(body, mass=1.0 + k, to=(1.0, 0, 0))
    b.revolute("a", "ground", "one", actuated=True)
    b.revolute("b", "one", "two", xyz=(1, 0, 0))
    b.revolute("d", "ground", "three", xyz=(1, 0, 0))
    b.revolute("c", "two", "three", xyz=(1, 0, 0), child_xyz=(1, 0, 0), actuated=True)
    mech = b.build(cuts=["c"])
    assert mech.actuators == ("a", "c")
    q = np.array([np.pi / 2, -np.pi / 2, np.pi / 2])
    dyn = lw.Dynamics(mech)
    J = dyn.closure_jacobian(q)
    v = np.linalg.svd(J)[2][rank(J) :][0]
    rates = dict(zip(mech.velocities, v, strict=True))
    across = rates["d"] - rates["a"] - rates["b"]  # of joint c: three turned against two
    power = dyn.power(q, v, [3.0, 5.0])
    assert power.actuators == pytest.approx(3.0 * rates["a"] + 5.0 * across, abs=1e-12)
    assert abs(across) > 0.1
    assert power.springs == power.dampers == power.friction == power.loads == 0.0


def test_compiled_powers_are_the_same():
    mech, q, v, tau = subject("loops", 2)
    dyn = lw.Dynamics(mech, compiled=False)
    p = dyn.power(q, v, tau, t=0.3)
    compiled = lw.Dynamics(mech, compiled=True).power(q, v, tau, t=0.3)
    for name in ("actuators", "springs", "dampers", "friction", "loads"):
        assert getattr(compiled, name) == pytest.approx(getattr(p, name), rel=1e-10, abs=1e-10)
