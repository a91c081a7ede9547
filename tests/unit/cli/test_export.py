"""`loopwright export`: what is written computes what the mechanism does."""

import ctypes
import shutil
import subprocess

import casadi
import numpy as np
import pytest

import loopwright as lw

from .typed import answered, typed

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def test_c_on_the_screen():
    done = typed("export", "planar_3r", "--to", "c", "--quantity", "gravity")
    assert done.exit_code == 0
    assert done.stdout.rstrip("\n") == lw.Dynamics(lw.zoo.planar_3r()).c_source("gravity").rstrip("\n")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_the_c_file_compiled(tmp_path):
    file = tmp_path / "new" / "forward.c"
    done = typed("export", "puma560", "--to", "c", "--algorithm", "aba", "--out", str(file))
    assert done.exit_code == 0
    assert str(file) in done.stdout
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-shared", "-fPIC"]
    subprocess.run([COMPILER, *flags, str(file), "-o", str(tmp_path / "f.so"), "-lm"], check=True)
    function = ctypes.CDLL(str(tmp_path / "f.so")).puma560_forward_aba
    mech = lw.zoo.puma560()
    (q, v), tau, out = mech.random_state(4), np.linspace(-5.0, 5.0, 6), np.empty(6)
    function(*(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (q, v, tau, out)))
    np.testing.assert_allclose(out, lw.forward_dynamics(mech, q, v, tau), rtol=1e-9)


def test_the_casadi_file_loaded(tmp_path):
    file = tmp_path / "inverse.casadi"
    assert typed("export", "puma560", "--to", "casadi", "--quantity", "inverse", "--out", str(file)).exit_code == 0
    loaded = casadi.Function.load(str(file))
    mech = lw.zoo.puma560()
    (q, v), a = mech.random_state(4), np.linspace(-1.0, 1.0, 6)
    np.testing.assert_allclose(
        np.array(loaded(q, v, a)).ravel(), lw.inverse_dynamics(mech, q, v, a), rtol=1e-12, atol=1e-12
    )


def test_latex():
    done = typed("export", "n_pendulum", "-p", "n=1", "--to", "latex", "--quantity", "gravity")
    assert done.exit_code == 0
    assert done.stdout.rstrip("\n") == lw.Dynamics(lw.zoo.n_pendulum(n=1)).equations("gravity")
    assert r"9.81 \cos" in done.stdout


def test_equations_too_large_to_read_are_refused():
    done = typed("export", "puma560", "--to", "latex")
    assert done.exit_code == 1
    assert "which nobody would read" in done.output


def test_a_quantity_of_a_body_and_for_a_program():
    answer = answered("export", "planar_3r", "--to", "c", "--quantity", "pose", "--body", "hand")
    assert (answer["quantity"], answer["suffix"]) == ("pose", ".c")
    assert "planar_3r_pose_hand" in answer["text"]
    done = typed("export", "planar_3r", "--to", "c", "--quantity", "pose")
    assert done.exit_code == 1
    assert "is of a body" in done.output


def test_where_it_went(tmp_path):
    file = tmp_path / "f.tex"
    words = ("export", "planar_3r", "--to", "latex", "--quantity", "mass_matrix", "--out", str(file))
    assert answered(*words)["file"] == str(file)
    assert file.read_text().startswith((r"%", r"\begin"))
    file.unlink()
    file.mkdir()
    done = typed(*words)
    assert done.exit_code == 1
    assert "cannot write" in done.output


@pytest.mark.parametrize(
    "words, status, complaint",
    [
        (("--to", "fortran"), 2, "no form 'fortran'; there are c, casadi, latex"),
        ((), 2, "--to"),
        (("--to", "c", "--quantity", "forwrd"), 1, "no quantity 'forwrd'"),
        (("--to", "c", "--algorithm", "abba"), 1, "no algorithm 'abba'"),
        (("--to", "c", "--free", "mass"), 1, "mass"),
    ],
)
def test_what_cannot_be_written(words, status, complaint):
    done = typed("export", "planar_3r", *words)
    assert done.exit_code == status
    assert complaint in " ".join(done.output.replace("│", " ").split())
