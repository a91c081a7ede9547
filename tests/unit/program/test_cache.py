"""Object code kept on disk: found again, never trusted further than the user's own files."""

from __future__ import annotations

import hashlib
import itertools
import multiprocessing
import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import casadi
import numpy as np
import pytest

import loopwright as lw
from loopwright.program import Face, cache, compiled, tape_of
from loopwright.program import kernel as kernels

on_posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows has no permission bits")
KEY = hashlib.sha256(b"some program").hexdigest()
CODE = b"what a processor reads" * 100


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty cache of this test's own."""
    folder = tmp_path / "kernels"
    monkeypatch.setenv("LOOPWRIGHT_CACHE", str(folder))
    cache.usable.cache_clear()
    yield folder
    cache.usable.cache_clear()


@pytest.fixture
def compilations(monkeypatch):
    """How often code was compiled."""
    made = []
    compile_it = kernels.object_code

    def counted(*given):
        made.append(given)
        return compile_it(*given)

    monkeypatch.setattr(kernels, "object_code", counted)
    return made


def of_key(key, factor=2.0, width=None):
    x = casadi.SX.sym("x", 2)
    tape = tape_of(casadi.Function("f", [x], [casadi.sin(x) * factor]))
    return compiled(Face("f", (("x", 2),), (2,)), key, lambda: tape, width)


def entry(place):
    (path,) = place.glob("*.o")
    return path


def check(made, factor=2.0):
    np.testing.assert_allclose(made(np.array([0.3, 0.4])), factor * np.sin([0.3, 0.4]), rtol=1e-15)


# kept and found again


def test_the_second_call_loads_without_compiling_or_recording(place, compilations, monkeypatch):
    check(of_key("a"))
    assert len(compilations) == 1
    assert stat.S_IMODE(place.stat().st_mode) == 0o700 or os.name == "nt"
    assert stat.S_IMODE(entry(place).stat().st_mode) == 0o600 or os.name == "nt"
    face = Face("f", (("x", 2),), (2,))
    check(compiled(face, "a", lambda: pytest.fail("was recorded again")))
    assert len(compilations) == 1


def test_a_mechanism_asked_again_is_neither_recorded_nor_compiled(place, compilations, monkeypatch):
    mech = lw.zoo.pendulum()
    first = lw.Dynamics(mech, compiled=True).forward([0.3], [0.1], [0.2])
    monkeypatch.setattr("loopwright.verbs.record.recorded", lambda *given: pytest.fail("was recorded again"))
    np.testing.assert_array_equal(lw.Dynamics(lw.zoo.pendulum(), compiled=True).forward([0.3], [0.1], [0.2]), first)
    assert len(compilations) == 1


def test_every_part_of_the_key_counts(place, compilations):
    check(of_key("a"))
    check(of_key("b", 3.0), 3.0)
    check(of_key("a", width=1))
    check(of_key("a", width=4))
    assert len(compilations) == 4
    assert len(list(place.glob("*.o"))) == 4
    assert cache.key_of("ab", "c") != cache.key_of("a", "bc")


def test_nothing_is_kept_without_a_key(place, compilations):
    check(of_key(""))
    check(of_key(""))
    assert len(compilations) == 2
    assert not place.exists()


# entries that are not trusted


def damaged(path):
    """An entry in every way it may have been spoilt."""
    whole = path.read_bytes()
    yield "cut short", whole[:-1]
    yield "cut shorter", whole[:40]
    yield "empty", b""
    yield "one bit turned", whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:]
    yield "a bit of the digest turned", whole[:25] + bytes([whole[25] ^ 1]) + whole[26:]
    yield "longer", whole + b"\0"
    yield "of another version", whole.replace(b"loopwright object", b"loopwright objects", 1)
    yield "not ours at all", b"\x7fELF" + os.urandom(2000)


def test_a_damaged_entry_is_compiled_again(place, compilations):
    check(of_key("a"))
    for n, (_, content) in enumerate(damaged(entry(place))):
        entry(place).write_bytes(content)
        check(of_key("a"))
        assert len(compilations) == 2 + n
        check(of_key("a"))  # and has been mended
        assert len(compilations) == 2 + n


def test_an_entry_under_the_name_of_another_is_compiled_again(place, compilations):
    check(of_key("a"))
    first = entry(place)
    check(of_key("b", 3.0), 3.0)
    (second,) = (path for path in place.glob("*.o") if path != first)
    second.write_bytes(first.read_bytes())
    check(of_key("b", 3.0), 3.0)
    assert len(compilations) == 3


@on_posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_compiled_again(place, compilations, mode):
    check(of_key("a"))
    entry(place).chmod(mode)
    check(of_key("a"))
    assert len(compilations) == 2
    assert stat.S_IMODE(entry(place).stat().st_mode) == 0o600


@on_posix
def test_an_entry_of_another_user_is_compiled_again(place, monkeypatch):
    cache.put(KEY, CODE)
    assert cache.get(KEY) == CODE
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert cache.get(KEY) is None


@on_posix
def test_an_entry_that_is_a_link_is_compiled_again(place, tmp_path):
    cache.put(KEY, CODE)
    elsewhere = tmp_path / "elsewhere"
    os.replace(entry(place), elsewhere)
    (place / f"{KEY}.o").symlink_to(elsewhere)
    assert cache.get(KEY) is None
    cache.put(KEY, CODE)
    assert cache.get(KEY) == CODE
    assert not (place / f"{KEY}.o").is_symlink()


# folders that are not trusted


