"""How the command starts and ends, whatever it is joined to."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import loopwright as lw
from loopwright import cli, zoo

from .typed import in_shell, typed

HEAVY = ("casadi", "matplotlib", "networkx", "scipy", "yaml", "llvmlite")
POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX streams and signals")


def test_version():
    assert typed("--version").stdout == f"loopwright {lw.__version__}\n"


def test_without_a_verb_the_help_is_shown_and_the_status_says_it_was_incomplete():
    done = typed()
    assert done.exit_code == 2
    assert "Usage: loopwright" in done.stdout


@pytest.mark.parametrize(
    "verb", ["zoo", "inspect", "simulate", "inverse", "compare", "count", "export", "bench", "cite", "demo"]
)
def test_every_verb_has_help(verb):
    assert verb in typed("--help").stdout
    done = typed(verb, "-h")
    assert done.exit_code == 0
    assert "--json" in done.stdout


def test_an_unknown_verb():
    assert typed("simulat").exit_code == 2


def test_help_loads_nothing_heavy():
    code = "import sys; sys.argv[1:] = ['--help']\nfrom loopwright.cli import main\nassert main() == 0\n"
    code += f"print('loaded:', *[name for name in {HEAVY} if name in sys.modules])"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.splitlines()[-1] == "loaded:"


def test_inspecting_loads_nothing_to_draw_with():
    code = "import sys; sys.argv[1:] = ['inspect', 'four_bar']\nfrom loopwright.cli import main\nassert main() == 0\n"
    code += "print('loaded:', *[name for name in ('matplotlib', 'scipy', 'xarray') if name in sys.modules])"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.splitlines()[-1] == "loaded:"


def test_errors_go_to_stderr_and_leave_stdout_empty():
    done = in_shell("inspect", "robot.urdf", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: cannot read 'robot.urdf'")


def test_brackets_in_an_error_are_not_markup(monkeypatch):
    def broken() -> lw.Mechanism:
        raise lw.LoopwrightError("body '[red]x[/red]' [/] is odd")

    monkeypatch.setattr(zoo, "MECHANISMS", {"broken": broken})
    assert "body '[red]x[/red]' [/] is odd" in typed("inspect", "broken").output


def test_a_bug_is_not_hidden(monkeypatch):
    def broken() -> lw.Mechanism:
        raise ZeroDivisionError

    monkeypatch.setattr(zoo, "MECHANISMS", {"broken": broken})
    with pytest.raises(AssertionError):
        typed("inspect", "broken")


def test_an_interrupt_ends_with_130_and_no_traceback(monkeypatch):
    def interrupted() -> lw.Mechanism:
        raise KeyboardInterrupt

    monkeypatch.setattr(zoo, "MECHANISMS", {"slow": interrupted})
    done = typed("inspect", "slow")
    assert done.exit_code == 130
    assert "Traceback" not in done.output


@POSIX
def test_an_interrupt_from_the_keyboard():
    # parallel test runners start their processes deaf to interrupts, hence the first line
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "sys.argv[1:] = 'inverse chain -p n=6000 --motion cycloid'.split()\n"
    code += "from loopwright.cli import main; print('begun', flush=True); sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        try:
            assert child.stdout.readline() == "begun\n"
            time.sleep(1.0)
            child.send_signal(signal.SIGINT)
            _, complaint = child.communicate(timeout=600)
        finally:
            child.kill()
    assert child.returncode == 130
    assert complaint == "Error: interrupted\n"


@POSIX
@pytest.mark.parametrize("words", [["--help"], ["zoo"], ["zoo", "--json"], ["inspect", "stewart"], ["inspect", "-h"]])
def test_a_reader_that_leaves_is_met_in_silence(words):
    reader, writer = os.pipe()
    os.close(reader)
    done = in_shell(*words, stdout=writer)
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode in (1, 141)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["--help"], ["zoo"], ["zoo", "--json"], ["inspect", "stewart"]])
def test_a_full_disk_is_named(words):
    with open("/dev/full", "w") as full:
        done = in_shell(*words, stdout=full)
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@POSIX
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["zoo", "inspect four_bar --json", "inverse pendulum --motion cycloid", "--version"])
def test_closed_streams_do_no_harm(closed, words):
    done = subprocess.run(
        f"{sys.executable} -W error -m loopwright {words} {closed}", shell=True, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_that_knows_no_superscripts():
    done = in_shell("inspect", "four_bar", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "m/s?" in done.stdout


def test_pictures_without_home_display_or_a_backend(tmp_path):
    nowhere = {"HOME": "/proc/none", "XDG_CACHE_HOME": "/proc/none", "MPLBACKEND": "nonsense", "DISPLAY": ""}
    done = in_shell("inverse", "pendulum", "--motion", "cycloid", "--out", "out", folder=tmp_path, env=nowhere)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "inverse.png").exists()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "taken").write_text("a file stands where the folder should")
    done = in_shell("demo", "--out", "taken/out", folder=tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "taken" in done.stderr


def test_a_folder_closed_to_the_user(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(tmp_path / "out"))

    monkeypatch.setattr(Path, "mkdir", refuse)
    done = typed("demo", "--out", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "Permission denied" in done.output


@pytest.mark.parametrize("verb", [["zoo"], ["inverse", "pendulum", "--motion", "cycloid"]])
def test_colour_only_where_it_is_wanted(verb):
    assert "\x1b" not in in_shell(*verb).stdout
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert "\x1b[" in in_shell(*verb, env=terminal).stdout
    plain = in_shell(*verb, env={**terminal, "NO_COLOR": "1"}).stdout
    assert "\x1b[3" not in plain


def test_the_installed_script_calls_main():
    assert callable(cli.main)
