import csv

import numpy as np
import pytest

import loopwright as lw
from loopwright import zoo

from .typed import answered, typed


def columns(path):
    with path.open(encoding="utf-8", newline="") as file:
        heads, *rows = list(csv.reader(file))
    return dict(zip(heads, np.array(rows, dtype=float).T, strict=True))


def test_torques_of_the_kuka_kr5_are_the_published_ones(tmp_path):
    # ReDySim's stored output: every joint on the cycloid 0 -> pi/3 in 1 s
    published = {
        0.0: (0, 128.7117, 14.53612, 0, 0, 0),
        0.3: (102.8643, 210.8582, 35.14403, 0.05445071, -0.1769532, 8.578418e-6),
        0.5: (-39.53028, 150.3598, 21.46336, 0.1967606, -0.3236363, 6.465742e-6),
        1.0: (0, 66.78584, 9.698057, 0.1305619, 0.05428358, 0),
    }
    assert typed("inverse", "kuka_kr5", "--motion", "cycloid", "--out", str(tmp_path)).exit_code == 0
    found = columns(tmp_path / "inverse.csv")
    for t, tau in published.items():
        row = int(np.argmin(np.abs(found["t"] - t)))
        computed = [found[f"tau.joint{k}"][row] for k in range(1, 7)]
        np.testing.assert_allclose(computed, tau, rtol=1e-6, atol=1e-9)
    assert (tmp_path / "inverse.png").read_bytes().startswith(b"\x89PNG")


def test_the_peaks_are_those_of_the_table():
    told = answered("inverse", "puma560", "--motion", "cycloid")
    tau = np.array(told["tau"])
    assert tau.shape == (101, 6)
    for k, peak in enumerate(told["peaks"]):
        at = int(np.argmax(np.abs(tau[:, k])))
        assert (peak["peak"], peak["t"]) == (tau[at, k], told["t"][at])
        assert peak["rms"] == pytest.approx(np.sqrt(np.mean(tau[:, k] ** 2)))
        assert peak["unit"] == "N·m"


def test_peaks_are_printed_with_their_units():
    done = typed("inverse", "stanford_arm", "--motion", "cycloid", "--no-reactions")
    assert done.exit_code == 0
    rows = {line.split()[0]: line.split()[-1] for line in done.stdout.splitlines() if line.startswith(" joint")}
    assert rows == {f"joint{k}": "N" if k == 3 else "N·m" for k in range(1, 7)}


def test_the_forces_are_those_of_the_library():
    told = answered("inverse", "planar_3r", "--motion", "cycloid:0:pi:10")
    tau = lw.Dynamics(zoo.planar_3r()).inverse(told["q"], told["v"], told["a"])
    np.testing.assert_array_equal(told["tau"], tau)


def test_what_was_written_can_be_read_back(tmp_path):
    motion = "cycloid:0:90deg:2"
    first = answered("inverse", "puma560", "--motion", motion, "--out", str(tmp_path / "one"))
    again = answered("inverse", "puma560", "--motion", first["files"]["table"])
    np.testing.assert_array_equal(first["tau"], again["tau"])
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "inverse.csv", "inverse.png", "reactions.csv", "reactions.png",
    ]  # fmt: skip


def test_loads_that_change_with_time_are_taken_at_their_time(monkeypatch):
    def pushed() -> lw.Mechanism:
        b = lw.Builder("pushed", gravity=(0, 0, 0))
        b.body("cart", 2.0)
        b.prismatic("rail", "ground", "cart", axis=(1, 0, 0))
        b.wrench("push", "cart", force=lambda t: (3.0 * t, 0.0, 0.0))
        return b.build()

    monkeypatch.setattr(zoo, "MECHANISMS", {"pushed": pushed})
    told = answered("inverse", "pushed", "--motion", "cycloid:0:1:2")
    np.testing.assert_allclose(np.ravel(told["tau"]), 2.0 * np.ravel(told["a"]) - 3.0 * np.array(told["t"]), atol=1e-12)


