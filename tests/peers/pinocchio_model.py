"""A tree in Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest

from loopwright import Mechanism
from loopwright.mechanism import GROUND, Placement, Wrench

from .translation import (
    Conversion,
    Part,
    Peer,
    Step,
    Totals,
    inertia_matrix,
    joint_placements,
    rotation,
    skew,
    steps,
)

pin = pytest.importorskip("pinocchio")  # it has no wheels for Windows


ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]


class BallUndone(Conversion):
    """The parent seen from the child: R^T, turning at -R w in the parent's axes; d(R w)/dt = R (dw/dt + w x w)."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """The conjugate."""
        return q * [-1.0, -1.0, -1.0, 1.0]

    def rates(self, q: np.ndarray) -> np.ndarray:
        """-R"""
        return -rotation(q)


class FlightUndone(Conversion):
    """The parent seen from the child: X^-1, with the twist -Ad_X v, whose rate is -Ad_X (dv/dt + v x v)."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """(-R^T p, conjugate)"""
        return np.concatenate([-rotation(q[3:]).T @ q[:3], q[3:] * [-1.0, -1.0, -1.0, 1.0]])

    def rates(self, q: np.ndarray) -> np.ndarray:
        """-Ad_X for (linear, angular): the parent's origin goes at R u + p x R w, seen from the child backwards."""
        R = rotation(q[3:])
        return -np.block([[R, skew(q[:3]) @ R], [np.zeros((3, 3)), R]])


