"""The inline functions against fifty digits, in units of the last place (ulp)."""

from __future__ import annotations

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pytest

from loopwright.program.elementary import RANGE

from .compiling import COMBINATIONS, WIDTHS, of_operations

SPECIAL = [0.0, 5e-324, 1e-310, 2.3e-308, 1e-300, 1e-290, 1e-9, 0.5, 1.0, 3.0, 1e17, 1e290, 1e300, 1.7e308, np.inf]
SPECIAL = np.array([sign * x for x in SPECIAL for sign in (1.0, -1.0)] + [np.nan])


@cache
def made(names, arguments, width, fma):
    return of_operations(names, arguments, width=width, fma=fma)


def sincos(x, width, fma):
    answer = made(("sin", "cos"), 1, width, fma)(np.asarray(x)[..., None])
    return answer[..., 0], answer[..., 1]


def atan2(y, x, width, fma):
    return made(("atan2",), 2, width, fma)(np.stack(np.broadcast_arrays(y, x), axis=-1))[..., 0]


def exactly(function, *arguments):
    """The nearest doubles and what they leave, from fifty digits."""
    with mpmath.workdps(50):
        exact = [function(*map(mpmath.mpf, given)) for given in zip(*(a.tolist() for a in arguments), strict=True)]
        near = np.array([float(value) for value in exact])
        rest = np.array([float(value - mpmath.mpf(n)) for value, n in zip(exact, near.tolist(), strict=True)])
    return near, rest


def ulps(found, exact):
    near, rest = exact
    return np.abs((found - near) - rest) / np.spacing(np.abs(near))


def same(found, expected):
    """To the last bit, the sign of zero included; any NaN is as good as another."""
    np.testing.assert_array_equal(found, expected)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(expected)[known])


@cache
def near_quarter_turns():
    """The doubles up to 1e5 that come closest to multiples of pi/2, and their neighbours."""
    with mpmath.workdps(50):
        half_pi = +mpmath.pi / 2
        k = np.arange(1, 63662)
        x = np.array([float(half_pi * int(i)) for i in k])
        distance = np.array([float(abs(mpmath.mpf(a) - half_pi * int(i))) for a, i in zip(x.tolist(), k, strict=True)])
    closest = x[np.argsort(distance / x)[:300]]
    assert (distance / x).min() < 3e-21
    few = np.concatenate([closest, x[::211], x[:50]])
    return np.concatenate([few, np.nextafter(few, 0.0), np.nextafter(few, np.inf), -few])


def closest_of_all(largest):
    """For every power of two, the doubles m 2^e that come closest to k pi/2: m/k are convergents of pi/2^(e+1)."""
    found = []
    with mpmath.workdps(60):
        for e in range(-53, int(np.log2(largest)) - 51):
            rest, m, k = mpmath.pi / mpmath.mpf(2) ** (e + 1), (1, 0), (0, 1)
            while m[0] < 2**53:
                a = int(mpmath.floor(rest))
                m, k, rest = (a * m[0] + m[1], m[0]), (a * k[0] + k[1], k[0]), 1 / (rest - a)
                found += [n * m[0] * 2.0**e for n in (1, 2, 3) if 2**51 < n * m[0] < 2**53]
    close = np.array([x for x in found if x < largest])
    return np.concatenate([close, -close, np.nextafter(close, 0.0)])


@cache
def angles(fma):
    rng = np.random.default_rng(2)
    edges = np.pi / 4 * np.arange(1, 400, 2)
    largest = RANGE[fma]
    return np.concatenate([
        near_quarter_turns(),
        closest_of_all(largest),
        rng.uniform(-largest, largest, 2000),
        rng.uniform(-1e5, 1e5, 2000),
        rng.uniform(-4.0, 4.0, 2000),
        rng.choice([-1.0, 1.0], 1000) * np.exp(rng.uniform(-745.0, np.log(largest), 1000)),
        (edges[:, None] + np.spacing(edges)[:, None] * np.arange(-2, 3)).ravel(),
        [largest, -largest, np.nextafter(largest, 0.0), 5e-324, -5e-324, 1e-310, 2.3e-308],
    ])  # fmt: skip


@cache
def exact_angles(fma):
    return exactly(mpmath.sin, angles(fma)), exactly(mpmath.cos, angles(fma))


