"""What the peers are told of a mechanism, and how states go to them and answers come back.

Every joint becomes a chain of elementary motions - turns, slides, screws, a ball, a free flight - which both
Pinocchio and MuJoCo have or can be given. A joint walked from its child to its parent is the inverse of that
product: the same motions in the opposite order, each undone. The coordinates stay those of the user, so only
balls and free flights, whose velocities are measured in the axes of one side, have anything to convert.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from loopwright import Mechanism
from loopwright.mechanism import Branch, Placement


@dataclass(frozen=True)
class Step:
    """One elementary motion; `q` and `v` are its entries in the mechanism's own vectors."""

    name: str
    motion: str  # turn, slide, screw, ball or free
    q: slice
    v: slice
    backwards: bool
    rotor: float  # the same for all coordinates of a ball or a flight
    axis: np.ndarray | None = None  # in the joint frame; already that of the undone motion when backwards
    pitch: float = 0.0  # metres per radian


def steps(mechanism: Mechanism) -> Iterator[tuple[Branch, list[Step]]]:
    """The branches of the tree, parents first, each with its motions from the inner body to the outer."""
    entry_q = entry_v = 0
    for branch in mechanism.tree.branches:
        joint = branch.joint
        sizes = {"ball": (4, 3), "free": (7, 6)}
        chain = []
        for k, (motion, axis) in enumerate(_motions(joint.kind, dict(joint.geometry))):
            nq, nv = sizes.get(motion, (1, 1))
            chain.append(
                Step(
                    f"{joint.name}/{k}",
                    motion,
                    slice(entry_q, entry_q + nq),
                    slice(entry_v, entry_v + nv),
                    branch.backwards,
                    joint.rotor_inertia[k],
                    # undoing a turn about, a slide along or a screw on an axis is the same motion on the opposite axis
                    -axis if branch.backwards and axis is not None else axis,
                    dict(joint.geometry).get("pitch", 0.0) / (2.0 * math.pi),
                )
            )
            entry_q, entry_v = entry_q + nq, entry_v + nv
        yield branch, chain[::-1] if branch.backwards else chain


def _motions(kind: str, geometry: dict) -> list[tuple[str, np.ndarray | None]]:
    """Motions of the child in the parent, in the order of the joint's coordinates."""
    if kind == "revolute":
        return [("turn", _unit(geometry["axis"]))]
    if kind == "prismatic":
        return [("slide", _unit(geometry["axis"]))]
    if kind == "screw":
        return [("screw", _unit(geometry["axis"]))]
    if kind == "cylindrical":
        return [("turn", _unit(geometry["axis"])), ("slide", _unit(geometry["axis"]))]
    if kind == "universal":
        return [("turn", _unit(axis)) for axis in geometry["axes"]]
    if kind == "planar":
        # x and y of the plane: for a normal nearest to z (or y, x), x is at right angles to y (or x, z) as well
        z = _unit(geometry["normal"])
        x = _unit(np.cross(np.eye(3)[np.argmax(np.abs(z)) - 1], z))
        return [("slide", x), ("slide", np.cross(z, x)), ("turn", z)]
    return [] if kind == "weld" else [({"spherical": "ball", "free": "free"}[kind], None)]


def _unit(a: np.ndarray) -> np.ndarray:
    return np.asarray(a, dtype=float) / np.linalg.norm(a)


def joint_placements(branch: Branch) -> tuple[Placement, Placement]:
    """The joint frame in the inner body and in the outer one."""
    joint = branch.joint
    return (joint.in_child, joint.in_parent) if branch.backwards else (joint.in_parent, joint.in_child)


def inertia_matrix(inertia: tuple) -> np.ndarray:
    """3x3 from (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """The matrix of a quaternion (x, y, z, w)."""
    return Rotation.from_quat(quaternion).as_matrix()


def skew(a: np.ndarray) -> np.ndarray:
    """a~ with a~ b = a x b."""
    return np.cross(np.eye(3), a)


class Conversion:
    """q_peer = position(q), v_peer = B v, a_peer = B a + drift with drift = dB/dt v; here the same numbers."""

    def position(self, q: np.ndarray) -> np.ndarray:
        """The peer's coordinates."""
        return q

    def rates(self, q: np.ndarray) -> np.ndarray:
        """B."""
        nv = {4: 3, 7: 6}.get(len(q), len(q))
        return np.eye(nv)

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dB/dt v."""
        return np.zeros(len(v))


@dataclass(frozen=True)
class Part:
    """A step and where the peer keeps it."""

    step: Step
    q: slice
    v: slice
    conversion: Conversion


@dataclass(frozen=True)
class Totals:
    """Momentum in ground axes, about the ground's origin and about the mass centre, and where that is."""

    linear: np.ndarray
    angular: np.ndarray
    about_centre: np.ndarray
    centre: np.ndarray


class Peer(ABC):
    """A mechanism in another library, asked in our coordinates and answering in our conventions."""

    parts: list[Part]

    def inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Forces at the coordinates: tau^T v is the same power on both sides, so tau = B^T tau_peer."""
        B = self.rates(q)
        return B.T @ self._inverse(self.position(q), B @ v, B @ a + self.drift(q, v))

    def forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Accelerations: a_peer = B a + drift."""
        B = self.rates(q)
        a = self._forward(self.position(q), B @ v, np.linalg.solve(B.T, tau))
        return np.linalg.solve(B, a - self.drift(q, v))

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """v^T M v is the same on both sides, so M = B^T M_peer B."""
        B = self.rates(q)
        return B.T @ self._mass_matrix(self.position(q)) @ B

    def pose(self, body: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """R and p in the ground."""
        return self._pose(body, self.position(q))

    def jacobian(self, body: str, q: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Angular, then linear velocity of a point of a body, in ground axes."""
        return self._jacobian(body, self.position(q), point) @ self.rates(q)

    def energy(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Kinetic, with the rotors, and potential."""
        return self._energy(self.position(q), self.rates(q) @ v)

    def totals(self, q: np.ndarray, v: np.ndarray) -> Totals:
        """Momenta and mass centre."""
        return self._totals(self.position(q), self.rates(q) @ v)

    def position(self, q: np.ndarray) -> np.ndarray:
        """The peer's coordinates, all of them."""
        out = np.zeros(sum(part.q.stop - part.q.start for part in self.parts))
        for part in self.parts:
            out[part.q] = part.conversion.position(q[part.step.q])
        return out

    def rates(self, q: np.ndarray) -> np.ndarray:
        """B of all parts."""
        nv = sum(part.v.stop - part.v.start for part in self.parts)
        B = np.zeros((nv, nv))
        for part in self.parts:
            B[part.v, part.step.v] = part.conversion.rates(q[part.step.q])
        return B

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dB/dt v of all parts."""
        out = np.zeros(len(v))
        for part in self.parts:
            out[part.v] = part.conversion.drift(q[part.step.q], v[part.step.v])
        return out

    @abstractmethod
    def _inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def _forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def _mass_matrix(self, q: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def _pose(self, body: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...

    @abstractmethod
    def _jacobian(self, body: str, q: np.ndarray, point: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def _energy(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]: ...

    @abstractmethod
    def _totals(self, q: np.ndarray, v: np.ndarray) -> Totals: ...