class PinocchioModel(Peer):
    """One Pinocchio joint per elementary motion; the bodies between those of one joint have no mass."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.model = pin.Model()
        self.model.gravity.linear = np.array(mechanism.gravity)
        self.parts = []
        self.seats: dict[str, tuple[int, pin.SE3]] = {GROUND: (0, pin.SE3.Identity())}
        rotors = []
        for branch, chain in steps(mechanism):
            in_inner, in_outer = joint_placements(branch)
            joint, X = self.seats[branch.inner]
            X = X * _pose(in_inner)
            for step in chain:
                joint = self.model.addJoint(joint, _joint(step), X, step.name)
                X = pin.SE3.Identity()
                self._note(step, joint)
                rotors += [step.rotor] * self.model.joints[joint].nv
            self.seats[branch.outer] = (joint, X * _pose(in_outer).inverse())
            body = mechanism.body(branch.outer)
            inertia = pin.Inertia(body.mass, np.array(body.com), inertia_matrix(body.inertia))
            self.model.appendBodyToJoint(joint, inertia, self.seats[branch.outer][1])
            self.model.addBodyFrame(body.name, joint, self.seats[branch.outer][1], 0)
        self.model.armature = np.array(rotors)
        self.data = self.model.createData()
        self.bodies = pin.Model(self.model)
        self.bodies.armature = np.zeros(self.model.nv)
        self.bodies_data = self.bodies.createData()

    def _note(self, step: Step, joint: int) -> None:
        theirs = self.model.joints[joint]
        undone = {"ball": BallUndone(), "free": FlightUndone()} if step.backwards else {}
        self.parts.append(
            Part(
                step,
                slice(theirs.idx_q, theirs.idx_q + theirs.nq),
                slice(theirs.idx_v, theirs.idx_v + theirs.nv),
                undone.get(step.motion, Conversion()),
            )
        )

    def _external(self, q: np.ndarray) -> pin.StdVec_Force:
        """The wrenches on every joint's body, at its joint's origin and in its axes."""
        pin.framesForwardKinematics(self.model, self.data, q)
        total = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for wrench in self.mechanism.wrenches:
            joint, X = self.seats[wrench.body]
            total[joint] = total[joint] + X.act(self._on_body(wrench))
        return pin.StdVec_Force(total)

    def _on_body(self, wrench: Wrench) -> pin.Force:
        R = np.eye(3) if wrench.axes == "body" else self._frame(wrench.body).rotation.T
        force, torque = R @ wrench.force, R @ wrench.torque
        return pin.Force(force, torque + np.cross(wrench.at, force))

    def _frame(self, body: str) -> pin.SE3:
        return self.data.oMf[self.model.getFrameId(body)]

    def _inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        return pin.rnea(self.model, self.data, q, v, a, self._external(q)).copy()

    def _forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return pin.aba(self.model, self.data, q, v, tau, self._external(q)).copy()

    def _mass_matrix(self, q: np.ndarray) -> np.ndarray:
        upper = np.triu(pin.crba(self.model, self.data, q))
        return upper + np.triu(upper, 1).T

    def _pose(self, body: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pin.framesForwardKinematics(self.model, self.data, q)
        X = self._frame(body)
        return X.rotation.copy(), X.translation.copy()

    def _jacobian(self, body: str, q: np.ndarray, point: np.ndarray) -> np.ndarray:
        joint, X = self._point(body, point)
        pin.computeJointJacobians(self.model, self.data, q)
        found = pin.getFrameJacobian(self.model, self.data, joint, X, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        # a single column comes as a vector
        return found.reshape(6, self.model.nv)[ANGULAR_FIRST]

    def _point(self, body: str, point: np.ndarray) -> tuple[int, pin.SE3]:
        joint, X = self.seats[body]
        return joint, X * pin.SE3(np.eye(3), point)

    def twists(
        self, body: str, q: np.ndarray, v: np.ndarray, a: np.ndarray, point: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Velocity and acceleration of a point of a body, angular first, in ground axes."""
        B = self.rates(q)
        pin.forwardKinematics(self.model, self.data, self.position(q), B @ v, B @ a + self.drift(q, v))
        where = (self.model, self.data, *self._point(body, point), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        twist, rate = pin.getFrameVelocity(*where), pin.getFrameClassicalAcceleration(*where)
        return twist.vector[ANGULAR_FIRST], rate.vector[ANGULAR_FIRST]

    def inverse_derivatives(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, ...]:
        """d tau by q, v and a, where every rate is the peer's up to constants: B has no derivative."""
        B = self.rates(q)
        found = pin.computeRNEADerivatives(self.model, self.data, self.position(q), B @ v, B @ a)
        # the mass matrix comes as its upper triangle
        upper = np.triu(found[2])
        return B.T @ found[0] @ B, B.T @ found[1] @ B, B.T @ (upper + np.triu(upper, 1).T) @ B

    def forward_derivatives(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, ...]:
        """da by q, v and tau, under the same condition."""
        B = self.rates(q)
        B_inverse = np.linalg.inv(B)
        pin.computeABADerivatives(self.model, self.data, self.position(q), B @ v, B_inverse.T @ tau)
        upper = np.triu(self.data.Minv)
        by_tau = upper + np.triu(upper, 1).T
        return tuple(
            B_inverse @ by @ after
            for by, after in ((self.data.ddq_dq, B), (self.data.ddq_dv, B), (by_tau, B_inverse.T))
        )

    def _energy(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        # Pinocchio 4.1 counts the rotors of some joints and forgets those of turns and screws on an axis of any
        # direction, though its mass matrix has them all: ask it for the bodies alone
        rotors = v @ (self.model.armature * v) / 2.0
        kinetic = pin.computeKineticEnergy(self.bodies, self.bodies_data, q, v) + rotors
        return kinetic, pin.computePotentialEnergy(self.model, self.data, q)

    def _totals(self, q: np.ndarray, v: np.ndarray) -> Totals:
        about_centre = pin.computeCentroidalMomentum(self.model, self.data, q, v)
        centre = pin.centerOfMass(self.model, self.data, q).copy()
        about_origin = pin.SE3(np.eye(3), centre).act(about_centre)
        return Totals(about_origin.linear.copy(), about_origin.angular.copy(), about_centre.angular.copy(), centre)


def _pose(placement: Placement) -> pin.SE3:
    return pin.SE3(pin.rpy.rpyToMatrix(np.array(placement.rpy)), np.array(placement.xyz))


def _joint(step: Step) -> pin.JointModel:
    along = _coordinate_axis(step)
    if step.motion == "turn":
        return getattr(pin, f"JointModelR{along}")() if along else pin.JointModelRevoluteUnaligned(step.axis)
    if step.motion == "slide":
        return getattr(pin, f"JointModelP{along}")() if along else pin.JointModelPrismaticUnaligned(step.axis)
    if step.motion == "screw":
        return pin.JointModelHelicalUnaligned(step.axis, step.pitch)
    return {"ball": pin.JointModelSpherical, "free": pin.JointModelFreeFlyer}[step.motion]()


def _coordinate_axis(step: Step) -> str:
    """X, Y or Z where that is the axis: Pinocchio has faster joints for these."""
    named = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}
    return "" if step.axis is None else named.get(tuple(step.axis), "")
