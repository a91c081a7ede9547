"""What goes wrong in a simulation, and how it ends: nothing hangs, nothing raises but LoopwrightError."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw


def linkage(mass=1.0, **joint):
    """A four-bar of three equal rods' masses, its crank driven."""
    b = lw.Builder("linkage", gravity=(0, -9.81, 0))
    for name, length in (("crank", 0.3), ("coupler", 1.0), ("rocker", 0.6)):
        b.rod(name, mass, to=(length, 0, 0))
    b.revolute("crank_joint", "ground", "crank", actuated=True, **joint)
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    b.revolute("rocker_joint", "ground", "rocker", xyz=(1, 0, 0))
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(1, 0, 0), child_xyz=(0.6, 0, 0))
    return b.build()


def started(mechanism, crank=1.0, rate=0.0):
    return lw.assemble(mechanism, {"crank_joint": crank}, v={"crank_joint": rate})[0]


def run(state=None, t_end=1.0, mechanism=None, **options):
    mechanism = mechanism or linkage()
    return lw.simulate(mechanism, started(mechanism) if state is None else state, t_end, progress=False, **options)


def late(value):
    return lambda t, q, v: value if t > 0.5 else 0.0


ENDED = {
    "torque is nan": ({"tau": np.nan}, "stopped at t = 0 s: the accelerations are not numbers", 0.0),
    "torque is infinite": ({"tau": np.inf}, "stopped at t = 0 s: the accelerations are not numbers", 0.0),
    "torque becomes nan": ({"tau": late(np.nan)}, "the accelerations are not numbers", 0.5),
    "torque becomes text": ({"tau": late("much")}, "a function of yours failed: ValueError", 0.5),
    "torque becomes two": ({"tau": late([1.0, 2.0])}, "a function of yours failed: ValueError", 0.5),
    "too few steps": ({"max_steps": 3}, "3 steps were taken, all allowed (max_steps)", None),
    "too few seconds": ({"t_end": 1e9, "save": 1e7, "max_seconds": 0.3}, "as many as allowed (max_seconds)", None),
    "steps too long": ({"t_end": 10.0, "method": "rk4", "step": 1.0}, "with steps of 1 s; try shorter ones", None),
    "no mass to speak of": ({"mass": 1e-300, "tau": 1.0}, "no step is short enough", 0.0),
    "limit": ({"limits": "stop", "joint": {"limits": (0.5, 1.2)}}, "crank_joint at its lower limit", None),
}


@pytest.mark.parametrize("what", ENDED)
def test_a_run_ends_in_words_and_keeps_what_there_is(what):
    options, said, when = ENDED[what]
    options = dict(options)
    mechanism = linkage(options.pop("mass", 1.0), **options.pop("joint", {}))
    done = run(mechanism=mechanism, **options)
    assert said in done.status, done.status
    assert not done.finished
    assert len(done) >= 1
    assert np.isfinite(done.q).all()
    assert when is None or done.t[-1] == pytest.approx(when, abs=1e-2)


REFUSED = {
    "open loop": ({"state": ([1.0, 0.0, 0.0], np.zeros(3))}, "loop 'rocker_pin' is open by"),
    "state is nan": ({"state": (np.full(3, np.nan), np.zeros(3))}, "not a finite number at crank_joint, crank_pin"),
    "state is short": ({"state": ([1.0], np.zeros(3))}, "needs 3 numbers"),
    "state is text": ({"state": "start"}, "must be an array of numbers"),
    "torques too many": ({"tau": [1.0, 2.0]}, "crank_joint"),
    "law without time": ({"tau": lambda q, v: 0.0}, "asked as tau(t, q, v)"),
    "law answers text": ({"tau": lambda t, q, v: "x"}, "tau failed at the start"),
    "ends before it begins": ({"t_end": -1.0}, "not after the start"),
    "endless": ({"t_end": np.inf}, "finite number of seconds"),
    "no moments": ({"save": "often"}, "save must be"),
    "too many moments": ({"save": 1e-12}, "save every"),
    "no steps": ({"max_steps": 0}, "max_steps must be a positive number"),
    "no seconds": ({"max_seconds": -1.0}, "max_seconds must be a positive number"),
    "no step": ({"max_step": 0.0}, "max_step must be a positive number"),
    "tolerance": ({"rtol": np.nan}, "tolerances"),
    "fixed step not said": ({"method": "rk4"}, "step=1e-3"),
    "unknown method": ({"method": "rk5"}, "there are"),
    "unknown formulation": ({"formulation": "embeding"}, "there are"),
    "unknown stabilisation": ({"stabilise": "hope"}, "'project', 'baumgarte' or None"),
    "restitution": ({"limits": "bounce", "restitution": 2.0}, "restitution"),
    "limits": ({"limits": "yes"}, "limits is one of"),
    "event": ({"events": ["now"]}, "events[0]"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_wrong_question_is_refused_in_words(what):
    options, said = REFUSED[what]
    with pytest.raises(lw.LoopwrightError) as refused:
        run(**options)
    assert said in str(refused.value)


def test_velocities_that_open_a_loop_are_refused():
    mechanism = linkage()
    q = started(mechanism).q
    with pytest.raises(lw.LoopwrightError, match=r"loop 'rocker_pin' would open at .* per second"):
        run((q, [1.0, 0.0, 0.0]), mechanism=mechanism)


def test_at_rest_where_branches_meet_nothing_decides_and_the_run_says_between_what():
    mechanism = lw.zoo.n_four_bar()
    flat = lw.assemble(mechanism, {"pivot_0": np.pi / 2})[0]
    done = lw.simulate(mechanism, (flat.q, np.zeros(mechanism.nv)), 1.0, progress=False)
    assert "stands at a singular position" in done.status
    assert "motions branch there" in done.status
    assert all(name in done.status for name in mechanism.velocities)


def test_bodies_of_next_to_no_mass_fall_like_others():
    light, usual = (run(mechanism=linkage(mass)) for mass in (1e-300, 1.0))
    assert light.finished
    assert np.abs(light.q - usual.q).max() < 1e-8
