"""SciPy's integrators and SUNDIALS' as references: the same motion as ours, the same ways to end."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.methods import FOREIGN

G = 9.81
# what is made of a tolerance within half a second: some hundred steps, and swings that part by a factor of ten
GROWN = 3e3
SCIPY = [one.name for one in FOREIGN if one.library == "scipy"]
# of each way of stepping, with the formulation it is tried on in loops
PAIRS = [
    ("scipy:RK23", "embedding"),
    ("scipy:RK45", "multiplier"),
    ("scipy:DOP853", "embedding"),
    ("scipy:Radau", "embedding"),
    ("scipy:BDF", "embedding"),
    ("scipy:BDF", "multiplier"),
    ("scipy:LSODA", "embedding"),
    ("scipy:LSODA", "multiplier"),
    ("cvodes", "multiplier"),
    ("cvodes:Adams", "embedding"),
]


def moved(name, t_end=0.5, **options):
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), v=lw.zoo.rates(name) or None)
    done = lw.simulate(mechanism, start, t_end, save=t_end / 5, progress=False, **options)
    assert done.status == "finished"
    return done


def apart(one, other, what="qva"):
    pairs = [(getattr(one, x), getattr(other, x)) for x in what]
    return max(np.abs(x - y).max() / (1.0 + np.abs(y).max()) for x, y in pairs)


@pytest.fixture(scope="module")
def exact():
    """By our own method."""
    return {name: moved(name, tau=0.7) for name in ("planar_3r", "four_bar", "three_rrr")}


@pytest.mark.parametrize("method", [*SCIPY, "cvodes", "cvodes:Adams"])
def test_trees_move_as_by_our_own_methods(method, exact):
    rough, fine = (
        moved("planar_3r", tau=0.7, method=method, rtol=rtol, atol=rtol)
        for rtol in (1e-5, 1e-5 if "23" in method else 1e-8)
    )
    assert apart(rough, exact["planar_3r"]) < GROWN * 1e-5
    if "23" not in method:
        assert apart(fine, exact["planar_3r"]) < GROWN * 1e-8
        for kind, work in exact["planar_3r"].work.items():
            assert np.abs(fine.work[kind] - work).max() < GROWN * 1e-8 * (1.0 + np.abs(work).max())


@pytest.mark.parametrize("method, formulation", PAIRS)
def test_loops_move_as_by_our_own_methods_and_stay_closed(method, formulation, exact):
    rtol = 1e-6 if "23" in method else 1e-8
    for name in ("four_bar", "three_rrr"):
        done = moved(name, tau=0.7, method=method, formulation=formulation, rtol=rtol, atol=rtol)
        assert apart(done, exact[name]) < GROWN * rtol
        assert np.abs(done.measured.gap).max() < 1e-12
        assert done.settings.method == method
        assert done.counts.steps > 0
        assert done.counts.evaluations > done.counts.steps


@pytest.mark.parametrize("method", ["scipy:DOP853", "scipy:Radau", "scipy:LSODA", "cvodes"])
def test_quaternions_stay_unit(method):
    top = lw.Builder("top", gravity=(0, 0, 0))
    top.body("top", mass=1.0, inertia=(1.0, 2.0, 3.0))
    top.free("float", "ground", "top")
    mechanism = top.build()
    start = lw.State.of(mechanism, None, v={"float": (0.1, 0.2, 0.3, 0.01, 4.0, 0.02)})
    done = lw.simulate(mechanism, start, 5.0, method=method, rtol=1e-9, atol=1e-9, save=0.5, progress=False)
    assert np.abs(np.linalg.norm(done.q[:, 3:], axis=1) - 1.0).max() < 1e-15
    ours = lw.simulate(mechanism, start, 5.0, save=0.5, progress=False)
    assert apart(done, ours) < 1e-5  # it flips once, which takes two digits more


def test_stiff_springs_take_few_steps_of_a_stiff_method():
    springs = {"formulation": "springs", "stiffness": 1e6, "damping": 1e3, "tau": 6.0, "rtol": 1e-6, "atol": 1e-8}
    fast = moved("wang_four_bar", method="dopri5", **springs)
    for method in ("cvodes", "scipy:Radau", "scipy:BDF"):
        done = moved("wang_four_bar", method=method, **springs)
        assert apart(done, fast, "qv") < GROWN * 1e-6  # accelerations are a million times the error of the gap
        assert done.counts.evaluations < 0.3 * fast.counts.evaluations


@pytest.mark.parametrize("method", [*SCIPY, "cvodes", "idas"])
def test_forces_that_jump_are_met_on_both_sides(method):
    moments = np.linspace(0.0, 0.4, 5)
    tau = lw.Samples(moments, [3.0, -2.0, 5.0, 0.0, 1.0], "previous")
    rtol = 1e-6 if "23" in method else 1e-8
    formulation = "dae" if method == "idas" else "embedding"
    done = moved("four_bar", 0.4, tau=tau, method=method, formulation=formulation, rtol=rtol, atol=rtol)
    ours = moved("four_bar", 0.4, tau=tau)
    assert np.abs(done.q - ours.q).max() < GROWN * rtol
    assert np.abs(done.work["actuators"] - ours.work["actuators"]).max() < GROWN * rtol


def dropped(**options):
    """A mass on a vertical slide, let go 1 m above its lower limit."""
    b = lw.Builder("drop")
    b.body("mass", mass=2.0)
    b.prismatic("slide", "ground", "mass", limits=(0.0, 10.0))
    return lw.simulate(b.build(), {"slide": 1.0}, progress=False, **options)


@pytest.mark.parametrize("method", SCIPY)
def test_events_and_limits_are_met_within_steps_of_scipy(method):
    half = lw.Event(lambda t, q, v: q[0] - 0.5, "half way")
    done = dropped(t_end=1.0, method=method, events=[half], limits="bounce", rtol=1e-8, atol=1e-8)
    fall = np.sqrt(2.0 / G)
    assert [one.name for one in done.events[:3]] == ["half way", "slide at its lower limit", "slide at its lower limit"]
    assert abs(done.events[0].t - np.sqrt(2.0 * 0.5 / G)) < 1e-6
    assert abs(done.events[1].t - fall) < 1e-6
    assert abs(done.events[2].t - 2.0 * fall) < 1e-6
    assert (
        dropped(t_end=1.0, method=method, limits="stop").status == "stopped at t = 0.451524 s: slide at its lower limit"
    )


@pytest.mark.parametrize("method", ["cvodes", "cvodes:Adams"])
def test_limits_are_seen_at_moments_saved_where_nothing_else_can_be_seen(method):
    done = dropped(t_end=1.0, method=method)
    assert [(one.name, one.t) for one in done.events] == [("slide at its lower limit", 0.46)]
    assert dropped(t_end=1.0, method=method, limits="ignore").events == ()


@pytest.mark.parametrize("method", ["scipy:DOP853", "scipy:Radau", "scipy:BDF", "scipy:LSODA"])
def test_functions_that_fail_end_the_run_in_words(method):
    def law(t, q, v):
        if t > 0.5:
            raise ValueError("no more")
        return [0.0]

    def nothing(t, q, v):
        return [np.nan if t > 0.5 else 0.0]

    start = lw.zoo.start("pendulum")
    options = {"t_end": 1.0, "method": method, "rtol": 1e-6, "max_step": 0.02, "progress": False}
    done = lw.simulate(lw.zoo.pendulum(), start, tau=law, **options)
    assert "ValueError: no more" in done.status
    assert 0.45 < done.t[-1] <= 0.5
    done = lw.simulate(lw.zoo.pendulum(), start, tau=nothing, **options)
    assert "not numbers" in done.status
    assert 0.45 < done.t[-1] <= 0.5


@pytest.mark.parametrize("method", ["scipy:Radau", "cvodes", "idas"])
def test_budgets_keep_what_there_is(method):
    mechanism, start = lw.zoo.four_bar(), lw.zoo.start("four_bar")
    few = lw.simulate(mechanism, start, 10.0, method=method, max_steps=50, progress=False)
    assert "max_steps" in few.status
    short = lw.simulate(mechanism, start, 1e5, method=method, save=None, max_seconds=0.1, progress=False)
    assert "max_seconds" in short.status
    for done in (few, short):
        assert 0.0 < done.t[-1] < 1e5
        assert len(done.q) == len(done.a) == len(done.t)


def test_laws_are_written_with_symbols_for_sundials():
    mechanism, start = lw.zoo.four_bar(), lw.zoo.start("four_bar")
    wanted = (np.array([0.0, 0.5]), np.array([0.5, 0.8]))
    follow = lw.law(mechanism, lambda t, q, v, path: [30.0 * (path.q - q[0]) - 3.0 * v[0]], along=wanted)
    for tau in (follow, lambda t, q, v: [3.0 * np.sin(2.0 * t) - q[0]]):
        ours = lw.simulate(mechanism, start, 0.5, tau=tau, progress=False)
        for way in ({"method": "cvodes"}, {"formulation": "dae"}):
            done = lw.simulate(mechanism, start, 0.5, tau=tau, progress=False, **way)
            assert apart(done, ours) < 1e-6
            assert done.notes == ()


@pytest.mark.parametrize("method", ["scipy:DOP853", "scipy:LSODA"])
def test_motions_given_are_kept_by_scipy(method):
    mechanism = lw.zoo.four_bar()
    turn = {"crank_joint": lambda t: 0.5 + 0.4 * np.sin(3.0 * t)}
    found, ours = (
        lw.simulate(mechanism, None, 1.0, motion=turn, method=one, rtol=1e-8, atol=1e-8, save=0.1, progress=False)
        for one in (method, "dop853")
    )
    assert np.abs(found.tau - ours.tau).max() < 1e-9 * np.abs(ours.tau).max()
    assert np.abs(found.work["actuators"] - ours.work["actuators"]).max() < GROWN * 1e-8


def counting():
    asked = []

    def law(t, q, v):
        asked.append(t)
        return [float(len(asked))]

    return law


@pytest.mark.parametrize(
    "name, options, said",
    [
        ("pendulum", {"formulation": "dae"}, "has none"),
        ("four_bar", {"formulation": "dae", "method": "dop853"}, "belong together"),
        ("four_bar", {"formulation": "embedding", "method": "idas"}, "belong together"),
        ("four_bar", {"method": "cvodes", "stabilise": "baumgarte"}, "lets them drift"),
        ("four_bar", {"method": "idas", "events": [lambda t, q, v: q[0]]}, "cannot act on events"),
        ("four_bar", {"method": "cvodes", "limits": "stop"}, "limits='stop'"),
        ("four_bar", {"method": "cvodes", "limits": "soft"}, "limits is one of"),
        ("four_bar", {"method": "cvodes", "motion": {"crank_joint": 0.5}}, "no motion="),
        ("four_bar", {"method": "idas", "tau": lambda t, q, v: [1.0 if t > 0.5 else 0.0]}, "written with symbols"),
        ("four_bar", {"method": "cvodes", "tau": counting()}, "something besides"),
        ("four_bar", {"method": "idas", "tau": lw.Samples(np.arange(99.0), np.ones(99))}, "98 pieces"),
        ("four_bar", {"method": "scipy:Euler"}, "as references scipy:RK23"),
        ("four_bar", {"method": "idas", "atol": 0.0}, "tolerances"),
    ],
)
def test_wrong_questions_are_answered_in_words(name, options, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        lw.simulate(lw.zoo.MECHANISMS[name](), lw.zoo.start(name), 1.0, progress=False, **options)


def test_dae_is_a_way_to_simulate_and_no_more():
    with pytest.raises(lw.LoopwrightError, match="motions over time"):
        lw.Dynamics(lw.zoo.four_bar(), formulation="dae")
