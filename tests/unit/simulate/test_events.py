"""Events and joint limits: found where they are, reported, obeyed."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw

G = 9.81


def dropped(bounds=(0.0, 10.0), **options):
    """A mass on a vertical slide, let go 1 m above its lower limit."""
    b = lw.Builder("drop")
    b.body("mass", mass=2.0)
    b.prismatic("slide", "ground", "mass", limits=bounds)
    return lw.simulate(b.build(), {"slide": 1.0}, progress=False, **options)


def test_a_change_of_sign_is_found_to_rounding():
    def height(t, q, v):
        return q[0] - 0.5

    run = dropped(bounds=(-100.0, 100.0), t_end=1.0, events=[lw.Event(height, "half way")])
    (event,) = run.events
    assert event.name == "half way"
    assert abs(event.t - np.sqrt(2 * 0.5 / G)) < 1e-12
    assert abs(event.q[0] - 0.5) < 1e-12
    assert run.finished


def test_directions_and_ends():
    def speed(t, q, v):
        return v[0] + 3.0

    rising = dropped(bounds=(-100.0, 100.0), t_end=1.0, events=[lw.Event(speed, "three", direction=1)])
    assert rising.events == ()
    ended = dropped(bounds=(-100.0, 100.0), t_end=1.0, events=[lw.Event(speed, "three", -1, terminal=True)])
    assert "event 'three'" in ended.status
    assert abs(ended.t[-1] - 3.0 / G) < 1e-12
    assert abs(ended.v[-1, 0] + 3.0) < 1e-12


def test_two_events_within_one_step_are_both_found():
    looks = [lambda t, q, v: np.cos(40.0 * t), lambda t, q, v: t - 0.123]
    run = dropped(bounds=(-100.0, 100.0), t_end=1.0, events=looks, max_step=0.1)
    waves = [one.t for one in run.events if one.name == "<lambda>" and abs(one.t - 0.123) > 1e-9]
    assert np.allclose(waves, (np.arange(len(waves)) + 0.5) * np.pi / 40.0, atol=1e-12)
    assert len(run.events) == len(waves) + 1


def test_a_limit_is_reported_stops_or_throws_back():
    fall = np.sqrt(2.0 / G)
    reported = dropped(t_end=1.0)
    assert [one.name for one in reported.events] == ["slide at its lower limit"]
    assert reported.q.min() < -1.0
    stopped = dropped(t_end=1.0, limits="stop")
    assert stopped.status == "stopped at t = 0.451524 s: slide at its lower limit"
    assert abs(stopped.t[-1] - fall) < 1e-12
    bounced = dropped(t_end=1.0, limits="bounce", restitution=0.5)
    # up again at half the speed, to a quarter of the height, twice half as long
    assert bounced.finished
    assert abs(bounced.events[0].t - fall) < 1e-12
    assert abs(bounced.events[1].t - 2.0 * fall) < 1e-11
    assert bounced.q.min() > -1e-12


def test_bounces_that_come_to_rest_end_the_run_in_words():
    run = dropped(t_end=3.0, limits="bounce", restitution=0.5)
    assert "comes to rest" in run.status
    # 1 + 2 (1/2 + 1/4 + ...) falls
    assert abs(run.t[-1] - 3.0 * np.sqrt(2.0 / G)) < 1e-4


def test_a_bounce_keeps_loops_closed_and_takes_its_share_of_energy():
    mechanism = lw.zoo.four_bar()
    limited = lw.Builder("limited", gravity=(0, -9.81, 0))
    limited.rod("crank", mass=1.5, to=(0.3, 0, 0))
    limited.rod("coupler", mass=5, to=(1, 0, 0))
    limited.rod("rocker", mass=3, to=(0.6, 0, 0))
    limited.revolute("crank_joint", "ground", "crank", actuated=True, limits=(0.5, 3.0))
    limited.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    limited.revolute("rocker_joint", "ground", "rocker", xyz=(1, 0, 0))
    limited.revolute("rocker_pin", "coupler", "rocker", xyz=(1, 0, 0), child_xyz=(0.6, 0, 0))
    mech = limited.build()
    assert mech.coordinates == mechanism.coordinates
    run = lw.simulate(mech, lw.zoo.start("four_bar"), 3.0, limits="bounce", restitution=1.0, progress=False)
    dyn = lw.Dynamics(mech)
    energy = dyn.energy(run.q, run.v)
    assert len(run.events) > 1
    assert np.abs(energy.total - energy.total[0]).max() < 1e-9 * energy.kinetic.max()
    assert np.abs(dyn.closure(run.q)).max() < 1e-14
    assert run["crank_joint"].min() > 0.5 - 1e-12
    assert run["crank_joint"].max() < 3.0 + 1e-12


@pytest.mark.parametrize(
    "options, said",
    [
        ({"events": [3]}, r"events\[0\]"),
        ({"events": [lambda t: t]}, "must take"),
        ({"limits": "soft"}, "limits"),
        ({"limits": "bounce", "restitution": 0.0}, "restitution"),
    ],
)
def test_wrong_events_are_refused_in_words(options, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        dropped(t_end=1.0, **options)


def test_an_event_that_fails_ends_the_run_in_words():
    run = dropped(t_end=1.0, events=[lw.Event(lambda t, q, v: [1.0][int(t > 0.2)], "broken")])
    assert "IndexError" in run.status


def test_singular_positions_are_met_where_the_rods_align():
    mechanism = lw.zoo.n_four_bar()
    start = lw.State.of(mechanism, lw.zoo.start("n_four_bar"), v=lw.zoo.rates("n_four_bar"))
    run = lw.simulate(mechanism, start, 3.0, events=[lw.Event.singular(mechanism)], progress=False)
    assert run.finished
    met = [one for one in run.events if one.name == "singular position"]
    assert len(met) == 3
    for one in met:
        # the position itself is known to as many digits as the run has
        assert abs(np.cos(one.q[mechanism.coordinates.index("pivot_0")])) < 1e-7
    turns = run["pivot_0"] / np.pi - 0.5
    assert len(met) == np.count_nonzero(np.diff(np.floor(turns)))


def test_a_run_may_end_at_a_singular_position():
    mechanism = lw.zoo.five_bar()
    ends = lw.Event.singular(mechanism, terminal=True)
    run = lw.simulate(mechanism, lw.zoo.start("five_bar"), 5.0, events=[ends], progress=False)
    assert "singular position" in run.status
    q = run.q[-1]
    # the two passive rods are in line: their cross product vanishes
    inner = [q[0], q[2]]
    outer = [q[0] + q[1], q[2] + q[3]]
    assert abs(np.sin(outer[1] - outer[0])) < 1e-6, (inner, outer)


def test_coming_near_is_not_being_there():
    # a crank that turns round and round, as Grashof's inequality allows: .5 + .75 < .7 + .6
    mechanism = lw.zoo.four_bar((0.5, 0.7, 0.6, 0.75))
    up = lw.assemble(mechanism, {"crank_joint": 1.0}, v={"crank_joint": 8.0})[0]
    run = lw.simulate(mechanism, up, 2.0, events=[lw.Event.singular(mechanism)], progress=False)
    assert np.ptp(run["crank_joint"]) > 2.0 * np.pi
    assert run.events == ()


def test_open_trees_have_no_singular_positions_to_meet():
    with pytest.raises(lw.LoopwrightError, match="no loops"):
        lw.Event.singular(lw.zoo.pendulum())


def parallelogram(limits):
    """A swing on two rods, whose last joint closes the loop and has limits."""
    b = lw.Builder("swing", gravity=(0, -9.81, 0))
    for name in ("left", "right"):
        b.rod(name, 1.0, to=(1.0, 0, 0))
    b.rod("seat", 1.0, to=(0.5, 0, 0))
    b.revolute("left_top", "ground", "left")
    b.revolute("left_pin", "left", "seat", xyz=(1, 0, 0))
    b.revolute("right_top", "ground", "right", xyz=(0.5, 0, 0))
    b.revolute("right_pin", "seat", "right", xyz=(0.5, 0, 0), child_xyz=(1, 0, 0), limits=limits)
    return b.build(cuts=["right_pin"])


@pytest.mark.parametrize("turns", [0, 1])
def test_a_cut_joint_keeps_its_limits(turns):
    # the seat stays level, so the cut joint stands at the rods' own angle
    mechanism = parallelogram((-2.0, -1.0))
    at = 2 * np.pi * turns - 1.1  # it would swing to -2.04
    start = {"left_top": at, "left_pin": -at, "right_top": at}
    reported = lw.simulate(mechanism, start, 3.0, progress=False)
    assert any(one.name == "right_pin at its lower limit" for one in reported.events)
    for one in reported.events:
        bound = -2.0 if "lower" in one.name else -1.0
        assert abs(one.q[0] - 2 * np.pi * turns - bound) < 1e-12
    thrown = lw.simulate(mechanism, start, 3.0, limits="bounce", restitution=1.0, progress=False)
    assert thrown.q[:, 0].min() > 2 * np.pi * turns - 2.0 - 1e-9
    energy = thrown.measured.energy
    assert np.abs(energy - energy[0]).max() < 1e-8 * np.ptp(thrown.measured.gravity)
