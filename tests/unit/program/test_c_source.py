"""The C file says what NumPy and the recorded program say, and any name a user may choose is a name in C."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import LoopwrightError
from loopwright.program import Argument, Operation, Tape, c_source, identifier
from loopwright.testing import random_tree
from tests.mechanisms import close

COMPILER = next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)
STRICT = "-std=c99 -Wall -Wextra -Wshadow -Wconversion -pedantic -Werror -O2 -ffp-contract=off".split()  # noqa: SIM905
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine: neither cc, gcc nor clang")


def built(source, folder):
    """The one function of a C file, called as function(*inputs, size) -> array; numbers go by value."""
    name = re.search(r"^void (\w+)\(", source, re.MULTILINE).group(1)
    (folder / f"{name}.c").write_text(source)
    library = folder / f"{name}.so"
    subprocess.run(
        [COMPILER, *STRICT, "-shared", "-fPIC", "-o", library, folder / f"{name}.c", "-lm"], check=True, timeout=900
    )
    function = getattr(ctypes.CDLL(str(library)), name)
    function.restype = None
    pointer = ctypes.POINTER(ctypes.c_double)

    def call(*inputs, size):
        kept = [np.array(x, dtype=float, order="C") for x in inputs]
        out = np.full(size, np.nan)
        given = [ctypes.c_double(float(x)) if x.ndim == 0 else x.ctypes.data_as(pointer) for x in kept]
        function(*given, out.ctypes.data_as(pointer))
        return out

    call.raw = function
    return call


def state_of(mech, seed=3):
    q, v = mech.random_state(seed)
    return {"q": q, "v": v, "a": v[::-1].copy(), "tau": np.linspace(-1.0, 1.0, mech.nu)}


def compare(mech, folder, *asked):
    dyn, given = lw.Dynamics(mech, compiled=False), state_of(mech)
    condition = np.linalg.cond(dyn.mass_matrix(given["q"]))
    for name, which in asked:
        program = dyn.casadi(name, **which)
        inputs = {key: given[key] for key in program.name_in()}
        by_program = np.array(program(*inputs.values()), dtype=float).reshape(-1)
        in_c = built(dyn.c_source(name, **which), folder)(*inputs.values(), size=by_program.size)
        close(in_c, by_program, 1e-15)
        by_numbers = getattr(dyn, name)(**inputs, **which)
        if isinstance(by_numbers, np.ndarray):
            # forward dynamics divides by pivots: two orders of the same sums part by cond(I) roundings
            digits = 20.0 * np.finfo(float).eps * condition if name == "forward" else 0.0
            close(in_c.reshape(by_numbers.shape), by_numbers, max(1e-13, digits))


ALL = (
    ("forward", {}),
    ("forward", {"algorithm": "crba"}),
    ("inverse", {"algorithm": "gibbs_appell"}),
    ("mass_matrix", {}),
    ("bias", {}),
    ("gravity", {}),
    ("energy", {}),
    ("rates", {}),
)


@needs_compiler
def test_an_arm(tmp_path):
    compare(lw.zoo.puma560(), tmp_path, *ALL, ("jacobian", {"body": "link6"}))


@needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_trees_of_all_joints_with_loads(seed, tmp_path):
    """Quaternions, springs of spherical joints (atan2 and choices), friction, dampers, wrenches."""
    mech = random_tree(seed, bodies=4, loads=True, floating=seed % 2 == 0)
    compare(mech, tmp_path, ("forward", {}), ("mass_matrix", {}), ("bias", {}), ("rates", {}))


@needs_compiler
def test_a_ball_on_a_spring(tmp_path):
    mech = random_tree(1, bodies=2, kinds=("spherical",), loads=True)
    source = lw.Dynamics(mech).c_source("forward")
    assert "atan2(" in source
    assert "? " in source
    compare(mech, tmp_path, ("forward", {}), ("bias", {}))


@needs_compiler
def test_time_and_parameters_are_given_by_value(tmp_path):
    b = lw.Builder("pendulum", gravity=(0, 0, -9.81))
    length, double = b.parameter("length", 0.7), b.parameter("double", 2.0)
    b.body("bob", mass=double, com=(length, 0, 0))
    b.revolute("hinge", "ground", "bob", axis=(0, 1, 0))
    b.effort("shaker", "hinge", lambda t: np.sin(t))
    mech = b.build()
    source = lw.Dynamics(mech).c_source("forward", parameters=("length", "double"))
    assert "double t, double length, double double_, double *out" in source
    call = built(source, tmp_path)
    for t, l, m in ((0.0, 0.7, 2.0), (1.3, 0.4, 5.0)):
        there = lw.forward_dynamics(mech.with_parameters(length=l, double=m), [0.3], [0.1], [0.2], t=t)
        close(call([0.3], [0.1], [0.2], t, l, m, size=1), there, 1e-14)


@needs_compiler
def test_the_result_may_overwrite_an_input(tmp_path):
    mech = lw.zoo.planar_3r()
    given = state_of(mech)
    call = built(lw.Dynamics(mech).c_source("forward"), tmp_path)
    expected = call(given["q"], given["v"], given["tau"], size=3)
    pointer = ctypes.POINTER(ctypes.c_double)
    q, v, tau = (given[name].copy().ctypes.data_as(pointer) for name in ("q", "v", "tau"))
    call.raw(q, v, tau, q)
    assert [q[k] for k in range(3)] == list(expected)


@needs_compiler
def test_every_operation(tmp_path):
    """Each operation a program may hold, against CasADi, at ordinary and at awkward numbers."""
    import casadi

    from loopwright.program import tape_of

    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    one = [casadi.sin, casadi.cos, casadi.tan, casadi.atan, casadi.sinh, casadi.cosh, casadi.tanh, casadi.asinh]
    one += [casadi.exp, casadi.erf, casadi.expm1, casadi.fabs, casadi.floor, casadi.ceil, casadi.sign]
    two = [casadi.atan2, casadi.fmin, casadi.fmax, casadi.fmod, casadi.hypot, casadi.copysign]
    two += [lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a == b, lambda a, b: a != b]
    two += [lambda a, b: casadi.if_else(casadi.logic_or(a < 0, casadi.logic_not(b > 0)), a / 3, 1 / b)]
    two += [lambda a, b: casadi.if_else(casadi.logic_and(a > 0, b > 0), a**b, -a + a), lambda a, b: a * a - (b + b)]
    out = casadi.vertcat(*(f(x) for f in one), *(f(x, y) for f in two), casadi.sqrt(x * x), x**2.5 * 0 + 1e300 * y)
    function = casadi.Function("ops", [x, y], [out])
    tape = tape_of(function)
    scalars = [Argument("x", None, "a number"), Argument("y", None, "another")]
    call = built(c_source(tape, "ops", "every operation", scalars, "results"), tmp_path)
    for a, b in ((0.3, 1.7), (-2.0, 0.4), (1.0, -1.0), (0.5, 0.5), (700.0, 2.0), (np.nan, 1.0), (0.0, -0.0)):
        expected = np.array(function(a, b), dtype=float).reshape(-1)
        np.testing.assert_array_max_ulp(call(a, b, size=len(expected)), expected, 2)


def test_an_operation_without_a_form_is_named():
    tape = Tape("f", (1,), (1,), (Operation("input"), Operation("erfinv", (0,)), Operation("output", (1,))))
    with pytest.raises(LoopwrightError, match="'erfinv' has no form in C99"):
        c_source(tape, "f", "", [Argument("x", 1, "")], "")


@pytest.mark.parametrize(
    "text, word",
    [
        ("M_PI", "M_PI_"),
        ("four bar", "four_bar"),
        ("3-RRR", "n3_RRR"),
        ("Größe", "Groe"),
        ("double", "double_"),
        ("*/", "unnamed"),
        ("sin", "sin_"),
    ],
)
def test_identifiers(text, word):
    assert identifier(text) == word


@needs_compiler
def test_arguments_of_one_name_are_told_apart(tmp_path):
    operations = (Operation("input", place=(0, 0)), Operation("input", place=(1, 0)), Operation("sub", (0, 1)))
    tape = Tape("f", (1, 1), (1,), (*operations, Operation("output", (2,))))
    source = c_source(tape, "f", "", [Argument("out", None, ""), Argument("out", 1, "")], "")
    assert "void f(double out_, const double *out__, double *out)" in source
    assert list(built(source, tmp_path)(5.0, [3.0], size=1)) == [2.0]


@needs_compiler
def test_awkward_names(tmp_path):
    """Names that end comments, continue lines or mean something in C."""
    b = lw.Builder('robot */ int x; /* "??/ \\')
    for parameter in ("w3", "int", "cos", "M_PI"):
        b.parameter(parameter, 1.5)
    b.body("bob", mass=b["w3"], com=(b["int"], b["cos"], b["M_PI"]))
    b.revolute("*/\n#error", "ground", "bob", axis=(0, 1, 0))
    mech = b.build()
    call = built(lw.Dynamics(mech).c_source("forward", parameters=tuple(mech.values)), tmp_path)
    expected = lw.forward_dynamics(mech, [0.3], [0.1], [0.2])
    close(call([0.3], [0.1], [0.2], 1.5, 1.5, 1.5, 1.5, size=1), expected, 1e-14)


def test_the_head_explains_every_argument():
    mech = random_tree(2, bodies=3, kinds=("free", "prismatic", "revolute"))
    source = lw.Dynamics(mech).c_source("forward")
    head = source[: source.index("*/")]
    for label in (*mech.coordinates, *mech.velocities, "N m", "rad/s", "SI units", "accelerations"):
        assert label in head
    assert max(map(len, head.splitlines())) <= 120


def test_the_file_stands_alone():
    source = lw.Dynamics(lw.zoo.puma560()).c_source("forward", function="puma")
    assert re.findall(r"#include\s*(\S+)", source) == ["<math.h>"]
    assert not re.search(r"\b(static|malloc|free|extern)\b", source[source.index("*/") :])
    assert "void puma(" in source
