import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import Expression, evaluated
from loopwright.mechanism.expression import parameters_in
from loopwright.spatial import symbols

VALUES = {"a": 1.5, "b": -0.75, "c": 2.0}
a, b, c = (Expression(name) for name in VALUES)

formulas = st.recursive(
    st.sampled_from(["a", "b", "c", "2.5", "-0.5", "3"]),
    lambda parts: st.one_of(
        st.builds("({} {} {})".format, parts, st.sampled_from(["+", "-", "*", "/"]), parts),
        st.builds("{}({})".format, st.sampled_from(["sin", "cos"]), parts),
        st.builds("(-{})".format, parts),
        st.builds("({} ** 2)".format, parts),
    ),
    max_leaves=12,
)
FUNCTIONS = {"sin": np.sin, "cos": np.cos, "sqrt": np.sqrt}


def calculated(formula, **values):
    """What Python makes of the formula: a number from numbers, an expression from expressions."""
    return eval(formula, {**FUNCTIONS, **values})


@given(formulas)
def test_an_expression_has_the_value_of_the_same_formula_of_numbers(formula):
    try:
        with np.errstate(all="ignore"):
            expected = calculated(formula, **VALUES)
        written = calculated(formula, a=a, b=b, c=c)
    except (ZeroDivisionError, OverflowError):
        return
    value = evaluated(written, VALUES)
    np.testing.assert_allclose(value, expected if math.isfinite(expected) else math.nan, rtol=1e-12)


@given(formulas)
def test_an_expression_reads_as_a_formula_of_the_same_value(formula):
    try:
        written = calculated(formula, a=a, b=b, c=c)
        value = evaluated(written, VALUES)
        with np.errstate(all="ignore"):
            again = calculated(str(written), **VALUES)
    except (ZeroDivisionError, OverflowError):
        return
    np.testing.assert_array_equal(again if math.isfinite(again) else math.nan, value)


@pytest.mark.parametrize(
    "expression, text",
    [
        (a, "a"),
        (2 * a + b / 3, "((2.0 * a) + (b / 3.0))"),
        (1 - a**2, "(1.0 - (a ** 2.0))"),
        (2**a, "(2.0 ** a)"),
        (4 / a, "(4.0 / a)"),
        (3 - a, "(3.0 - a)"),
        (-a, "(-1.0 * a)"),
        (+a, "a"),
        (np.sin(a) * np.cos(b), "(sin(a) * cos(b))"),
        (np.sqrt(a + 1), "sqrt(a + 1.0)"),
    ],
)
def test_an_expression_is_written_as_it_was_said(expression, text):
    assert str(expression) == text
    assert repr((expression, 1.0)) == f"({text}, 1.0)"


def test_functions_and_powers():
    assert evaluated(np.sqrt(a + 0.75), VALUES) == 1.5
    assert evaluated(c**-1, VALUES) == 0.5
    assert evaluated(2**c, VALUES) == 4.0
    assert evaluated(np.cos(a), VALUES) == math.cos(1.5)


def test_numbers_and_nested_tuples_stand_for_themselves():
    assert evaluated(3.0, VALUES) == 3.0
    assert evaluated(((a, 1.0), "text", (2 * b,)), VALUES) == ((1.5, 1.0), "text", (-1.5,))
    function = math.sin
    assert evaluated(function, VALUES) is function


def test_complex_values_carry_derivatives():
    slope = evaluated(np.sin(a) * c / (1 + a), VALUES | {"a": 1.5 + 1e-30j}).imag / 1e-30
    assert slope == pytest.approx(2.0 * (math.cos(1.5) * 2.5 - math.sin(1.5)) / 2.5**2, rel=1e-14)


def test_symbols_are_values_too():
    import casadi

    x = casadi.SX.sym("x")
    written = np.sin(a) * 2 + np.sqrt(a**2) - b / a
    value = evaluated(written, {"a": symbols(x)[0], "b": -0.75})
    function = casadi.Function("f", [x], [value.sx])
    assert float(function(0.3)) == pytest.approx(2 * math.sin(0.3) + 0.3 + 0.75 / 0.3, rel=1e-14)


@pytest.mark.parametrize("expression", [1 / (a - 1.5), (1e300 * a) ** 2, np.sqrt(b), 1 / np.sin(a - a), 0 / (a - a)])
def test_what_has_no_value_is_not_a_number_and_no_warning(expression):
    assert not math.isfinite(evaluated(expression, VALUES))


def test_the_parameters_of_an_expression():
    assert list((a + b * a).parameters()) == ["a", "b", "a"]
    assert parameters_in(((a, 1.0), (2 * b, "axis"))) == {"a", "b"}
    assert parameters_in(()) == parameters_in(3.0) == set()


def test_expressions_are_values():
    assert 2 * a == 2 * Expression("a")
    assert 2 * a != a * 2
    assert len({2 * a, 2 * Expression("a"), a}) == 2


def test_an_expression_too_deep_to_read_is_refused():
    written = a
    for _ in range(199):
        written = 1.0 + written
    assert evaluated(written, VALUES) == 1.5 + 199.0
    with pytest.raises(lw.LoopwrightError, match="more than 200 operations deep"):
        _ = np.sin(written)


def test_arrays_take_operations_to_their_elements():
    for made in (a * np.array([1.0, 2.0]), np.array([1.0, 2.0]) * a):
        assert evaluated(tuple(made), VALUES) == (1.5, 3.0)
    assert evaluated(a - np.array(0.5), VALUES) == evaluated(np.float64(2.5) - a, VALUES) == 1.0


@pytest.mark.parametrize("other", ["2", None, True, 1j, np.complex128(1), [1, 2], (1,), {}, object(), 10**400])
def test_an_expression_beside_no_number_is_refused(other):
    for operation in (
        lambda: a + other,
        lambda: other - a,
        lambda: a * other,
        lambda: other / a,
        lambda: a**other,
        lambda: other**a,
    ):
        with pytest.raises(lw.LoopwrightError, match="a parameter can stand beside a number in"):
            operation()


@pytest.mark.parametrize("use", [float, math.sin, lambda e: np.array([e], dtype=float), lambda e: f"{float(e):g}"])
def test_an_expression_is_no_number_yet(use):
    with pytest.raises(lw.LoopwrightError, match="'a' has no value of its own"):
        use(a)
