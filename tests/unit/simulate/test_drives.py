"""Forces over time: what may be given, what is taken between samples, and the motion it makes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import make_interp_spline

import loopwright as lw
from loopwright.simulate.joined import Joined
from loopwright.simulate.pieces import constant
from loopwright.simulate.trajectory import ORDERS, table_of

T = np.array([0.0, 0.3, 0.35, 0.9, 1.2, 1.25, 1.3, 1.7])
F = np.random.default_rng(1).normal(size=len(T))
KINDS = ("previous", "linear", "cubic", "quintic")


def carts(count=1):
    """Of 2 kg each, on rails, driven by forces alone."""
    b = lw.Builder("carts", gravity=(0, 0, 0))
    for k in range(count):
        b.body(f"cart{k}", 2.0)
        b.prismatic(f"rail{k}", "ground", f"cart{k}", axis=(1, 0, 0), actuated=True)
    return b.build()


def driven(tau, t_end=2.0, count=1, **options):
    run = lw.simulate(carts(count), None, t_end, tau=tau, save=0.1, progress=False, **options)
    assert run.finished
    return run


def forces(kind, t):
    """From NumPy and SciPy, held at the ends."""
    now = np.clip(t, T[0], T[-1])
    if kind == "previous":
        return F[np.searchsorted(T, now, side="right") - 1]
    if kind == "linear":
        return np.interp(now, T, F)
    return make_interp_spline(T, F, k={"cubic": 3, "quintic": 5}[kind])(now)


@pytest.mark.parametrize("kind", KINDS)
def test_between_samples_stands_what_scipy_says(kind):
    samples = lw.Samples(T, F, kind)
    t = np.linspace(-0.5, 2.5, 301)
    np.testing.assert_allclose(samples(t), forces(kind, t), atol=1e-12)
    inside, step = t[(t > 0.01) & (t < 1.69) & (np.abs(t[:, None] - T).min(axis=1) > 1e-3)], 1e-5
    slopes = (samples(inside + step) - samples(inside - step)) / (2 * step)
    np.testing.assert_allclose(samples.velocity(inside), slopes, atol=1e-4)
    slopes = (samples.velocity(inside + step) - samples.velocity(inside - step)) / (2 * step)
    np.testing.assert_allclose(samples.acceleration(inside), slopes, rtol=1e-6, atol=1e-4)
    assert samples.velocity(-1.0) == samples.velocity(3.0) == samples.acceleration(3.0) == 0.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_the_motion_is_the_integral_of_the_samples(kind, method):
    run = driven(lw.Samples(T, F, kind), method=method)
    np.testing.assert_allclose(run.tau[:, 0], forces(kind, run.t), atol=1e-12)

    def swept(t):
        """2 v and 2 x are integrals of F(s) and of (t - s) F(s)."""
        points = T[(T > 0.0) & (t > T)]
        options = {"points": points, "epsabs": 1e-13, "limit": 200}
        return [quad(lambda s, n=n: (t - s) ** n * forces(kind, s), 0.0, t, **options)[0] / 2.0 for n in (0, 1)]

    wanted = np.array([swept(t) for t in run.t[1:]])
    np.testing.assert_allclose(run.v[1:, 0], wanted[:, 0], atol=1e-12)
    np.testing.assert_allclose(run.q[1:, 0], wanted[:, 1], atol=1e-12)
    # from break to break it is a polynomial, which these methods follow without rejecting a step
    assert run.counts.rejected == 0 or kind not in ("previous", "linear")


def test_a_pair_a_data_array_and_names_are_the_same_samples():
    import xarray

    values = np.stack([F, -2 * F], axis=1)
    named = xarray.DataArray(
        values[:, ::-1], dims=("time", "actuator"), coords={"time": T, "actuator": ["rail1", "rail0"]}
    )
    one = driven(lw.Samples(T, values), count=2)
    for tau in ((T, values), named, {"rail0": (T, F), "rail1": lw.Samples(T, -2 * F)}):
        np.testing.assert_array_equal(driven(tau, count=2).q, one.q)


def test_forces_of_a_run_drive_another():
    run = driven(lw.Samples(T, F))
    again = driven(run.data["tau"])
    np.testing.assert_allclose(again.tau, run.tau, atol=1e-15)


def test_actuators_without_a_name_have_no_force_and_numbers_are_steady():
    run = driven({"rail1": 3.0}, count=2)
    assert (run.q[:, 0] == 0.0).all()
    np.testing.assert_allclose(run.q[:, 1], 0.75 * run.t**2, atol=1e-13)


@pytest.mark.parametrize("path", [lw.Samples(T, F, kind) for kind in KINDS] + [
    lw.Samples(T[:2], F[:2], "cubic"), lw.Samples(T[:4], np.stack([F[:4], F[4:]], axis=1), "quintic"),
    constant([1.0, 2.0]), Joined([lw.Samples(T, F, "cubic"), constant([1.0, 2.0]), lw.Samples(T, F)]),
])  # fmt: skip
def test_native_values_are_those_of_python(path):
    native, out = path.native(), np.zeros(ORDERS * path.width)
    for t in (-1.0, 0.0, 0.1, 0.3, np.nextafter(0.3, 0.0), 0.77, 1.25, 1.7, np.nextafter(1.7, 2.0), 5.0):
        native.text(t, out.ctypes.data, 0, native.table.ctypes.data)
        np.testing.assert_allclose(out.reshape(ORDERS, -1), table_of(path, t)[0], rtol=1e-12, atol=1e-12)


def test_a_python_function_is_told_to_be_slow():
    run = driven(lambda t, q, v: [1.0])
    assert "Python function" in run.audit.notes[0]
    assert driven(1.0).audit.notes == ()


@pytest.mark.parametrize(
    "tau, said",
    [
        ((T, F[:-1]), "one row of values for every time"),
        ((T, np.stack([F, F], axis=1)), "needs 1 values over time"),
        ((T[::-1], F), "must increase"),
        (([0.0], [1.0]), "at least two moments"),
        ((T, F + np.where(T == 0.9, np.nan, 0.0)), "at t = 0.9 is not a finite number"),
        ({"rail": 1.0}, "did you mean 'rail0'"),
        ({"rail0": lambda t, q, v: 1.0}, "tau of 'rail0' must be a number"),
        ({"rail0": (T, np.stack([F, F], axis=1))}, "tau of 'rail0' needs 1 values"),
        ("fast", "a mapping by actuator"),
    ],
)
def test_what_is_wrong_is_said(tau, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        driven(tau)


def test_samples_refuse_unknown_kinds_and_columns():
    with pytest.raises(lw.LoopwrightError, match="no kind 'smooth'"):
        lw.Samples(T, F, "smooth")
    with pytest.raises(lw.LoopwrightError, match="lack rail0"):
        driven(lw.Samples(T, F, names=["rail7"]))
    with pytest.raises(lw.LoopwrightError, match="2 names"):
        lw.Samples(T, F, names=["a", "b"])
