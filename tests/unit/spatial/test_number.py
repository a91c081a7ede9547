import casadi
import numpy as np
import pytest

from loopwright.spatial import (
    absolute,
    arctan2,
    array,
    blockwise,
    cos,
    expression,
    is_nothing,
    is_symbolic,
    numbers,
    sign,
    sin,
    sqrt,
    symbols,
    where,
)

bare = casadi.SX.sym("x")
x = symbols(bare)[0]


@pytest.mark.parametrize(
    "items, kind",
    [([1, 2.0], "f"), ([[1.0, 2.0], [3.0, 4.0]], "f"), ([1.0, 2j], "c"), ([1.0, x], "O"), ([], "f")],
)
def test_an_array_is_as_plain_as_its_elements_allow(items, kind):
    assert array(items).dtype.kind == kind


@pytest.mark.parametrize(
    "given, kind",
    [((1, 2), "f"), ([True, False], "f"), (np.array([1, 2]), "f"), (np.array([1j]), "c"), ([1.0, x], "O")],
)
def test_numbers_takes_what_users_have(given, kind):
    assert numbers(given).dtype.kind == kind


def test_only_a_number_is_known_to_be_nothing():
    assert all(map(is_nothing, (0, 0.0, -0.0, np.float64(0.0))))
    assert not any(map(is_nothing, (1e-300, np.float64(2.0), float("nan"), x, x - x)))


def test_numbers_of_an_object_array_that_holds_floats_only_are_floats():
    assert numbers(np.array([1.0, 2.0], dtype=object)).dtype == float


def test_numbers_of_casadi_numbers_are_floats():
    np.testing.assert_array_equal(numbers(casadi.DM([[1.0, 2.0], [3.0, 4.0]])), [[1.0, 2.0], [3.0, 4.0]])
    assert numbers(casadi.DM([1.0, 2.0])).dtype == float


def test_blocks_lie_where_they_are_put_on_zeros():
    made = blockwise(2, 3, [(0, slice(0, 2), np.array([1.0, 2.0])), (slice(1, 2), slice(2, 3), np.array([[5.0]]))])
    assert made.dtype == float
    np.testing.assert_array_equal(made, [[1.0, 2.0, 0.0], [0.0, 0.0, 5.0]])
    assert blockwise(1, 1, [(0, 0, x)])[0, 0] is x


def test_floats_are_not_copied():
    given = np.array([1.0, 2.0])
    assert numbers(given) is given


@pytest.mark.parametrize("value, answer", [(1.0, False), ([1.0, 2j], False), ([], False), (x, True), ([1.0, x], True)])
def test_is_symbolic(value, answer):
    assert is_symbolic(value) is answer


@pytest.mark.parametrize(
    "ours, numpys", [(sin, np.sin), (cos, np.cos), (sqrt, np.sqrt), (absolute, np.abs), (sign, np.sign)]
)
def test_elementary_functions_are_numpys_on_numbers(ours, numpys):
    points = np.array([0.0, 0.3, 2.0])
    np.testing.assert_array_equal(ours(points), numpys(points))
    np.testing.assert_array_equal(ours(points.astype(object)).astype(float), numpys(points))
    assert ours(0.3) == numpys(0.3)


@pytest.mark.parametrize("y", [-1.0, -0.0, 0.0, 1.0])
@pytest.mark.parametrize("x", [-2.0, 0.0, 2.0])
def test_arctan2_knows_the_quadrant(y, x):
    assert arctan2(y, x) == np.arctan2(y, x)
    assert arctan2(np.float64(y), np.float64(x)) == np.arctan2(y, x)


def test_where_chooses():
    assert where(True, 1.0, 2.0) == 1.0
    assert where(np.False_, 1.0, 2.0) == 2.0


def test_where_on_symbols_keeps_the_branch_not_taken_out():
    chosen = casadi.Function("chosen", [bare], [expression([where(x > 0.0, 1.0 / x, 7.0)])])
    assert chosen(0.0) == 7.0  # not 7 + 0 * infinity
    assert chosen(0.5) == 2.0
