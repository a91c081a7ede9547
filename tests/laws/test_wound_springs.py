"""Springs at hinges that go round and round push the same wherever the loop is cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import loopwright as lw
from tests.mechanisms import close

HINGES = ("crank_joint", "crank_pin", "rocker_joint", "rocker_pin")
SPRINGS = {
    "crank_joint": {"stiffness": 3.0, "rest": 1.0, "damping": 0.1},
    "crank_pin": {"stiffness": 0.4, "rest": -2.0, "friction": (0.1, 0.2)},
}


def linkage(cut=None, crank_limits=None, **springs):
    """A crank and rocker, all in a plane that stands askew, one hinge named the other way round."""
    b = lw.Builder("wound", gravity=(0, -9.81, 0))
    askew = {"rpy": (0.3, -0.4, 0.5)}
    b.rod("crank", 1.5, to=(0.3, 0, 0))
    b.rod("coupler", 5.0, to=(1.0, 0, 0))
    b.rod("rocker", 3.0, to=(0.9, 0, 0))
    b.revolute("crank_joint", "ground", "crank", **askew, limits=crank_limits, **springs.get("crank_joint", {}))
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0), **springs.get("crank_pin", {}))
    frame = lw.spatial.Pose.at((0, 0, 0), askew["rpy"])
    b.revolute("rocker_joint", "rocker", "ground", child_xyz=tuple(frame.R[:, 0]), child_rpy=askew["rpy"])
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(1, 0, 0), child_xyz=(0.9, 0, 0), child_rpy=(0, 0, 0.7))
    return b.build(cuts=None if cut is None else [cut])


def angles(turns):
    """Of all four hinges, after so many turns of the crank against the coupler."""
    mechanism = linkage("rocker_pin", **SPRINGS)
    state = lw.assemble(mechanism, {"crank_joint": 0.5}, v={"crank_joint": 3.0})[0]
    dyn = lw.Dynamics(mechanism, compiled=False)
    found = dict(zip(mechanism.coordinates, state.q, strict=True)) | dyn.cut_coordinates(state.q)
    rates = dict(zip(mechanism.velocities, state.v, strict=True)) | dyn.cut_velocities(state.q, state.v)
    found["crank_joint"] += 2.0 * np.pi * turns
    found["crank_pin"] -= 2.0 * np.pi * turns
    return found, rates


@pytest.mark.parametrize("turns", [0, 2, -3])
def test_the_cut_does_not_matter(turns):
    found, rates = angles(turns)
    answers = {}
    for cut in HINGES:
        mechanism = linkage(cut, **SPRINGS)
        q, v = (np.array([given[name] for name in mechanism.coordinates]) for given in (found, rates))
        for compiled in (False, True):
            dyn = lw.Dynamics(mechanism, compiled=compiled)
            inside = dyn.forward(q, v, details=True)
            answers[cut, compiled] = np.concatenate(
                [
                    [dyn.energy(q, v).potential],
                    dyn.twist_rate("coupler", q, v, inside.a),
                    *(inside.reactions[name] for name in HINGES),
                ]
            )
    expected = answers["rocker_pin", False]
    for answer in answers.values():
        close(answer, expected, 1e-10)
    # 1/2 k x^2 of both springs
    x = found["crank_joint"] - 1.0, found["crank_pin"] + 2.0
    bare = lw.Dynamics(linkage("rocker_pin"), compiled=False).energy(q_of(found), 0 * q_of(found)).potential
    close(expected[0], bare + 0.5 * (3.0 * x[0] ** 2 + 0.4 * x[1] ** 2), 1e-12)


def q_of(found):
    return np.array([found[name] for name in linkage("rocker_pin").coordinates])


def test_energy_is_kept_through_full_turns_of_a_cut_hinge_with_a_spring():
    """It would jump at every half turn, were the angle known within one only."""
    free = {name: {k: x for k, x in own.items() if k in ("stiffness", "rest")} for name, own in SPRINGS.items()}
    mechanism = linkage("crank_joint", **free)
    state = lw.assemble(mechanism, {"crank_joint": 0.5}, v={"crank_joint": 25.0})[0]
    run = lw.simulate(mechanism, state, t_end=1.0, progress=False)
    angle = lw.Dynamics(mechanism).cut_coordinates(run.q)["crank_joint"]
    assert angle.max() > 2.0 * np.pi
    assert run.audit.drift_relative < 1e-7


def test_a_cut_hinge_that_goes_round_meets_a_limit_once_a_turn():
    """Behind its range its angle begins anew, which is no limit."""
    met = {}
    for cut in ("rocker_pin", "crank_joint"):
        mechanism = linkage(cut, crank_limits=(-1.0, 2.5))
        state = lw.assemble(mechanism, {"crank_joint": 0.5}, v={"crank_joint": -25.0})[0]
        run = lw.simulate(mechanism, state, t_end=0.3, limits="report", progress=False)
        met[cut] = [(one.name, round(one.t, 6)) for one in run.events]
    assert met["rocker_pin"] == [("crank_joint at its lower limit", met["rocker_pin"][0][1])]
    assert met["crank_joint"][0] == met["rocker_pin"][0]
    assert all(name == "crank_joint at its lower limit" for name, _ in met["crank_joint"])


def test_assembly_leaves_no_spring_wound_up():
    for angle in (3.0, -3.0):
        energies = []
        for cut in HINGES:
            mechanism = linkage(cut, **SPRINGS)
            dyn = lw.Dynamics(mechanism, compiled=False)
            states = lw.assemble(mechanism, {"crank_joint": angle})
            energies.append(sorted(dyn.energy(s.q, s.v).potential for s in states))
        for found in energies:
            close(found, energies[0], 1e-10)


def test_hinges_whose_turns_count_are_not_cut():
    assert [joint.name for joint in linkage().tree.cuts] == ["rocker_pin"]
    assert [joint.name for joint in linkage(rocker_pin={}, **SPRINGS).tree.cuts] == ["rocker_pin"]
    b = lw.Builder("ring")
    for name in ("a", "b", "c"):
        b.body(name, 1.0, inertia=(0.1, 0.1, 0.1))
    for k, (one, other) in enumerate((("ground", "a"), ("a", "b"), ("b", "c"), ("c", "ground"))):
        b.revolute(f"h{k}", one, other, xyz=(0.1, 0.2 * k, 0), limits=(-20.0, 20.0) if k == 2 else None)
    assert [joint.name for joint in b.build().tree.cuts] != ["h2"]


def test_where_axes_are_not_parallel_a_spring_takes_the_shorter_way():
    """Its force goes on across half a turn of the frames, and jumps opposite to where it rests."""
    mechanism = lw.zoo.bennett()
    assert mechanism.tree.cuts[0].kind == "revolute"
    cut = mechanism.tree.cuts[0].name
    sprung = replace(
        mechanism,
        joints=tuple(
            replace(joint, stiffness=(2.0,), rest=(3.0,)) if joint.name == cut else joint for joint in mechanism.joints
        ),
        cuts=(cut,),
    )
    start = lw.State.of(sprung, lw.zoo.start("bennett"))
    dyn = lw.Dynamics(sprung, compiled=False)
    course = lw.follow(sprung, start, {sprung.coordinates[0]: list(start.q[0] + np.linspace(0.1, 6.2, 60))})
    away = dyn.cut_coordinates(course.q)[cut] - 3.0
    away = (away + np.pi) % (2.0 * np.pi) - np.pi
    plain = lw.Dynamics(mechanism, compiled=False)
    zero = np.zeros(sprung.nv)
    stored = [dyn.energy(q, zero).potential - plain.energy(q, zero).potential for q in course.q]
    close(stored, away**2, 1e-9)


def test_c_source_names_motors_of_cut_joints():
    b = lw.Builder("driven_cut", gravity=(0, -9.81, 0))
    b.rod("crank", 1.5, to=(0.3, 0, 0))
    b.rod("coupler", 5.0, to=(1.0, 0, 0))
    b.body("slider", 2.0, inertia=(0.1, 0.1, 0.1))
    b.revolute("main", "ground", "crank")
    b.revolute("pin", "crank", "coupler", xyz=(0.3, 0, 0))
    b.revolute("wrist", "coupler", "slider", xyz=(1, 0, 0))
    b.prismatic("slide", "ground", "slider", axis=(1, 0, 0), actuated=True)
    dyn = lw.Dynamics(b.build(cuts=["slide"]))
    for name in ("forward", "inverse"):
        assert "slide [N]" in dyn.c_source(name) or "(slide)" in dyn.c_source(name)
        assert " )" not in dyn.c_source(name).split("*/")[0]
