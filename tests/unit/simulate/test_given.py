"""`motion=`: what may be given, what is refused before the start, and how a run ends that cannot go on."""

from __future__ import annotations

import math

import numpy as np
import pytest

import loopwright as lw

CRANK = math.pi / 2


def driven(motion, state="zoo", t_end=0.2, name="four_bar", **options):
    start = lw.zoo.start(name) if state == "zoo" else state
    return lw.simulate(lw.zoo.MECHANISMS[name](), start, t_end, motion=motion, progress=False, **options)


def test_left_out_the_start_is_on_the_motion():
    path = lw.trajectory.steady(0.7, 2.0)
    run = driven({"crank_joint": path}, None)
    assert run.finished
    assert run.q[0, 0] == 0.7
    assert run.v[0, 0] == 2.0
    dyn = lw.Dynamics(run.mechanism)
    assert np.abs(dyn.closure(run.q)).max() < 1e-14
    tree = driven({"elbow": path}, None, name="planar_3r")
    assert (tree.q[0, 1], tree.v[0, 1]) == (0.7, 2.0)


@pytest.mark.parametrize(
    "motion",
    [
        lambda t: CRANK + 0.1 * np.sin(3 * t) ** 2,
        lw.trajectory.of(lambda t: CRANK + 0.1 * np.sin(3 * t) ** 2),
        lw.Samples(np.linspace(0, 0.3, 301), CRANK + 0.1 * np.sin(3 * np.linspace(0, 0.3, 301)) ** 2, "quintic"),
    ],
)
def test_a_motion_may_be_said_in_several_ways(motion):
    run = driven({"crank_joint": motion})
    np.testing.assert_allclose(run["crank_joint"], CRANK + 0.1 * np.sin(3 * run.t) ** 2, atol=1e-12)
    # d/dt: 0.3 sin(6 t), and 1.8 cos(6 t); a quintic spline of step h loses h^4 of an acceleration
    np.testing.assert_allclose(run.v[:, 0], 0.3 * np.sin(6 * run.t), atol=1e-9)
    np.testing.assert_allclose(run.a[:, 0], 1.8 * np.cos(6 * run.t), atol=1e-5)


def test_the_columns_of_samples_have_names():
    import xarray

    t = np.linspace(0.0, 1.0, 21)
    values = np.stack([0.1 * t**2, 0.5 - 0.2 * t**3], axis=1)
    path = lw.Samples(t, values, "quintic", names=["wrist", "shoulder"])
    run = driven(path, None, name="planar_3r")
    np.testing.assert_allclose(run["wrist"], 0.1 * run.t**2, atol=1e-13)
    np.testing.assert_allclose(run["shoulder"], 0.5 - 0.2 * run.t**3, atol=1e-13)
    assert not np.any(run.tau[:, 1])
    data = xarray.DataArray(values, dims=("time", "q"), coords={"time": t, "q": ["wrist", "shoulder"]})
    np.testing.assert_array_equal(driven(data, None, name="planar_3r").q, run.q)


def test_the_others_may_have_forces_and_a_law():
    motion = {"shoulder": lw.trajectory.cycloid(0.0, 1.0, 0.2)}
    steady = driven(motion, None, name="planar_3r", tau=[0.0, 0.5, -0.2])
    named = driven(motion, None, name="planar_3r", tau={"elbow": 0.5, "wrist": -0.2})
    law = lw.law(steady.mechanism, lambda t, q, v: [7.0, 0.5, -0.2])
    ruled = driven(motion, None, name="planar_3r", tau=law)
    plain = driven(motion, None, name="planar_3r", tau=lambda t, q, v: [7.0, 0.5, -0.2])
    assert (steady.tau[:, 1:] == [0.5, -0.2]).all()
    for other in (named, ruled, plain):
        np.testing.assert_allclose(other.q, steady.q, atol=1e-13)
        np.testing.assert_allclose(other.tau, steady.tau, atol=1e-11)


def test_work_of_what_drives_is_kept_to_tolerance_though_all_moves_as_told():
    run = driven({"pivot": lw.trajectory.steady(0.0, 1.0)}, None, 6.0, "pendulum")
    assert np.abs(run.measured.imbalance).max() < 1e-9 * run.measured.exchanged


