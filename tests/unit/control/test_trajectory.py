"""Trajectories: where they go, that rates are derivatives, and that native code says what Python says."""

from __future__ import annotations

import math

import casadi
import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.trajectory import ORDERS, table_of
from loopwright.spatial import Symbol, expression

KINDS = {
    "cycloid": lambda: lw.trajectory.cycloid(0.3, -1.2, 2.0, begin=0.1),
    "cycloids": lambda: lw.trajectory.cycloid([0.0, 1.0], [2.0, 3.0], 1.5),
    "steady": lambda: lw.trajectory.steady(1.0, -2.0, begin=0.5),
    "hold": lambda: lw.trajectory.hold([1.0, 2.0]),
    "sines": lambda: lw.trajectory.sines([1.0, 0.5], [0.5, 1.25], [0.0, 1.0], offset=-0.3),
    "many sines": lambda: lw.trajectory.sines([[1.0, 2.0], [3.0, 4.0]], [0.5, 1.0], offset=[0.1, 0.2]),
    "quintic": lambda: lw.trajectory.quintic([0.0, 0.7, 2.0], [0.0, 1.0, -0.5]),
    "cubic": lambda: lw.trajectory.cubic([0.0, 0.5, 2.0], [[0, 1], [1, 0], [2, 2]], rates=(1.0, [0.5, 0.0])),
    "recorded": lambda: lw.trajectory.of(lambda t: np.sin(3 * t) * np.exp(-t)),
    "several recorded": lambda: lw.trajectory.of(lambda t: [t**3, lw.where(t < 1.0, t, 2.0 * t)], breaks=(1.0,)),
    "samples": lambda: lw.Samples([0.0, 0.7, 1.0, 2.0], [0.0, 1.0, -0.5, 0.2], "quintic"),
}


@pytest.fixture(params=list(KINDS))
def path(request):
    return KINDS[request.param]()


def test_rates_are_derivatives(path):
    t, h = np.linspace(0.11, 1.97, 40), 1e-5
    t = t[np.abs(t[:, None] - np.array([*path.breaks, 9.0])).min(axis=1) > 2 * h]
    for order in (0, 1):
        slopes = (path.at(t + h, order) - path.at(t - h, order)) / (2 * h)
        # of third derivatives of a few hundred: h^2 / 6 of them, and rounding over h
        np.testing.assert_allclose(path.at(t, order + 1), slopes, atol=2e-7)
    np.testing.assert_array_equal(path.velocity(t), path.at(t, 1))
    np.testing.assert_array_equal(path.acceleration(t), path.at(t, 2))


def test_many_times_are_each_of_them(path):
    t = np.array([[-1.0, 0.0, 0.4], [1.0, 2.0, 3.0]])
    for order in range(ORDERS):
        found = path.at(t, order)
        assert found.shape == ((2, 3) if path.scalar else (2, 3, path.width))
        one_by_one = [[path.at(moment, order) for moment in row] for row in t]
        np.testing.assert_allclose(found, one_by_one, rtol=1e-14, atol=1e-14)


def test_symbols_record_what_numbers_compute(path):
    t = casadi.SX.sym("t")
    rows = [expression(np.atleast_1d(path.at(Symbol(t), order))) for order in range(ORDERS)]
    recorded = casadi.Function("path", [t], rows)
    for moment in (-0.5, 0.0, 0.3, 1.2, 2.5):
        found = np.array([np.asarray(row).ravel() for row in recorded(moment)])
        np.testing.assert_allclose(found, table_of(path, moment)[0], rtol=1e-12, atol=1e-12)


def test_native_code_says_the_same(path):
    native, out = path.native(), np.zeros(ORDERS * path.width)
    for moment in (-0.5, 0.0, 0.3, 1.2, 2.5):
        assert native.text(moment, out.ctypes.data, 0, native.table.ctypes.data) == 0
        np.testing.assert_allclose(out.reshape(ORDERS, -1), table_of(path, moment)[0], rtol=1e-13, atol=1e-13)


def test_a_cycloid_rests_at_both_ends():
    path = lw.trajectory.cycloid(math.radians(30), math.radians(90), 20.0, begin=1.0)
    for t, where in ((0.0, 30), (1.0, 30), (21.0, 90), (40.0, 90)):
        assert math.degrees(path(t)) == pytest.approx(where, rel=1e-15)
        assert abs(path.velocity(t)) < 1e-17
        assert abs(path.acceleration(t)) < 1e-17
    # half way: half of the rise, twice the mean rate
    assert path(11.0) == pytest.approx(math.radians(60), rel=1e-15)
    assert path.velocity(11.0) == pytest.approx(2 * math.radians(60) / 20.0, rel=1e-15)
    assert path.breaks == (1.0, 21.0)


def test_a_quintic_between_two_points_is_the_polynomial_of_rest_to_rest():
    path = lw.trajectory.quintic([1.0, 3.0], [2.0, 5.0])
    s = np.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(path(1.0 + 2.0 * s), 2.0 + 3.0 * (10 * s**3 - 15 * s**4 + 6 * s**5), atol=1e-13)


def test_splines_pass_through_their_points_with_the_rates_asked_for():
    t, points = [0.0, 0.4, 1.0, 1.5], [[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [2.0, 1.0]]
    for path in (lw.trajectory.cubic(t, points, rates=(1.0, [0.5, -0.5])),
                 lw.trajectory.quintic(t, points, (1.0, [0.5, -0.5]), (0.2, 0.3))):  # fmt: skip
        np.testing.assert_allclose(path(np.array(t)), points, atol=1e-14)
        np.testing.assert_allclose(path.velocity(np.array([0.0, 1.5])), [[1.0, 1.0], [0.5, -0.5]], atol=1e-12)
    np.testing.assert_allclose(path.acceleration(np.array([0.0, 1.5])), [[0.2, 0.2], [0.3, 0.3]], atol=1e-11)


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: lw.trajectory.cycloid(0, 1, 0), "more than 0 seconds"),
        (lambda: lw.trajectory.cycloid(0, 1, "long"), "number of seconds"),
        (lambda: lw.trajectory.cycloid([0, 1], [1, 2, 3], 1), "equally many"),
        (lambda: lw.trajectory.cycloid(0, math.nan, 1), "finite"),
        (lambda: lw.trajectory.spline([0, 1], [0, 1], 4), "degree 3 or 5"),
        (lambda: lw.trajectory.quintic([0, 0], [0, 1]), "times increase"),
        (lambda: lw.trajectory.quintic([0, 1, 2], [0, 1]), "a point for each"),
        (lambda: lw.trajectory.cubic([0, 1], [0, 1], rates=0.0), "rates at both ends"),
        (lambda: lw.trajectory.sines([1, 2], [1, 2, 3]), "every frequency"),
        (lambda: lw.trajectory.of(lambda t: 1 if t > 0 else 0), "lw.where"),
        (lambda: lw.trajectory.of(lambda t: math.sin(t)), "cannot be recorded"),
        (lambda: lw.trajectory.of(lambda t: "fast"), "a number or a list"),
    ],
)
def test_what_is_wrong_is_said(make, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        make()
