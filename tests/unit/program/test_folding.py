"""Long programs that repeat themselves, folded into loops: the same values as written out, in far fewer lines."""

from __future__ import annotations

import dataclasses

import casadi
import numpy as np
import pytest

from loopwright.program import Face, Kernel, machine, tape_of
from loopwright.program.folding import folded
from loopwright.program.kernel import LONG, _assembly
from loopwright.program.module import ENTRIES, folded_module
from loopwright.program.native import loaded, object_code
from tests.unit.program.compiling import COMBINATIONS, kernel


def folded_kernel(tape, width, fma, numbers=(), shape=None):
    here = dataclasses.replace(machine(), fma=fma)
    code = loaded(object_code(folded_module(folded(tape), here, width, numbers, shape)), ENTRIES)
    inputs = tuple((f"x{k}", None if k in numbers else size) for k, size in enumerate(tape.inputs))
    return Kernel(Face(tape.name, inputs, tape.outputs if shape is None else shape), code)


def chain(cells, width=1):
    """There and back along a chain: every cell reads its neighbours, and on the way back what it left on the way there.

    A figure of every second cell is its own, the others share theirs; some results are constants, or inputs as they
    are, or the same twice.
    """
    x, u = casadi.SX.sym("x", cells), casadi.SX.sym("u", 2)
    there = [casadi.sin(x[0]) * u[0]]
    for k in range(1, cells):
        figure = 0.5 if k % 2 else 1.0 / k
        there.append(casadi.cos(x[k]) * there[-1] / (2.0 + x[k] ** 2) + figure * casadi.sqrt(1.0 + x[k - 1] ** 2))
    back = [there[-1] + u[1]]
    for k in reversed(range(cells - 1)):
        back.append(casadi.if_else(x[k] > 0, back[-1] * there[k], back[-1] - x[k]) + 3.0)
    return casadi.Function("chain", [x, u], [casadi.vertcat(*back, 7.0, u[1], back[2], 0.0)])


def states(function, count, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1.0, 1.0, (count, function.numel_in(k))) for k in range(function.n_in())]


def expected(function, given):
    return np.array([np.array(function(*state)).ravel() for state in zip(*given, strict=True)])


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_a_chain_there_and_back(width, fma):
    function = chain(20)
    tape = tape_of(function)
    assert folded(tape).operations < len(tape.operations) / 2
    made = folded_kernel(tape, width, fma)
    for count in (1, 3, 17):
        given = states(function, count)
        found = made(*given)
        np.testing.assert_allclose(found, expected(function, given), rtol=1e-14, atol=1e-14)
        if not fma:  # the same operations in the same order, each rounded once
            assert np.array_equal(found, kernel(tape, width, fma)(*given))


def test_lines_do_not_grow_with_the_number_of_cells():
    short, long = (folded(tape_of(chain(cells))) for cells in (100, 1000))
    assert long.operations < short.operations + 50
    turns = [stretch.turns for stretch in long.stretches]
    assert max(turns) > 900
    # a place in memory is used again when nobody reads it any more: what went there is kept for the way back
    assert long.memory < 4 * 1000


def test_what_repeats_in_two_ways_or_not_at_all():
    """Random straight programs, alone and as cells between others."""
    rng = np.random.default_rng(3)
    for seed in range(3):
        x = casadi.SX.sym("x", 10)
        values = [x[k] for k in range(10)]
        for _ in range(25):
            a, b = (values[k] for k in rng.integers(0, len(values), 2))
            values.append([a + b, a * b, a - 0.3 * b, casadi.fabs(a)][rng.integers(4)])
        one = casadi.Function("one", [x], [casadi.vertcat(*values[-10:])])
        y = casadi.SX.sym("y", 10)
        z = y
        for k in range(9):
            z = one(z) / 3.0 if k % 3 == 2 else casadi.sqrt(1.0 + one(z + 0.1 * k) ** 2)
        function = casadi.Function("many", [y], [z])
        tape = tape_of(function)
        given = states(function, 9, seed)
        found = folded_kernel(tape, 4, True)(*given)
        np.testing.assert_allclose(found, expected(function, given), rtol=1e-12, atol=1e-13)


def test_matrices_and_numbers():
    x, s = casadi.SX.sym("x", 60), casadi.SX.sym("s")
    rows = [casadi.sin(x[k]) * s for k in range(60)]
    for _ in range(5):
        rows = [rows[k] + casadi.cos(rows[k - 1]) * x[k] for k in range(60)]
    function = casadi.Function("f", [x, s], [casadi.vertcat(*rows)])
    made = folded_kernel(tape_of(function), 4, True, numbers=(1,), shape=(12, 5))
    given = states(function, 11)
    found = made(given[0], given[1][:, 0])
    np.testing.assert_allclose(found.reshape(11, 60), expected(function, given), rtol=1e-13)


def test_long_tapes_are_folded_where_that_halves_them():
    here = machine()
    long, short = tape_of(chain(800)), tape_of(chain(40))
    assert len(long.operations) > LONG > len(short.operations)
    assert "@stretch" in _assembly(long, here, here.width, (), long.outputs)
    assert "@stretch" not in _assembly(short, here, here.width, (), short.outputs)
    rng, x = np.random.default_rng(0), casadi.SX.sym("x", 50)
    values = [x[k] for k in range(50)]
    for _ in range(LONG + 500):  # nothing of this repeats
        a, b = (values[k] for k in rng.integers(max(0, len(values) - 200), len(values), 2))
        values.append([a + b, a * b, a - b, b / a, casadi.fabs(a), casadi.sqrt(b)][rng.integers(6)])
    wild = tape_of(casadi.Function("wild", [x], [casadi.vertcat(*values[-400:])]))
    if len(wild.operations) > LONG:
        assert "@stretch" not in _assembly(wild, here, here.width, (), wild.outputs)
