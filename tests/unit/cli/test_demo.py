import json

import loopwright as lw

from .typed import in_shell, typed

FILES = ["poses.png", "run.html", "run.nc", "run.png"]


def test_the_demo_simulates_a_platform_and_a_linkage_and_says_how_far_to_believe_it(tmp_path):
    done = in_shell("demo", "--out", "out/demo", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for name in ("stewart", "four_bar"):
        assert sorted(path.name for path in (tmp_path / "out" / "demo" / name).iterdir()) == FILES
        assert all(f"out/demo/{name}/{file}" in done.stdout for file in FILES)
        run = lw.open_run(tmp_path / "out" / "demo" / name / "run.nc")
        assert run.finished
        assert run.audit.drift_relative < 1e-9
        assert run.audit.gap < 1e-14
        assert run.audit.second.apart < 1e-8
        assert run.audit.digits > 5.0
    for word in ("energy balance", "loops open by", "second formulation", "digits believed", "times real time"):
        assert done.stdout.count(word) == 2


def test_the_same_for_a_program(tmp_path):
    done = typed("demo", "--json", "--out", str(tmp_path))
    told = json.loads(done.stdout)
    assert set(told) == {"stewart", "four_bar"}
    assert told["stewart"]["status"] == "finished"


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    done = typed("demo", "--out", str(tmp_path / "file"))
    assert done.exit_code == 1
    assert "cannot write" in done.output
