"""Stiff mechanisms: implicit methods follow what is left of the motion, others every tremor that is not there.

Evaluations of an implicit method are those of its flow and its slopes together; differences that slopes take of a law
given as a Python function are asked of that function alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import loopwright as lw

IMPLICIT = ("rodas4", "rodas5p")


def asked(run):
    assert run.finished, run.status
    return run.counts.evaluations + run.counts.slopes


def apart(run, exact):
    return np.abs(run.q - exact.q).max() / np.abs(exact.q).max()


@cache
def governor(method, tolerance, end=10.0):
    """[Gonzalez2006] A05, with its springs of 8e5 N/m and dampers of 4e4 N s/m: for the arms, some 1e4 per second."""
    start = lw.State.of(lw.zoo.flyball(), lw.zoo.start("flyball"), v=lw.zoo.rates("flyball"))
    options = {"rtol": tolerance, "atol": tolerance, "progress": False, "save": 0.5}
    return lw.simulate(lw.zoo.flyball(), start, end, method=method, **options)


@pytest.mark.parametrize("method", IMPLICIT)
def test_the_governor_needs_twenty_times_fewer_evaluations(method):
    for tolerance in (1e-4, 1e-5):
        exact, explicit, implicit = (
            governor("dopri5", 1e-9), governor("dopri5", tolerance), governor(method, tolerance)
        )  # fmt: skip
        assert 20 * asked(implicit) < asked(explicit)
        assert apart(implicit, exact) < tolerance


@cache
def platform():
    """A Stewart platform whose legs are held where they are to be, and springs of 1e6 N/m for its loops."""
    mechanism = lw.zoo.stewart()
    start = lw.State.of(mechanism, lw.zoo.start("stewart"))
    legs = [mechanism.coordinates.index(f"slide_{k}") for k in range(1, 7)]
    rates = [mechanism.velocities.index(f"slide_{k}") for k in range(1, 7)]
    weight = lw.Dynamics(mechanism).inverse(start.q, start.v, np.zeros(mechanism.nv))

    def law(t, q, v):
        wanted = start.q[legs] + 0.1 * np.sin(np.pi * t)
        return weight + 200.0 * (wanted - q[legs]) - 40.0 * v[rates]

    return mechanism, start, law


@cache
def held(method, tolerance):
    mechanism, start, law = platform()
    # critical at these springs by `suggest_springs`, which says b = 2 sqrt(k / s)
    suggested = lw.suggest_springs(mechanism)
    damping = {
        joint: suggested.damping[joint][0] * (1e6 / suggested.stiffness[joint][0]) ** 0.5
        for joint in suggested.stiffness
    }
    options = {"rtol": tolerance, "atol": tolerance, "progress": False, "save": 0.05, "tau": law}
    return lw.simulate(
        mechanism, start, 0.5, formulation="springs", stiffness=1e6, damping=damping, method=method, **options
    )


@pytest.mark.parametrize("method", IMPLICIT)
def test_springs_for_loops_need_twenty_times_fewer_evaluations(method):
    for tolerance in (1e-4, 1e-5):
        exact, explicit, implicit = held("dopri5", 1e-8), held("dopri5", tolerance), held(method, tolerance)
        assert 20 * asked(implicit) < asked(explicit)
        assert apart(implicit, exact) < tolerance


def sprung(stiffness, damping):
    """A pendulum of two rods, the joint between them held by a spring."""
    b = lw.Builder("sprung", gravity=(0, -9.81, 0))
    b.rod("upper", 1.0, to=(1.0, 0, 0))
    b.rod("lower", 1.0, to=(1.0, 0, 0))
    b.revolute("pivot", "ground", "upper")
    b.revolute("elbow", "upper", "lower", xyz=(1.0, 0, 0), stiffness=stiffness, damping=damping)
    return b.build()


def rod(length, mass):
    b = lw.Builder("rod", gravity=(0, -9.81, 0))
    b.rod("rod", mass, to=(length, 0, 0))
    b.revolute("pivot", "ground", "rod")
    return b.build()


@pytest.mark.parametrize("method", IMPLICIT)
def test_a_joint_held_by_a_spring_of_1e8_is_no_joint(method):
    run = lw.simulate(
        sprung(1e8, 1e5), None, 5.0, method=method, rtol=1e-6, atol=1e-8, save=0.1, progress=False
    )  # fmt: skip
    stiff = lw.simulate(rod(2.0, 2.0), None, 5.0, save=0.1, progress=False)
    assert np.abs(run["pivot"] - stiff["pivot"]).max() < 1e-4
    # the moment of the spring: m g l / 2 at most, and what turning adds
    assert np.abs(run["elbow"]).max() < 1e-6
    assert asked(run) < 5000
    assert run.audit.drift_relative < 1e-5


def left(radius, stiffness, steps):
    """Of an amplitude of 1, after so many steps of .01 s; for mass 1."""
    b = lw.Builder("swing", gravity=(0, 0, 0))
    b.body("mass", 1.0)
    b.prismatic("slide", "ground", "mass", stiffness=stiffness)
    swing, method = b.build(), f"generalised_alpha({radius})"
    start = lw.State.of(swing, {"slide": 1.0})
    run = lw.simulate(swing, start, 0.01 * steps, method=method, step=0.01, save=None, progress=False)
    return np.sqrt(run.q[-1, 0] ** 2 + run.v[-1, 0] ** 2 / stiffness)


@pytest.mark.parametrize("radius", [0.2, 0.5, 0.9])
def test_generalised_alpha_damps_what_it_cannot_follow_by_its_radius(radius):
    # 1e6 radians per second: a double root r of the amplification, and so n r^n    [Chung1993, 19]
    n = 100
    assert left(radius, 1e12, 2 * n) / left(radius, 1e12, n) == pytest.approx(2.0 * radius**n, rel=0.1)


def test_generalised_alpha_keeps_what_it_resolves():
    slow = (2 * np.pi / (20 * 0.01)) ** 2  # twenty steps a swing, ten swings
    assert left(1.0, slow, 200) == pytest.approx(1.0, abs=1e-10)
    assert left(1.0, 1e12, 200) == pytest.approx(1.0, abs=1e-6)
    assert 0.99 < left(0.8, slow, 200) < 1.0
    assert 0.95 < left(0.5, slow, 200) < left(0.8, slow, 200)
    assert left(0.0, 1e12, 10) < 1e-15
