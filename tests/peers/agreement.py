"""The trees on which we and a peer are asked the same questions, and what counts as the same answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loopwright import Dynamics, Mechanism
from loopwright.mechanism import Branch, Wrench
from loopwright.testing import EVERY, random_tree

from .translation import Peer

# Largest difference over largest entry. Rounding parts two correct programs by some 1e-14 here. Accelerations may
# lose cond(M) times as much as forces, 2^-53 x 3e5 = 3e-11 on the worst of these trees, and a potential energy that
# happens to be near zero loses what its terms cancel; neither needs more than 1e-10.
TOLERANCE = 1e-10
TREES = 300
PER_TEST = 10
STATES = 20 if os.environ.get("LOOPWRIGHT_FULL") == "1" else 2  # per tree
CHUNKS = [range(first, first + PER_TEST) for first in range(0, TREES, PER_TEST)]

Answers = Iterable[tuple[str, object, object]]  # of what, ours, the peer's


@dataclass(frozen=True)
class Case:
    """One tree in one state."""

    name: str
    dynamics: Dynamics
    peer: Peer
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    point: np.ndarray  # of whichever body

    @property
    def bodies(self) -> list[str]:
        """Names."""
        return [body.name for body in self.dynamics.mechanism.bodies]


def tree(seed: int, kinds: Sequence[str] = EVERY) -> Mechanism:
    """Up to 15 bodies; odd seeds float."""
    return random_tree(seed, kinds=kinds, floating=seed % 2 == 1)


def without_rotors(mechanism: Mechanism, which: Callable[[Branch], bool]) -> Mechanism:
    """The same tree with no rotor inertia on some of its joints."""
    plain = {branch.joint.name for branch in mechanism.tree.branches if which(branch)}
    joints = tuple(
        replace(joint, rotor_inertia=(0.0,) * len(joint.rotor_inertia)) if joint.name in plain else joint
        for joint in mechanism.joints
    )
    return replace(mechanism, joints=joints)


def bare(mechanism: Mechanism) -> Mechanism:
    """The same tree with nothing that damps or pulls, every coordinate driven."""
    nothing = ("damping", "stiffness")
    joints = tuple(
        replace(
            joint,
            **{option: (0.0,) * len(joint.damping) for option in nothing},
            friction=((0.0, 0.0),) * len(joint.damping),
            actuated=(False,) * len(joint.damping),
        )
        for joint in mechanism.joints
    )
    return replace(mechanism, joints=joints, springs=(), wrenches=(), efforts=())


def pushed(mechanism: Mechanism, seed: int) -> Mechanism:
    """The same tree with a wrench on its first body and two on its last, along body and ground axes."""
    rng = np.random.default_rng(seed)
    ends = [mechanism.bodies[0].name, mechanism.bodies[-1].name]
    wrenches = [
        Wrench(f"push {k}", body, *(tuple(rng.normal(size=3)) for _ in range(3)), axes)
        for k, (body, axes) in enumerate([(ends[0], "ground"), (ends[1], "body"), (ends[1], "ground")])
    ]
    return replace(mechanism, wrenches=tuple(wrenches))


def cases(trees: Iterable[Mechanism], model: Callable[[Mechanism], Peer]) -> Iterator[Case]:
    """Every tree in several states, its angles all around the circle."""
    for mechanism in trees:
        rng = np.random.default_rng(list(mechanism.name.encode()))
        dynamics, peer = Dynamics(mechanism), model(mechanism)
        nv = mechanism.nv
        for state in range(STATES):
            q = mechanism.integrate(mechanism.neutral(), rng.uniform(-3.0, 3.0, nv))
            yield Case(
                f"{mechanism.name}, state {state}", dynamics, peer, q, *rng.normal(size=(3, nv)), rng.normal(size=3)
            )


def positions(case: Case) -> Answers:
    """Poses and Jacobians of every body, and the mass centre."""
    for body in case.bodies:
        X = case.dynamics.pose(body, case.q)
        R, p = case.peer.pose(body, case.q)
        yield f"orientation of {body}", X.R, R
        yield f"position of {body}", X.p, p
        ours = case.dynamics.jacobian(body, case.q, case.point)
        yield f"Jacobian of a point of {body}", ours, case.peer.jacobian(body, case.q, case.point)
    yield "mass centre", case.dynamics.centre_of_mass(case.q), case.peer.totals(case.q, case.v).centre


def forces(case: Case) -> Answers:
    """Inverse and forward dynamics, the mass matrix and the part of gravity."""
    dynamics, peer, q, v = case.dynamics, case.peer, case.q, case.v
    still = np.zeros_like(v)
    yield "inverse dynamics", dynamics.inverse(q, v, case.a), peer.inverse(q, v, case.a)
    yield "bias", dynamics.bias(q, v), peer.inverse(q, v, still)
    yield "forward dynamics", dynamics.forward(q, v, case.tau), peer.forward(q, v, case.tau)
    yield "mass matrix", dynamics.mass_matrix(q), peer.mass_matrix(q)
    if not dynamics.mechanism.wrenches:
        yield "gravity", dynamics.gravity(q), peer.inverse(q, still, still)


def energies(case: Case) -> Answers:
    """Energies and momenta."""
    energy = case.dynamics.energy(case.q, case.v)
    kinetic, potential = case.peer.energy(case.q, case.v)
    yield "kinetic energy", energy.kinetic, kinetic
    yield "potential energy", energy.potential, potential
    ours, theirs = case.dynamics.momentum(case.q, case.v), case.peer.totals(case.q, case.v)
    # linear and angular together: bodies that only slide have no angular momentum about their mass centre but rounding
    yield "momentum", [ours.linear, ours.angular], [theirs.linear, theirs.angular]
    yield "centroidal momentum", [ours.linear, ours.about_centre], [theirs.linear, theirs.about_centre]
    yield "mass centre", ours.centre, theirs.centre


def require(case: Case, answers: Answers) -> None:
    """Every pair of answers is the same to the tolerance."""
    for what, ours, theirs in answers:
        parted = difference(ours, theirs)
        assert parted <= TOLERANCE, f"{case.name}: {what} parts by {parted:.2g} of its size"


def difference(ours: object, theirs: object) -> float:
    """Largest difference over the largest entry of the peer's answer."""
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    assert ours.shape == theirs.shape
    largest = np.abs(theirs).max()
    apart = np.abs(ours - theirs).max()
    return float(apart / largest) if largest > 0.0 else float(apart)


def seen(trees: Collection[Mechanism]) -> set[tuple[str, bool]]:
    """Kinds of joint, each with whether it is walked backwards."""
    return {(branch.joint.kind, branch.backwards) for mechanism in trees for branch in mechanism.tree.branches}
