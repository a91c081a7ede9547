"""Kernels called as NumPy's generalised ufuncs are: shapes, strides, types, outputs, threads, lifetimes."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time

import casadi
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.program import Face, Kernel, at_once, builtin, compiled, machine, native, tape_of
from loopwright.program.module import ENTRIES as NAMES
from loopwright.program.module import module
from loopwright.program.native import call_once, loaded, object_code

from .compiling import COMBINATIONS, WIDTHS, kernel, of_casadi

Q, T, V = casadi.SX.sym("q", 3), casadi.SX.sym("t"), casadi.SX.sym("v", 2)
ENTRIES = casadi.vertcat(
    Q * T + casadi.sin(Q[0]), casadi.cos(V[0]) / V[1], casadi.atan2(V[1], Q[2]) - Q[1], Q[2] * V[0]
)
SIX = tape_of(casadi.Function("six", [Q, T, V], [ENTRIES]))


def made(width=None, shape=(6,)):
    return kernel(SIX, width=width, numbers=[1], shape=shape)


VECTOR, MATRIX = {w: made(w) for w in WIDTHS}, {w: made(w, (2, 3)) for w in WIDTHS}


def by_numpy(q, t, v):
    q, t, v = (np.asarray(x, dtype=float) for x in (q, t, v))
    q, v = np.moveaxis(q, -1, 0), np.moveaxis(v, -1, 0)
    parts = [*(x * t + np.sin(q[0]) for x in q), np.cos(v[0]) / v[1], np.arctan2(v[1], q[2]) - q[1], q[2] * v[0]]
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def one_by_one(q, t, v):
    """Each state in a call of its own, from memory of its own."""
    shape = np.broadcast_shapes(q.shape[:-1], t.shape, v.shape[:-1])
    spread = np.broadcast_to(q, (*shape, 3)), np.broadcast_to(t, shape), np.broadcast_to(v, (*shape, 2))
    out = np.empty((*shape, 6))
    for index in np.ndindex(*shape):
        out[index] = VECTOR[1](*(np.array(x[index], dtype=float) for x in spread))
    return out


def states(count, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, 3)), rng.normal(size=count), rng.normal(size=(count, 2)) + 3.0


@st.composite
def views(draw, shape, kinds=("f8", "f4", "i4", "i8", ">f8", "misaligned")):
    """Numbers of this shape laid out in any way: other axes first, gaps, backwards, unaligned, of another type."""
    kind = draw(st.sampled_from(kinds))
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, -1, 2, -3])) for _ in shape]
    room = [abs(step) * max(size, 1) for size, step in zip(shape, steps, strict=True)]
    inner = [room[axis] for axis in order]
    values = np.random.default_rng(draw(st.integers(0, 99))).integers(-20, 20, inner) * 2.5 + 1.25
    if kind == "misaligned":
        memory = np.zeros(values.size * 8 + 3, dtype="u1")[3:].view("f8").reshape(inner)
        memory[...] = values
    else:
        memory = values.astype(kind)
    memory = memory.transpose(np.argsort(order)) if shape else memory
    cut = [slice(None, None, step) for step in steps]
    some = memory[tuple(cut)]
    return some[tuple(slice(0, size) for size in shape)]


SHAPES = hnp.mutually_broadcastable_shapes(signature="(3),(),(2)->(6)", max_dims=3, max_side=11)


@st.composite
def calls(draw):
    shapes = draw(SHAPES)
    return [draw(views(shape)) for shape in shapes.input_shapes], shapes.result_shape


@given(calls(), st.sampled_from(WIDTHS))
def test_any_shapes_strides_and_types(call, width):
    arguments, shape = call
    found = VECTOR[width](*arguments)
    assert found.shape == shape
    np.testing.assert_allclose(found, by_numpy(*arguments), rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(found, one_by_one(*arguments))
    np.testing.assert_array_equal(MATRIX[width](*arguments), found.reshape((*shape[:-1], 2, 3)))


@given(calls(), st.sampled_from(WIDTHS), st.booleans(), st.data())
def test_any_output(call, width, flat, data):
    arguments, shape = call
    own = shape if flat else (*shape[:-1], 2, 3)
    expected = one_by_one(*arguments).reshape(own)
    out = data.draw(views(own, kinds=("f8", ">f8", "misaligned")))
    memory = out if out.base is None else out.base
    before, all_before = out.copy(), memory.copy()
    assert (VECTOR if flat else MATRIX)[width](*arguments, out=out) is out
    np.testing.assert_array_equal(out, expected)
    out[...] = before
    np.testing.assert_array_equal(memory, all_before)  # nothing was written beside it


@pytest.mark.parametrize("width", WIDTHS)
def test_batches_of_every_length(width):
    q, t, v = states(1003)
    alone = one_by_one(q, t, v)
    out = np.full((1100, 6), 7.5)
    for count in range(1004):
        VECTOR[width](q[:count], t[:count], v[:count], out=out[:count])
        assert np.array_equal(out[:count], alone[:count])
        assert np.all(out[count : count + 8] == 7.5)
        out[:count] = 7.5


# one state, called past NumPy's own machinery


@given(calls(), st.sampled_from(WIDTHS), st.data())
def test_the_cheapest_call_takes_whatever_numpy_takes(call, width, data):
    arguments, shape = call
    arguments = [x if data.draw(st.booleans()) else np.array(x, dtype=float) for x in arguments]
    arguments[1] = float(arguments[1]) if arguments[1].ndim == 0 and data.draw(st.booleans()) else arguments[1]
    expected = one_by_one(*(np.asarray(x, dtype=float) for x in arguments))
    for kernels, own in ((VECTOR, shape), (MATRIX, (*shape[:-1], 2, 3))):
        found = kernels[width].raw(*arguments)
        assert type(found) is np.ndarray
        assert found.flags.owndata
        np.testing.assert_array_equal(found, expected.reshape(own))
        out = data.draw(views(own, kinds=("f8", ">f8", "misaligned")))
        assert kernels[width].raw(*arguments, out) is out
        np.testing.assert_array_equal(out, found)


class Marked(np.ndarray):
    """A kind of array of its own."""


@pytest.mark.parametrize("kernels", [VECTOR, MATRIX])
def test_what_is_not_one_state_of_doubles_goes_to_numpy(kernels):
    """Which computes it, or says what is wrong with it."""
    q, t, v = states(1)
    q, t, v = q[0], float(t[0]), v[0]
    raw, expected = kernels[8].raw, kernels[8].ufunc(q, t, v)
    np.testing.assert_array_equal(raw(q, t, v), expected)
    for some in ((q.astype(object), t, v), (q[:2], t, v), (q, None, v), (q, t), (q, t, v, None, None), ("abc", t, v)):
        with pytest.raises((TypeError, ValueError), match="six"):
            raw(*some)
    for some in ((list(q), t, v), (q, np.float64(t), v), (q, np.array(t), v), (q, 2, v), (q, t, v, None)):
        np.testing.assert_array_equal(raw(*some), kernels[8].ufunc(*some))
    assert type(raw(q.view(Marked), t, v)) is Marked
    assert raw(q, t, v, dtype=float).shape == expected.shape
    out = np.empty_like(expected)
    assert raw(q, t, v, out=out) is out
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        raw(q, t, v, out)
    for wrong in (np.empty(5), np.empty((3, 2)), np.empty(6, dtype=int), [0.0] * 6):
        with pytest.raises((TypeError, ValueError)):
            raw(q, t, v, wrong)


@pytest.mark.parametrize("width", WIDTHS)
def test_one_state_whose_output_is_an_input(width):
    made = kernel(ROUND, width=width)
    a, b = np.arange(4.0), np.arange(4.0) ** 2
    expected = made.ufunc(a, b)
    for position in (0, 1):
        given = [a.copy(), b.copy()]
        assert made.raw(*given, given[position]) is given[position]
        np.testing.assert_array_equal(given[position], expected)
    for move in range(-4, 5):
        memory = np.zeros(12)
        memory[4:8] = a
        np.testing.assert_array_equal(made.raw(memory[4:8], b, memory[4 + move : 8 + move]), expected)


def test_the_cheapest_call_leaves_no_references():
    q, t, v = states(1)
    given, out = [q[0], float(t[0]), v[0]], np.empty(6)
    watched = [*given, out, np.dtype(float), np.ndarray, VECTOR[8].ufunc]

    def references():
        return [sys.getrefcount(x) for x in watched]

    before = references()
    for _ in range(1000):
        VECTOR[8].raw(*given)
        VECTOR[8].raw(*given, out)
    assert references() == before


def test_a_python_that_is_laid_out_otherwise_calls_by_way_of_numpy(monkeypatch):
    assert builtin.addresses() is not None
    monkeypatch.setattr(builtin, "addresses", lambda: None)
    plain = made(8)
    assert plain.raw is plain.ufunc
    q, t, v = states(1)
    np.testing.assert_array_equal(plain.raw(q[0], t[0], v[0]), VECTOR[8].raw(q[0], t[0], v[0]))
    for place in ("KIND", "FLAGS", "STRIDES", "VALUE"):
        with monkeypatch.context() as other:
            other.setattr(at_once, place, getattr(at_once, place) - 8)
            assert not builtin._as_known()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_states(width):
    q, _, v = states(5)
    assert VECTOR[width](q[:0], 1.0, v[0]).shape == (0, 6)
    assert MATRIX[width](np.zeros((4, 0, 3)), 1.0, v[0]).shape == (4, 0, 2, 3)
    out = np.empty((0, 2, 3))
    assert MATRIX[width](q[:0], 1.0, v[:0], out=out) is out


@pytest.mark.parametrize("kernels", [VECTOR, MATRIX])
def test_arguments_that_do_not_fit_are_refused(kernels):
    q, t, v = states(4)
    for threads in (1, 2):
        with pytest.raises(ValueError, match=r"core dimension.*size 2 is different from 3"):
            kernels[8](q[:, :2], t, v, threads=threads)
        with pytest.raises(ValueError, match="broadcast"):
            kernels[8](q[:3], t, v, threads=threads)
        with pytest.raises(ValueError, match="does not have enough dimensions"):
            kernels[8](1.0, t, v, threads=threads)
        with pytest.raises(TypeError):
            kernels[8](q, t, threads=threads)
        with pytest.raises(TypeError, match=r"ufunc 'six' not supported|Cannot cast ufunc 'six'"):
            kernels[8](q * 1j, t, v, threads=threads)


def test_outputs_that_do_not_fit_are_refused():
    q, t, v = states(4)
    for threads in (1, 2):
        with pytest.raises(ValueError, match=r"core dimension|shape|broadcast"):
            VECTOR[8](q, t, v, out=np.empty((4, 5)), threads=threads)
        with pytest.raises(ValueError, match=r"core dimension 0|six: out needs shape \(…, 2, 3\), got \(4, 6\)"):
            MATRIX[8](q, t, v, out=np.empty((4, 6)), threads=threads)
        with pytest.raises(ValueError, match="broadcast"):
            MATRIX[8](q, t, v, out=np.empty((3, 2, 3)), threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_output_with_more_axes_is_filled(threads):
    q, t, v = states(4)
    expected = np.broadcast_to(one_by_one(q, t, v), (3, 4, 6))
    np.testing.assert_array_equal(VECTOR[8](q, t, v, out=np.empty((3, 4, 6)), threads=threads), expected)
    out = MATRIX[8](q, t, v, out=np.empty((3, 4, 2, 3)), threads=threads)
    np.testing.assert_array_equal(out, expected.reshape(3, 4, 2, 3))


# outputs that are inputs, wholly or in part: entries are read for the first time after others were written
A, B = casadi.SX.sym("a", 4), casadi.SX.sym("b", 4)
ROUND = tape_of(
    casadi.Function("f", [A, B], [casadi.vertcat(*(2 * A[(k + 1) % 4] + B[(k + 2) % 4] for k in range(4)))])
)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [None, 1, 2, 9, 50])
@pytest.mark.parametrize("threads", [1, 3])
def test_an_output_may_be_an_input(width, count, threads):
    made = kernel(ROUND, width=width)
    shape = (4,) if count is None else (count, 4)
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=shape), rng.normal(size=shape)
    expected = made(a, b)
    for position in (0, 1):
        given = [a.copy(), b.copy()]
        assert made(*given, out=given[position], threads=threads) is given[position]
        np.testing.assert_array_equal(given[position], expected)
    np.testing.assert_array_equal(made(a.copy(), b.copy()), expected)
    both = a.copy()
    np.testing.assert_array_equal(made(both, both, out=both, threads=threads), made(a, a))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("threads", [1, 3])
def test_an_output_may_overlap_an_input(width, threads):
    made = kernel(ROUND, width=width)
    rng = np.random.default_rng(2)
    for move in (1, 2, 4, 13, 40):
        memory, b = rng.normal(size=400), rng.normal(size=(20, 4))
        a, out = memory[100:180].reshape(20, 4), memory[100 + move : 180 + move].reshape(20, 4)
        expected = made(a.copy(), b)
        np.testing.assert_array_equal(made(a, b, out=out, threads=threads), expected)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_state_that_is_not_finite_keeps_to_itself(width):
    q, t, v = states(64)
    alone = one_by_one(q, t, v)
    q[5], v[17, 1], t[30], q[31, 2], q[40, 0] = np.nan, 0.0, np.inf, -np.inf, 1e300
    found = VECTOR[width](q, t, v)
    rest = np.setdiff1d(np.arange(64), [5, 17, 30, 31, 40])
    np.testing.assert_array_equal(found[rest], alone[rest])
    with np.errstate(all="ignore"):
        expected = by_numpy(q, t, v)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
    assert np.isnan(found[5]).sum() == 5
    assert np.isinf(found[17, 3])


@pytest.mark.parametrize("width", WIDTHS)
def test_no_warning_of_what_numbers_become(width):
    """NumPy looks at the processor's flags, which lanes and branches that nobody reads set too."""
    x = casadi.SX.sym("x")
    output = casadi.vertcat(1.0 / x, casadi.log(x), casadi.exp(x), casadi.atan2(x, x), casadi.sin(x), x * x)
    made = of_casadi([x], output, width=width)
    values = np.array([0.0, -1.0, np.nan, np.inf, 1e300, 800.0, 1e-320])[:, None]
    with np.errstate(all="raise"):
        for given in (values, values[:1], values[3]):
            made(given)
    with np.errstate(divide="raise"):
        made(values)
        with pytest.raises(FloatingPointError):
            np.array(1.0) / np.array(0.0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("shape", [(1003,), (1,), (2,), (3, 500), (), (0,), (1, 700)])
def test_threads_give_the_same_bits(width, shape):
    q, t, v = states(int(np.prod(shape)))
    q, t, v = q.reshape(*shape, 3), t.reshape(shape), v.reshape(*shape, 2)
    expected = VECTOR[width](q, t, v)
    for threads in (2, 3, 16):
        np.testing.assert_array_equal(VECTOR[width](q, t, v, threads=threads), expected)
        np.testing.assert_array_equal(VECTOR[width](q, 0.5, v, threads=threads), VECTOR[width](q, 0.5, v))
        out = np.empty((*shape, 2, 3))
        assert MATRIX[width](q, t, v, out=out, threads=threads) is out
        np.testing.assert_array_equal(out.reshape(expected.shape), expected)


def test_one_kernel_called_by_several_threads_at_once():
    q, t, v = states(20000)
    expected = VECTOR[machine().width](q, t, v)
    start, wrong = threading.Barrier(4), []

    def work(k):
        start.wait()
        for n in range(30):
            part = slice(k * 100 + n, None)
            if not np.array_equal(VECTOR[machine().width](q[part], t[part], v[part]), expected[part]):
                wrong.append((k, n))
            if not np.array_equal(VECTOR[machine().width](q[n], t[n], v[n]), expected[n]):
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_python_goes_on_while_a_kernel_runs():
    """The longest standstill of this thread is far shorter than the call that another one makes."""
    x = casadi.SX.sym("x")
    y = x
    for _ in range(200):
        y = casadi.sin(y) + 0.5
    made = of_casadi([x], y, width=1)
    values = np.zeros((40_000, 1))
    for _ in range(100):  # a loaded machine may stand still by itself
        took = []

        def work(took=took):
            start = time.perf_counter()
            made(values)
            took.append(time.perf_counter() - start)

        thread = threading.Thread(target=work)
        thread.start()
        seen = [time.perf_counter()]
        while thread.is_alive():
            seen.append(time.perf_counter())
        if np.diff(seen).max() < 0.5 * took[0]:
            break
    else:
        pytest.fail(f"Python stood still for {np.diff(seen).max():.3f} s of {took[0]:.3f} s")


def test_more_bytes_of_buffers_than_a_stack_has():
    x = casadi.SX.sym("x", 3000)
    made = of_casadi([x], x[::-1] * 2.0, width=8)
    values = np.arange(3 * 3000.0).reshape(3, -1)
    done = []
    thread = threading.Thread(target=lambda: done.append(made(values)))
    before = threading.stack_size(256 * 1024)
    try:
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    np.testing.assert_array_equal(done[0], values[:, ::-1] * 2.0)
    np.testing.assert_array_equal(made(values[0]), values[0, ::-1] * 2.0)


@pytest.mark.parametrize("sizes", [(0,), (0, 3), (3, 0)])
def test_inputs_without_entries(sizes):
    inputs = [casadi.SX.sym(f"x{k}", size) for k, size in enumerate(sizes)]
    made = of_casadi(inputs, casadi.vertcat(casadi.sum1(casadi.vertcat(*inputs)), 2.0), width=4)
    given = [np.ones((5, size)) for size in sizes]
    expected = np.tile([float(sum(sizes)), 2.0], (5, 1))
    np.testing.assert_array_equal(made(*given), expected)
    np.testing.assert_array_equal(made(*(x[0] for x in given)), expected[0])
    np.testing.assert_array_equal(made(*given, threads=2), expected)
    with pytest.raises(ValueError, match=r"f: x\d has no entries, got an array of shape \(5, 2\)"):
        made(*(np.ones((5, size or 2)) for size in sizes))


def test_outputs_without_entries():
    empty, three = casadi.SX.sym("q", 0), casadi.SX.sym("v", 3)
    made = of_casadi([empty, three], casadi.SX(0, 1), width=4)
    assert made(np.zeros((5, 0)), np.zeros(3)).shape == (5, 0)
    matrix = kernel(tape_of(casadi.Function("f", [empty], [casadi.SX(0, 1)])), shape=(6, 0))
    assert matrix(np.zeros(0)).shape == (6, 0)
    assert matrix(np.zeros((5, 0)), threads=2).shape == (5, 6, 0)
    out = np.empty((5, 6, 0))
    assert matrix(np.zeros((5, 0)), out=out) is out


def test_single_entries_are_not_mistaken_for_steps():
    """NumPy gives axes of length 1 the stride 0."""
    x = casadi.SX.sym("x", 1)
    made = of_casadi([x], 2.0 * x)
    np.testing.assert_array_equal(made(np.arange(20.0)[:, None])[:, 0], 2.0 * np.arange(20.0))
    np.testing.assert_array_equal(made(np.array([3.0])), [6.0])
    out = np.zeros((3, 1))
    made(np.array([[1.0], [2.0], [3.0]])[::-1], out=out)
    np.testing.assert_array_equal(out[:, 0], [6.0, 4.0, 2.0])


def test_the_face():
    made = MATRIX[8]
    assert repr(made) == "Kernel(six(x0[3], x1, x2[2]) -> [2, 3])"
    assert made.ufunc.__name__ == "six"
    assert made.ufunc.signature == "(3),(),(2)->(2,3)"
    assert VECTOR[8].raw.__self__ is VECTOR[8].ufunc
    assert "six(x0[3], x1, x2[2]) -> [6]" in VECTOR[8].raw.__doc__


def test_the_cheapest_call_outlives_its_kernel():
    q, t, v = states(50)
    expected = VECTOR[8](q, t, v)
    raw = made(8).raw
    gc.collect()
    for _ in range(3):
        made(4)  # may take the memory that was freed
    np.testing.assert_array_equal(raw(q, t, v), expected)


def test_a_kernel_outlives_the_dynamics_it_came_from():
    mech = lw.zoo.planar_3r()
    dyn = lw.Dynamics(mech)
    expected = dyn.forward(*mech.random_state(1), np.zeros(3))
    kept = dyn.kernel("forward")
    del dyn
    gc.collect()
    np.testing.assert_allclose(kept(*mech.random_state(1), np.zeros(3)), expected, rtol=1e-12)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("shape", [(6,), (2, 3), (1, 6)])
@pytest.mark.parametrize("width", WIDTHS)
def test_loops_call_one_state_by_its_address(width, shape, alone, monkeypatch):
    if not alone:
        monkeypatch.setattr("loopwright.program.module._LONG", 0)  # then there is no body for one state
    one = made(width, shape)
    q, t, v = states(1)
    out = np.zeros(shape)
    call_once(one.single, [q[0], t, v[0], out])
    np.testing.assert_array_equal(out, one(q[0], t[0], v[0]))


def test_thousands_of_kernels():
    code = object_code(module(SIX, machine(), machine().width, [1]))
    face = Face("six", (("q", 3), ("t", None), ("v", 2)), (6,))
    q, t, v = states(3)
    expected, kept = VECTOR[1](q, t, v), []
    for n in range(1000):
        made = Kernel(face, loaded(code, NAMES))
        if n % 10 == 0:
            kept.append(made.raw)
        assert np.array_equal(made(q, t, v), expected)
    for raw in kept:
        assert np.array_equal(raw(q, t, v), expected)


def test_kernels_made_by_several_threads_at_once():
    answers = {}

    def work(k):
        x = casadi.SX.sym("x", 2)
        tape = tape_of(casadi.Function("f", [x], [casadi.sin(x) * k]))
        answers[k] = compiled(Face("f", (("x", 2),), (2,)), "", lambda: tape)(np.array([0.1, 0.2]))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(8):
        np.testing.assert_allclose(answers[k], k * np.sin([0.1, 0.2]), rtol=1e-15)


# other processes


@pytest.mark.parametrize("ask", [{"name": "forward"}, {"name": "pose", "body": "hand", "width": 4}])
def test_dynamics_and_kernels_go_to_other_processes(ask):
    mech = lw.zoo.planar_3r()
    dyn = lw.Dynamics(mech, compiled=True)
    given = [*mech.random_state(1), np.ones(3)][: 3 if ask["name"] == "forward" else 1]
    expected = dyn.kernel(**ask)(*given)
    there, kernel_there = pickle.loads(pickle.dumps((dyn, dyn.kernel(**ask))))
    np.testing.assert_array_equal(kernel_there(*given), expected)
    np.testing.assert_array_equal(there.kernel(**ask)(*given), expected)
    assert kernel_there.face == dyn.kernel(**ask).face


def test_options_of_a_dynamics_go_along():
    mech = lw.zoo.four_bar()
    dyn = lw.Dynamics(mech, formulation="springs", cuts=("crank_joint",), stiffness=1e4, compiled=False)
    there = pickle.loads(pickle.dumps(dyn))
    assert there.chosen == dyn.chosen
    assert there.mechanism.coordinates == dyn.mechanism.coordinates != mech.coordinates
    q, v = mech.random_state(2)
    np.testing.assert_array_equal(there.forward(q, v), dyn.forward(q, v))


def test_a_kernel_without_origin_says_that_it_stays():
    with pytest.raises(lw.LoopwrightError, match="the kernel six is code of this process"):
        pickle.dumps(VECTOR[8])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_process_that_forked_while_code_was_compiled():
    """The child has the lock for itself, whoever held it."""
    machine()
    held, done = threading.Event(), threading.Event()

    def work():
        with native._LOCK:
            held.set()
            done.wait(0.3)

    thread = threading.Thread(target=work)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # where it would wait for ever
        q, t, v = states(1)
        os._exit(0 if np.array_equal(made(4)(q, t, v), VECTOR[4](q, t, v)) else 1)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("threads", [0, -2, 2.0, "2", None])
def test_a_number_of_threads_that_is_none(threads):
    q, t, v = states(9)
    with pytest.raises(lw.LoopwrightError, match=f"six: threads is a whole number, 1 or more, got {threads!r}"):
        VECTOR[8](q, t, v, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_output_has_to_be_an_array(threads):
    q, t, v = states(2)
    with pytest.raises(TypeError, match="ArrayType"):
        VECTOR[8](q, t, v, out=[[0.0] * 6] * 2, threads=threads)


@pytest.mark.parametrize("width", [0, 3, -1, 32, "8", 4.0])
@pytest.mark.parametrize("rolled", [True, False])
def test_a_number_of_lanes_that_is_none(width, rolled):
    with pytest.raises(lw.LoopwrightError, match=f"1, 2, 4, 8 or 16, got {width!r}"):
        lw.Dynamics(lw.zoo.pendulum()).kernel("inverse", width=width, rolled=rolled)


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_every_way_of_compiling_agrees_with_numpy(width, fma):
    q, t, v = states(37)
    found = kernel(SIX, width=width, fma=fma, numbers=[1])(q, t, v)
    np.testing.assert_allclose(found, by_numpy(q, t, v), rtol=1e-14, atol=1e-14)
