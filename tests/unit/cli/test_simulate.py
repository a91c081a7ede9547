"""`loopwright simulate`, as typed."""

from __future__ import annotations

import json
import math
import subprocess

import numpy as np
import pytest

import loopwright as lw
from loopwright import zoo

from .typed import answered, in_shell, typed


def words_of(done):
    return " ".join(done.output.replace("│", " ").split())


def test_the_motion_is_that_of_the_library():
    told = answered("simulate", "four_bar", "--t", "0.5", "--save", "0.05")
    mech = zoo.four_bar()
    run = lw.simulate(mech, zoo.start("four_bar"), 0.5, save=0.05, progress=False)
    for name in ("t", "q", "v", "a", "tau"):
        np.testing.assert_array_equal(told[name], getattr(run, name))
    assert told["status"] == "finished"
    assert told["coordinates"] == list(mech.coordinates)
    assert told["audit"]["drift"] == run.audit.drift
    assert told["settings"]["method"] == run.settings.method
    crank = told["travelled"][0]
    assert (crank["start"], crank["end"], crank["unit"]) == (run.q[0, 0], run.q[-1, 0], "rad")


def test_the_tables_name_coordinates_and_what_the_audit_found():
    done = typed("simulate", "four_bar", "--t", "0.2")
    assert done.exit_code == 0
    said = words_of(done)
    for words in ("crank_joint", "energy balance", "loops open by", "second formulation", "digits believed", "--out"):
        assert words in said
    assert "0 to 0.2 s" in done.output


def test_loops_are_closed_around_what_is_set():
    told = answered("simulate", "four_bar", "--t", "0.02", "--set", "crank_joint=30deg", "--rate", "crank_joint=pi/2")
    dyn = lw.Dynamics(zoo.four_bar())
    assert told["q"][0][0] == pytest.approx(math.pi / 6, abs=1e-12)
    assert told["v"][0][0] == pytest.approx(math.pi / 2, abs=1e-12)
    assert np.abs(dyn.closure(told["q"][0])).max() < 1e-12
    assert np.abs(dyn.closure_jacobian(told["q"][0]) @ told["v"][0]).max() < 1e-11


def test_a_tree_starts_where_it_is_told():
    told = answered("simulate", "pendulum", "--t", "0.01", "--set", "pivot=1", "--rate", "pivot=-2")
    assert (told["q"][0], told["v"][0]) == ([1.0], [-2.0])


def test_everything_is_kept_in_the_folder(tmp_path):
    folder = tmp_path / "new"
    done = typed("simulate", "four_bar", "--t", "0.2", "--out", str(folder))
    assert done.exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["poses.png", "run.html", "run.nc", "run.png"]
    again = lw.open_run(folder / "run.nc")
    assert again.finished
    assert again.audit.whole is not None
    assert all(str(folder / name) in done.output for name in ("run.nc", "run.png", "poses.png", "run.html"))


def test_nothing_is_written_unless_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert typed("simulate", "pendulum", "--t", "0.1").exit_code == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text, law",
    [
        ("2.5", lambda t, q, v: 2.5),
        ("9*sin(pi*t)", lambda t, q, v: 9 * math.sin(math.pi * t)),
        ("crank_joint = -0.5*v[crank_joint] + q['rocker_joint']**2/3", lambda t, q, v: -0.5 * v[0] + q[2] ** 2 / 3),
        ("max(t, 0.1) - min(1, 2, 3) + atan2(1, 2) + sign(-3) + step(t - 5) + abs(-2)",
         lambda t, q, v: max(t, 0.1) - 1 + math.atan2(1, 2) - 1 + (t >= 5) + 2),
    ],
)  # fmt: skip
def test_expressions_are_what_they_say(text, law):
    from loopwright.cli.forces import read_tau

    mech = zoo.four_bar()
    read = read_tau(mech, text)
    rng = np.random.default_rng(0)
    for t in (0.0, 0.3, 5.0):
        q, v = rng.normal(size=(2, 3))
        found = read(t, q, v) if callable(read) else read
        assert found == [pytest.approx(law(t, q, v), rel=1e-15)]


def test_a_table_of_forces_is_followed(tmp_path):
    table = tmp_path / "forces.csv"
    table.write_text("t,tau.crank_joint\n0,1\n1,3\n")
    told = answered("simulate", "four_bar", "--t", "0.5", "--tau", str(table))
    np.testing.assert_allclose(np.ravel(told["tau"]), 1 + 2 * np.array(told["t"]), atol=1e-14)


def test_coordinates_move_as_they_are_told(tmp_path):
    """ReDySim's four-bar at 45 rpm: torque and output angle at t = 1/2, computed by two independent solvers."""
    words = ["simulate", "redysim_four_bar", "--t", "0.5", "--save", "0.1"]
    told = answered(*words, "--motion", "crank_joint=1.5*pi*t")
    assert told["tau"][-1][0] == pytest.approx(-2.3243216, abs=1e-7)
    assert math.degrees(told["q"][-1][1]) == pytest.approx(139.2437, abs=1e-4)
    np.testing.assert_allclose(np.array(told["q"])[:, 0], 1.5 * np.pi * np.array(told["t"]), rtol=1e-15)
    table = tmp_path / "motion.csv"
    table.write_text("t,crank_joint\n" + "\n".join(f"{k / 10},{1.5 * math.pi * k / 10}" for k in range(7)))
    again = answered(*words, "--motion", str(table))
    np.testing.assert_allclose(again["tau"], told["tau"], atol=1e-9)


