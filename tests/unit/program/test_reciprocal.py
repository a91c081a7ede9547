"""Divisions by one number share its reciprocal where the machine rounds as it likes anyway."""

from __future__ import annotations

import dataclasses

import casadi
import numpy as np
import pytest

from loopwright.program import machine, tape_of
from loopwright.program.module import module
from loopwright.program.reciprocal import reciprocals

from .compiling import WIDTHS, of_casadi

A, B, D, E = (casadi.SX.sym(name) for name in "abde")
INPUTS = casadi.vertcat(A, B, D, E)
OUTPUT = casadi.vertcat(A / D, B / D, A / E, (A + B) / D)
TAPE = tape_of(casadi.Function("f", [INPUTS], [OUTPUT]))


def test_one_division_for_each_number_that_is_divided_by():
    names = [operation.name for operation in reciprocals(TAPE).operations]
    assert (names.count("div"), names.count("inv"), names.count("mul")) == (1, 1, 3)
    for fma, count in ((True, 2), (False, 4)):
        text = module(TAPE, dataclasses.replace(machine(), fma=fma), 4)
        assert text.count("fdiv <4 x double>") == text.count("fdiv double") == count


@pytest.mark.parametrize("width", WIDTHS)
def test_a_product_with_the_reciprocal_rounds_once_more(width):
    x = np.random.default_rng(8).normal(size=(500, 4))
    a, b, d, e = x.T
    expected = np.stack([a / d, b / d, a / e, (a + b) / d], axis=1)
    np.testing.assert_array_max_ulp(of_casadi([INPUTS], OUTPUT, width=width, fma=True)(x), expected, 2)
    np.testing.assert_array_equal(of_casadi([INPUTS], OUTPUT, width=width, fma=False)(x), expected)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_not_finite_stays_what_division_makes_of_it(width):
    special = [0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan]
    a, b, d = (x.ravel() for x in np.meshgrid(special, special, special))
    with np.errstate(all="ignore"):
        expected = np.stack([a / d, b / d, a, (a + b) / d], axis=1)
    found = of_casadi([INPUTS], OUTPUT, width=width, fma=True)(np.stack([a, b, d, np.ones_like(a)], axis=1))
    np.testing.assert_allclose(found, expected, rtol=4e-16)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(expected)[known])
