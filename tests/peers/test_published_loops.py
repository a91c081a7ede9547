"""Closed loops against published numbers, each with its origin."""

from __future__ import annotations

import math

import numpy as np

import loopwright as lw
from loopwright.closure import close as closed
from tests.mechanisms import close


def at_constant_speed(mechanism, driven, speed, times):
    """States of a mechanism of one freedom whose joint `driven` turns at a constant speed from its start."""
    dyn = lw.Dynamics(mechanism)
    start = lw.zoo.start(mechanism.name)
    q = np.array([start[name] for name in mechanism.coordinates])
    k = mechanism.coordinates.index(driven)
    first, others = q[k], [i for i in range(mechanism.nv) if i != k]
    for t in times:
        steps = np.linspace(q[k], first + speed * t, 21)
        for step in steps:  # on the same branch
            q = q.copy()
            q[k] = step
            q = closed(dyn.loops.closing, q, fixed=np.array([k])).q
        J = dyn.closure_jacobian(q)
        v, a = np.zeros(mechanism.nv), np.zeros(mechanism.nv)
        v[k] = speed
        v[others] = np.linalg.lstsq(J[:, others], -J[:, k] * speed)[0]
        # J a = -J' v, the joint's own acceleration being nothing
        h = 1e-6
        ahead, behind = (dyn.closure_jacobian(mechanism.integrate(q, s * v)) for s in (h, -h))
        a[others] = np.linalg.lstsq(J[:, others], -(ahead - behind) @ v / (2 * h))[0]
        yield dyn, q, v, a


def test_torques_of_redysims_four_bar():
    """Parameters from ReDySim; torques computed independently with them, to seven digits and more."""
    torques = [2.6559788, 0.9048520, -0.7354122, -2.3243216, -2.3468190, -1.0148701, 0.5574927, 2.3174219]
    angles = [130.5416, 115.9108, 122.4585, 139.2437, 154.4120, 160.8419, 159.3284, 150.1893]
    mechanism = lw.zoo.redysim_four_bar()
    states = at_constant_speed(mechanism, "crank_joint", 4.71238898038469, [k / 6 for k in range(8)])
    for (dyn, q, v, a), torque, angle in zip(states, torques, angles, strict=True):
        close(dyn.inverse(q, v, a), [torque], 2e-6)
        output = dyn.pose("rocker", q).R
        assert abs(math.degrees(math.atan2(output[1, 0], output[0, 0])) - angle) < 1e-4


def test_torques_of_hoekens_four_bar():
    """The first loop of the carpet scraper at 45 rpm; torques computed independently, to eight digits."""
    torques = [2.0099993, 1.4040043, -0.0185793, -0.853715, -1.6799976, -2.1687474, -0.069872, 1.4214316]
    mechanism = lw.zoo.hoeken()
    states = at_constant_speed(mechanism, "crank_joint", 4.71238898038469, [k / 6 for k in range(8)])
    for (dyn, q, v, a), torque in zip(states, torques, strict=True):
        close(dyn.inverse(q, v, a), [torque], 2e-6, scale=2.0)


def test_accelerations_of_andrews_squeezer_at_its_start():
    """IVP test set: accelerations of the first two angles at rest under .033 N m."""
    mechanism = lw.zoo.andrews()
    start = lw.zoo.start("andrews")
    q = np.array([start[name] for name in mechanism.coordinates])
    a = lw.Dynamics(mechanism).forward(q, np.zeros(mechanism.nv))  # the drive torque is a load of the mechanism
    found = dict(zip(mechanism.velocities, a, strict=True))
    close([found["beta"], found["theta"]], [14222.4439199541, -10666.8329399656], 1e-10)
