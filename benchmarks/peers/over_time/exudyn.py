"""Exudyn: the tree in minimal coordinates, cuts as joints between its links; its implicit steps, or explicit ones.

Loops make its equations differential-algebraic, for which its generalised-alpha and trapezoidal steps are meant.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import exudyn as exu
import numpy as np
from exudyn import itemInterface
from scipy.spatial.transform import Rotation

from loopwright.mechanism import Branch
from tests.peers.translation import Step, inertia_matrix, joint_placements, steps

from ...models.swinging import Case
from .contestant import Contestant, Poses
from .loopwright import STEPS

TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)


def contestants(case: Case) -> list[Contestant]:
    """Two implicit methods for loops, explicit ones besides for a tree."""
    tree = Tree(case)
    lengths = tuple(h * case.seconds / 10.0 for h in (1e-2, *STEPS, 3e-5))
    implicit = [("GeneralizedAlpha", lengths), ("TrapezoidalIndex2", lengths)]
    found = [
        Contestant("Exudyn", name, "step", settings, tree.fixed(name), tree.poses)
        for name, settings in (
            implicit if case.mechanism.tree.cuts else [*implicit, ("RK44", lengths), ("RK67", lengths)]
        )
    ]
    if not case.mechanism.tree.cuts:
        found.append(Contestant("Exudyn", "DOPRI5", "rtol", TOLERANCES, tree.adaptive("DOPRI5"), tree.poses))
    return found


class Tree:
    """A mechanism as its kinematic tree; a ball becomes three turns that start at nothing."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.kinds: list[Any] = []
        self.parents: list[int] = []
        self.before: list[np.ndarray] = []  # pose of the joint in the link before it
        self.inertia: list[tuple[float, np.ndarray, np.ndarray]] = []
        self.start: list[tuple[float, float]] = []
        self.springs: list[tuple[float, float]] = []
        self.seats: dict[str, tuple[int, np.ndarray]] = {"ground": (-1, np.eye(4))}
        self.torques: dict[str, int] = {}
        for branch, chain in steps(case.mechanism):
            self._grown(branch, chain)
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.system.Assemble() if self._built() else None

    def _grown(self, branch: Branch, chain: list[Step]) -> None:
        inner, outer = joint_placements(branch)
        link, X = self.seats[branch.inner]
        X = X @ pose(inner)
        joint = branch.joint
        for step in chain:
            q, v = self.case.start.q[step.q], self.case.start.v[step.v]
            k = int(step.name.rpartition("/")[2])
            spring = (joint.stiffness[k], joint.rest[k]) if any(joint.stiffness) else (0.0, 0.0)
            parts = [(step.axis, float(q[0]), float(v[0]), spring)]
            if step.motion == "ball":
                assert not step.backwards
                turn = np.eye(4)
                turn[:3, :3] = Rotation.from_quat(q).as_matrix()
                X, parts = X @ turn, [(e, 0.0, float(w), (0.0, 0.0)) for e, w in zip(np.eye(3), v, strict=True)]
            for axis, angle, rate, held in parts:
                Z = to_z(axis)
                self.before.append(X @ Z)
                self.parents.append(link)
                self.kinds.append(exu.JointType.PrismaticZ if step.motion == "slide" else exu.JointType.RevoluteZ)
                self.inertia.append((0.0, np.zeros(3), np.zeros((3, 3))))
                self.start.append((angle, rate))
                self.springs.append(held)
                link, X = len(self.kinds) - 1, Z.T
                self.torques.setdefault(joint.name, link)
        B = X @ np.linalg.inv(pose(outer))
        self.seats[branch.outer] = (link, B)
        body = self.case.mechanism.body(branch.outer)
        R = B[:3, :3]
        self.inertia[link] = (body.mass, R @ np.array(body.com) + B[:3, 3], R @ inertia_matrix(body.inertia) @ R.T)

    def _built(self) -> bool:
        mechanism, system, n = self.case.mechanism, self.system, len(self.kinds)
        q, v = np.array(self.start).T.tolist()
        node = system.AddNode(
            itemInterface.NodeGenericODE2(
                numberOfODE2Coordinates=n, referenceCoordinates=[0.0] * n, initialCoordinates=q, initialCoordinates_t=v
            )
        )
        forces = [0.0] * n
        for effort in mechanism.efforts:
            forces[self.torques[effort.joint]] = effort.value[0]
        stiffness, rest = (list(x) for x in zip(*self.springs, strict=True))
        masses, centres, tensors = zip(*self.inertia, strict=True)
        self.tree = system.AddObject(
            itemInterface.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=self.kinds,
                linkParents=self.parents,
                jointTransformations=exu.Matrix3DList([X[:3, :3] for X in self.before]),
                jointOffsets=exu.Vector3DList([X[:3, 3] for X in self.before]),
                linkMasses=list(masses),
                linkCOMs=exu.Vector3DList(list(centres)),
                linkInertiasCOM=exu.Matrix3DList(list(tensors)),
                gravity=list(mechanism.gravity),
                jointForceVector=forces,
                jointPControlVector=stiffness,
                jointDControlVector=[0.0] * n,
                jointPositionOffsetVector=rest,
                jointVelocityOffsetVector=[0.0] * n,
            )
        )
        self.ground = system.AddObject(itemInterface.ObjectGround())
        for joint in mechanism.tree.cuts:
            ends = [(joint.parent, joint.in_parent.xyz), (joint.child, joint.in_child.xyz)]
            markers = [self._marker(body, point) for body, point in ends]
            # a hinge of a flat loop holds a point in its plane
            axes = [1, 1, 1] if joint.kind == "spherical" else [1, 1, 0]
            system.AddObject(itemInterface.ObjectJointSpherical(markerNumbers=markers, constrainedAxes=axes))
        for spring in mechanism.springs:
            ends = [(spring.parent, spring.in_parent), (spring.child, spring.in_child)]
            markers = [self._marker(body, point) for body, point in ends]
            system.AddObject(
                itemInterface.ObjectConnectorSpringDamper(
                    markerNumbers=markers, referenceLength=spring.length, stiffness=spring.stiffness
                )
            )
        return True

    def _marker(self, body: str, point: Any) -> int:
        link, B = self.seats[body]
        at = (B[:3, :3] @ np.array(point) + B[:3, 3]).tolist()
        if link < 0:
            return int(self.system.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=self.ground, localPosition=at)))
        return int(
            self.system.AddMarker(
                itemInterface.MarkerKinematicTreeRigid(objectNumber=self.tree, linkNumber=link, localPosition=at)
            )
        )

    def fixed(self, solver: str) -> Callable[[float], Callable[[], np.ndarray]]:
        """Steps of one length."""
        return lambda step: self._solving(solver, settings(self.case.seconds, round(self.case.seconds / step)))

    def adaptive(self, solver: str) -> Callable[[float], Callable[[], np.ndarray]]:
        """Steps of its own."""

        def ready(rtol: float) -> Callable[[], np.ndarray]:
            how = settings(self.case.seconds, 100)
            how.timeIntegration.relativeTolerance, how.timeIntegration.absoluteTolerance = rtol, rtol / 100.0
            how.timeIntegration.initialStepSize, how.timeIntegration.minimumStepSize = 1e-4, 1e-12
            return self._solving(solver, how)

        return ready

    def _solving(self, solver: str, how: Any) -> Callable[[], np.ndarray]:
        kind = getattr(exu.DynamicSolverType, solver)

        def solved() -> np.ndarray:
            if not self.system.SolveDynamic(how, solverType=kind, updateInitialValues=False):
                raise ArithmeticError(f"{solver} did not arrive")
            return np.array(self.system.systemData.GetODE2Coordinates())

        return solved

    def poses(self, q: np.ndarray) -> Poses:
        """From its coordinates."""
        X: list[np.ndarray] = []
        for before, parent, kind, x in zip(self.before, self.parents, self.kinds, q, strict=True):
            moved = np.eye(4)
            if kind == exu.JointType.PrismaticZ:
                moved[2, 3] = x
            else:
                moved[:2, :2] = [[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]]
            X.append((X[parent] if parent >= 0 else np.eye(4)) @ before @ moved)
        at = {body: X[link] @ B for body, (link, B) in self.seats.items() if link >= 0}
        return {body: (T[:3, :3], T[:3, 3]) for body, T in at.items()}


def settings(seconds: float, count: int) -> Any:
    """Nothing written, Newton's method to where rounding begins, Jacobians kept while they serve."""
    found = exu.SimulationSettings()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.solutionSettings.writeSolutionToFile = False
        found.displayComputationTime = False
        found.displayStatistics = False
    time = found.timeIntegration
    time.endTime, time.numberOfSteps, time.verboseMode = seconds, count, 0
    time.newton.useModifiedNewton = True
    return found


def pose(placement: Any) -> np.ndarray:
    """4 x 4"""
    X = np.eye(4)
    X[:3, :3] = Rotation.from_euler("xyz", placement.rpy).as_matrix()
    X[:3, 3] = placement.xyz
    return X


def to_z(axis: np.ndarray) -> np.ndarray:
    """A turn whose z is the axis."""
    z = np.asarray(axis, dtype=float)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    Z = np.eye(4)
    Z[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    return Z