def test_nothing_is_written_unless_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = typed("inverse", "pendulum", "--motion", "cycloid")
    assert done.exit_code == 0
    assert "--out" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["puma560"], 2, "Missing option '--motion'"),
        (["puma560", "--motion", "none.csv"], 1, "cannot read the motion none.csv"),
        (["puma560", "--motion", "cycloid:1:2"], 2, "cycloid:START:END:SECONDS"),
        (["quadruped", "--motion", "cycloid"], 1, "cannot make this motion: body_joint.vx lacks"),
        (["puma561", "--motion", "cycloid"], 2, "did you mean 'puma560'?"),
        (["arm.csv", "--motion", "cycloid"], 1, "does not read model files yet"),
    ],
)
def test_what_is_wrong_is_said(words, status, said):
    done = typed("inverse", *words)
    assert done.exit_code == status
    assert said in " ".join(done.output.replace("│", " ").split())
    assert "Traceback" not in done.output


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    done = typed("inverse", "pendulum", "--motion", "cycloid", "--out", str(tmp_path / "file"))
    assert done.exit_code == 1
    assert "cannot write" in done.output


# mechanisms with loops


def table(path, **columns):
    rows = np.column_stack(list(columns.values()))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(columns), *rows.tolist()])
    return str(path)


def test_torques_of_a_crank_that_turns_steadily_are_the_published_ones(tmp_path):
    """ReDySim's four-bar at 45 rpm; torques computed by two independent solvers to the digits shown."""
    torques = (2.6559788, 0.9048520, -0.7354122, -2.3243216, -2.3468190, -1.0148701, 0.5574927, 2.3174219)
    t = np.arange(8) / 6
    told = answered(
        "inverse", "redysim_four_bar", "--motion", table(tmp_path / "m.csv", t=t, crank_joint=1.5 * np.pi * t)
    )
    np.testing.assert_allclose(np.ravel(told["tau"]), torques, atol=1e-7)
    rocker = np.degrees(np.array(told["q"])[:, told["coordinates"].index("rocker_joint")])
    angles = (130.5416, 115.9108, 122.4585, 139.2437, 154.4120, 160.8419, 159.3284, 150.1893)
    np.testing.assert_allclose(rocker, angles, atol=1e-4)


def test_the_whole_motion_written_may_be_read_again_and_its_pieces_too(tmp_path):
    motion = "shoulder_1=cycloid:30deg:90deg:20;shoulder_2=cycloid:30deg:70.3deg:20"
    first = answered("inverse", "five_bar", "--motion", motion, "--no-reactions", "--out", str(tmp_path))
    again = answered("inverse", "five_bar", "--motion", first["files"]["table"], "--no-reactions")
    np.testing.assert_allclose(again["tau"], first["tau"], rtol=1e-12, atol=1e-12)
    found = columns(tmp_path / "inverse.csv")
    # by other coordinates, whose rates follow from splines of step 0.2 s
    elbows = {name: found[name] for name in ("t", "shoulder_1", "elbow_1")}
    other = answered("inverse", "five_bar", "--motion", table(tmp_path / "e.csv", **elbows), "--no-reactions")
    np.testing.assert_allclose(other["tau"], first["tau"], atol=2e-4)
    np.testing.assert_allclose(other["q"], first["q"], atol=1e-9)


def test_it_agrees_with_a_simulation_of_the_same_motion():
    told = answered("inverse", "three_rrr", "--motion",
                    "shoulder_1=cycloid:1.04:1.2:1;shoulder_2=4.1883;shoulder_3=5.7637")  # fmt: skip
    motion = {"shoulder_1": lw.trajectory.cycloid(1.04, 1.2, 1.0), "shoulder_2": 4.1883, "shoulder_3": 5.7637}
    start = lw.assemble(zoo.three_rrr(), {name: told["q"][0][told["coordinates"].index(name)] for name in motion},
                        near=zoo.start("three_rrr"))[0]  # fmt: skip
    run = lw.simulate(zoo.three_rrr(), start, 1.0, motion=motion, save=told["t"], progress=False)
    np.testing.assert_allclose(told["q"], run.q, atol=1e-10)
    np.testing.assert_allclose(told["tau"], run.tau, atol=1e-8)


def test_reactions_carry_the_mechanism():
    """At rest the ground's joints carry all weight; the motor's moment is the one about its axis."""
    told = answered("inverse", "four_bar", "--motion", "crank_joint=1.2")
    ground = np.array(told["reactions"]["crank_joint"]) + np.array(told["reactions"]["rocker_joint"])
    np.testing.assert_allclose(ground[:, 3:5], np.tile([0.0, 9.5 * 9.81], (len(ground), 1)), atol=1e-9)
    np.testing.assert_allclose(np.array(told["reactions"]["crank_joint"])[:, 2], np.ravel(told["tau"]), atol=1e-9)
    assert told["determinate"]["crank_pin"] == [False, False, True, True, True, False]


