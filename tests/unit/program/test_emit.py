"""Every operation that can be written against CasADi's own evaluation of it, and the order of sums."""

from __future__ import annotations

import dataclasses

import casadi
import numpy as np
import pytest

import loopwright as lw
from loopwright.program import emit, machine, tape_of
from loopwright.program.module import module

from .compiling import COMBINATIONS, WIDTHS, of_casadi

X, Y, Z = (casadi.SX.sym(name) for name in "xyz")
EPS = np.finfo(float).eps

ONE = {
    "assign": lambda x: x,
    "neg": lambda x: -x,
    "sq": lambda x: x**2,
    "twice": lambda x: 2.0 * x,
    "inv": lambda x: 1.0 / x,
    "sign": casadi.sign,
    "not": casadi.logic_not,
    "sqrt": casadi.sqrt,
    "fabs": casadi.fabs,
    "floor": casadi.floor,
    "ceil": casadi.ceil,
    "constpow": lambda x: x**2.7,
    **{name: getattr(casadi, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")},
    **{name: getattr(casadi, name) for name in ("asinh", "acosh", "atanh", "exp", "log", "log1p", "expm1", "erf")},
}
TWO = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "and": casadi.logic_and,
    "or": casadi.logic_or,
    "if_else_zero": lambda x, y: casadi.if_else(x, y, 0),
    **{name: getattr(casadi, name) for name in ("atan2", "fmin", "fmax", "fmod", "remainder", "copysign", "hypot")},
}
NOT_WRITTEN = {"erfinv": casadi.erfinv, "printme": lambda x: x.printme(1)}
UP_TO_ROUNDING = {"sin", "cos", "atan2"}  # ours, not the library's
SIGN_OF_ZERO_OPEN = {"fmin", "fmax"}  # of two zeros either may come


def samples():
    """Ordinary numbers, and all that is special, with each other."""
    special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.0, 1e-310, 1e300, np.inf, -np.inf, np.nan]
    x, y = (a.ravel() for a in np.meshgrid(special, special))
    rng = np.random.default_rng(6)
    sizes = np.exp(rng.uniform(-10.0, 5.0, (2, 300))) * rng.choice([-1.0, 1.0], (2, 300))
    return np.concatenate([x, sizes[0]]), np.concatenate([y, sizes[1]])


def agree(name, found, expected):
    digits = 4.0 * EPS if name in UP_TO_ROUNDING else 0.0
    np.testing.assert_allclose(found, expected, rtol=digits, atol=0.0, err_msg=name)
    if name not in SIGN_OF_ZERO_OPEN:
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(expected)[known], err_msg=name)


def check(name, inputs, output, width, values):
    made = of_casadi(inputs, output, width=width, numbers=range(len(inputs)))
    expected = np.array(casadi.Function("f", inputs, [output])(*(v[None, :] for v in values))).ravel()
    agree(name, made(*values)[..., 0], expected)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ONE)
