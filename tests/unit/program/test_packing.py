"""States side by side and back: every number of entries, every layout, values that come more than once."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from loopwright.program import Operation, Tape, streaming, tape_of

from .compiling import WIDTHS, of_casadi

SIZES = (*range(1, 20), 36)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("size", SIZES)
def test_every_number_of_entries(size, width):
    """Nothing is computed, so the answers are exact: backwards, each once more, and two constants."""
    x = casadi.SX.sym("x", size)
    made = of_casadi([x], casadi.vertcat(x[::-1], 0.0, x, 7.25, 0.0, x[0]), width=width)
    values = np.arange(3.0 * size * 19).reshape(19, 3 * size)
    for given in (values[:, :size].copy(), values[:, :size], values[:, size : 2 * size], values[::-1, :size]):
        np.testing.assert_array_equal(made(given), by_hand(given))
    np.testing.assert_array_equal(made(values[:, ::3]), by_hand(values[:, ::3]))
    everywhere = np.broadcast_to(values[0, :size], (19, size))
    np.testing.assert_array_equal(made(everywhere), by_hand(everywhere))


def by_hand(x):
    column = np.ones((len(x), 1))
    return np.concatenate([x[:, ::-1], 0.0 * column, x, 7.25 * column, 0.0 * column, x[:, :1]], axis=1)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rows, columns", [(1, 5), (5, 1), (3, 3), (6, 6), (4, 9), (11, 2)])
def test_matrices_in_every_layout(rows, columns, width):
    x = casadi.SX.sym("x", 3)
    entries = casadi.vertcat(*(x[(3 * k + 1) % 3] if k % 4 else x[0] for k in range(rows * columns)))
    made = of_casadi([x], entries, width=width, shape=(rows, columns))
    for count in (1, 2, 9, 16):
        given = np.random.default_rng(count).normal(size=(count, 3))
        expected = given[:, [(3 * k + 1) % 3 if k % 4 else 0 for k in range(rows * columns)]].reshape(-1, rows, columns)
        np.testing.assert_array_equal(made(given), expected)
        room = np.full((count, 2 * rows, 3 * columns), 7.5)
        for out in (room[:, :rows, :columns], room[:, ::2, ::3], room[:, rows:][:, ::-1, columns:][:, :, ::-2]):
            room[...] = 7.5
            assert made(given, out=out) is out
            np.testing.assert_array_equal(out, expected)
            assert np.count_nonzero(room != 7.5) <= out.size
        turned = np.empty((count, columns, rows)).swapaxes(1, 2)
        np.testing.assert_array_equal(made(given, out=turned), expected)


def test_what_comes_twice_has_one_slot():
    x = casadi.SX.sym("x", 2)
    product = x[0] * x[1]
    tape = tape_of(casadi.Function("f", [x], [casadi.vertcat(product, 0.0, x[1], product, 0.0, 3.0)]))
    assert tape.slots() == ((0, 1, 2, 0, 1, 3),)
    once = tape.each_once()
    assert once.outputs == (4,)
    assert sorted(o.place for o in once.operations if o.name == "output") == [(0, k) for k in range(4)]
    assert [o.name for o in once.operations if o.name != "output"] == [
        o.name for o in tape.operations if o.name != "output"
    ]


def spread_of(size, width):
    """A kernel of `size` products of three inputs, and what it gives."""
    x = casadi.SX.sym("x", 3)
    made = of_casadi([x], casadi.vertcat(*(x[k % 3] * (k + 1) for k in range(size))), width=width)
    return made, lambda x: x[:, np.arange(size) % 3] * np.arange(1, size + 1)


@pytest.mark.parametrize("width", [*WIDTHS, 16])
@pytest.mark.parametrize("size", [24, 31, 64, 65, 71, 128, 321])
def test_outputs_past_the_caches(size, width, monkeypatch):
    """At every offset from a line of memory, and nothing beside them is written."""
    monkeypatch.setattr(streaming, "FAR", 100)
    made, expected = spread_of(size, width)
    for count in (1, width, width + 1, 3 * width + 1):
        given = np.random.default_rng(count).normal(size=(count, 3))
        memory = np.empty(count * size + 24)
        for start in range(8, 16):
            memory[:] = 7.5
            out = memory[start : start + count * size].reshape(count, size)
            made(given, out=out)
            np.testing.assert_array_equal(out, expected(given))
            assert np.all(memory[:start] == 7.5)
            assert np.all(memory[start + count * size :] == 7.5)
        apart = np.full((count, size + 1), 7.5)
        made(given, out=apart[:, :size])
        np.testing.assert_array_equal(apart[:, :size], expected(given))
        assert np.all(apart[:, size] == 7.5)


def test_minus_zero_is_not_nothing():
    zero, minus = Operation("constant", value=0.0), Operation("constant", value=-0.0)
    out = [Operation("output", (k,), (0, k)) for k in range(2)]
    assert Tape("f", (), (2,), (zero, minus, *out)).nothing(0) == 0
    assert Tape("f", (), (2,), (minus, zero, *out)).nothing(0) == 1
    assert Tape("f", (), (1,), (minus, out[0])).nothing(0) is None


@pytest.mark.parametrize("far", [100, 2**24])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("size", [80, 81, 87, 203])
def test_blocks_of_zeros(size, width, far, monkeypatch):
    """Nothing is transposed where all is zero."""
    monkeypatch.setattr(streaming, "FAR", far)
    x = casadi.SX.sym("x", 3)
    entries = [0.0 if k // 16 % 2 else x[k % 3] * (k + 1) for k in range(size)]
    entries[7] = 0.0
    made = of_casadi([x], casadi.vertcat(*entries), width=width)
    given = np.random.default_rng(size).normal(size=(3 * width + 1, 3))
    expected = np.where(np.arange(size) // 16 % 2, 0.0, given[:, np.arange(size) % 3] * np.arange(1, size + 1))
    expected[:, 7] = 0.0
    for out in (np.full(expected.shape, 7.5), np.full((len(given), size + 3), 7.5)[:, :size]):
        made(given, out=out)
        np.testing.assert_array_equal(out, expected)


def test_a_batch_larger_than_the_caches():
    made, expected = spread_of(40, 8)
    count = streaming.FAR // (8 * 40) + 11
    given = np.random.default_rng(1).normal(size=(count, 3))
    np.testing.assert_array_equal(made(given), expected(given))
    np.testing.assert_array_equal(made(given, threads=2), expected(given))
