"""The DeNOC matrices of a parallel architecture, to see and to test: t = N_l N_c N_d th'   [Saha2001, 15-17].

Written out as in the paper, with 6 x 6 matrices and every joint's own motion, the one that is cut included; the
algorithms do not use it. Bodies stand leg by leg, from the ground to the platform, which stands once in each leg.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import Link, poses
from ...spatial import Array, Inertia, Pose, Propagation, block, blockwise, solve
from ...topology import Cut, Forest
from ..sides import sides
from .recognised import Leg, recognised

source = "[Saha2001, (7)-(17)]; N_c with the factors that (16c) leaves out"


@dataclass(frozen=True)
class Complement:
    """N_l (6b x 6b), N_c (6b x 6n), N_d (6n x n), M (6b x 6b), of b bodies counted leg by leg and n motors.

    Rows are twists at each link's origin in its own axes. `J` (6 x n) gives the platform's twist at its body's
    origin, in ground axes.
    """

    N_l: Array
    N_c: Array
    N_d: Array
    M: Array
    J: Array


@dataclass(frozen=True)
class Step:
    """From a body of a leg to the next: the passive P_i and the driven p_k of the joint between them, or neither."""

    node: int
    P: Array
    driven: int | None
    p_k: Array


@dataclass(frozen=True)
class Walk:
    """One leg: what eqs. (7) to (16) make of it, in ground axes, each body's twist at its own origin."""

    steps: list[Step]
    Psi: list[Array]
    D: list[Array]  # P_i delta_i^-1 p~_i^T: what the platform's twist adds to the body
    k: int | None  # the step with the motor
    Phi: Array
    A_ek: Array


def complement(forest: Forest, links: list[Link]) -> Complement:
    """The triple in one position."""
    legs = recognised(forest)
    X = poses(links)
    walks = [_walk(X, _steps(forest, links, X, leg), legs.platform) for leg in legs.legs]
    by_motor = {walk.steps[walk.k].driven: walk for walk in walks if walk.k is not None}
    driven = [by_motor[k] for k in legs.driven]
    # J = Phi^-1 [Phi_2 A_ek p_k],  A-_ek = Phi^-1 Phi_2 A_ek         [Saha2001, 14b, 16e]
    Phi = sum(walk.Phi for walk in walks)
    A_bar = [solve(Phi, walk.Phi @ walk.A_ek) for walk in driven]
    nodes = [step.node for walk in walks for step in walk.steps]
    turn = _blocks([block(X[k].R.T, np.zeros((3, 3)), np.zeros((3, 3)), X[k].R.T) for k in nodes])
    motors = [walk.steps[walk.k or 0] for walk in driven]
    turn_k = _blocks([block(X[m.node].R.T, np.zeros((3, 3)), np.zeros((3, 3)), X[m.node].R.T) for m in motors])
    N_d = blockwise(6 * len(motors), len(motors), [(_six(n), n, m.p_k) for n, m in enumerate(motors)])
    J = np.stack([A @ m.p_k for A, m in zip(A_bar, motors, strict=True)], axis=1)
    seat = X[legs.platform] @ forest.seats[forest.nodes[legs.platform].body].X
    return Complement(
        turn @ _blocks([_lower(X, walk) for walk in walks]) @ turn.T,
        turn @ _coupling(walks, driven, A_bar) @ turn_k.T,
        turn_k @ N_d,
        _masses(links, walks, legs.platform),
        Propagation(np.eye(3), seat.p - X[legs.platform].p).matrix() @ J,
    )


def _walk(X: list[Pose], steps: list[Step], platform: int) -> Walk:
    """Phi from the platform inwards, the driven joint left out; D_i and Psi_i on the way   [10a, 11, 12, 15f]"""
    Phi, D, Psi = np.eye(6), [], []
    for step in reversed(steps):
        A_ei = _A(X, platform, step.node)
        p = Phi @ A_ei @ step.P
        scaled = solve(p.T @ p, p.T) if step.P.shape[1] else p.T
        Phi = Phi - p @ scaled
        D.append(step.P @ scaled)
        Psi.append(np.eye(6) - D[-1] @ A_ei)
    k = next((k for k, step in enumerate(steps) if step.driven is not None), None)
    A_ek = _A(X, platform, steps[k].node) if k is not None else np.zeros((6, 6))
    return Walk(steps, Psi[::-1], D[::-1], k, Phi, A_ek)


