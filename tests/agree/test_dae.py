"""Formulation "dae" against independent coordinates: two ways that share neither unknowns nor integrator."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import loopwright as lw
from tests.mechanisms import FULL

# redundant rows (planar loops in space, Bricard, Bennett), a branch passed (Peaucellier, n_four_bar), quaternions
# (stewart), rows that turn bad on the way (bennett), tiny masses (andrews)
USUAL = [
    "four_bar",
    "wang_four_bar",
    "bricard",
    "bennett",
    "peaucellier",
    "n_four_bar",
    "stewart",
    "three_rrr",
    "andrews",
]
EVERY = [make.__name__ for make in lw.zoo.CLOSED]
ENDS = {"andrews": 0.03, "delta": 0.5, "excavator": 0.75, "cassie_leg": 0.25, "digit_leg": 0.1}


def moved(name, **options):
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), v=lw.zoo.rates(name) or None)
    t_end = ENDS.get(name, 0.5)
    return lw.simulate(mechanism, start, t_end, save=t_end / 10, progress=False, **options)


@pytest.mark.parametrize("name", EVERY if FULL else USUAL)
def test_the_motion_is_that_of_independent_coordinates(name):
    exact, done = moved(name, formulation="embedding"), moved(name, formulation="dae")
    assert done.status == exact.status == "finished"
    # some thousand steps that each add up to the tolerance, 1e-10 of the fastest, and swing apart tenfold
    for found, right in ((done.q, exact.q), (done.v, exact.v)):
        assert np.abs(found - right).max() < 1e-6 * (1.0 + np.abs(right).max())
    # loops stand open by no more than the tolerance lets positions be wrong, over all the way
    assert np.abs(done.measured.gap).max() < 1e-9
    assert np.abs(done.measured.gap_rate).max() < 1e-7 * (1.0 + np.abs(exact.v).max())
    for k, coordinate in enumerate(done.mechanism.coordinates):
        if coordinate.endswith(".qw"):
            assert np.abs(np.linalg.norm(done.q[:, k - 3 : k + 1], axis=1) - 1.0).max() < 1e-9


def test_the_error_falls_with_the_tolerance():
    exact = moved("four_bar", formulation="embedding")
    errors = [
        np.abs(moved("four_bar", formulation="dae", rtol=rtol, atol=rtol).q - exact.q).max()
        for rtol in (1e-6, 1e-8, 1e-10, 1e-12)
    ]
    assert all(later < 0.2 * earlier for earlier, later in pairwise(errors))
    assert errors[-1] < 1e-8


def test_a_run_is_audited_recomputed_and_written_as_any_other(tmp_path):
    done = moved("four_bar", formulation="dae", method="idas", tau=2.0)
    assert (done.settings.formulation, done.settings.method) == ("dae", "idas")
    audit = done.audit
    assert audit.notes == ()
    assert audit.second.how == "embedding"
    assert audit.second.apart < 1e-7
    assert audit.digits > 6.0
    assert audit.drift_relative < 1e-6
    assert audit.gap < 1e-9
    assert (audit.steps, audit.evaluations) == (done.counts.steps, done.counts.evaluations)
    # the work of the motor, integrated along the way, and the energy that came of it
    assert np.abs(done.measured.imbalance).max() < 1e-6 * np.abs(done.work["actuators"]).max()
    again = lw.open_run(done.save(tmp_path / "dae.nc"))
    assert np.array_equal(again.q, done.q)
    assert again.settings == done.settings
    half = done.recomputed(5, done.t[5:])
    assert np.abs(half.q - done.q[5:]).max() < 1e-7


def test_where_the_start_is_singular_and_at_rest_it_says_so():
    flat = lw.assemble(lw.zoo.n_four_bar(), {"pivot_0": np.pi / 2})[0]
    done = lw.simulate(flat.mechanism, (flat.q, 0 * flat.v), 1.0, formulation="dae", progress=False)
    assert "singular position" in done.status
    assert done.counts.steps == 0
