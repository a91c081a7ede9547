"""Virtual springs at the cuts: against the equations of their paper, and on their way to closed loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import rank
from loopwright.simulate.springs import gaps
from loopwright.spatial import to_quaternion
from loopwright.testing import random_loops
from loopwright.topology import lean
from loopwright.verbs.closed import loaded
from tests.mechanisms import FULL, close

SEEDS = range(20 if FULL else 2)


def at_start(name, **keywords):
    mechanism, start = lw.zoo.MECHANISMS[name](**keywords), lw.zoo.start(name)
    return mechanism, np.array([start[c] for c in mechanism.coordinates])


SUBJECTS = {name.__name__: at_start(name.__name__) for name in lw.zoo.CLOSED} | {
    f"{'planar' if planar else 'spatial'} {seed}": random_loops(seed, planar=planar)
    for planar in (True, False)
    for seed in SEEDS
}


def test_the_rigid_four_bar_of_the_paper():
    """(13) to (19), and (40) for the damper, in the paper's absolute angles, with the loop open and moving."""
    l1, l2, l3, m, g, k, b = 1.0, 4.0, 2.5, 1.0, 9.8, 300.0, 7.0
    mechanism = lw.zoo.wang_four_bar()
    dyn = lw.Dynamics(mechanism, formulation="springs", stiffness=k, damping=b)
    rng = np.random.default_rng(0)
    for _ in range(5):
        th, al, ph = rng.uniform(-2.0, 2.0, 3)
        rates, tau = rng.normal(size=3), rng.normal()
        r1, r2, r3 = l1 / 2, l2 / 2, l3 / 2
        I1, I2, I3 = (m * length**2 / 12 for length in (l1, l2, l3))
        gap = np.array(
            [
                l1 * math.cos(th) + l2 * math.cos(al) - l3 * math.cos(ph) - 3.0,
                l1 * math.sin(th) + l2 * math.sin(al) - l3 * math.sin(ph),
            ]
        )
        slope = np.array(
            [
                [-l1 * math.sin(th), -l2 * math.sin(al), l3 * math.sin(ph)],
                [l1 * math.cos(th), l2 * math.cos(al), -l3 * math.cos(ph)],
            ]
        )
        M = np.array(
            [
                [I1 + m * r1**2 + m * l1**2, m * l1 * r2 * math.cos(th - al), 0],
                [m * l1 * r2 * math.cos(th - al), I2 + m * r2**2, 0],
                [0, 0, I3 + m * r3**2],
            ]
        )
        c = np.array(
            [
                m * l1 * r2 * math.sin(th - al) * rates[1] ** 2 + (m * g * r1 + m * g * l1) * math.cos(th),
                -m * l1 * r2 * math.sin(th - al) * rates[0] ** 2 + m * g * r2 * math.cos(al),
                m * g * r3 * math.cos(ph),
            ]
        )
        expected = np.linalg.solve(M, [tau, 0, 0] - slope.T @ (k * gap + b * slope @ rates) - c)
        # ours: crank_joint th, crank_pin al - th, rocker_joint ph
        q, v = (np.array([x[0], x[1] - x[0], x[2]]) for x in ((th, al, ph), rates))
        a = dyn.forward(q, v, [tau])
        close([a[0], a[0] + a[1], a[2]], expected, 1e-12)


def opened(dyn, q, multipliers, k):
    """The position near q at which the gap is that of springs under these forces, as far as the rows can open it."""
    U, S, Vt = np.linalg.svd(dyn.closure_jacobian(q), full_matrices=False)
    r = rank(dyn.closure_jacobian(q))
    wanted = -U[:, :r].T @ multipliers / k
    for _ in range(30):
        left = wanted - U[:, :r].T @ dyn.closure(q)
        q = dyn.mechanism.integrate(q, Vt[:r].T @ (left / S[:r]))
    assert np.abs(left).max() < 1e-3 * np.abs(wanted).max()
    return q


