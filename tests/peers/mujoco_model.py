"""A tree in MuJoCo, which has no screws."""

from __future__ import annotations

from xml.etree import ElementTree

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from loopwright import Mechanism
from loopwright.mechanism import GROUND, Branch, Placement

from .translation import Conversion, Part, Peer, Step, Totals, inertia_matrix, joint_placements, rotation, steps

SCALAR_FIRST = [3, 0, 1, 2]
CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])


class Ball(Conversion):
    """(w, x, y, z); the angular velocity is in the axes of the outer body, as ours."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """The scalar goes first."""
        return q[SCALAR_FIRST]


class BallUndone(Conversion):
    """The outer body is the parent: R^T, turning at -R w in its own axes; d(R w)/dt = R (dw/dt + w x w)."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """The conjugate, scalar first."""
        return (q * CONJUGATE)[SCALAR_FIRST]

    def rates(self, q: np.ndarray) -> np.ndarray:
        """-R"""
        return -rotation(q)


class Flight(Conversion):
    """Three slides along the parent's axes, at R u, then a ball; d(R u)/dt = R (du/dt + w x u)."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """(p, w, x, y, z)"""
        return np.concatenate([q[:3], q[3:][SCALAR_FIRST]])

    def rates(self, q: np.ndarray) -> np.ndarray:
        """[R 0; 0 1]"""
        return _blocks(rotation(q[3:]), np.eye(3))

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(R (w x u), 0)"""
        return np.concatenate([rotation(q[3:]) @ np.cross(v[3:], v[:3]), np.zeros(3)])


class FlightUndone(Conversion):
    """X^-1 = R^T then -p: a ball at -R w, then the slides, along axes turned to face the other way, at R u."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """(conjugate, p)"""
        return np.concatenate([(q[3:] * CONJUGATE)[SCALAR_FIRST], q[:3]])

    def rates(self, q: np.ndarray) -> np.ndarray:
        """[0 -R; R 0]"""
        R = rotation(q[3:])
        return np.roll(_blocks(R, -R), 3, axis=0)

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(0, R (w x u))"""
        return np.concatenate([np.zeros(3), rotation(q[3:]) @ np.cross(v[3:], v[:3])])


