"""Very many loops against another text: every body by itself in the plane, all joints by multipliers, by NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.mechanism import GROUND, evaluated
from tests.laws.test_many_loops import lifted
from tests.laws.test_singular_positions import parallel
from tests.mechanisms import FULL, close

NUMBERS = (10, 30, 100) if FULL else (10, 30)
RUN = NUMBERS if FULL else (10,)


class Plane:
    """x, y and the angle of every body, and what its mass centre does; a hinge holds two points, a slide two others."""

    def __init__(self, mechanism, dyn, q, v):
        self.mechanism = mechanism
        self.number = {body.name: 3 * k for k, body in enumerate(mechanism.bodies)}
        self.pose, self.centre, self.speed, self.turn = {}, {}, {GROUND: np.zeros(2)}, {GROUND: 0.0}
        self.M, self.Q = np.zeros(3 * len(self.number)), np.zeros(3 * len(self.number))
        for body, k in self.number.items():
            part = next(one for one in mechanism.bodies if one.name == body)
            mass, com, inertia = evaluated((part.mass, part.com, part.inertia), mechanism.values)
            X, twist = dyn.pose(body, q), dyn.twist(body, q, v, point=com)
            self.pose[body], self.centre[body] = X, X.point(np.array(com, dtype=float))[:2]
            self.turn[body], self.speed[body] = twist[2], twist[3:5]
            self.M[k : k + 3] = mass, mass, inertia[2]
            self.Q[k + 1] = -9.81 * mass

    def placed(self, body, xyz):
        xyz = np.array(evaluated(xyz, self.mechanism.values), dtype=float)
        return xyz[:2] if body == GROUND else self.pose[body].point(xyz)[:2]

    def moving(self, body, at, sign, rows):
        """The two rows of a point's acceleration along x and y, and the part that speeds make of it."""
        if body == GROUND:
            return np.zeros(2)
        k, r = self.number[body], at - self.centre[body]
        rows[0][k] += sign
        rows[1][k + 1] += sign
        rows[0][k + 2] -= sign * r[1]
        rows[1][k + 2] += sign * r[0]
        return -sign * self.turn[body] ** 2 * r

    def joint(self, joint):
        """Rows G and rates d with G a + d = 0."""
        a, b = (self.placed(*end) for end in ((joint.parent, joint.in_parent.xyz), (joint.child, joint.in_child.xyz)))
        rows = np.zeros((2, len(self.M)))
        rest = self.moving(joint.child, b, 1.0, rows) + self.moving(joint.parent, a, -1.0, rows)
        if joint.kind == "revolute":
            return rows, rest
        # a slide: n . (b - a) stays, and so does the angle
        n, n_rate, n_curl = self.across(joint)
        w, apart = self.turn[joint.parent], b - a
        speeds = self.rate(joint.child, b) - self.rate(joint.parent, a)
        line = n @ rows
        if joint.parent != GROUND:
            line[self.number[joint.parent] + 2] += n_rate @ apart
        drift = n @ rest + 2.0 * w * n_rate @ speeds + w * w * n_curl @ apart
        angle = np.zeros(len(self.M))
        for body, sign in ((joint.child, 1.0), (joint.parent, -1.0)):
            if body != GROUND:
                angle[self.number[body] + 2] += sign
        return np.array([line, angle]), np.array([drift, 0.0])

    def rate(self, body, at):
        r = at - self.centre.get(body, at)
        return self.speed[body] + self.turn[body] * np.array([-r[1], r[0]])

    def across(self, joint):
        """A unit vector across the slide, which is along x of the parent; and that turned by one and two quarters."""
        along = np.array([1.0, 0.0]) if joint.parent == GROUND else self.pose[joint.parent].R[:2, 0]
        n = np.array([-along[1], along[0]])
        return n, np.array([-n[1], n[0]]), -n

    def drive(self, joint, force):
        """A motor's torque, or its force along the slide at the child's mass centre: these sliders hang in a pin."""
        along = np.array([1.0, 0.0]) if joint.parent == GROUND else self.pose[joint.parent].R[:2, 0]
        for body, sign in ((joint.child, 1.0), (joint.parent, -1.0)):
            if body == GROUND:
                continue
            k = self.number[body]
            if joint.kind == "revolute":
                self.Q[k + 2] += sign * force
            else:
                r = self.placed(joint.child, joint.in_child.xyz) - self.centre[body]
                self.Q[k : k + 2] += sign * force * along
                self.Q[k + 2] += sign * force * (r[0] * along[1] - r[1] * along[0])

    def accelerations(self):
        """[[M, G^T], [G, 0]] [a; -lambda] = [Q; -d], and of every hinge of the tree how its angle accelerates."""
        parts = [self.joint(joint) for joint in self.mechanism.joints]
        G, d = np.concatenate([rows for rows, _ in parts]), np.concatenate([rest for _, rest in parts])
        m = len(d)
        K = np.block([[np.diag(self.M), G.T], [G, np.zeros((m, m))]])
        a = np.linalg.solve(K, np.concatenate([self.Q, -d]))
        turned = {body: a[k + 2] for body, k in self.number.items()} | {GROUND: 0.0}
        return {
            one.name: turned[one.child] - turned[one.parent] for one in self.mechanism.joints if one.kind == "revolute"
        }