LARGEST_ERROR = {True: 1.6, False: 1.0}  # of sines and cosines, with and without fused multiply-add


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_sine_and_cosine_within_two_units_of_the_last_place(width, fma):
    for found, exact in zip(sincos(angles(fma), width, fma), exact_angles(fma), strict=True):
        assert ulps(found, exact).max() < LARGEST_ERROR[fma]


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_sine_and_cosine_of_zeros_and_beyond_the_range(width, fma):
    largest = RANGE[fma]
    x = np.array([0.0, -0.0, np.nextafter(largest, np.inf), -1.0000001 * largest, 1e10, -1e15, 1e22, 1.7e308, -1.7e308])
    s, c = sincos(x, width, fma)
    same(s, np.array([math.sin(value) for value in x]))
    same(c, np.array([math.cos(value) for value in x]))
    s, c = sincos(np.array([np.inf, -np.inf, np.nan]), width, fma)
    assert np.isnan(s).all()
    assert np.isnan(c).all()


@cache
def points():
    """(y, x) all around, at the edges between the ways of computing, of any size, and of any ratio."""
    rng = np.random.default_rng(3)

    def either(n):
        return rng.choice([-1.0, 1.0], n)

    turn, size = rng.uniform(-np.pi, np.pi, 3000), np.exp(rng.uniform(-5.0, 5.0, 3000))
    some = [(size * np.sin(turn), size * np.cos(turn))]
    for ratio in (0.4375, 0.72, np.sqrt(2.0) - 1.0, 1.0, 0.5, 0.2554, 0.1257, 1e-8, 1e-200):
        large = rng.uniform(0.5, 2.0, 300) * 2.0 ** rng.integers(-300, 300, 300)
        small = large * ratio * (1.0 + np.finfo(float).eps * rng.integers(-4, 5, 300))
        swap = rng.random(300) < 0.5
        some.append((either(300) * np.where(swap, large, small), either(300) * np.where(swap, small, large)))
    some.append(
        (either(2000) * np.exp(rng.uniform(-600, 600, 2000)), either(2000) * np.exp(rng.uniform(-600, 600, 2000)))
    )
    swap, ratio = rng.random(2000) < 0.5, rng.uniform(0.0, 1.0, 2000)
    some.append((either(2000) * np.where(swap, ratio, 1.0), either(2000) * np.where(swap, 1.0, ratio)))
    return np.concatenate([y for y, _ in some]), np.concatenate([x for _, x in some])


@cache
def exact_points():
    return exactly(mpmath.atan2, *points())


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_arctangent_within_two_units_of_the_last_place(width, fma):
    assert ulps(atan2(*points(), width, fma), exact_points()).max() < 1.6


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_arctangent_where_numbers_end(width, fma):
    y, x = (a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL))
    found = atan2(y, x, width, fma)
    expected = np.array([math.atan2(*point) for point in zip(y, x, strict=True)])
    np.testing.assert_allclose(found, expected, rtol=4.0 * np.finfo(float).eps, atol=0.0)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(expected)[known])
    ends = known & ((y == 0.0) | (x == 0.0) | np.isinf(y) | np.isinf(x))
    same(found[ends], expected[ends])


def test_arctangent_is_odd():
    y, x = points()
    same(atan2(-y, x, 8, True), -atan2(y, x, 8, True))


@pytest.mark.parametrize("width, fma", COMBINATIONS)
def test_square_roots_are_exact(width, fma):
    x = np.concatenate([SPECIAL, np.exp(np.random.default_rng(4).uniform(-700.0, 700.0, 500))])
    with np.errstate(invalid="ignore"):
        same(made(("sqrt",), 1, width, fma)(x[:, None])[:, 0], np.sqrt(x))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_lane_out_of_range_leaves_the_others_alone(width):
    """Bit for bit: where the library is asked for one lane, the inline values of the others stand."""
    rng = np.random.default_rng(5)
    usual = rng.uniform(-1e5, 1e5, (200, width))
    s, c = sincos(usual, width, None)
    heights = rng.normal(size=(200, width))
    angle = atan2(heights, usual, width, None)
    closest = near_quarter_turns()[0]
    for lane, odd in itertools.product(range(width), (1e10, np.inf, np.nan, closest)):
        mixed = usual.copy()
        mixed[:, lane] = odd
        others = np.arange(width) != lane
        for found, expected in zip(sincos(mixed, width, None), (s, c), strict=True):
            np.testing.assert_array_equal(found[:, others], expected[:, others])
        np.testing.assert_array_equal(atan2(heights, mixed, width, None)[:, others], angle[:, others])


def test_every_width_gives_the_same_bits():
    y, z = points()
    for fma in (True, False):
        x = angles(fma)
        alone = sincos(x, 1, fma)
        angle = atan2(y, z, 1, fma)
        for width in WIDTHS[1:]:
            for found, expected in zip(sincos(x, width, fma), alone, strict=True):
                same(found, expected)
            same(atan2(y, z, width, fma), angle)