def _blocks(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.block([[a, np.zeros((3, 3))], [np.zeros((3, 3)), b]])


CONVERSIONS = {
    ("ball", False): Ball(),
    ("ball", True): BallUndone(),
    ("free", False): Flight(),
    ("free", True): FlightUndone(),
}


class MujocoModel(Peer):
    """One MuJoCo body per body, its frame at the outer joint frame, with the elementary motions as its joints."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        chains = list(steps(mechanism))
        self.standing = {step.name for branch, chain in chains for step in chain if _stands_on_ground(branch, step)}
        self.model = mujoco.MjModel.from_xml_string(self._xml(chains))
        self.data = mujoco.MjData(self.model)
        self.parts = [self._part(step) for _, chain in chains for step in chain]

    def _xml(self, chains: list) -> str:
        root = ElementTree.Element("mujoco")
        _add(root, "compiler", angle="radian", inertiafromgeom="false", balanceinertia="false", boundmass="0")
        option = _add(root, "option", gravity=_text(self.mechanism.gravity))
        _add(option, "flag", contact="disable", constraint="disable")
        elements = {GROUND: _add(root, "worldbody")}
        # where the user's body frame stands in the MuJoCo body
        self.seats = {GROUND: (np.eye(3), np.zeros(3))}
        for branch, chain in chains:
            in_inner, in_outer = joint_placements(branch)
            R, p = _after(self.seats[branch.inner], _pose(in_inner))
            element = _add(elements[branch.inner], "body", name=branch.outer, pos=_text(p), quat=_quaternion(R))
            R, p = self.seats[branch.outer] = _inverse(_pose(in_outer))
            body = self.mechanism.body(branch.outer)
            # principal axes are left to NumPy: MuJoCo's own iteration stops at 1e-12
            principal, axes = np.linalg.eigh(inertia_matrix(body.inertia))
            axes *= np.linalg.det(axes)
            _add(
                element,
                "inertial",
                mass=_text([body.mass]),
                pos=_text(p + R @ body.com),
                quat=_quaternion(R @ axes),
                diaginertia=_text(principal),
            )
            for step in chain:
                for name, kind, axis in self._joints(step):
                    _add(element, "joint", name=name, type=kind, axis=_text(axis), armature=_text([step.rotor]))
            elements[branch.outer] = element
        return ElementTree.tostring(root, encoding="unicode")

    def _joints(self, step: Step) -> list[tuple[str, str, np.ndarray]]:
        return [(step.name, "free", np.eye(3)[2])] if step.name in self.standing else _joints(step)

    def _part(self, step: Step) -> Part:
        theirs = self.model.joint(self._joints(step)[0][0])
        q, v = theirs.qposadr[0], theirs.dofadr[0]
        nq, nv = step.q.stop - step.q.start, step.v.stop - step.v.start
        conversion = CONVERSIONS.get((step.motion, step.backwards), Conversion())
        return Part(step, slice(q, q + nq), slice(v, v + nv), conversion)

    def _at(self, q: np.ndarray, v: np.ndarray | None = None) -> None:
        self.data.qpos[:] = q
        self.data.qvel[:] = 0.0 if v is None else v
        mujoco.mj_fwdPosition(self.model, self.data)
        mujoco.mj_fwdVelocity(self.model, self.data)

    def _external(self) -> np.ndarray:
        """The wrenches as forces at the coordinates."""
        total = np.zeros(self.model.nv)
        for wrench in self.mechanism.wrenches:
            R, p = self._frame(wrench.body)
            turn = R if wrench.axes == "body" else np.eye(3)
            force, torque, at = turn @ wrench.force, turn @ wrench.torque, p + R @ wrench.at
            mujoco.mj_applyFT(self.model, self.data, force, torque, at, self.model.body(wrench.body).id, total)
        return total

    def _frame(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        theirs = self.data.body(body)
        return _after((theirs.xmat.reshape(3, 3), theirs.xpos), self.seats[body])

    def _inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        self._at(q, v)
        external = self._external()
        self.data.qacc[:] = a
        mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse - external

    def _forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        self._at(q, v)
        self.data.qfrc_applied[:] = tau + self._external()
        mujoco.mj_forward(self.model, self.data)
        return self.data.qacc.copy()

    def _mass_matrix(self, q: np.ndarray) -> np.ndarray:
        self._at(q)
        columns = []
        for unit in np.eye(self.model.nv):
            column = np.zeros(self.model.nv)
            mujoco.mj_mulM(self.model, self.data, column, unit)
            columns.append(column)
        return np.array(columns).T

    def _pose(self, body: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self._at(q)
        return self._frame(body)

    def _jacobian(self, body: str, q: np.ndarray, point: np.ndarray) -> np.ndarray:
        self._at(q)
        R, p = self._frame(body)
        linear, angular = np.zeros((2, 3, self.model.nv))
        mujoco.mj_jac(self.model, self.data, linear, angular, p + R @ point, self.model.body(body).id)
        return np.concatenate([angular, linear])

    def _energy(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        self._at(q, v)
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return kinetic, potential

    def _totals(self, q: np.ndarray, v: np.ndarray) -> Totals:
        self._at(q, v)
        mujoco.mj_subtreeVel(self.model, self.data)
        centre = self.data.subtree_com[0].copy()
        linear = self.model.body_subtreemass[0] * self.data.subtree_linvel[0]
        about_centre = self.data.subtree_angmom[0].copy()
        return Totals(linear, about_centre + np.cross(centre, linear), about_centre, centre)


def _stands_on_ground(branch: Branch, step: Step) -> bool:
    """Whether MuJoCo's own free joint does: it goes from the ground's origin, with the same coordinates and rates."""
    return (
        step.motion == "free"
        and not step.backwards
        and branch.inner == GROUND
        and joint_placements(branch)[0] == Placement()
    )


def _joints(step: Step) -> list[tuple[str, str, np.ndarray]]:
    """Name, type and axis of the MuJoCo joints of a motion."""
    if step.motion == "turn":
        return [(step.name, "hinge", step.axis)]
    if step.motion == "slide":
        return [(step.name, "slide", step.axis)]
    ball = [(f"{step.name}/ball", "ball", np.array([0.0, 0.0, 1.0]))]
    if step.motion == "ball":
        return ball
    if step.motion == "free":
        turned = -1.0 if step.backwards else 1.0
        slides = [(f"{step.name}/{k}", "slide", turned * axis) for k, axis in enumerate(np.eye(3))]
        return ball + slides if step.backwards else slides + ball
    raise ValueError(f"MuJoCo has no {step.motion}")


def _pose(placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    return Rotation.from_euler("xyz", placement.rpy).as_matrix(), np.array(placement.xyz)


def _after(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return a[0] @ b[0], a[1] + a[0] @ b[1]


def _inverse(a: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return a[0].T, -a[0].T @ a[1]


def _add(parent: ElementTree.Element, tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, attributes)


def _text(values: object) -> str:
    return " ".join(f"{float(value):.17g}" for value in values)


def _quaternion(R: np.ndarray) -> str:
    return _text(Rotation.from_matrix(R).as_quat()[SCALAR_FIRST])
