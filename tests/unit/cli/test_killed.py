"""A long run that is told to end: files are whole or not there, and what there is is kept where that is possible."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import loopwright as lw

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

# parallel test runners start their processes deaf to interrupts, hence the first line
COMMAND = """import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)
from loopwright.cli import main; sys.exit(main())"""


def started(seconds, folder):
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "simulate", "n_pendulum", "--t", seconds, "--save", "1000", "--out", "o"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(Path(lw.__file__).parents[1])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def setting_out(tmp_path_factory):
    """Seconds until a run is surely on its way: twice what a whole short one takes, everything compiled."""
    for _ in range(2):
        began = time.perf_counter()
        with started("0.01", tmp_path_factory.mktemp("short")) as short:
            _, err = short.communicate(timeout=600)
        assert short.returncode == 0, err
    return 2.0 * (time.perf_counter() - began)


@pytest.mark.parametrize("how, status", [("SIGINT", 130), ("SIGTERM", 130), ("SIGKILL", -9)])
def test_a_killed_process_leaves_whole_files_or_none(how, status, setting_out, tmp_path):
    with started("1e7", tmp_path) as child:
        try:
            time.sleep(setting_out)
            assert child.poll() is None, child.communicate()
            child.send_signal(getattr(signal, how))
            out, err = child.communicate(timeout=600)
        finally:
            child.kill()
    assert child.returncode == status, err
    assert "Traceback" not in err
    if how == "SIGKILL":
        assert not (tmp_path / "o").exists()
        # what it had compiled by then is whole, too
        assert lw.simulate(lw.zoo.n_pendulum(), None, 0.1, progress=False).finished
        return
    assert "interrupted" in err
    assert "not computed again: the run was interrupted" in out
    kept = lw.open_run(tmp_path / "o" / "run.nc")
    assert "interrupted" in kept.status
    assert 1 <= len(kept) < 10_000
