"""A mechanism with loops in Pinocchio: its tree, and a point of both bodies held together at every cut."""

from __future__ import annotations

import numpy as np
import pytest

from loopwright import Mechanism
from loopwright.mechanism import Placement
from loopwright.topology import mobility

from .pinocchio_model import PinocchioModel

pin = pytest.importorskip("pinocchio")  # it has no wheels for Windows

# Rows that repeat others make the solution for the forces a matter of choice; the proximal steps choose the smallest
_ACCURACY, _REGULARISATION, _STEPS = 1e-14, 1e-8, 200


class PinocchioLoops(PinocchioModel):
    """Three rows for every cut: enough for balls, and for hinges where everything moves in one plane anyway."""

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism)
        flat = mobility(mechanism).planar is not None
        self.constraints = pin.StdVec_RigidConstraintModel()
        for joint in mechanism.tree.cuts:
            assert joint.kind == "spherical" or (joint.kind == "revolute" and flat), f"{joint.kind} {joint.name}"
            one, other = self._end(joint.parent, joint.in_parent), self._end(joint.child, joint.in_child)
            held = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, self.model, *one, *other)
            self.constraints.append(held)
        self.held = pin.StdVec_RigidConstraintData()
        for constraint in self.constraints:
            self.held.append(constraint.createData())

    def _end(self, body: str, placement: Placement) -> tuple[int, pin.SE3]:
        joint, X = self.seats[body]
        return joint, X * pin.SE3(np.eye(3), np.array(placement.xyz))

    def _forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        pin.initConstraintDynamics(self.model, self.data, self.constraints, self.held)
        settings = pin.ProximalSettings(_ACCURACY, _REGULARISATION, _STEPS)
        found = pin.constraintDynamics(self.model, self.data, q, v, tau, self.constraints, self.held, settings)
        return found.copy()


def passive(mechanism: Mechanism, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Forces of the joints' own springs and dampers, which Pinocchio does not know, at single coordinates."""
    forces, i, j = np.zeros(mechanism.nv), 0, 0
    for branch in mechanism.tree.branches:
        joint = branch.joint
        nv = len(joint.damping)
        nq = {"spherical": 4, "free": 7}.get(joint.kind, nv)
        if any(joint.stiffness) or any(joint.damping):
            assert nq == nv
            forces[j : j + nv] = np.array(joint.stiffness) * (np.array(joint.rest) - q[i : i + nq])
            forces[j : j + nv] -= np.array(joint.damping) * v[j : j + nv]
        i, j = i + nq, j + nv
    return forces
