"""Pinocchio's accelerations, integrated by SciPy: as its users do, for it has no integrator of its own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pinocchio as pin

from tests.peers.pinocchio_loops import PinocchioLoops
from tests.peers.pinocchio_model import PinocchioModel

from ...models.swinging import Case
from .contestant import TOLERANCES, Contestant, Poses
from .kernels import METHODS, by_scipy

# rows that repeat others are left to the proximal steps, which end by themselves when that accurate
ACCURACY, REGULARISATION, STEPS = 1e-12, 1e-10, 10


def contestants(case: Case) -> list[Contestant]:
    """With springs, which it does not know, as forces."""
    mechanism = case.mechanism
    peer = PinocchioLoops(mechanism) if mechanism.tree.cuts else PinocchioModel(mechanism)
    model, data = peer.model, peer.data
    accelerations = _of_loops(peer) if mechanism.tree.cuts else lambda q, v, tau: pin.aba(model, data, q, v, tau)
    forces, turning = springs(case), balls(peer)
    nq = model.nq

    def flow(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:nq], y[nq:]
        dy = np.empty(len(y))
        dy[nq:] = accelerations(q, v, forces(q))
        turning(q, v, dy)
        return dy

    def poses(y: np.ndarray) -> Poses:
        q = pin.normalize(model, y[:nq])
        return {body.name: peer._pose(body.name, q) for body in mechanism.bodies}

    start = np.concatenate([peer.position(case.start.q), peer.rates(case.start.q) @ case.start.v])
    return [Contestant("Pinocchio in SciPy", name, "rtol", TOLERANCES, by_scipy(flow, start, case.seconds, name), poses)
            for name in METHODS]  # fmt: skip


def _of_loops(peer: PinocchioLoops) -> Callable[..., np.ndarray]:
    pin.initConstraintDynamics(peer.model, peer.data, peer.constraints, peer.held)
    settings = pin.ProximalSettings(ACCURACY, REGULARISATION, STEPS)
    given = (peer.constraints, peer.held, settings)
    return lambda q, v, tau: pin.constraintDynamics(peer.model, peer.data, q, v, tau, *given)


def springs(case: Case) -> Callable[[np.ndarray], np.ndarray]:
    """Of joints, of points, and constant efforts, at its coordinates."""
    mechanism = case.mechanism
    stiffness, rest, constant = np.zeros((3, mechanism.nv))
    for joint in mechanism.joints:
        if any(joint.stiffness):
            k, i = (names.index(joint.name) for names in (mechanism.velocities, mechanism.coordinates))
            assert k == i or mechanism.nq != mechanism.nv
            stiffness[k], rest[k] = joint.stiffness[0], joint.rest[0]
    for effort in mechanism.efforts:
        constant[mechanism.velocities.index(effort.joint)] = effort.value[0]
    constant += stiffness * rest
    places = [
        mechanism.coordinates.index(name) if name in mechanism.coordinates else 0 for name in mechanism.velocities
    ]
    one_to_one = places == list(range(mechanism.nq))
    points = [point_spring(case, spring) for spring in mechanism.springs]

    def forces(q: np.ndarray) -> np.ndarray:
        tau = constant - stiffness * (q if one_to_one else q[places])
        for k, pull in points:
            tau[k] += pull(q[k])
        return tau

    return forces if stiffness.any() or points else lambda q: constant


def point_spring(case: Case, spring: object) -> tuple[int, Callable[[float], float]]:
    """Between the ground and a body that turns about z of the ground: its torque by the angle."""
    mechanism = case.mechanism
    joint = next(j for j in mechanism.joints if j.child == spring.child and j.parent == "ground")
    assert spring.parent == "ground"
    assert joint.kind == "revolute"
    assert not spring.damping
    (ax, ay, _), (bx, by, _), (px, py, _) = joint.in_parent.xyz, spring.in_parent, spring.in_child
    stiffness, length = spring.stiffness, spring.length

    def pull(angle: float) -> float:
        c, s = math.cos(angle), math.sin(angle)
        rx, ry = c * px - s * py, s * px + c * py
        dx, dy = bx - ax - rx, by - ay - ry
        far = math.hypot(dx, dy)
        return stiffness * (far - length) / far * (rx * dy - ry * dx)

    return mechanism.coordinates.index(joint.name), pull


def balls(peer: PinocchioModel) -> Callable[[np.ndarray, np.ndarray, np.ndarray], None]:
    """dq/dt, written into the first entries of the last argument."""
    parts = [part for part in peer.parts if part.q.stop - part.q.start == 4]
    singles = [(part.q.start, part.v.start) for part in peer.parts if part.q.stop - part.q.start == 1]
    if not parts:
        nq = peer.model.nq

        def plain(q: np.ndarray, v: np.ndarray, dy: np.ndarray) -> None:
            dy[:nq] = v

        return plain
    into, of = (np.array(places) for places in zip(*singles, strict=True))
    where = [(part.q.start, part.v.start) for part in parts]

    def turning(q: np.ndarray, v: np.ndarray, dy: np.ndarray) -> None:
        dy[into] = v[of]
        for i, j in where:
            x, y, z, w = q[i : i + 4].tolist()
            a, b, c = v[j : j + 3].tolist()
            dy[i : i + 4] = (
                0.5 * (w * a + y * c - z * b),
                0.5 * (w * b + z * a - x * c),
                0.5 * (w * c + x * b - y * a),
                -0.5 * (x * a + y * b + z * c),
            )

    return turning
