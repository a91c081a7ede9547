"""The audit of a run: every number against one computed without it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import loopwright as lw
from loopwright.simulate.comparing import apart, digits, sizes


def pendulum(t_end, **options):
    """Two links, dropped so that they go over the top: chaotic."""
    mech = lw.zoo.n_pendulum(n=2)
    return lw.simulate(mech, ([1.5, 0.0], [0.0, 0.0]), t_end, progress=False, save=0.1, **options)


def reference(run):
    """The same motion by SciPy at its tightest."""
    dyn = lw.Dynamics(run.mechanism)
    forward, n = dyn.kernel("forward"), run.mechanism.nv
    tau = np.zeros(run.mechanism.nu)
    y0 = np.concatenate([run.q[0], run.v[0]])
    found = solve_ivp(
        lambda t, y: np.concatenate([y[n:], forward(y[:n], y[n:], tau)]),
        (0.0, run.t[-1]), y0, "DOP853", run.t, rtol=3e-14, atol=1e-15,
    )  # fmt: skip
    return found.y[:n].T


def test_digits_believed_are_those_that_are_right():
    run = pendulum(5.0, rtol=1e-7, atol=1e-9)
    true = digits(apart(run.mechanism, run.q, reference(run), sizes(run.mechanism, run.q)))
    believed = run.audit.digits_over_time
    assert believed.shape == run.t.shape
    assert run.audit.digits == believed[-1]
    # what is believed is the worst so far, so it may be less than what happens to be right
    worst = np.minimum.accumulate(true)
    np.testing.assert_allclose(believed[1:], worst[1:], atol=0.5)
    assert 1.0 < run.audit.digits < 8.0


def test_chaos_is_reported():
    run = pendulum(30.0)
    audit = run.audit
    true = digits(apart(run.mechanism, run.q, reference(run), sizes(run.mechanism, run.q)))
    assert audit.digits < 1.0
    assert true[-1] < 2.0  # two wrong paths may cross
    assert 0.0 < audit.lost < 30.0
    assert true[run.t < audit.lost].min() > 0.5
    assert f"fewer than one from t = {audit.lost:.4g} s on" in str(audit)


def test_drift_and_closure_are_the_largest_seen():
    mech = lw.zoo.four_bar()
    run = lw.simulate(mech, lw.zoo.start("four_bar"), 1.0, progress=False, save=0.05)
    dyn, audit = lw.Dynamics(mech), run.audit
    energy = dyn.energy(run.q, run.v)
    assert audit.drift == pytest.approx(np.abs(energy.total - energy.total[0]).max(), rel=1e-6, abs=1e-14)
    moved = max(energy.kinetic.max(), np.ptp(energy.potential))
    assert audit.drift_relative == pytest.approx(audit.drift / moved, rel=1e-9)
    assert audit.gap == pytest.approx(np.abs(dyn.closure(run.q)).max(), abs=1e-15)
    rates = np.einsum("tij,tj->ti", dyn.closure_jacobian(run.q), run.v)
    assert audit.gap_rate == pytest.approx(np.abs(rates).max(), abs=1e-14)
    assert (audit.steps, audit.evaluations) == (run.counts.steps, run.counts.evaluations)
    assert audit.real_time_factor == pytest.approx(1.0 / run.counts.wall_time)


def test_the_other_computations_are_what_their_names_say():
    mech = lw.zoo.four_bar()
    start = lw.zoo.start("four_bar")
    run = lw.simulate(mech, start, 1.0, formulation="embedding", progress=False, save=0.05, rtol=1e-6, atol=1e-8)
    second, tighter, whole = run.audit.second, run.audit.tighter, run.audit.whole
    size = sizes(mech, run.q)
    assert (second.how, tighter.how, whole.how) == ("multiplier", "rtol 1e-08", "rtol 1e-08")
    assert (whole.start, whole.end) == (0.0, 1.0)
    i, j = (int(np.argmin(np.abs(run.t - t))) for t in (second.start, second.end))
    assert 0 < i < j < 20
    state = lw.State(mech, run.q[i], run.v[i], run.t[i])
    for again, options in (
        (second, {"formulation": "multiplier", "rtol": 1e-6, "atol": 1e-8}),
        (tighter, {"formulation": "embedding", "rtol": 1e-8, "atol": 1e-10}),
    ):
        other = lw.simulate(mech, state, run.t[j], save=run.t[i : j + 1], progress=False, **options)
        far = apart(mech, run.q[i : j + 1], other.q, size).max()
        assert again.apart == pytest.approx(far, rel=1e-9)
        assert again.digits == pytest.approx(-np.log10(far))
    assert tighter.apart < 1e-5


def test_a_tree_is_compared_with_a_second_algorithm():
    audit = pendulum(1.0).audit
    assert audit.second.how == "accelerations by denoc"
    assert audit.second.digits > 12.0


def test_fixed_steps_are_compared_with_half_the_step():
    run = pendulum(1.0, method="rk4", step=0.01)
    half = pendulum(1.0, method="rk4", step=0.005)
    far = apart(run.mechanism, run.q, half.q, sizes(run.mechanism, run.q)).max()
    assert run.audit.whole.how == "half the step, 0.005 s"
    assert run.audit.whole.apart == pytest.approx(far, rel=1e-6)


def test_the_drive_is_the_same_again():
    mech = lw.zoo.n_pendulum(n=2)
    run = lw.simulate(mech, None, 1.0, tau=lambda t, q, v: np.sin(5 * t) * np.ones(2), progress=False)
    assert run.audit.digits > 5.0
    assert run.audit.drift_relative < 1e-6


def test_differences_count_turns_and_quaternions_rightly():
    mech = lw.zoo.stewart()
    names = mech.coordinates
    q = np.tile(mech.neutral(), (3, 1))
    assert apart(mech, q, q, sizes(mech, q)).max() == 0.0
    other = q.copy()
    k = names.index("ball_1.qx")
    other[:, k : k + 4] *= -1.0
    assert apart(mech, q, other, sizes(mech, q)).max() == 0.0
    spun = lw.zoo.n_pendulum(n=2)
    path = np.array([[0.0, 0.0], [100.0, 1e-9]])
    np.testing.assert_array_equal(sizes(spun, path), [1.0, 1.0])
    np.testing.assert_array_equal(sizes(spun, path / 1e4), [0.01, 0.01])
    np.testing.assert_array_equal(digits(np.array([0.0, 1e-3, 10.0, np.nan])), [16.0, 3.0, 0.0, 0.0])


def test_what_cannot_be_computed_again_is_said(tmp_path):
    run = pendulum(0.5)
    file = run.save(tmp_path / "run.nc")
    again = lw.open_run(file)
    assert again.audit.digits == run.audit.digits
    with pytest.raises(lw.LoopwrightError, match="cannot be computed again"):
        again.recomputed(0, again.t)
