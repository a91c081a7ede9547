"""A long tape in parts gives what it gives whole, to the bit, however it is cut and in whatever batches it is asked."""

from __future__ import annotations

import math

import casadi
import numpy as np
import pytest

from loopwright.program import parts as cutting
from loopwright.program import tape_of, tiles
from loopwright.program.emit import fused
from loopwright.program.parts import neighbours, parts

from .compiling import COMBINATIONS, kernel

BY_NAME = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "sq": lambda a: a * a,
    "twice": lambda a: a + a, "neg": lambda a: -a, "sin": math.sin, "cos": math.cos,
    "div": lambda a, b: a / b,
}  # fmt: skip


def tangle(seed, length=300):
    """Operations on values from near and far, products inside sums, angles that are used again much later."""
    rng = np.random.default_rng(seed)
    x, y = casadi.SX.sym("x", 4), casadi.SX.sym("y", 3)
    made = [*casadi.vertsplit(x), *casadi.vertsplit(y)]
    for _ in range(length):
        a, b, c = (made[max(0, len(made) - 1 - int(rng.exponential(20.0)))] for _ in range(3))
        made.append(
            [a + b, a * b + c, c - a * b, casadi.sin(a), casadi.cos(b), a * a - c, a / (2.0 + b * b)][rng.integers(7)]
        )
    chosen = [made[k] for k in rng.integers(0, len(made), 12)]
    return tape_of(casadi.Function("f", [x, y], [casadi.vertcat(*chosen, 2.5, made[-1])]))


@pytest.mark.parametrize("length", [1, 50, 170, 10_000])
@pytest.mark.parametrize("seed", range(4))
def test_a_part_reads_only_what_it_or_one_before_has_made(seed, length):
    tape = neighbours(tangle(seed))
    sums = fused(tape)
    cut, places = parts(tape, sums, length)
    given = np.random.default_rng(seed).uniform(-1.0, 1.0, 7)
    memory, found = [math.nan] * places, [math.nan] * tape.outputs[0]
    for part in cut:
        values = {k: memory[place] for k, place in part.read.items()}

        def value(k, values=values):
            operation = tape.operations[k]
            if operation.name == "input":
                return given[4 * operation.place[0] + operation.place[1]]
            return operation.value if operation.name == "constant" else values[k]

        for k in part.steps:
            operation = tape.operations[k]
            if operation.name == "output":
                found[operation.place[1]] = value(operation.of[0])
                continue
            if k in sums:
                a, b, c, how = sums[k]
                product = value(a) * value(b)
                values[k] = {"add": value(c) + product, "sub": value(c) - product}.get(how.partition(" ")[0])
                if how == "sub reversed":
                    values[k] = product - value(c)
            else:
                values[k] = BY_NAME[operation.name](*map(value, operation.of))
        for k, place in part.kept.items():
            memory[place] = values[k]
    x, y = casadi.DM(given[:4]), casadi.DM(given[4:])
    np.testing.assert_allclose(found, by_casadi(tangle(seed), x, y), rtol=1e-12)
    if length == 10_000:
        assert (len(cut), places) == (1, 0)
    if length == 1:
        assert len(cut) > 50


def by_casadi(tape, *given):
    """The tape itself, operation by operation."""
    values, found = {}, [0.0] * tape.outputs[0]
    for k, operation in enumerate(tape.operations):
        of = [values[i] for i in operation.of]
        if operation.name == "input":
            values[k] = float(given[operation.place[0]][operation.place[1]])
        elif operation.name == "constant":
            values[k] = operation.value
        elif operation.name == "output":
            found[operation.place[1]] = of[0]
        else:
            values[k] = BY_NAME[operation.name](*of)
    return found


def test_sine_and_cosine_of_an_angle_are_never_parted():
    x = casadi.SX.sym("x", 2)
    chain = x[1]
    for _ in range(40):
        chain = chain * x[1] + 1.0
    tape = neighbours(tape_of(casadi.Function("f", [x], [casadi.vertcat(casadi.sin(x[0]), chain, casadi.cos(x[0]))])))
    names = [operation.name for operation in tape.operations]
    assert abs(names.index("sin") - names.index("cos")) == 1
    for length in range(1, 100, 7):
        for part in parts(tape, fused(tape), length)[0]:
            inside = {tape.operations[k].name for k in part.steps}
            assert ("sin" in inside) == ("cos" in inside)


@pytest.mark.parametrize("together", [1, 3])
@pytest.mark.parametrize("width, fma", [case for case in COMBINATIONS if case[0] > 1])
def test_in_parts_and_whole(width, fma, together, monkeypatch):
    """Batches that fill some tiles and not others; an angle too large inline makes a whole group be asked again."""
    tape = tangle(5)
    whole = kernel(tape, width=width, fma=fma)
    monkeypatch.setattr(cutting, "LENGTH", 150)
    monkeypatch.setattr(tiles, "_MOST", together)
    made = kernel(tape, width=width, fma=fma)
    rng = np.random.default_rng(width)
    x, y = rng.uniform(-2.0, 2.0, (8 * width + 1, 4)), rng.uniform(-2.0, 2.0, (8 * width + 1, 3))
    for large in (None, 5 * width + 1):
        if large is not None:
            x[large] = 3e9
        expected = whole(x, y)
        for count in (1, 2, width - 1, width, width + 1, together * width, together * width + 1, 8 * width + 1):
            np.testing.assert_array_equal(made(x[:count], y[:count]), expected[:count])
        np.testing.assert_array_equal(made(x[::-2], y[::-2]), expected[::-2])
        np.testing.assert_array_equal(made(x, y[3]), whole(x, y[3]))


def test_no_body_for_single_states(monkeypatch):
    """Then lanes that are in doubt ask the C library on the spot, in every part."""
    tape = tangle(5)
    x, y = np.random.default_rng(1).uniform(-2.0, 2.0, (19, 4)), np.ones((19, 3))
    x[4, 1] = 4e9
    expected = kernel(tape)(x, y)
    monkeypatch.setattr(cutting, "LENGTH", 100)
    monkeypatch.setattr("loopwright.program.module._LONG", 0)
    made = kernel(tape)
    np.testing.assert_array_equal(made(x, y), expected)
    np.testing.assert_array_equal(made(x[4], y[4]), expected[4])