def at_work(name, n):
    if name == "scissor_lift":
        return lifted(n, 0.7, 0.4)
    mechanism = lw.zoo.n_four_bar(n)
    return mechanism, *parallel(mechanism, 0.7, 1.3)


@pytest.mark.parametrize("n", NUMBERS)
@pytest.mark.parametrize("name", ["scissor_lift", "n_four_bar"])
def test_every_body_by_itself_accelerates_the_same(name, n):
    mechanism, q, v = at_work(name, n)
    dyn = lw.Dynamics(mechanism)
    rng = np.random.default_rng(n)
    tau = 20.0 * rng.normal(size=mechanism.nu)
    plane = Plane(mechanism, dyn, q, v)
    driven = list(mechanism.actuated)
    joints = {joint.name: joint for joint in mechanism.joints}
    for k, force in zip(driven, tau, strict=True):
        plane.drive(joints[mechanism.velocities[k]], force)
    expected = plane.accelerations()
    a = dyn.forward(q, v, tau)
    hinges = [k for k, one in enumerate(mechanism.velocities) if joints[one].kind == "revolute"]
    close(a[hinges], [expected[mechanism.velocities[k]] for k in hinges], 1e-8)
    # the same forces from the motion, but for what does no work: of many motors the least
    back = dyn.inverse(q, v, a)
    close(dyn.forward(q, v, back), a, 1e-9)
    # one freedom: what forces do together is what they do along the motion
    close(back @ v[driven], tau @ v[driven], 1e-7, scale=np.abs(tau * v[driven]).sum())
    assert np.linalg.norm(back) <= np.linalg.norm(tau) * (1.0 + 1e-9)


@pytest.mark.parametrize("n", RUN)
@pytest.mark.parametrize("name", ["scissor_lift", "n_four_bar"])
def test_many_loops_keep_their_energy(name, n):
    mechanism, q, v = at_work(name, n)
    dyn = lw.Dynamics(mechanism)
    kernel, nothing, h = dyn.kernel("forward"), np.zeros(mechanism.nu), 1e-3

    def flow(y):
        return np.concatenate([y[mechanism.nq :], kernel(y[: mechanism.nq], y[mechanism.nq :], nothing)])

    def energy(y):
        return dyn.energy(y[: mechanism.nq], y[mechanism.nq :])

    y, before = np.concatenate([q, v]), energy(np.concatenate([q, v]))
    for _ in range(200):
        # Runge and Kutta, without any projection
        k1 = flow(y)
        k2 = flow(y + 0.5 * h * k1)
        k3 = flow(y + 0.5 * h * k2)
        k4 = flow(y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    after = energy(y)
    moved = abs(after.kinetic - before.kinetic)
    assert moved > 1.0  # joules went from one to the other
    assert abs(after.kinetic + after.potential - before.kinetic - before.potential) < 1e-8 * moved
    assert np.abs(dyn.closure(y[: mechanism.nq])).max() < 1e-9
