"""`lw.simulate` on open trees: what it takes, what it gives, how it ends."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw


def fallen(**options):
    return lw.simulate(lw.zoo.pendulum(), lw.zoo.start("pendulum"), t_end=1.0, progress=False, **options)


def test_a_run_has_a_row_for_every_moment():
    run = fallen(save=0.25)
    assert run.t.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert run.q.shape == run.v.shape == run.a.shape == run.tau.shape == (5, 1)
    assert run.status == "finished"
    assert run.finished
    assert run.final.t == 1.0
    assert run.data["q"].sel(time=0.5, coordinate="pivot").item() == run["pivot"][2]


def test_accelerations_belong_to_the_states():
    run = fallen(save=0.25, tau=0.3)
    dyn = lw.Dynamics(run.mechanism, compiled=False)
    assert np.allclose(run.a, dyn.forward(run.q, run.v, run.tau), rtol=1e-12)
    assert (run.tau == 0.3).all()


def test_moments_may_be_chosen():
    assert fallen(save=[0.1, 0.7, 2.0]).t.tolist() == [0.1, 0.7]
    assert fallen(save=None).t.tolist() == [0.0, 1.0]
    assert fallen(save=0.3).t.tolist() == pytest.approx([0.0, 0.3, 0.6, 0.9, 1.0])


def test_a_python_function_drives_as_numbers_do():
    law = fallen(tau=lambda t, q, v: [0.3])
    assert np.abs(law.q - fallen(tau=0.3).q).max() == 0.0


def test_a_failing_function_ends_the_run_in_words():
    def law(t, q, v):
        if t > 0.5:
            raise ValueError("no more")
        return [0.0]

    run = fallen(tau=law)
    assert "ValueError: no more" in run.status
    assert not run.finished
    assert 0.3 < run.t[-1] <= 0.5


def test_a_torque_that_is_not_a_number_ends_the_run():
    run = fallen(tau=lambda t, q, v: np.nan if t > 0.5 else 0.0)
    assert "not numbers" in run.status
    assert 0.4 < run.t[-1] <= 0.51


def test_steps_are_budgeted():
    run = fallen(max_steps=3)
    assert "max_steps" in run.status
    assert run.counts.steps == 3


@pytest.mark.parametrize(
    "options, said",
    [
        ({"method": "rk4"}, "step="),
        ({"method": "euler 3"}, "there are"),
        ({"rtol": -1.0}, "tolerances"),
        ({"save": 0.0}, "save"),
        ({"tau": [1.0, 2.0]}, "pivot"),
    ],
)
def test_wrong_questions_are_answered_in_words(options, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        fallen(**options)


def test_it_cannot_end_before_it_begins():
    with pytest.raises(lw.LoopwrightError, match="t_end"):
        lw.simulate(lw.zoo.pendulum(), None, t_end=0.0)


@pytest.mark.parametrize("progress", [True, False])
def test_a_first_run_says_what_it_waits_for(progress, monkeypatch, tmp_path, capsys):
    from loopwright.program import looped
    from loopwright.simulate.going import announced
    from loopwright.simulate.loops import motion

    monkeypatch.setenv("LOOPWRIGHT_CACHE", str(tmp_path / "empty"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    @announced
    def work(progress=True):
        return looped.__wrapped__(motion.settle).address

    assert work(progress=progress)
    said = capsys.readouterr().err
    assert said.count("done once on this machine") == progress
