"""The semi-implicit Euler method: what one step is, energy kept within bounds, one question for every step."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.march import March
from loopwright.simulate.methods import method
from loopwright.simulate.problem import of_function


def swung(name, t_end, step, **options):
    start = lw.State.of(lw.zoo.pendulum(), {"pivot": -0.5})
    return lw.simulate(lw.zoo.pendulum(), start, t_end, method=name, step=step, progress=False, **options)


def test_a_step_takes_positions_along_the_new_velocities():
    run = swung("semi_implicit_euler", 0.03, 0.01, save=0.01)
    q, v = -0.5, 0.0
    for row in range(1, 4):
        # a bob on a massless bar, its angle measured from the horizontal
        v += 0.01 * -9.81 * np.cos(q)
        q += 0.01 * v
        assert run.q[row, 0] == pytest.approx(q, abs=1e-14)
        assert run.v[row, 0] == pytest.approx(v, abs=1e-14)
    assert run.counts.steps == 3
    assert run.counts.evaluations == 4


def test_any_flow_with_positions_first_will_do():
    march = March(of_function(lambda t, y: [2.0 * y[1], -y[0]], 2, 1), method("semi_implicit_euler"), 0.0, [1.0, 0.0])
    march.clock[3] = 0.1
    march.begin(0.1)
    march.to(0.1, 1)
    assert march.y.tolist() == [1.0 + 0.1 * 2.0 * -0.1, -0.1]


def test_the_energy_of_a_pendulum_stays_within_bounds_for_five_hundred_periods():
    step = 0.01
    runs = {name: swung(name, 1200.0, step, save=0.37) for name in ("semi_implicit_euler", "rk4")}
    energy = {name: lw.Dynamics(run.mechanism).energy(run.q, run.v) for name, run in runs.items()}
    found = energy["semi_implicit_euler"]
    away = np.abs(found.total - found.total[0]) / found.kinetic.max()
    # H + h/2 H_q H_v + O(h^2) is kept: with w = sqrt(g) the energy errs by some h w                 [Hairer2006, IX]
    assert 0.1 * step < away.max() < step * np.sqrt(9.81)
    # no more in the last tenth than in the first
    tenth = len(away) // 10
    assert away[-tenth:].max() < 1.01 * away[:tenth].max()
    trend = np.polyfit(runs["rk4"].t, found.total, 1)[0] * 1200.0 / found.kinetic.max()
    assert abs(trend) < 1e-3 * away.max()
    # Runge and Kutta lose energy all the time
    lost = energy["rk4"].total[0] - energy["rk4"].total
    assert lost[-1] > 9.0 * lost[len(lost) // 10] > 0.0


def test_where_masses_depend_on_the_position_the_energy_drifts_as_the_step():
    chain = lw.zoo.n_pendulum()
    drift = []
    for step in (4e-3, 2e-3, 1e-3):
        run = lw.simulate(
            chain, lw.zoo.start("n_pendulum"), 0.5, method="semi_implicit_euler", step=step, save=0.1, progress=False
        )
        energy = lw.Dynamics(chain).energy(run.q, run.v)
        drift.append(np.abs(energy.total - energy.total[0]).max())
    assert np.log2(drift[0] / drift[1]) == pytest.approx(1.0, abs=0.1)
    assert np.log2(drift[1] / drift[2]) == pytest.approx(1.0, abs=0.05)


def test_quaternions_turn_by_their_exponential():
    b = lw.Builder("top", gravity=(0, 0, 0))
    b.body("top", mass=1.0, inertia=(1.0, 1.0, 1.0))
    b.free("flight", "ground", "top")
    top = b.build()
    start = lw.State.of(top, None, v={"flight": (1.0, 2.0, 3.0, 0.0, 0.0, 7.0)})
    run = lw.simulate(top, start, 2.0, method="semi_implicit_euler", step=0.1, save=2.0, progress=False)
    # a ball that turns steadily, however long the steps are
    assert run.q[-1, 3:] == pytest.approx([0.0, 0.0, np.sin(7.0), np.cos(7.0)], abs=1e-14)


def test_loops_stay_closed():
    mechanism = lw.zoo.four_bar()
    for formulation in ("embedding", "multiplier"):
        run = lw.simulate(
            mechanism,
            lw.zoo.start("four_bar"),
            1.0,
            formulation=formulation,
            method="symplectic_euler",
            step=1e-3,
            progress=False,
        )
        assert run.finished
        assert np.abs(lw.Dynamics(mechanism).closure(run.q)).max() < 1e-14


def test_work_done_is_kept_account_of():
    run = swung("semi_implicit_euler", 5.0, 1e-3, tau=2.0, save=0.5)
    # a constant torque's work is torque times angle
    assert run.work["actuators"] == pytest.approx(2.0 * (run.q[:, 0] + 0.5), abs=5e-3)
    assert np.abs(run.work["actuators"]).max() > 1.0


def test_it_must_be_told_its_step_and_stops_in_words():
    with pytest.raises(lw.LoopwrightError, match="step="):
        lw.simulate(lw.zoo.pendulum(), None, 1.0, method="semi_implicit_euler")
    run = swung("semi_implicit_euler", 1.0, 0.01, tau=lambda t, q, v: np.nan if t > 0.5 else 0.0)
    assert "not numbers" in run.status
    assert 0.4 < run.t[-1] <= 0.51
