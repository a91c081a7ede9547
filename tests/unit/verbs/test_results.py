"""Answers are numbers for one state and arrays for many."""

import numpy as np

import loopwright as lw


def test_numbers_for_one_state_and_arrays_for_many():
    linkage = lw.zoo.four_bar()
    start = lw.State.of(linkage, lw.zoo.start("four_bar"))
    dyn, many = lw.Dynamics(linkage), np.stack([start.q] * 3)
    for one, three in [
        (dyn.energy(start.q, start.v).kinetic, dyn.energy(many, start.v).kinetic),
        (dyn.energy(start.q, start.v).total, dyn.energy(many, start.v).total),
        (dyn.power(start.q, start.v).loads, dyn.power(many, start.v).loads),
        (dyn.cut_coordinates(start.q)["rocker_pin"], dyn.cut_coordinates(many)["rocker_pin"]),
        (dyn.cut_velocities(start.q, start.v)["rocker_pin"], dyn.cut_velocities(many, start.v)["rocker_pin"]),
    ]:
        assert isinstance(one, float)
        assert np.array_equal(three, [one] * 3)