@pytest.mark.parametrize("name", SUBJECTS)
def test_accelerations_go_to_those_of_closed_loops_as_one_over_k(name):
    """Where the gap is lambda / k, the springs push as the joints do; what is left comes of the gap itself."""
    mechanism, q = SUBJECTS[name]
    exact = lw.Dynamics(mechanism, formulation="system", compiled=False)
    rng = np.random.default_rng(1)
    J = exact.closure_jacobian(q)
    N = np.linalg.svd(J)[2][rank(J) :].T
    v, tau = N @ rng.normal(size=N.shape[1]), rng.normal(size=mechanism.nu)
    found = exact.forward(q, v, tau, details=True)
    # gaps of a hundredth of a millimetre and less: the square of larger ones is felt, and rounding of smaller ones;
    # where rows nearly depend on each other, as in "planar 16", motions are greater than gaps and these must be less
    sizes = np.linalg.svd(J, compute_uv=False)
    clear = sizes[rank(J) - 1] / sizes[0]
    stiff = np.linalg.norm(found.multipliers) * 1e5 * max(1.0, (2e-3 / clear) ** 2)
    errors = []
    for k in (stiff, 10 * stiff):
        dyn = lw.Dynamics(mechanism, formulation="springs", compiled=False, stiffness=k)
        dyn.loops = exact.loops
        apart = opened(dyn, q, found.multipliers, k)
        errors.append(np.abs(dyn.forward(apart, v, tau) - found.a).max() / np.abs(found.a).max())
    assert errors[1] < 1e-2
    # -1, but for terms in 1 / k^2
    assert np.log10(errors[1] / errors[0]) == pytest.approx(-1.0, abs=0.05), errors


def test_figure_6_of_the_paper():
    """From its start the error falls as 1/k, and loops swing open twice as far as the springs would rest."""
    mechanism, q = at_start("wang_four_bar")
    free = lw.spring_sweep(mechanism, (q, np.zeros(3)), stiffness=np.logspace(3, 6, 7), tau=[6.0])
    assert free.slope == pytest.approx(-1.0, abs=0.01)
    assert free.greatest[-1] / free.rest[-1] == pytest.approx(2.0, abs=0.01)
    assert free.greatest[-1] == pytest.approx(1.61e-5, rel=0.01)
    # with dampers the swinging dies, and at .1 s the springs rest under what the closed loop carries then
    _, damping = lw.suggest_springs(mechanism)
    damped = lw.spring_sweep(mechanism, (q, np.zeros(3)), stiffness=[1e5, 1e6], damping=damping, tau=[6.0])
    assert damped.end[0] / damped.end[1] == pytest.approx(10.0, rel=0.02)
    assert 10**-5.6 < damped.end[1] < 10**-5.0


def test_the_stewart_platform_of_the_paper():
    """Springs of 5e4, dampers of 50, six balls apart: the loops stay closed to about 1e-4 m."""
    plain, q = at_start("stewart")
    X = lw.Dynamics(plain).pose("platform", q)
    mechanism, start = lw.zoo.stewart(floating=True), lw.zoo.start("stewart")
    place = dict(zip([c for c in mechanism.coordinates if "platform" in c], [*X.p, *to_quaternion(X.R)], strict=True))
    q = np.array([(start | place)[c] for c in mechanism.coordinates])

    def push(t, q, v):
        return np.full(6, 9.0 * math.sin(math.pi * t))

    state = (q, np.zeros(mechanism.nv))
    found = lw.spring_sweep(mechanism, state, [5e4], t=1.0, damping=50.0, tau=push)
    # eighteen rows together
    assert found.end[0] < 4e-4
    assert found.greatest[0] < 2e-3


def test_subsystems_do_not_feel_each_others_masses():
    """Block by block: what the rocker weighs does not change how crank and coupler accelerate."""
    light, heavy = (lw.zoo.four_bar(masses=(1.5, 5.0, m)) for m in (3.0, 30.0))
    _, q = at_start("four_bar")
    a, b = (
        lw.Dynamics(m, formulation="springs", stiffness=1e4).forward(q + 0.01, [1, 2, 3], [0.5]) for m in (light, heavy)
    )
    close(a[:2], b[:2], 1e-13)
    assert abs(a[2] - b[2]) > 1.0