@on_posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_a_folder_that_others_can_write_is_refused_in_words(place, compilations, mode):
    place.mkdir()
    place.chmod(mode)
    with pytest.warns(UserWarning, match="kernels are not kept") as said:
        check(of_key("a"))
    assert [str(warning.message) for warning in said] == [
        f"compiled kernels are not kept: {place} can be written by other users. Make it yours alone "
        f"(chmod 700 {place}), or name another folder in LOOPWRIGHT_CACHE"
    ]
    check(of_key("a"))  # says it once
    assert len(compilations) == 2
    assert not list(place.iterdir())


@on_posix
def test_a_folder_of_another_user_is_refused(place, monkeypatch):
    place.mkdir(mode=0o700)
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.warns(UserWarning, match=r"belongs to another user\. Name another folder in LOOPWRIGHT_CACHE"):
        cache.put(KEY, CODE)
    assert not list(place.iterdir())


@on_posix
def test_a_folder_that_is_a_link_is_refused(place, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.warns(UserWarning, match="is a symbolic link"):
        cache.put(KEY, CODE)
    assert not list((tmp_path / "elsewhere").iterdir())


@on_posix
def test_folders_that_may_be_read_by_others_are_good_enough(place):
    place.mkdir()
    place.chmod(0o755)
    cache.put(KEY, CODE)
    assert cache.get(KEY) == CODE


# no place to keep anything


@pytest.mark.parametrize("error", [PermissionError, OSError])
def test_a_home_that_cannot_be_written_costs_only_time(place, compilations, monkeypatch, error):
    def refuse(*given, **options):
        raise error("read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    check(of_key("a"))
    check(of_key("a"))
    assert len(compilations) == 2


def test_a_file_in_the_place_of_the_folder_costs_only_time(place, compilations):
    place.write_text("not a folder")
    check(of_key("a"))
    assert place.read_text() == "not a folder"


def test_a_full_disk_costs_only_time_and_leaves_nothing(place, compilations, monkeypatch):
    def refuse(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    check(of_key("a"))
    assert not list(place.iterdir())


def test_an_interruption_leaves_nothing(place, monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cache.put(KEY, CODE)
    assert not list(place.iterdir())


def test_a_folder_that_cannot_be_marked_as_used_is_read_all_the_same(place, monkeypatch):
    cache.put(KEY, CODE)

    def refuse(*given):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.get(KEY) == CODE


def test_no_home_at_all_costs_only_time(monkeypatch, compilations):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    for name in ("LOOPWRIGHT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert cache.folder() is None
    check(of_key("a"))
    assert len(compilations) == 1


def test_a_process_without_home_computes(tmp_path):
    """A container with an unknown user: no HOME, no entry in the list of users."""
    script = "import pathlib, loopwright as lw; pathlib.Path.home = lambda: (_ for _ in ()).throw(RuntimeError('no'));"
    script += "print(*lw.Dynamics(lw.zoo.pendulum(), compiled=True).forward([0.0], [0.0]))"
    kept = ("PATH", "PYTHONPATH", "SYSTEMROOT")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    float(done.stdout)


# where it is


def test_where_entries_live(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("LOOPWRIGHT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for platform, parts in (("linux", ".cache"), ("darwin", "Library/Caches"), ("win32", "AppData/Local")):
        monkeypatch.setattr(sys, "platform", platform)
        assert cache.folder() == tmp_path / parts / "loopwright" / "kernels"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() == tmp_path / "xdg" / "loopwright" / "kernels"
    monkeypatch.setenv("LOOPWRIGHT_CACHE", str(tmp_path / "own"))
    assert cache.folder() == tmp_path / "own"
    monkeypatch.setenv("LOOPWRIGHT_CACHE", "beside")
    assert cache.folder() == Path.cwd() / "beside"


# not more than its limit


def test_what_was_not_used_for_longest_goes(place, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 10 * (len(CODE) + 100))
    monkeypatch.setattr(cache, "_written", itertools.count(1))  # no look at the size in between
    keys = [hashlib.sha256(bytes([n])).hexdigest() for n in range(20)]
    place.mkdir(mode=0o700)
    (place / "notes.txt").write_text("the user's own")
    os.utime(place / "notes.txt", (0, 0))
    for n, key in enumerate(keys):
        cache.put(key, CODE)
        os.utime(place / f"{key}.o", (n, n))
    assert cache.get(keys[0]) == CODE  # used just now
    cache._tidy(place)
    assert [key for key in keys if cache.get(key)] == [keys[0], *keys[11:]]
    assert (place / "notes.txt").exists()


def test_the_limit_is_looked_at_now_and_then(place, monkeypatch):
    looks = []
    monkeypatch.setattr(cache, "_tidy", looks.append)
    for _ in range(2 * cache._ROUND):
        cache.put(KEY, b"x")
    assert looks == [place] * 2


# several at once


def _write_and_read(folder, n):
    os.environ["LOOPWRIGHT_CACHE"] = folder
    for k in range(150):
        cache.put(KEY, CODE + bytes([n]) * (1000 * (k % 7)))
        found = cache.get(KEY)
        if found is not None and not found.startswith(CODE):
            return False
    return found is not None


def test_writers_at_once_never_show_half_an_entry(place):
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert all(pool.starmap(_write_and_read, [(str(place), n) for n in range(3)]))
    assert cache.get(KEY).startswith(CODE)
    assert [path.name for path in place.iterdir()] == [f"{KEY}.o"]


def test_silence_when_all_is_well(place):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(of_key("a"))
