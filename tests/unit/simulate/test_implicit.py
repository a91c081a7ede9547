"""Implicit methods in runs: moments, events, limits, work, faults; loops and where their branches meet."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.methods import METHODS, method

IMPLICIT = [one for one in METHODS if one.implicit]
NAMES = [one.name for one in IMPLICIT]


def options(name, tolerance=1e-9):
    return {"step": 2e-4} if method(name).fixed else {"rtol": tolerance, "atol": tolerance}


def swung(name, t_end=2.0, **given):
    b = lw.Builder("swung", gravity=(0, -9.81, 0))
    b.rod("rod", 1.0, to=(1.0, 0, 0))
    b.revolute("pin", "ground", "rod", damping=0.2, stiffness=4.0, actuated=True, limits=(-4.0, 0.9))
    return lw.simulate(
        b.build(), lw.State.of(b.build(), {"pin": 0.5}), t_end, method=name, progress=False, **options(name), **given
    )


def crossing(t, q, v):
    return q[0] + 0.5


@pytest.mark.parametrize("name", NAMES)
def test_moments_and_events_are_those_of_an_explicit_method(name):
    given = {"save": [0.1234, 0.777, 1.9], "events": [lw.Event(crossing, "half")], "tau": 0.3}
    exact, run = (swung(one, **given) for one in ("dop853", name))
    allowed = 2e-6 if method(name).fixed else 1e-7
    assert np.abs(run.q - exact.q).max() < allowed
    assert np.abs(run.v - exact.v).max() < 10 * allowed
    assert [one.name for one in run.events] == [one.name for one in exact.events] != []
    for one, other in zip(run.events, exact.events, strict=True):
        assert abs(one.t - other.t) < allowed
    for kind, done in exact.work.items():
        assert np.abs(run.work[kind] - done).max() < 10 * allowed
    assert run.counts.slopes >= run.counts.steps > 0
    assert exact.counts.slopes == 0


@pytest.mark.parametrize("name", NAMES)
def test_they_end_and_bounce_where_others_do(name):
    exact, run = (
        swung(one, limits="bounce", events=[lw.Event(crossing, terminal=True)], tau=-12.0, save=0.05)
        for one in ("dop853", name)
    )
    assert run.status.partition(":")[2] == exact.status.partition(":")[2]
    assert abs(run.t[-1] - exact.t[-1]) < 2e-6
    stopped = swung(name, limits="stop", tau=30.0)
    assert "upper limit" in stopped.status
    assert stopped["pin"][-1] == pytest.approx(0.9, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_forces_that_jump_are_seen_from_one_side(name):
    b = lw.Builder("cart")
    b.body("cart", 2.0)
    b.prismatic("rail", "ground", "cart", axis=(1, 0, 0), actuated=True)
    T, F = np.array([0.0, 0.3, 0.4, 0.75, 1.0]), np.array([1.0, -4.0, 9.0, 0.5, -2.0])
    given = {"step": 0.05} if method(name).fixed else {}
    run = lw.simulate(
        b.build(), None, 1.0, method=name, tau=lw.Samples(T, F, "previous"), save=0.05, progress=False, **given
    )
    # between jumps velocities are straight lines, which every method follows; also no difference by time looks across
    v = np.concatenate([[0.0], np.cumsum(F[:-1] * np.diff(T) / 2.0)])
    np.testing.assert_allclose(run.v[:, 0], np.interp(run.t, T, v), atol=1e-12)
    assert run.counts.rejected == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_torque_that_is_not_a_number_ends_the_run(name):
    run = swung(name, tau=lambda t, q, v: np.nan if t > 0.5 else 0.0)
    assert "not numbers" in run.status
    assert 0.4 < run.t[-1] <= 0.5
    run = swung(name, tau=lambda t, q, v: np.nan if q[0] < 0.0 else 0.0)
    assert "not numbers" in run.status


@pytest.mark.parametrize("name", NAMES)
def test_a_law_that_fails_when_it_is_differenced_ends_the_run(name):
    asked = []

    def law(t, q, v):
        asked.append(t)
        if len(asked) > 200:
            raise ValueError("no more")
        return 0.0

    run = swung(name, tau=law)
    assert "ValueError: no more" in run.status


def test_laws_of_the_state_are_differenced():
    # a spring of 1e6 N m/rad and its damper, as a law: no explicit method goes so far in so few steps
    run = swung("rodas5p", 1.0, tau=lambda t, q, v: -1e6 * (q - 0.5) - 2e4 * v)
    assert run.finished
    assert run.counts.evaluations < 1000
    assert np.abs(run["pin"] - 0.5).max() < 1e-4


@pytest.mark.parametrize("name", ["generalised_alpha", "generalised_alpha(0.3)"])
def test_fixed_steps_must_be_said(name):
    with pytest.raises(lw.LoopwrightError, match="step="):
        lw.simulate(lw.zoo.pendulum(), None, 1.0, method=name)


@pytest.mark.parametrize(
    "name, said", [("generalised_alpha(1.5)", "0 .* to 1"), ("generalised_alpha(1e)", "no number"), ("rodas", "rodas4")]
)
def test_methods_that_are_none_are_refused_in_words(name, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        lw.simulate(lw.zoo.pendulum(), None, 1.0, method=name, step=0.01)


@pytest.mark.parametrize("stabilise", ["baumgarte", None])
def test_loops_are_closed_in_every_state_or_not_at_all(stabilise):
    m = lw.zoo.four_bar()
    start = lw.State.of(m, lw.zoo.start("four_bar"))
    with pytest.raises(lw.LoopwrightError, match="implicit"):
        lw.simulate(m, start, 0.1, method="rodas4", stabilise=stabilise)


def test_a_step_too_long_for_its_equations_says_so():
    m = lw.zoo.four_bar()
    start = lw.assemble(m, {"crank_joint": 0.5}, v={"crank_joint": 30.0})[0]
    run = lw.simulate(m, start, 5.0, method="generalised_alpha", step=0.2, progress=False)
    assert not run.finished
    assert "shorter" in run.status or "too long" in run.status


@pytest.mark.parametrize("name", ["rodas4", "rodas5p"])
@pytest.mark.parametrize("formulation", ["embedding", "system"])
def test_branches_that_meet_are_passed(name, formulation):
    # as in tests/laws/test_runs.py: [Gonzalez2006] A02, the first top at 10 s
    m = lw.zoo.n_four_bar()
    start = lw.State.of(m, lw.zoo.start("n_four_bar"), v=lw.zoo.rates("n_four_bar"))
    run = lw.simulate(
        m, start, 10.0, method=name, formulation=formulation, rtol=1e-9, atol=1e-10, save=1.0, progress=False
    )
    assert run.finished, run.status
    angle = run["pivot_0"][-1]
    assert abs(-np.sin(angle) - 0.328458111537) < 1e-4
    assert abs(np.cos(angle) - 0.944518538180) < 1e-4
    assert np.abs(run.measured.gap).max() < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_a_mechanism_that_cannot_move_stands_still(name):
    b = lw.Builder("frame")
    b.body("box", 1.0, inertia=(1, 1, 1))
    b.weld("foot", "ground", "box")
    run = lw.simulate(b.build(), None, 1.0, method=name, progress=False, **options(name))
    assert run.finished
