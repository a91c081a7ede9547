"""The error of every method falls as the step to the power of its order: on hinges, on quaternions and in loops."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate.drives import drive
from loopwright.simulate.going import Budget, go
from loopwright.simulate.loops import places as at
from loopwright.simulate.march import March
from loopwright.simulate.methods import METHODS, method
from loopwright.simulate.methods.adams import abm
from loopwright.simulate.motion import begun, in_loops, on_tree

END = 2.0
MOMENTS = np.sqrt(np.arange(1, 1000) / 1000.0) * END  # anywhere
COUNTS = np.array([24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048])
ROUNDING = 1e-12  # of the largest number: smaller errors may be rounding


def hinge():
    """A damped bar on a hinge, pushed by a torque that depends on time."""
    b = lw.Builder("pushed", gravity=(0, -9.81, 0))
    b.rod("bar", mass=1.0, to=(1.0, 0, 0))
    b.revolute("pin", "ground", "bar", damping=0.3)
    b.wrench("push", "bar", torque=lambda t: (0, 0, 5.0 * np.sin(4.0 * t)))
    return b.build(), {"pin": 0.3}, {"pin": 6.0}, None


def thrown():
    """A free body with its mass off its origin, tumbling."""
    b = lw.Builder("thrown")
    b.body("stone", mass=1.0, com=(0.1, 0.05, 0.2), inertia=(1.0, 2.0, 3.0))
    b.free("flight", "ground", "stone")
    return b.build(), None, {"flight": (1.0, 2.0, -1.5, 3.0, -7.0, 2.0)}, None


def swung():
    """A heavy top on a ball joint."""
    b = lw.Builder("swung")
    b.body("top", mass=1.0, com=(0.0, 0.05, 0.2), inertia=(0.1, 0.12, 0.03))
    b.spherical("pivot", "ground", "top")
    return b.build(), None, {"pivot": (0.4, -1.0, 9.0)}, None


def loop(formulation):
    def falling():
        return lw.zoo.four_bar(), {"crank_joint": 0.5}, {"crank_joint": 2.0}, formulation

    return falling


SUBJECTS = {
    "hinge": hinge,
    "free joint": thrown,
    "ball joint": swung,
    "loop, independent coordinates": loop("embedding"),
    "loop, all coordinates projected": loop("multiplier"),
}


@cache
def subject(name, implicit):
    """Its problem, for an implicit method or another, how it begins, and the truth."""
    mechanism, q, v, formulation = SUBJECTS[name]()
    start = lw.assemble(mechanism, q, v=v)[0] if formulation else lw.State.of(mechanism, q, v=v)
    dynamics, drives = lw.Dynamics(mechanism, formulation), drive(mechanism, None)
    problem = (
        in_loops(dynamics, drives, "project", 0.0, implicit) if formulation else on_tree(dynamics, drives, implicit)
    )
    truth = march(problem, start, method("dop853"), formulation, rtol=1e-13, atol=1e-15)
    return problem, start, formulation, truth.saved[1]


def march(problem, start, by, formulation=None, **options):
    if formulation:
        begun(problem, start.q)
    done = March(problem, by, 0.0, np.concatenate([start.q, start.v]), save=MOMENTS, **options)
    assert go(done, END, Budget(10**6, np.inf), progress=False) == "finished"
    return done


def errors(name, by, settings):
    """Steps taken and the largest error over all moments and entries, of the largest entry, for each of the settings.

    The moments are not those at which steps end, so the error within steps counts, too.
    """
    problem, start, formulation, truth = subject(name, by.implicit)
    runs = [march(problem, start, by, formulation, **one) for one in settings]
    far = [np.abs(run.saved[1] - truth).max() / np.abs(truth).max() for run in runs]
    return np.array([int(run.tally[at.STEPS]) for run in runs]), np.array(far)


def slope(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


SAME = [one for one in METHODS if not one.variable]


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("by", SAME, ids=lambda by: by.name)
def test_the_error_falls_as_the_step_to_the_order(by, name):
    # no tolerance shortens these steps
    # and stages of implicit methods reach too far where a step is most of a radian long
    counts = COUNTS[2:] if by.implicit else COUNTS
    if by.order == 1:
        counts = 8 * counts  # until the first power of the step is all that counts
    settings = [{"step": END / n, "longest": END / n, "rtol": 1e6, "atol": 1e6} for n in counts]
    steps, far = errors(name, by, settings)
    assert np.abs(steps - counts).max() <= 1
    sound = far > ROUNDING
    shortest = slice(-5, None)
    found = -slope(steps[sound][shortest], far[sound][shortest])
    assert sound.sum() >= 4
    assert abs(found - by.order) < 0.15 + 0.05 * by.order


VARIABLE = [one for one in METHODS if one.variable]
TOLERANCES = 10.0 ** -np.arange(3.0, 12.1, 0.5)


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("by", VARIABLE, ids=lambda by: by.name)
def test_where_the_order_varies_the_error_falls_as_the_tolerance(by, name):
    _, far = errors(name, by, [{"rtol": one, "atol": one} for one in TOLERANCES])
    assert abs(slope(TOLERANCES, far) - 1.0) < 0.15
    assert (far < 50.0 * TOLERANCES).all()


@pytest.mark.parametrize("name", ["free joint", "loop, all coordinates projected"])
@pytest.mark.parametrize("highest", [1, 2, 3, 4])
def test_adams_held_at_an_order_has_it_and_one_more_by_extrapolation(highest, name):
    allowed = 10.0 ** -np.arange(4.0, 4.0 + min(2 * highest, 6), 0.5)
    steps, far = errors(name, abm(highest), [{"rtol": one, "atol": one} for one in allowed])
    # steps are doubled and halved, which scatters
    assert abs(-slope(steps, far) - (highest + 1)) < 0.45
