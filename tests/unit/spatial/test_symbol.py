"""A symbol is to NumPy a number like any other: what is computed with it stays an array, and constants fold away."""

import operator
import sys

import casadi
import numpy as np
import pytest

from loopwright.spatial import Symbol, expression, symbols

bare = casadi.SX.sym("xy", 2)
x, y = symbols(bare)

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


def value(recorded, at):
    return float(casadi.Function("f", [bare], [expression([recorded])])(at))


@pytest.mark.parametrize("operation", ARITHMETIC + COMPARISONS)
@pytest.mark.parametrize("at", [(0.7, 1.3), (1.3, 0.7), (0.7, 0.7)])
def test_operations_on_symbols_are_those_on_numbers(operation, at):
    one, other = at
    expected = float(operation(one, other))
    # IEEE arithmetic is one rounding on either side; powers may differ by one more.
    assert value(operation(x, y), at) == pytest.approx(expected, rel=4e-16)
    assert value(operation(x, other), at) == pytest.approx(expected, rel=4e-16)
    assert value(operation(one, y), at) == pytest.approx(expected, rel=4e-16)
    assert value(operation(x, np.float64(other)), at) == pytest.approx(expected, rel=4e-16)
    assert value(operation(np.float64(one), y), at) == pytest.approx(expected, rel=4e-16)


@pytest.mark.parametrize("plain", [0.0, 1.0, -1.0, 2.0, 0, 1, 2])
@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul])
def test_the_numbers_that_fold_away_do_so_to_the_right_value(operation, plain):
    assert value(operation(x, plain), (0.7, 0.0)) == operation(0.7, plain)
    assert value(operation(plain, x), (0.7, 0.0)) == operation(plain, 0.7)


def test_work_with_zeros_and_ones_is_not_recorded():
    assert 0.0 * x == 0.0
    assert isinstance(0.0 * x, float)
    assert x * 0 == 0.0
    assert 0.0 / x == 0.0
    for same in (x + 0.0, 0.0 + x, x - 0.0, 1.0 * x, x * 1, x / 1.0, +x):
        assert same is x


@pytest.mark.parametrize("operation", ARITHMETIC[:4])
@pytest.mark.parametrize(
    "other", [np.array([[1.0, 2.0], [4.0, -1.0]]), np.array([2.0, 3.0]), np.array([y, 3.0], dtype=object)]
)
def test_a_symbol_and_an_array_make_an_array(operation, other):
    for made, expected in (
        (operation(x, other), [operation(x, element) for element in other.flat]),
        (operation(other, y + 1.0), [operation(element, y + 1.0) for element in other.flat]),
    ):
        assert isinstance(made, np.ndarray)
        assert made.shape == other.shape
        at = (0.7, 1.3)
        assert [value(m, at) for m in made.flat] == [value(e, at) for e in expected]


def test_a_symbol_has_no_truth_value():
    with pytest.raises(TypeError, match=r"lw\.where"):
        bool(x > 0.0)


def test_a_symbol_cannot_be_a_key():
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


@pytest.mark.parametrize("rows, columns", [(3, 2), (1, 3), (2, 2)])
def test_symbols_of_a_matrix_keep_its_rows_and_columns(rows, columns):
    M = casadi.SX.sym("M", rows, columns)
    scalars = symbols(M)
    assert scalars.shape == (rows, columns)
    for i in range(rows):
        for j in range(columns):
            assert isinstance(scalars[i, j], Symbol)
            assert casadi.is_equal(scalars[i, j].sx, M[i, j])


@pytest.mark.parametrize("size", [1, 4])
def test_symbols_of_a_column_are_a_vector(size):
    assert symbols(casadi.SX.sym("v", size)).shape == (size,)


def test_symbols_of_a_sparse_matrix_have_its_zeros():
    scalars = symbols(casadi.diag(casadi.SX.sym("d", 2)))
    assert scalars.shape == (2, 2)
    assert scalars[0, 1].sx.is_zero()


@pytest.mark.parametrize("shape", [(3, 2), (1, 3), (4, 1), (0, 2)])
def test_the_expression_of_symbols_is_what_they_came_from(shape):
    M = casadi.SX.sym("M", *shape)
    back = expression(symbols(M).reshape(shape))
    assert back.shape == shape
    assert casadi.is_equal(back, M)


def test_an_expression_may_hold_plain_numbers():
    made = expression(np.array([[x, 2.0], [3.0, y]], dtype=object))
    assert np.array(casadi.Function("f", [bare], [made])((5.0, 7.0))).tolist() == [[5.0, 2.0], [3.0, 7.0]]


def test_nothing_is_tried_in_python_on_the_way():
    """CasADi's own operators look there whether an operand is an array, which takes long and loses Ctrl-C."""
    a, b = (Symbol(casadi.SX.sym(name)) for name in "ab")
    called = []
    sys.setprofile(lambda frame, event, arg: called.append(frame.f_code.co_name))
    try:
        made = [
            a + b,
            a - 2.0,
            3.0 - a,
            a * b,
            -1 * a,
            a / b,
            2.0 / a,
            a**b,
            a**0.5,
            2.0**a,
            -a,
            a < b,
            a >= 1.0,
            a == b,
        ]
        made += [np.sin(a), np.arctan2(a, b), abs(a), np.sqrt(b), np.exp(a)]
    finally:
        sys.setprofile(None)
    assert "_two" in called
    assert "DM_from_array" not in called
    assert str(made[:4]) == "[(a+b), (a-2), (3-a), (a*b)]"
