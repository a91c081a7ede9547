"""Motions given and the forces they take: published tables, and mechanisms that can be written down otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import loopwright as lw

RATE = 1.5 * math.pi  # 45 turns a minute


def run_of(mechanism, start, t_end, motion, **options):
    run = lw.simulate(mechanism, start, t_end, motion=motion, progress=False, **options)
    assert run.finished, run.status
    return run


def balanced(run):
    """The forces found do the work that the energy shows, and make the accelerations found."""
    m = run.measured
    assert np.abs(m.imbalance).max() < 1e-8 * max(m.exchanged, 1e-3)
    dyn = lw.Dynamics(run.mechanism, compiled=False)
    for k in np.linspace(0, len(run) - 1, 4).astype(int):
        a = dyn.forward(run.q[k], run.v[k], run.tau[k], t=run.t[k])
        np.testing.assert_allclose(a, run.a[k], atol=1e-9 * (1.0 + np.abs(run.a[k]).max()))


# ReDySim's linkages with the crank at 45 rpm: parameters public, torques and angles computed by two independent solvers
# to the digits shown


@pytest.mark.parametrize(
    "name, torques, digit",
    [
        (
            "redysim_four_bar",
            (2.6559788, 0.9048520, -0.7354122, -2.3243216, -2.3468190, -1.0148701, 0.5574927, 2.3174219),
            1e-7,
        ),
        (
            "hoeken",
            (2.0099993, 1.4040043, -0.0185793, -0.853715, -1.6799976, -2.1687474, -0.069872, 1.4214316),
            1e-7,
        ),
    ],
)
def test_a_crank_at_constant_rate(name, torques, digit):
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), lw.zoo.rates(name))
    moments = np.arange(8) / 6
    run = run_of(mechanism, start, 7 / 6, {"crank_joint": lw.trajectory.steady(0.0, RATE)}, save=moments)
    np.testing.assert_allclose(run.tau[:, 0], torques, atol=digit)
    np.testing.assert_array_equal(run["crank_joint"], RATE * moments)
    assert np.abs(run.a[:, 0]).max() == 0.0
    balanced(run)
    if name == "redysim_four_bar":
        angles = (130.5416, 115.9108, 122.4585, 139.2437, 154.4120, 160.8419, 159.3284, 150.1893)
        np.testing.assert_allclose(np.degrees(run["rocker_joint"]), angles, atol=1e-4)


def test_kuka_kr5_on_the_cycloid():
    """ReDySim's stored output, every joint from 0 to 60 degrees in 1 s; seven digits."""
    published = (
        (0, 128.7117, 14.53612, 0, 0, 0),
        (102.8643, 210.8582, 35.14403, 0.05445071, -0.1769532, 8.578418e-6),
        (-39.53028, 150.3598, 21.46336, 0.1967606, -0.3236363, 6.465742e-6),
        (0, 66.78584, 9.698057, 0.1305619, 0.05428358, 0),
    )
    motion = {f"joint{k}": lw.trajectory.cycloid(0.0, math.pi / 3, 1.0) for k in range(1, 7)}
    run = run_of(lw.zoo.kuka_kr5(), None, 1.0, motion, save=[0.0, 0.3, 0.5, 1.0])
    np.testing.assert_allclose(run.tau, published, rtol=5e-7, atol=1e-9)
    balanced(run)


def test_a_floating_robot_moves_its_base():
    """ReDySim's stored output, whose own integration is good to 2e-6."""
    joints, start = ("shoulder", "elbow", "wrist"), lw.zoo.start("space_robot")
    motion = {joint: lw.trajectory.cycloid(start[joint], -math.pi / 2, 20.0) for joint in joints}
    run = run_of(lw.zoo.space_robot(), start, 20.0, motion, save=[0.0, 5.0, 10.0, 15.0, 20.0])
    torques = (
        (-1.500697, -0.9596945, -0.2674476),
        (0.3416987, -0.4656178, -0.1801567),
        (1.442985, 1.065104, 0.1755211),
    )
    np.testing.assert_allclose(run.tau[1:4], torques, atol=2e-6)
    np.testing.assert_allclose(run.q[2, :3], (0.01697184, 0.03348953, 0.6375842), atol=2e-6)
    np.testing.assert_allclose(run.q[4, :3], (0.07184241, 0.03819272, 1.036176), atol=2e-6)
    p = lw.Dynamics(run.mechanism).momentum(run.q, run.v)
    # momenta of 500 kg: the base's rates are integrated to 1e-11
    assert max(np.abs(p.linear).max(), np.abs(p.angular).max()) < 1e-8
    balanced(run)


