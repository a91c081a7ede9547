"""A recorded function read as a flat list, and how much work the list does."""

from __future__ import annotations

import casadi
import numpy as np

from loopwright.program import Operation, counted, tape_of

from .compiling import kernel


def test_the_list_of_a_small_function():
    x = casadi.SX.sym("x", 2)
    tape = tape_of(casadi.Function("twist", [x], [casadi.sin(x[1]) * x[0] + 3.0]))
    assert (tape.name, tape.inputs, tape.outputs) == ("twist", (2,), (1,))
    assert sorted(operation.name for operation in tape.operations) == [
        "add", "constant", "input", "input", "mul", "output", "sin",
    ]  # fmt: skip
    for k, operation in enumerate(tape.operations):
        assert all(i < k for i in operation.of)
    assert {operation.place for operation in tape.operations if operation.name == "input"} == {(0, 0), (0, 1)}
    assert [operation.value for operation in tape.operations if operation.name == "constant"] == [3.0]


def test_how_often_values_are_read():
    x = casadi.SX.sym("x")
    tape = tape_of(casadi.Function("f", [x], [x * x + x, x]))
    uses = dict(zip((operation.name for operation in tape.operations), tape.uses(), strict=True))
    assert uses["input"] == 3  # by the square, the sum and an output
    assert uses["output"] == 0


def test_work_slots_that_casadi_uses_again():
    x = casadi.SX.sym("x", 6)
    y = x
    for _ in range(8):
        y = casadi.vertcat(y[1:] * y[:-1] + 0.5, y[0] - y[5])
    f = casadi.Function("f", [x], [y])
    values = np.linspace(-1.0, 1.0, 6)
    np.testing.assert_array_equal(kernel(tape_of(f), fma=False)(values), np.array(f(values)).ravel())


def test_entries_that_are_zero_by_structure_are_written():
    """A kernel's caller gives memory that holds anything."""
    x = casadi.SX.sym("x", 3)
    made = kernel(tape_of(casadi.Function("f", [x], [casadi.diag(x)])))
    out = np.full((5, 9), np.nan)
    made(np.arange(15.0).reshape(5, 3), out=out)
    np.testing.assert_array_equal(out.reshape(5, 3, 3), np.arange(15.0).reshape(5, 3, 1) * np.eye(3))


def test_sparse_inputs_are_read_at_their_dense_places():
    sparse = casadi.SX.sym("x", casadi.Sparsity.diag(3))
    made = kernel(tape_of(casadi.Function("f", [sparse], [casadi.diag(sparse)])))
    np.testing.assert_array_equal(made(np.arange(9.0)), [0.0, 4.0, 8.0])


def test_counts_are_by_the_terms_of_the_literature():
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    out = casadi.vertcat(x * y + x**2, (x - y) / (x + x), casadi.sqrt(-x) * casadi.cos(y), casadi.fmin(x, y), 2.0)
    counts = counted(tape_of(casadi.Function("f", [x, y], [out])))
    assert (counts.multiplications, counts.additions, counts.divisions) == (3, 3, 1)
    assert (counts.square_roots, counts.trigonometric, counts.other) == (1, 1, 1)
    assert counts.total == 10


def test_an_operation_stands_for_itself():
    assert Operation("mul", (0, 1)) == Operation("mul", (0, 1))