def test_reactions_and_data_know_the_forces():
    run = driven({"crank_joint": lw.trajectory.cycloid(CRANK, 2.0, 0.2)}, save=0.05)
    assert (run.data["tau"].values == run.tau).all()
    wrench = run.reactions()["reaction"].sel(joint="crank_joint", component="mz").values
    np.testing.assert_allclose(wrench, run.tau[:, 0], atol=1e-9)
    assert run.audit.second.digits > 10
    assert run.audit.whole.digits > 10


@pytest.mark.parametrize(
    "motion, options, said",
    [
        ({"crank_joint": 1.0}, {}, "stands at 1.5708, where its motion has 1 at t = 0"),
        ({"crank_joint": lw.trajectory.steady(CRANK, 1.0)}, {}, "moves at 0, where its motion has 1"),
        ({"crank": 1.0}, {}, "no coordinate 'crank'"),
        ({"rocker_joint": 1.0}, {}, "'rocker_joint' of 'four_bar' has no actuator"),
        ({"rocker_pin": 1.0}, {}, "'rocker_pin' closes a loop"),
        ({}, {}, "no coordinate is driven"),
        (1.0, {}, "motion goes by name"),
        ({"crank_joint": "fast"}, {}, "must be a trajectory"),
        ({"crank_joint": lambda t: 1.0 if t > 0 else 0.0}, {}, "lw.where"),
        ({"crank_joint": lw.trajectory.hold([1.0, 2.0])}, {}, "needs 1 values over time"),
        ({"crank_joint": CRANK}, {"tau": 2.0}, "tau of 'crank_joint' is given as 2, and so is its motion"),
        ({"crank_joint": CRANK}, {"limits": "bounce"}, "bounce"),
        ({"crank_joint": CRANK}, {"stabilise": None}, "leave out stabilise=None"),
        ({"crank_joint": CRANK}, {"formulation": "sparse"}, "embedding, multiplier, system, not by 'sparse'"),
        ({"crank_joint": CRANK}, {"formulation": "springs"}, "not by 'springs'"),
        ({"crank_joint": lw.Samples([0, 0.1, 0.3], [CRANK, CRANK, 2.0])}, {}, "jumps in rate at t = 0.1 s"),
        ({"crank_joint": lw.Samples([0, 0.1, 0.3], [CRANK, 1.8, 2.0], "previous")}, {}, "jumps in position at t = 0.1"),
        ({"left_joint": 2.23433101898, "left_pin": -2.23433101898}, {"name": "spring_four_bar"},
         "'left_pin' of 'spring_four_bar' cannot be driven besides 'left_joint'"),
        ({"base_joint": 0.0}, {"name": "space_robot"}, "'base_joint' has several coordinates: give the motion of each"),
        ({"shoulder_1": 3.0, "shoulder_2": 0.0}, {"name": "five_bar", "state": None}, "cannot close at shoulder_1 = 3"),
    ],
)  # fmt: skip
def test_impossible_motions_are_refused_before_the_start(motion, options, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        driven(motion, **options)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 1e-3}])
def test_a_motion_out_of_reach_ends_the_run_where_it_must(options):
    """Crank 1, coupler .6, rocker .5, ground 1: the crank turns until coupler and rocker are in line."""
    mechanism = lw.zoo.four_bar(lengths=(1.0, 0.6, 0.5, 1.0))
    motion = {"crank_joint": lw.trajectory.cycloid(0.5, 1.5, 1.0)}
    run = lw.simulate(mechanism, None, 1.0, motion=motion, progress=False, **options)
    furthest = 2 * math.asin(0.55)
    assert run.q[-1, 0] == pytest.approx(furthest, abs=2e-3)
    assert run.q[-1, 0] < furthest
    assert "stopped at t = 0.58" in run.status
    assert "the motion of 'crank_joint' leads there" in run.status
    assert "crank_joint can reach 0.1 … 1.165 rad" in run.status


def test_close_to_the_end_of_its_reach_it_still_goes():
    mechanism = lw.zoo.four_bar(lengths=(1.0, 0.6, 0.5, 1.0))
    motion = {"crank_joint": lw.trajectory.cycloid(0.5, 2 * math.asin(0.55) - 1e-6, 1.0)}
    run = lw.simulate(mechanism, None, 1.0, motion=motion, progress=False)
    assert run.finished
    assert np.abs(lw.Dynamics(mechanism).closure(run.q)).max() < 1e-13