def _lower(X: list[Pose], walk: Walk) -> Array:
    """A~_ij = Psi_i A_i,i-1 ... Psi_j+1 A_j+1,j   [17b, 17c]"""
    blocks = {}
    for i, step in enumerate(walk.steps):
        blocks[i, i] = np.eye(6)
        for j in range(i):
            inner = walk.steps[i - 1].node
            blocks[i, j] = walk.Psi[i] @ _A(X, step.node, inner) @ blocks[i - 1, j]
    size = 6 * len(walk.steps)
    return blockwise(size, size, [(_six(i), _six(j), B) for (i, j), B in blocks.items()])


def _coupling(walks: list[Walk], driven: list[Walk], A_bar: list[Array]) -> Array:
    """Rows D_i (U A-_ek - A_ek) below the motor, 1 at it, D_i U A-_ek above   [16c, with D_i]"""
    placed, row = [], 0
    for walk in walks:
        for i, D in enumerate(walk.D):
            for n, other in enumerate(driven):
                own = other is walk
                B = D @ A_bar[n]
                if own and walk.k is not None and i <= walk.k:
                    # a joint that is driven in part goes on with what t_e' asks of its passive part
                    B = B - D @ walk.A_ek + (np.eye(6) if i == walk.k else 0.0)
                placed.append((_six(row), _six(n), B))
            row += 1
    return blockwise(6 * row, 6 * len(driven), placed)


def _masses(links: list[Link], walks: list[Walk], platform: int) -> Array:
    """M_i of every body; of the platform in the first leg only."""
    found, counted = [], False
    for walk in walks:
        for step in walk.steps:
            again = step.node == platform and counted
            counted = counted or step.node == platform
            found.append((Inertia.zero() if again else links[step.node].M).matrix())
    return _blocks(found)


def _steps(forest: Forest, links: list[Link], X: list[Pose], leg: Leg) -> list[Step]:
    """The joints of a leg from the ground to the platform, each as a motion of its outer body at that one's origin."""
    motor = leg.motor.v if leg.motor else None
    found = [_step(k, X[k], links[k], motor) for k in leg.inner]
    if leg.cut is not None:
        cut = forest.cuts[leg.cut]
        forwards = cut.parent.node == (leg.inner[-1] if leg.inner else -1)
        outer = (cut.child if forwards else cut.parent).node
        twist = _closing(links, cut)
        moved = _moved(twist if forwards else -twist, sides(links, cut)[1].frame, X[outer])
        found.append(Step(outer, moved, None, np.zeros(6)))
        for k in reversed(leg.outer):
            # walked from the child to the parent: the parent moves the other way
            back = _step(k, X[k], links[k], motor)
            at = X[links[k].parent]
            away = Propagation(np.eye(3), at.p - X[k].p).matrix()
            found.append(Step(links[k].parent, -(away @ back.P), back.driven, -(away @ back.p_k)))
    return found


def _step(node: int, X: Pose, link: Link, motor: int | None) -> Step:
    columns = np.concatenate([X.R @ link.P[:3], X.R @ link.P[3:]])
    own = list(range(link.v.start, link.v.stop))
    passive = columns[:, [k for k, v in enumerate(own) if v != motor]]
    driven = motor if motor in own else None
    return Step(node, passive, driven, columns[:, own.index(driven)] if driven is not None else np.zeros(6))


def _closing(links: list[Link], cut: Cut) -> Array:
    """The twists of the child against the parent that the joint leaves free, in the axes of the child's frame."""
    P, C = sides(links, cut)
    return cut.kind.motion(cut.shape, cut.kind.position(cut.shape, P.frame, C.frame))


def _moved(S: Array, frame: Pose, at: Pose) -> Array:
    """Twists in a frame's axes at its origin, as twists of the body at `at`, in ground axes."""
    turned = np.concatenate([frame.R @ S[:3], frame.R @ S[3:]])
    return Propagation(np.eye(3), at.p - frame.p).matrix() @ turned


def _A(X: list[Pose], i: int, j: int) -> Array:
    """[[1, O], [a_ij x, 1]], a_ij from O_i to O_j   [7b]"""
    return Propagation(np.eye(3), X[i].p - X[j].p).matrix()


def _blocks(given: list[Array]) -> Array:
    size = sum(len(B) for B in given)
    placed, at = [], 0
    for B in given:
        here = slice(at, at + len(B))
        placed.append((here, here, B))
        at += len(B)
    return blockwise(size, size, placed)


def _six(i: int) -> slice:
    return slice(6 * i, 6 * i + 6)