def test_reactions_are_printed_and_written(tmp_path):
    done = typed("inverse", "slider_crank", "--motion", "crank_joint=cycloid:0.5:1.5:1", "--out", str(tmp_path))
    assert done.exit_code == 0
    for words in ("reaction in", "left open", "crank_joint", "moment (N·m)", "reactions.png"):
        assert words in done.output
    found = columns(tmp_path / "reactions.csv")
    assert len(found) == 1 + 6 * len(zoo.slider_crank().joints)
    assert (tmp_path / "reactions.png").read_bytes().startswith(b"\x89PNG")
    told = answered("inverse", "slider_crank", "--motion", "crank_joint=cycloid:0.5:1.5:1")
    np.testing.assert_array_equal(found["crank_joint.fx"], np.array(told["reactions"]["crank_joint"])[:, 3])


def test_near_tells_one_branch_from_another():
    crossed = zoo.four_bar()
    ways = lw.assemble(crossed, {"crank_joint": 1.0})
    assert len(ways) == 2
    for way in ways:
        told = answered("inverse", "four_bar", "--motion", "crank_joint=cycloid:1:1.2:1", "--no-reactions",
                        "--near", f"rocker_joint={way['rocker_joint']:.3f}")  # fmt: skip
        np.testing.assert_allclose(told["q"][0], way.q, atol=1e-9)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["five_bar", "--motion", "shoulder_1=cycloid:80deg:190deg:20"], 1,
         "no further than t = 10.4 s: shoulder_1 stops at 2.40279 rad: a dead point"),
        (["five_bar", "--motion", "shoulder_1=3;shoulder_2=0"], 1, "cannot close at shoulder_1 = 3 rad"),
        (["four_bar", "--motion", "rocker_joint=1.6;crank_joint=1.5"], 1, "more than the 1 freedom"),
        (["four_bar", "--motion", "crank_jont=1.6"], 1, "did you mean 'crank_joint'?"),
        (["four_bar", "--motion", "crank_joint=fast"], 2, "'fast' is not known here"),
        (["four_bar", "--motion", "crank_joint=1;crank_joint=2"], 2, "once for each"),
        (["four_bar", "--motion", "crank_joint="], 2, "once for each"),
        (["four_bar", "--motion", "cycloid", "--near", "crank_joint"], 2, "should be JOINT=VALUE"),
        (["five_bar", "--motion", "shoulder_1=cycloid:80deg:90deg:1"], 0, "shoulder_2 held still"),
    ],
)  # fmt: skip
def test_motions_of_loops_that_go_wrong_are_told(words, status, said):
    done = typed("inverse", *words, "--no-reactions")
    assert done.exit_code == status, done.output
    assert said in " ".join(done.output.replace("│", " ").split())
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"t": np.linspace(0, 1, 6), "crank": np.zeros(6)}, "has no coordinate for column 'crank'"),
        ({"crank_joint": np.zeros(6)}, "needs a column t"),
        ({"t": np.linspace(0, 1, 6)}, "one for every freedom"),
        ({"t": [0, 1, 2], "crank_joint": [1, 1, 1]}, "needs at least 4"),
        ({"t": np.linspace(0, 1, 6), "crank_joint": np.full(6, 1.5), "crank_pin": np.zeros(6),
          "rocker_joint": np.zeros(6)}, "at t = 0 s loop 'rocker_pin' is open by"),
    ],
)  # fmt: skip
def test_tables_of_loops_that_are_wrong_are_told(tmp_path, given, said):
    done = typed("inverse", "four_bar", "--motion", table(tmp_path / "m.csv", **given))
    assert done.exit_code == 1
    assert said in " ".join(done.output.split())


@pytest.mark.parametrize("name", list(zoo.MECHANISMS))
def test_every_ready_mechanism_is_answered_or_refused_in_words(name):
    done = typed("inverse", name, "--motion", "cycloid:0:0.1:1", "--no-reactions")
    assert done.exit_code in (0, 1)
    assert done.exit_code == 0 or done.output.startswith("Error: ")
