"""The method of Adams, Bashforth and Moulton: exact where its orders promise, few questions, events, any moment."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.loops import places as at
from loopwright.simulate.march import March
from loopwright.simulate.methods import method
from loopwright.simulate.methods.adams import HIGHEST, abm
from loopwright.simulate.problem import of_function

G = 9.81


def wrong(highest, degree):
    """What single steps of the highest order get wrong when dy/dt = 1 + 2 t + 3 t^2 + ..., and their lengths.

    The start is left out: while every step is twice as long as the one before, differences of high order are
    mostly rounding.
    """
    powers = np.arange(1, degree + 2)

    def exact(t):
        return (t**powers).sum()

    march = March(
        of_function(lambda t, y: [(powers * t ** (powers - 1)).sum()], 1), abm(highest), 0.0, [0.0], 1e-7, 1e-7
    )
    march.begin(4.0)
    found, lengths = [], set()
    while march.t < 4.0:
        t, y, k = march.t, march.y[0], march.tally[at.ORDER]
        march.to(4.0, 1)
        if k == highest and t > 0.5:
            found.append(abs(march.y[0] - y - (exact(march.t) - exact(t))) / exact(march.t))
            lengths.add(march.t - t)
    return np.array(found), lengths


@pytest.mark.parametrize("highest", range(1, HIGHEST + 1))
def test_steps_of_order_k_of_any_length_are_exact_for_rates_of_degree_k_and_no_more(highest):
    found, lengths = wrong(highest, highest)
    assert len(found) > 10
    assert len(lengths) > 1
    assert found.max() < 1e-14
    assert wrong(highest, highest + 1)[0].max() > 100.0 * found.max()


def pendulum(name, **options):
    start = lw.zoo.start("pendulum")
    return lw.simulate(lw.zoo.pendulum(), start, 10.0, method=name, progress=False, **options)


def test_it_asks_less_than_the_others_for_many_digits():
    tight = pendulum("dop853", rtol=1e-13, atol=1e-15)
    runs = {name: pendulum(name, rtol=1e-11, atol=1e-11) for name in ("dopri5", "dop853", "abm")}
    for run in runs.values():
        assert np.abs(run.q - tight.q).max() < 2e-9
    asked = {name: run.counts.evaluations for name, run in runs.items()}
    assert 2 * asked["abm"] < asked["dop853"]
    assert 4 * asked["abm"] < asked["dopri5"]
    # two for every step, but for those that were too long
    counts = runs["abm"].counts
    assert 2 * counts.steps <= asked["abm"] <= 2 * (counts.steps + counts.rejected) + 2


def tumbling():
    b = lw.Builder("stone", gravity=(0, 0, 0))
    b.body("stone", mass=1.0, inertia=(1.0, 2.0, 3.0))
    b.free("flight", "ground", "stone")
    stone = b.build()
    return stone, lw.State.of(stone, None, v={"flight": (0.1, 0.2, 0.3, 0.01, 4.0, 0.02)})


def ready(name):
    return lw.zoo.MECHANISMS[name](), lw.zoo.start(name)


@pytest.mark.parametrize("made", [lambda: ready("four_bar"), lambda: ready("n_pendulum"), tumbling])
def test_it_agrees_with_runge_kutta_at_any_moment(made):
    mechanism, start = made()
    moments = np.sqrt(np.linspace(0.0, 1.0, 333)) * 3.0
    options = {"save": moments, "progress": False}
    exact = lw.simulate(mechanism, start, 3.0, method="dop853", rtol=1e-13, atol=1e-14, **options)
    found = {
        name: lw.simulate(mechanism, start, 3.0, method=name, rtol=1e-10, atol=1e-10, **options)
        for name in ("abm", "dopri5")
    }
    assert found["abm"].finished
    # how far the tolerance lets this motion go astray, Runge and Kutta say
    for part in ("q", "v"):
        far = {name: np.abs(getattr(run, part) - getattr(exact, part)).max() for name, run in found.items()}
        assert far["abm"] < 10.0 * far["dopri5"] < 1e-4


def test_within_a_step_the_motion_and_its_rates_go_on_without_a_jump():
    ends = pendulum("abm", rtol=1e-4, atol=1e-4, save=None, max_steps=60)
    t = ends.t[-1]
    # the state at the end of the 60th step, from that step and from the next
    near = pendulum("abm", rtol=1e-4, atol=1e-4, save=t + 1e-6 * np.arange(-3, 4))
    slopes = np.diff(near.q[:, 0]) / 1e-6
    assert near.q[3, 0] == pytest.approx(ends.q[-1, 0], abs=1e-14)
    assert np.abs(slopes - near.v[:-1, 0]).max() < 1e-4
    # a jump of the rates would stand out of what the acceleration, here 8, makes of 1e-6 s
    assert np.abs(np.diff(slopes) - 8e-6).max() < 2e-7


def dropped(bounds=(0.0, 10.0), **options):
    """A mass on a vertical slide, let go 1 m above its lower limit."""
    b = lw.Builder("drop")
    b.body("mass", mass=2.0)
    b.prismatic("slide", "ground", "mass", limits=bounds)
    return lw.simulate(b.build(), {"slide": 1.0}, progress=False, method="abm", **options)


def test_an_event_ends_it_where_it_is():
    def speed(t, q, v):
        return v[0] + 3.0

    ended = dropped(bounds=(-100.0, 100.0), t_end=1.0, events=[lw.Event(speed, "three", -1, terminal=True)])
    assert "event 'three'" in ended.status
    assert abs(ended.t[-1] - 3.0 / G) < 1e-11
    assert abs(ended.v[-1, 0] + 3.0) < 1e-11


def test_it_begins_anew_after_a_bounce():
    fall = np.sqrt(2.0 / G)
    run = dropped(t_end=1.0, limits="bounce", restitution=0.5)
    assert run.finished
    assert abs(run.events[0].t - fall) < 1e-11
    assert abs(run.events[1].t - 2.0 * fall) < 1e-11
    assert run.q.min() > -1e-11


def test_a_torque_that_is_not_a_number_ends_the_run():
    run = pendulum("abm", tau=lambda t, q, v: np.nan if t > 0.5 else 0.0)
    assert "not numbers" in run.status
    assert 0.4 < run.t[-1] <= 0.51


@pytest.mark.parametrize("name", ["adams", "shamgor"])
def test_it_goes_by_other_names(name):
    assert method(name) is method("abm")
