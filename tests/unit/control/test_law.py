"""Laws: recorded once, the same as the function they are made of, and refused in words where they cannot be."""

from __future__ import annotations

import math

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.trajectory import table_of


def damped(t, q, v):
    return -2.0 * v[0] - 5.0 * (q[0] - 1.2) + np.sin(3.0 * t)


def four_bar(tau, **options):
    run = lw.simulate(lw.zoo.four_bar(), lw.zoo.start("four_bar"), 1.0, tau=tau, progress=False, **options)
    assert run.finished
    return run


def test_a_law_does_what_its_function_does():
    law = lw.law(lw.zoo.four_bar(), damped)
    native, plain = four_bar(law), four_bar(damped)
    # rounding of the compiled law, grown along the motion
    np.testing.assert_allclose(native.q, plain.q, atol=1e-12)
    np.testing.assert_allclose(native.tau, plain.tau, atol=1e-11)
    assert native.counts.evaluations == plain.counts.evaluations
    assert native.audit.notes == ()
    assert "slow" in plain.audit.notes[0]
    assert law(0.3, native.q[5], native.v[5]) == pytest.approx([damped(0.3, native.q[5], native.v[5])])


def test_numpy_of_many_kinds_can_be_recorded():
    mech = lw.zoo.puma560()
    K = np.diag(np.arange(1.0, 7.0))

    def function(t, q, v):
        return -K @ q - 0.1 * np.tanh(v) + np.exp(-t) * np.cos(q) * np.abs(v) + lw.clip(3.0 * q, -1.0, 1.0)

    law = lw.law(mech, function)
    for seed in range(3):
        q, v = mech.random_state(seed=seed)
        np.testing.assert_allclose(law.kernel(0.2, q, v), function(0.2, q, v), rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(law(0.2, q, v), function(0.2, q, v), rtol=1e-15)


@pytest.mark.parametrize(
    "path",
    [
        lw.trajectory.cycloid(math.pi / 2, 1.0, 0.8),
        lw.Samples(np.linspace(0, 1, 200), np.cos(np.linspace(0, 1, 200)), "cubic"),
    ],
)
def test_a_law_may_look_at_a_trajectory(path):
    def function(t, q, v, wanted):
        return 50.0 * (wanted.q - q[0]) + 10.0 * (wanted.v - v[0]) + wanted.a

    law = lw.law(lw.zoo.four_bar(), function, along=path)
    run = four_bar(law)
    wanted = table_of(path, run.t)[:, :, 0]
    by_hand = 50.0 * (wanted[:, 0] - run.q[:, 0]) + 10.0 * (wanted[:, 1] - run.v[:, 0]) + wanted[:, 2]
    np.testing.assert_allclose(run.tau[:, 0], by_hand, rtol=1e-12, atol=1e-12)
    plain = four_bar(lambda t, q, v: law(t, q, v), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(run.q, plain.q, atol=1e-6)


def test_a_short_trajectory_may_be_asked_within_a_law():
    path = lw.trajectory.quintic([0.0, 0.4, 0.8], [1.5, 1.2, 1.4])
    inside = lw.law(lw.zoo.four_bar(), lambda t, q, v: path(t) - q[0], breaks=path.breaks)
    along = lw.law(lw.zoo.four_bar(), lambda t, q, v, wanted: wanted.q - q[0], along=path)
    np.testing.assert_allclose(four_bar(inside).q, four_bar(along).q, atol=1e-12)


def test_a_long_one_is_handed_over():
    path = lw.Samples(np.linspace(0, 1, 200), np.zeros(200))
    with pytest.raises(lw.LoopwrightError, match="along=trajectory"):
        lw.law(lw.zoo.four_bar(), lambda t, q, v: path(t) - q[0])


def test_steps_end_where_a_law_is_not_smooth():
    pushed = lw.law(lw.zoo.pendulum(), lambda t, q, v: lw.where(t < 0.5, 1.0, -1.0), breaks=(0.5,))
    run = lw.simulate(lw.zoo.pendulum(), None, 1.0, tau=pushed, progress=False, method="dopri5")
    blind = lw.law(lw.zoo.pendulum(), lambda t, q, v: lw.where(t < 0.5, 1.0, -1.0))
    other = lw.simulate(lw.zoo.pendulum(), None, 1.0, tau=blind, progress=False, method="dopri5")
    assert run.counts.rejected < other.counts.rejected
    np.testing.assert_allclose(run.q, other.q, atol=1e-8)


@pytest.mark.parametrize(
    "function, said",
    [
        (lambda t, q, v: 1.0 if t > 0 else 0.0, "lw.where"),
        (lambda t, q, v: math.sin(t), "cannot be recorded"),
        (lambda t, q, v: max(q[0], 0.0), "cannot be recorded"),
        (lambda t: 1.0, "cannot be recorded"),
        (lambda t, q, v: [1.0, 2.0], "one force for each of crank_joint"),
        (lambda t, q, v: "fast", "one force for each of crank_joint"),
        (lambda t, q, v: None, "one force for each of crank_joint"),
        (3.0, "function of"),
    ],
)
def test_what_cannot_be_a_law_is_refused(function, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        lw.law(lw.zoo.four_bar(), function)


def test_a_function_that_remembers_is_refused():
    calls = []

    def counting(t, q, v):
        calls.append(t)
        return float(len(calls))

    with pytest.raises(lw.LoopwrightError, match="remembers"):
        lw.law(lw.zoo.four_bar(), counting)


def test_a_law_belongs_to_its_mechanism():
    law = lw.law(lw.zoo.four_bar(), damped)
    with pytest.raises(lw.LoopwrightError, match="the law is one of 'four_bar'"):
        lw.simulate(lw.zoo.pendulum(), None, 1.0, tau=law)