@pytest.mark.parametrize("name", ["three_rrr", "rsur"])
def test_springs_are_compiled_like_the_others(name):
    mechanism, q = SUBJECTS[name]
    dyn = lw.Dynamics(mechanism, formulation="springs", compiled=False, stiffness=(2e4, 3e3), damping=(40.0, 5.0))
    native = lw.Dynamics(mechanism, formulation="springs", compiled=True, stiffness=(2e4, 3e3), damping=(40.0, 5.0))
    rng = np.random.default_rng(0)
    moved = np.stack([mechanism.integrate(q, rng.normal(size=mechanism.nv) * 0.01) for _ in range(3)])
    v, tau = rng.normal(size=(3, mechanism.nv)), rng.normal(size=mechanism.nu)
    close(native.forward(moved, v, tau), dyn.forward(moved, v, tau), 1e-10)
    close(native.forward(moved[0], v[0], tau), dyn.forward(moved[0], v[0], tau), 1e-10)
    # other springs, another program
    stiffer = lw.Dynamics(mechanism, formulation="springs", compiled=True, stiffness=(4e4, 3e3), damping=(40.0, 5.0))
    assert np.abs(stiffer.forward(moved, v, tau) - native.forward(moved, v, tau)).max() > 1.0


def test_axes_that_cost_less_change_nothing():
    mechanism, q = SUBJECTS["rsur"]
    dyn = lw.Dynamics(mechanism, formulation="springs", compiled=False, stiffness=1e4, damping=3.0)
    q, v = mechanism.integrate(q, np.full(mechanism.nv, 0.02)), np.arange(mechanism.nv) + 1.0
    tau = np.ones(mechanism.nu)
    plain, leaner = (
        dyn.formulation.forward_dynamics(loaded(laid_out, dyn.loops, q, v, tau, 0.0)).a
        for laid_out in (dyn.topology.forest, lean(dyn.topology.forest))
    )
    close(plain, leaner, 1e-11)


@pytest.mark.parametrize("name", ["wang_four_bar", "three_rrr", "stewart", "rsur"])
def test_suggested_springs_keep_their_promise(name):
    """Let go from rest, the loops open by no more than the error, and not by a thousandth of it; gaps do not ring."""
    mechanism, q = SUBJECTS[name]
    error = 1e-3
    k, b = lw.suggest_springs(mechanism, error)
    found = gaps(mechanism, lw.State.of(mechanism, (q, np.zeros(mechanism.nv))), k, 0.05, b).max()
    assert 1e-3 * error < found < error
    # sqrt(k s) and (b / 2) sqrt(s / k): about one for all directions of the gap that can move
    dyn = lw.Dynamics(mechanism, formulation="springs", stiffness=k, damping=b)
    S, first = dyn.closure_jacobian(q) @ np.linalg.solve(dyn.mass_matrix(q), dyn.closure_jacobian(q).T), 0
    for cut in dyn.topology.forest.cuts:
        slides = first + np.flatnonzero(cut.kind.rows_are_slides)
        first += cut.rows
        s = np.linalg.eigvalsh(S[np.ix_(slides, slides)])
        s = s[s > 1e-9 * s.max()]
        ratios = b[cut.joint][0] / 2 * np.sqrt(s / k[cut.joint][0])
        assert np.sqrt(ratios.min() * ratios.max()) == pytest.approx(1.0, abs=0.5)


def test_a_force_said_beforehand_sets_the_stiffness():
    mechanism = lw.zoo.wang_four_bar()
    weak, strong = (lw.suggest_springs(mechanism, 1e-4, force=force) for force in (10.0, 40.0))
    assert weak.stiffness["rocker_pin"][0] == pytest.approx(2 * 10.0 / 1e-4)
    assert strong.damping["rocker_pin"][0] == pytest.approx(2 * weak.damping["rocker_pin"][0])
    weightless = lw.zoo.slider_crank()  # no gravity: its weight on earth
    total = sum(body.mass for body in weightless.bodies)
    assert lw.suggest_springs(weightless, 1e-3).stiffness["wrist_pin"][0] == pytest.approx(2 * 9.81 * total / 1e-3)


def test_without_springs_said_those_suggested_are_taken():
    mechanism, q = SUBJECTS["four_bar"]
    k, b = lw.suggest_springs(mechanism)
    q, v = q + 1e-4, np.array([0.1, 0.2, 0.3])
    usual = lw.Dynamics(mechanism, formulation="springs").forward(q, v)
    close(usual, lw.Dynamics(mechanism, formulation="springs", stiffness=k, damping=b).forward(q, v), 1e-14)


