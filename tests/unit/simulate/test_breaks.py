"""Moments at which a flow is not smooth: steps end there, on the side from which they come."""

from __future__ import annotations

import numpy as np
import pytest

from loopwright.simulate.going import FINISHED, Budget, go
from loopwright.simulate.loops import places as at
from loopwright.simulate.march import March
from loopwright.simulate.methods import METHODS, method
from loopwright.simulate.problem import of_function

JUMPS = (0.3, 0.4, 0.8)


def jumping(breaks):
    """dy/dt is 1, 10, 100, 1000: one after the other, from one break to the next."""
    stretch = np.array([-np.inf, np.inf])
    problem = of_function(lambda t, y: [10.0 ** sum(np.clip(t, *stretch) >= jump for jump in JUMPS)], 1)
    problem.breaks, problem.stretch = breaks, stretch
    return problem


def ended(name, breaks, **options):
    march = March(jumping(breaks), method(name), 0.0, np.zeros(1), save=np.array([0.35, 0.4, 1.0]), **options)
    assert go(march, 1.0, Budget(10_000, 60.0), progress=False) == FINISHED
    return march


@pytest.mark.parametrize("one", [one for one in METHODS if not one.implicit], ids=lambda one: one.name)
def test_what_jumps_at_breaks_is_integrated_to_rounding(one):
    march = ended(one.name, JUMPS, **({"step": 0.09} if one.fixed else {}))
    assert march.saved[1][:, 0] == pytest.approx([0.8, 1.3, 241.3], rel=1e-13)


def test_no_step_is_rejected_for_a_jump():
    assert ended("dopri5", JUMPS).tally[at.REJECTED] == 0


def test_without_breaks_steps_are_rejected():
    march = ended("dopri5", ())
    assert march.tally[at.REJECTED] > 0
    assert march.saved[1][-1, 0] != pytest.approx(241.3, rel=1e-14)


def test_breaks_outside_the_run_and_twice_do_not_count():
    march = ended("dopri5", (-1.0, 0.0, *JUMPS, 0.4, 1.0, 7.0))
    assert march.saved[1][-1, 0] == pytest.approx(241.3, rel=1e-14)