def test_a_pendulum_on_a_shaken_cart():
    """theta'' = -(g sin theta + x'' cos theta) / l, and the force from the cart's own equation."""
    M, m, length, g = 2.0, 1.5, 0.7, 9.81
    b = lw.Builder("shaken", gravity=(0, -g, 0))
    b.body("cart", M)
    b.body("bob", m, com=(0, -length, 0), inertia=(0, 0, 0))
    b.prismatic("rail", "ground", "cart", axis=(1, 0, 0), actuated=True)
    b.revolute("pivot", "cart", "bob", axis=(0, 0, 1))
    x = lw.trajectory.sines([0.2, 0.05], [0.7, 2.1], [0.0, 1.0])
    start = lw.State.of(b.build(), {"rail": x(0.0), "pivot": 0.4}, {"rail": x.velocity(0.0)})
    run = run_of(start.mechanism, start, 3.0, {"rail": x}, save=0.1)

    def falling(t, y):
        return [y[1], -(g * math.sin(y[0]) + x.acceleration(t) * math.cos(y[0])) / length]

    exact = solve_ivp(falling, (0.0, 3.0), [0.4, 0.0], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=run.t)
    np.testing.assert_allclose(run["pivot"], exact.y[0], atol=1e-10)
    th, w = exact.y
    alpha = -(g * np.sin(th) + x.acceleration(run.t) * np.cos(th)) / length
    force = (M + m) * x.acceleration(run.t) + m * length * (alpha * np.cos(th) - w**2 * np.sin(th))
    np.testing.assert_allclose(run.tau[:, 0], force, atol=1e-8)
    balanced(run)


@pytest.mark.parametrize("formulation", ["embedding", "multiplier", "system"])
def test_a_leg_that_is_held_is_a_mechanism_without_its_joint(formulation):
    """The five-bar with one shoulder driven to stand still falls as a linkage on a ground that ends at its elbow."""
    start = lw.zoo.start("five_bar")
    motion = {"shoulder_1": start["shoulder_1"]}
    run = run_of(lw.zoo.five_bar(), start, 0.5, motion, formulation=formulation, save=0.05)
    at = 0.6 * np.array([math.cos(start["shoulder_1"]), math.sin(start["shoulder_1"]), 0.0])
    b = lw.Builder("held", gravity=(0, -9.81, 0))
    for name, mass, length in (("lower_1", 1.6, 1.1), ("upper_2", 2.0, 0.7), ("lower_2", 1.1, 0.8)):
        b.rod(name, mass, to=(length, 0, 0))
    b.revolute("elbow_1", "ground", "lower_1", xyz=tuple(at), rpy=(0, 0, start["shoulder_1"]))
    b.revolute("shoulder_2", "ground", "upper_2", xyz=(1.2, 0, 0))
    b.revolute("elbow_2", "upper_2", "lower_2", xyz=(0.7, 0, 0))
    b.revolute("tip", "lower_1", "lower_2", xyz=(1.1, 0, 0), child_xyz=(0.8, 0, 0))
    held = b.build()
    (begin,) = [
        s for s in lw.assemble(held, {"shoulder_2": start["shoulder_2"]}) if abs(s["elbow_1"] - start["elbow_1"]) < 1e-6
    ]
    alone = lw.simulate(held, begin, 0.5, save=0.05, progress=False)
    for name in ("elbow_1", "shoulder_2", "elbow_2"):
        np.testing.assert_allclose(run[name], alone[name], atol=1e-9)
    balanced(run)


def test_where_branches_meet_a_driven_mechanism_goes_on():
    """The folded flat parallelograms: rods stay parallel through the positions at which they could part."""
    run = run_of(lw.zoo.n_four_bar(), None, 7.0, {"pivot_0": lw.trajectory.steady(0.0, 1.0)}, save=0.5)
    for name in ("pivot_1", "pivot_2"):
        np.testing.assert_allclose(run[name], run.t, atol=1e-9)
    # three rods turn at a constant rate about one end, two go along: m g l (3/2 + 2) sin(t) of the shared angle
    np.testing.assert_allclose(run.tau[:, 0], -9.81 * 3.5 * np.sin(run.t), atol=1e-6)


def test_motion_from_samples_of_a_run_takes_the_forces_of_that_run():
    free = lw.simulate(lw.zoo.four_bar(), lw.zoo.start("four_bar"), 1.0, save=0.0025, progress=False)
    start = lw.State(free.mechanism, free.q[0], free.v[0])
    forces = []
    for every in (1, 2):
        path = lw.Samples(free.t[::every], free["crank_joint"][::every], "quintic")
        run = run_of(free.mechanism, start, 1.0, {"crank_joint": path}, save=0.1)
        np.testing.assert_allclose(run.q, free.q[::40], atol=1e-9)
        forces.append(np.abs(run.tau).max())
    # it moved freely: what is left of a force is the spline's, whose accelerations are good to the step's fourth power
    assert forces[0] < forces[1] / 8.0
    assert forces[0] < 1e-4