def test_of_one_number(name, width):
    check(name, [X], ONE[name](X), width, samples()[:1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", TWO)
def test_of_two_numbers(name, width):
    check(name, [X, Y], TWO[name](X, Y), width, samples())


def test_nothing_that_can_be_written_is_left_out():
    recorded = set()
    for output in [f(X) for f in ONE.values()] + [f(X, Y) for f in TWO.values()]:
        recorded |= {operation.name for operation in tape_of(casadi.Function("f", [X, Y], [output])).operations}
    written = {*emit._PLAIN, *emit.LIBRARY, *emit._INTRINSIC, *emit._COMPARE, "sin", "cos"}
    assert written - recorded <= {"assign"}  # which CasADi removes


@pytest.mark.parametrize("name", NOT_WRITTEN)
def test_what_cannot_be_written_is_named(name):
    with pytest.raises(lw.LoopwrightError, match=rf"'f' uses '{name}', for which there is no native code; write"):
        of_casadi([X], NOT_WRITTEN[name](X))


def test_functions_of_matrix_expressions_are_refused():
    x = casadi.MX.sym("x", 3)
    with pytest.raises(
        lw.LoopwrightError, match=r"'f' is not a function of SX type: expand it first \(f\.expand\(\)\)"
    ):
        tape_of(casadi.Function("f", [x], [x]))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_branch_not_taken_says_nothing(width):
    """1/x and sqrt(x) are not finite, or not numbers, just where they are not asked for."""
    x = np.array([-2.0, 0.0, 4.0, np.nan, np.inf, -0.0, -(2.0**-1000), 9.0])
    made = of_casadi([X], casadi.if_else(X > 0, casadi.sqrt(X), casadi.if_else(X < 0, 1 / X, 7.0)), width=width)
    expected = [-0.5, 7.0, 2.0, 7.0, np.inf, 7.0, -(2.0**1000), 3.0]
    np.testing.assert_array_equal(made(x[:, None])[:, 0], expected)


# a b + c in every order, products read twice, and products of products
SUMS = [X * Y + Z, Z + X * Y, X * Y - Z, Z - X * Y, X * Y + Y * Z, X * Y - Y * Z, (X * Y) * Z - X, -(X * Y) + Z]
SUMS += [
    X * Y + Z + (X * Y) * Z,
    X * X + Y,
    Y - X * X,
    Z * Z - X * Y,
    X * Y - X * Y * 0.5,
    -(X * Y) - Z,
    2 * (X * Y) + Z,
]


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_sums_of_products(width, fma):
    values = np.random.default_rng(7).normal(size=(200, 3))
    inputs = casadi.vertcat(X, Y, Z)
    made = of_casadi([inputs], casadi.vertcat(*SUMS), width=width, fma=fma)
    expected = np.array(casadi.Function("f", [inputs], [casadi.vertcat(*SUMS)])(values.T)).T
    if fma:
        np.testing.assert_allclose(made(values), expected, rtol=0.0, atol=8.0 * EPS * np.abs(values).max() ** 3)
    else:
        np.testing.assert_array_equal(made(values), expected)


def random_program(seed, arithmetic=("add", "sub", "mul", "div", "sqrt", "neg", "sq", "fabs")):
    """Sixty operations on four inputs, each on values made before; all of them come out."""
    rng = np.random.default_rng(seed)
    inputs = casadi.SX.sym("x", 4)
    values = [*casadi.vertsplit(inputs), casadi.SX(0.3)]
    for _ in range(60):
        a, b = (values[rng.integers(max(0, len(values) - 12), len(values))] for _ in range(2))
        name = rng.choice(arithmetic)
        values.append(TWO[name](a, b) if name in TWO else ONE[name](a))
    return inputs, casadi.cse(casadi.vertcat(*values[5:]))


@pytest.mark.parametrize("seed", range(3))
def test_random_programs_round_as_casadi_does(seed):
    """Without fused multiply-add every operation rounds once, in CasADi's order: the same to the last bit."""
    inputs, outputs = random_program(seed)
    x = np.random.default_rng(seed).normal(size=(37, 4))
    expected = np.array(casadi.Function("f", [inputs], [outputs])(x.T)).T
    for width in WIDTHS:
        np.testing.assert_array_equal(of_casadi([inputs], outputs, width=width, fma=False)(x), expected)


@pytest.mark.parametrize("seed", range(3))
def test_every_width_gives_the_same_bits(seed):
    arithmetic = ("add", "sub", "mul", "div", "sin", "cos", "atan2", "fmin", "fmax", "hypot", "if_else_zero", "sign")
    inputs, outputs = random_program(seed, arithmetic)
    x = np.random.default_rng(seed).normal(size=(37, 4))
    x[3, 1], x[9, 2], x[20] = np.nan, np.inf, 0.0
    alone = of_casadi([inputs], outputs, width=1)(x)
    for width in WIDTHS[1:]:
        np.testing.assert_array_equal(of_casadi([inputs], outputs, width=width)(x), alone)


def test_fused_multiply_add_where_the_machine_has_it_only():
    tape = tape_of(casadi.Function("f", [X, Y, Z], [X * Y + Z]))
    for fma, count in ((True, 2), (False, 0)):  # once for one state, once for several
        text = module(tape, dataclasses.replace(machine(), fma=fma), 8)
        assert text.count("call double @llvm.fma.f64") + text.count("call <8 x double> @llvm.fma.v8f64") == count
