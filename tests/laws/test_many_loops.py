"""Very many loops, right at any number, in time that grows with their number; and loops that have several branches."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import rank
from loopwright.zoo.scissor_lift import start as start_of_lift
from tests.laws.test_singular_positions import fall, parallel
from tests.mechanisms import FULL, close

CELLS = (60, 1000) if FULL else (60,)


def lifted(n, angle=np.pi / 6, speed=0.3):
    """The lift closed at an angle of its bars that changes at this speed, by differences of its closed starts."""
    mechanism, h = lw.zoo.scissor_lift(n), 1e-6
    at, ahead, behind = (
        np.array([start[name] for name in mechanism.coordinates])
        for start in (start_of_lift(n, angle), start_of_lift(n, angle + h), start_of_lift(n, angle - h))
    )
    return mechanism, at, (ahead - behind) / (2 * h) * speed


def lifting(n, angle, speed, force):
    """Acceleration of the angle under the force on the base slide, by Lagrange: one freedom, all poses in closed form.

    Bars of length 1 and 4 kg, crossing in their middles at heights (k - 1/2) sin; sliders of .4 kg at x = cos;
    the deck of 50 kg at n sin, level, its slider beside it. T = M th'^2 / 2, Q = -force sin - dV.
    """
    s, c, g = np.sin(angle), np.cos(angle), 9.81
    bar, slider, deck = 4.0, 0.4, 50.0
    bars = [2 * bar * ((k - 0.5) ** 2 * c * c) for k in range(1, n + 1)]
    middle = 2 * n * bar * 0.25 * s * s  # all crossings stand at x = cos / 2
    turning = 2 * n * bar / 12.0
    sliders = 2 * slider * s * s + slider * (n * c) ** 2
    M = sum(bars) + middle + turning + sliders + deck * (n * c) ** 2
    # dM / d angle
    dbars = sum(2 * bar * (k - 0.5) ** 2 * -2 * c * s for k in range(1, n + 1))
    dM = dbars + 2 * n * bar * 0.5 * s * c + 4 * slider * s * c - 2 * (slider + deck) * n * n * c * s
    dV = g * (sum(2 * bar * (k - 0.5) * c for k in range(1, n + 1)) + (slider + deck) * n * c)
    return (-force * s - dV - 0.5 * dM * speed**2) / M


@pytest.mark.parametrize("n", CELLS)
def test_a_row_of_four_bars_falls_as_one(n):
    mechanism = lw.zoo.n_four_bar(n)
    dyn = lw.Dynamics(mechanism)
    # first by NumPy, then compiled: a program of so many operations is folded into loops
    for forward in (dyn.forward, dyn.kernel("forward")):
        for angle, rate in ((0.3, 1.0), (-1.2, 0.4)):
            q, v = parallel(mechanism, angle, rate)
            expected = parallel(mechanism, 0.0, fall(n, angle))[1]
            close(forward(q, v, np.zeros(mechanism.nu)), expected, 1e-9)
    assert dyn.count("forward").total < (125 if n < 100 else 135) * n  # next to the same for every cell


@pytest.mark.parametrize("n", (3, 20, *CELLS))
def test_a_lift_of_many_stages_rises_as_lagrange_says(n):
    """From twenty stages on most searches end with all bars folded onto each other, which is another mechanism."""
    mechanism, q, v = lifted(n)
    dyn = lw.Dynamics(mechanism)
    weight = 9.81 * (2 * n * 4.0 + 50.8)
    expected = lifting(n, np.pi / 6, 0.3, -weight)
    for forward in (dyn.forward, dyn.kernel("forward")) if n > 3 else (dyn.forward,):
        a = forward(q, v, [-weight])
        turned = a[mechanism.velocities.index("foot")]
        close(turned, expected, 1e-8, scale=max(abs(expected), 9.81))
    assert n < 60 or dyn.count("forward").total < (610 if n < 100 else 620) * n
    if n < 100:
        J = dyn.closure_jacobian(q)
        assert rank(J) == 2 * (n + 1) == len(dyn.loops.structure(dyn.topology.forest).rows)


NUMBERS = range(1, 41) if FULL else (1, 6, 10, 13)


def unmarked(dyn, positions):
    """Which positions are trusted, at rest and without forces, by the program that kernels are made of."""
    program, nothing = dyn.casadi("forward"), np.zeros(dyn.mechanism.nv)
    found = [program(q, nothing, np.zeros(dyn.mechanism.nu)) for q in positions]
    return np.array([np.isfinite(np.asarray(a)).all() for a in found])


@pytest.mark.parametrize("n", NUMBERS)
def test_pivots_hold_all_along_the_way_of_a_lift(n):
    """They were chosen for stages folded in odd ways once, where the search for closed positions had ended."""
    dyn = lw.Dynamics(lw.zoo.scissor_lift(n), formulation="sparse")
    way = [start_of_lift(n, angle) for angle in np.linspace(0.1, 1.5, 29)]
    assert unmarked(dyn, [[start[name] for name in dyn.mechanism.coordinates] for start in way]).all()
    # upright, with all bars on each other
    upright = np.array([start_of_lift(n, np.pi / 2)[name] for name in dyn.mechanism.coordinates])
    assert rank(dyn.closure_jacobian(upright)) < 2 * (n + 1)
    assert not unmarked(dyn, [upright]).any()


@pytest.mark.parametrize("n", NUMBERS)
def test_pivots_hold_all_along_the_way_of_a_row_of_four_bars(n):
    mechanism = lw.zoo.n_four_bar(n)
    dyn = lw.Dynamics(mechanism, formulation="sparse")
    angles = np.concatenate([np.linspace(-1.5, 1.5, 31), np.linspace(np.pi - 1.5, np.pi + 1.5, 31)])
    assert unmarked(dyn, [parallel(mechanism, angle, 0.0)[0] for angle in angles]).all()
    flat = [parallel(mechanism, angle, 0.0)[0] for angle in (-np.pi / 2, np.pi / 2)]
    assert not unmarked(dyn, flat).any()


def test_where_branches_have_other_rows_those_at_hand_are_computed_with():
    """Two arms on one pivot, joined by a bar and by a tie that lies along it: a rigid triangle that turns.

    Of what the tie holds a part repeats the bar, and which part changes as the triangle turns.
    """
    b = lw.Builder("triangle", gravity=(0, -9.81, 0))
    for name in ("a", "b", "c"):
        b.rod(name, 1.0, to=(1.0, 0, 0))
    b.rod("tie", 1.0, to=(0.5, 0, 0))
    b.revolute("a_joint", "ground", "a")
    b.revolute("b_joint", "ground", "b")
    b.revolute("tie_a", "a", "tie", xyz=(0.5, 0, 0))
    b.revolute("tie_b", "tie", "b", xyz=(0.5, 0, 0), child_xyz=(0.5, 0, 0))
    b.revolute("c_b", "b", "c", xyz=(1, 0, 0))
    b.revolute("c_a", "a", "c", xyz=(1, 0, 0), child_xyz=(1, 0, 0))
    mechanism = b.build()
    for state in lw.assemble(mechanism):
        # bars of 1 kg about the pivot: I th'' = moment of their weights
        first, other = (direction(state[name]) for name in ("a_joint", "b_joint"))
        assert abs(first @ other - 0.5) < 1e-9
        centres = [0.5 * first, 0.5 * other, 0.5 * (first + other), 0.25 * (first + other)]
        inertia = sum(p @ p + length**2 / 12.0 for p, length in zip(centres, (1.0, 1.0, 1.0, 0.5), strict=True))
        expected = -9.81 * sum(p[0] for p in centres) / inertia
        for dyn in (lw.Dynamics(mechanism), lw.Dynamics(mechanism, near=state)):
            a = dyn.forward(state.q, state.v)
            assert a[mechanism.velocities.index("a_joint")] == pytest.approx(expected, rel=1e-9)
        # these coordinates and rows serve here, where the usual ones fail
        assert not lw.Dynamics(mechanism).loops.fits(state.q)
        assert dyn.linearize(state.q, state.v, np.zeros(mechanism.nu)).A.shape == (2, 2)
        run = lw.simulate(mechanism, state, 0.3, progress=False)
        assert run.finished
        assert run.audit.drift_relative < 1e-9


def direction(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def three_cranks():
    """A coupler on three parallel cranks of one length, whose pivots are not in line."""
    b = lw.Builder("three_cranks", gravity=(0, -9.81, 0))
    b.body("coupler", 3.0, com=(1, 0.3, 0), inertia=(0.2, 0.2, 0.3))
    for k, (x, y) in enumerate(((0, 0), (1, 0.6), (2, 0))):
        b.rod(f"crank_{k}", 1.0, to=(0.5, 0, 0))
        b.revolute(f"pivot_{k}", "ground", f"crank_{k}", xyz=(x, y, 0), actuated=k == 0)
        b.revolute(f"pin_{k}", f"crank_{k}", "coupler", xyz=(0.5, 0, 0), child_xyz=(x, y, 0))
    return b.build()


def test_parallel_cranks_move_though_put_together_askew_they_would_not():
    mechanism = three_cranks()
    dyn = lw.Dynamics(mechanism)
    assert dyn.independent == ("pivot_0",)
    assert lw.report(mechanism).data["freedoms"]["mobility"] == 1
    (state, *_) = lw.assemble(mechanism, {"pivot_0": 0.3}, v={"pivot_0": 9.0})
    # 3 (1/3 + ...) cranks about their pivots, the coupler along a circle of half a metre
    inertia, moment = 3 * 0.25 / 3.0 + 3.0 * 0.25, 9.81 * (3 * 0.25 + 3.0 * 0.5)
    found = dyn.forward(state.q, state.v, [2.0], details=True)
    assert not found.singular
    assert found.a[mechanism.velocities.index("pivot_0")] == pytest.approx(
        (2.0 - moment * np.cos(0.3)) / inertia, rel=1e-9
    )
    run = lw.simulate(mechanism, state, 2.0, progress=False)
    assert run.finished
    assert np.ptp(run.q[:, 0]) > 2 * np.pi  # all the way round
    assert run.audit.drift_relative < 1e-9