def test_what_springs_cannot_be():
    mechanism = lw.zoo.four_bar()
    for given, said in (
        ({"stiffness": -1.0}, "stiffness must be positive"),
        ({"stiffness": 1e4, "damping": -1.0}, "damping must be zero or more"),
        ({"stiffness": {"rocker_pn": 1.0}}, "no cut joint 'rocker_pn'"),
        ({"stiffness": "stiff"}, "stiffness is a number, a pair of numbers"),
        ({"stiffness": (1.0, 2.0, 3.0)}, "stiffness is a number, a pair of numbers"),
    ):
        with pytest.raises(lw.LoopwrightError, match=said):
            lw.Dynamics(mechanism, formulation="springs", **given)
    with pytest.raises(lw.LoopwrightError, match="those of formulation='springs'"):
        lw.Dynamics(mechanism, formulation="system", stiffness=1e4)
    with pytest.raises(lw.LoopwrightError, match="but not for 'ball_3'"):
        lw.Dynamics(lw.zoo.stewart(), formulation="springs", stiffness={"ball_2": 1e4})
    with pytest.raises(lw.LoopwrightError, match="has no loops"):
        lw.suggest_springs(lw.zoo.pendulum())
    with pytest.raises(lw.LoopwrightError, match="error must be a positive number"):
        lw.suggest_springs(mechanism, error=0.0)


def test_slopes_of_springs_let_all_coordinates_vary():
    """Against central differences at an open position, with loads on passive joints, links and the cut."""
    b = lw.Builder("sprung", gravity=(0, -9.81, 0))
    reach = b.parameter("reach", 0.7)
    for leg, x in ((1, 0.0), (2, 1.2)):
        b.rod(f"upper_{leg}", 2.0, to=(reach, 0, 0))
        b.rod(f"lower_{leg}", 1.0, to=(1.0, 0, 0))
        b.revolute(f"shoulder_{leg}", "ground", f"upper_{leg}", xyz=(x, 0, 0), actuated=True)
        b.revolute(f"elbow_{leg}", f"upper_{leg}", f"lower_{leg}", xyz=(reach, 0, 0), damping=0.4, stiffness=2.0)
    b.revolute("tip", "lower_1", "lower_2", xyz=(1, 0, 0), child_xyz=(1, 0, 0), stiffness=3.0, damping=0.2)
    b.spring("spring", "ground", "lower_1", (0.5, 1, 0), (0.3, 0, 0), stiffness=40.0, damping=1.0, length=0.2)
    mechanism = b.build()

    def made(mechanism):
        return lw.Dynamics(mechanism, formulation="springs", stiffness=(1e3, 50.0), damping=(9.0, 2.0), compiled=False)

    dyn = made(mechanism)
    q, v, tau = dyn.loops.positions[0] + 0.05, np.array([0.3, -0.4, 0.5, 0.6]), np.array([1.0, 2.0])
    found = dyn.forward_derivatives(q, v, tau, parameters=["reach"])
    h = 1e-5

    def slope(of):
        return np.stack([(of(h * e) - of(-h * e)) / (2 * h) for e in np.eye(4)], axis=1)

    size = np.abs(found.by_position).max()
    close(found.by_position, slope(lambda s: dyn.forward(mechanism.integrate(q, s), v, tau)), 1e-8, scale=size)
    close(found.by_velocity, slope(lambda s: dyn.forward(q, v + s, tau)), 1e-8, scale=size)
    close(found.by_force, slope(lambda s: dyn.forward(q, v, tau + s[:2]))[:, :2], 1e-8)
    longer, shorter = (made(mechanism.with_parameters(reach=0.7 + s)).forward(q, v, tau) for s in (h, -h))
    close(found.by_parameter[:, 0], (longer - shorter) / (2 * h), 1e-8)
    linear = dyn.linearize(q, v, tau)
    close(linear.A[4:], np.concatenate([found.by_position, found.by_velocity], axis=1), 1e-14)
    close(linear.A[:4], np.concatenate([np.zeros((4, 4)), np.eye(4)], axis=1), 1e-14)
