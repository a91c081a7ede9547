"""What a tape becomes as algebra: equal to what it computes, and as short as it was before it was taken apart."""

from __future__ import annotations

import math

import casadi
import numpy as np
import pytest
import sympy

from loopwright.errors import LoopwrightError
from loopwright.program import NoForm, TooLarge, expressions, tape_of
from loopwright.program.algebra import exact

NAMES = ("a", "b", "x", "y")
A, B, X, Y = sympy.symbols(NAMES)


def told(write):
    """The expressions of write(a, b, x, y), with a and b numbers and x and y angles; and the CasADi function."""
    inputs = [casadi.SX.sym(name) for name in NAMES]
    function = casadi.Function("f", inputs, [casadi.vertcat(*write(*inputs))])
    arguments = [("numbers", [A]), ("numbers", [B]), ("q", [X]), ("q", [Y])]
    return expressions(tape_of(function), arguments), function


def check(write):
    found, function = told(write)
    for point in np.random.default_rng(3).uniform(0.2, 1.4, (5, 4)):
        there = np.array(function(*point), dtype=float).reshape(-1)
        here = [float(one.subs(dict(zip((A, B, X, Y), point, strict=True)))) for one in found]
        np.testing.assert_allclose(here, there, rtol=1e-12, atol=1e-13)
    return found


sin, cos = casadi.sin, casadi.cos


@pytest.mark.parametrize(
    "write, short",
    [
        (lambda a, b, x, y: sin(x) ** 2 + cos(x) ** 2, "1"),
        (lambda a, b, x, y: a * cos(x) * cos(y) - a * sin(x) * sin(y), "a*cos(x + y)"),
        (lambda a, b, x, y: sin(x) * cos(y) - cos(x) * sin(y), "sin(x - y)"),
        (lambda a, b, x, y: sin(x) * sin(x) * sin(x), "sin(x)**3"),
        (lambda a, b, x, y: sin(x) * cos(x) * 2, "2*sin(x)*cos(x)"),
        (lambda a, b, x, y: (a * b + a * b**2) / (a * b), "b + 1"),
        (lambda a, b, x, y: (a**2 - b**2) / (a - b), "a + b"),
        (lambda a, b, x, y: a * x + b * x + a * y + b * y, "(a + b)*(x + y)"),
        (lambda a, b, x, y: a - a * cos(x) ** 2, "a*sin(x)**2"),
        (lambda a, b, x, y: sin(x) * cos(x) / (1 - cos(x) ** 2), "cos(x)/sin(x)"),
        (lambda a, b, x, y: 9.81 * a * cos(x) + 9.81 * b * cos(x), "9.81*(a + b)*cos(x)"),
        (lambda a, b, x, y: (a + b) * (b * x + 9.81 * sin(y)), "(a + b)*(b*x + 9.81*sin(y))"),
        (lambda a, b, x, y: a / 12 + 0.25 * a, "a/3"),
        (lambda a, b, x, y: a**2 * x**2 + 2 * a * b * x * y + b**2 * y**2, "(a*x + b*y)**2"),
        (lambda a, b, x, y: (a + b) * x - (a + b) * x, "0"),
        (lambda a, b, x, y: casadi.sqrt(a * a + b * b) ** 2, "a**2 + b**2"),
        (lambda a, b, x, y: 1 / (b * a + 0.25 * a), "4/(a*(4*b + 1))"),
    ],
)
def test_as_a_person_would_write_it(write, short):
    (found,) = check(lambda *letters: [write(*letters)])
    assert sympy.sstr(found, full_prec=False) == short


def test_everything_else():
    """Roots, signs and choices keep their meaning."""
    check(lambda a, b, x, y: [casadi.sqrt(a + b) * a, casadi.fabs(a - b), casadi.sign(x - y), casadi.atan2(a, b)])
    check(lambda a, b, x, y: [casadi.if_else(a < b, a * x, b * y), casadi.fmin(a, x) + casadi.fmax(b, y)])
    check(lambda a, b, x, y: [casadi.exp(a) * casadi.log(b), casadi.tan(x), a**3 / b**2, sin(x + 2 * y) * a])
    check(lambda a, b, x, y: [casadi.if_else(casadi.logic_and(a < b, casadi.logic_not(x <= y)), a, b)])


@pytest.mark.parametrize("seed", range(30))
def test_random_quotients(seed):
    rng = np.random.default_rng(seed)

    def polynomial(*letters):
        x, y = letters[2:]
        pool = [*letters[:2], sin(x), cos(x), sin(y), cos(y), x]
        numbers = rng.choice([1.0, -1.0, 2.0, 0.5, 0.3, 9.81], rng.integers(1, 8))
        terms = [float(x) * math.prod(pool[k] for k in rng.integers(0, 7, 3)) for x in numbers]
        return sum(terms[1:], terms[0])

    check(lambda *letters: [polynomial(*letters), polynomial(*letters) / (3 + polynomial(*letters) ** 2)])


def test_numbers_are_the_fractions_that_were_meant():
    assert [str(exact(x)) for x in (0.1, 1 / 3, 0.1 * 3, 9.81, -2.0)] == ["1/10", "1/3", "3/10", "981/100", "-2"]


def test_a_power_that_is_no_whole_number_is_refused():
    with pytest.raises(LoopwrightError, match="power"):
        told(lambda a, b, x, y: [a**b])


def test_an_operation_without_a_form_is_named():
    with pytest.raises(LoopwrightError, match="'floor' has no form in equations"):
        told(lambda a, b, x, y: [casadi.floor(a)])


def test_a_number_that_is_none_has_no_form():
    with pytest.raises(NoForm):
        told(lambda a, b, x, y: [casadi.if_else(a > b, a, math.nan)])


def test_what_fills_more_than_a_page_is_given_up():
    with pytest.raises(TooLarge):
        told(lambda a, b, x, y: [(a + b + x + y + sin(x) + cos(y)) ** 2 * (a * x + b * y + sin(x + y)) ** 4])