def test_the_force_that_a_motion_takes_is_told():
    done = typed("simulate", "pendulum", "--t", "1", "--motion", "pivot=cycloid:0:90deg:1")
    assert done.exit_code == 0
    assert "peak" in done.output
    assert "N·m" in done.output


def test_what_is_not_driven_starts_where_it_is_set():
    told = answered("simulate", "space_robot", "--t", "0.1", "--motion", "elbow=0.1*sin(2*t)", "--set", "wrist=0.3")
    names = told["coordinates"]
    assert [told["q"][0][names.index(name)] for name in ("elbow", "wrist", "shoulder")] == [0.0, 0.3, 0.3803]
    assert told["v"][0][told["velocities"].index("elbow")] == 0.2


def test_inverse_writes_what_simulate_follows(tmp_path):
    assert typed("inverse", "planar_3r", "--motion", "cycloid:0:60deg:1", "--out", str(tmp_path)).exit_code == 0
    told = answered("simulate", "planar_3r", "--t", "1", "--tau", str(tmp_path / "inverse.csv"))
    # a cubic spline through 101 rows of a turn of a sine: off by 5/384 (2 pi / 100)^4 of it, and the arm falls away
    np.testing.assert_allclose(told["q"][-1], math.pi / 3, atol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "().__class__", "t.real", "lambda: 1", "[1,2]", "'a'", "f(t)", "sin()",
        "sin(t, t)", "min(1)", "q[nothing]", "x", "1 if t else 2", "t and 1", "True", "1j", "t:=2", "", "sin(x=1)",
        "(" * 300 + "1" + ")" * 300, "-" * 500 + "1", "1" * 3000, "1e400**2", "1/0",
        "no_motor=1", "crank_joint=1;crank_joint=2",
        "10**10**10", "9" * 400,
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused(text):
    done = typed("simulate", "four_bar", "--t", "0.01", "--tau", text)
    assert done.exit_code == 2, done.output
    assert "--tau" in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["four_bra"], 2, "did you mean 'four_bar'?"),
        (["four_bar", "--t", "0"], 1, "is not after the start"),
        (["four_bar", "--t", "nan"], 1, "t_end must be a finite number"),
        (["four_bar", "--save", "0"], 1, "save must be a positive number"),
        (["four_bar", "--method", "magic"], 1, "magic"),
        (["four_bar", "--method", "rk4"], 1, "step"),
        (["four_bar", "--formulation", "magic"], 1, "no formulation 'magic'"),
        (["four_bar", "--set", "crank_joint"], 2, "should be JOINT=VALUE"),
        (["four_bar", "--set", "crank_joint=x"], 2, "is not a number such as"),
        (["four_bar", "--set", "crank=1"], 1, "no coordinate 'crank'"),
        (["four_bar", "--set", "rocker_joint=0.1"], 1, "rocker_joint"),
        (["four_bar", "--tau", "none.csv"], 1, "cannot read the table of forces none.csv"),
        (["four_bar", "--rtol", "-1"], 1, "tolerances must be positive"),
        (["four_bar", "--motion", "crank_joint"], 1, "cannot read the motion crank_joint"),
        (["four_bar", "--motion", "crank_joint=q[crank_pin]"], 2, "is not known here"),
        (["four_bar", "--motion", "rocker_joint=1.6"], 1, "has no actuator"),
        (["four_bar", "--motion", "crank=1.6"], 1, "no coordinate 'crank'"),
        (["four_bar", "--motion", "crank_joint=t", "--set", "crank_joint=1"], 2, "says where it starts"),
        (["four_bar", "--motion", "crank_joint=1/(1-1)"], 2, "has no value"),
        (["four_bar", "--motion", "crank_joint=log(t)"], 1, "crank_joint"),
    ],
)
def test_what_is_wrong_is_said(words, status, said):
    done = typed("simulate", *words)
    assert done.exit_code == status, done.output
    assert said in words_of(done)
    assert "Traceback" not in done.output


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    done = typed("simulate", "pendulum", "--t", "0.1", "--out", str(tmp_path / "file"))
    assert done.exit_code == 1
    assert "cannot write" in done.output


def test_a_failing_force_ends_the_run_and_keeps_what_there_is(tmp_path):
    done = typed("simulate", "pendulum", "--t", "1", "--tau", "log(0.5-t)", "--out", str(tmp_path))
    assert done.exit_code == 1
    assert "stopped at t = 0." in words_of(done)
    kept = lw.open_run(tmp_path / "run.nc")
    assert 0.3 < kept.t[-1] <= 0.5


def test_without_input_or_display(tmp_path):
    done = in_shell("simulate", "pendulum", "--t", "0.1", "--json", folder=tmp_path, stdin=subprocess.DEVNULL,
                    env={"DISPLAY": "", "MPLBACKEND": ""})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert json.loads(done.stdout)["status"] == "finished"
