"""Derivatives of inverse dynamics by position and velocity, in the O(n d) form of composite bodies.

All vectors are taken at one point and in one set of axes, so that pairs of joints meet without transformations:
the ground's, or those of the first link when it floats, whose pose then does not enter at all. Positions vary
along the joints' own motions, as `integrate` moves them. Every P is constant in its link, which the forest
sees to by taking universal and planar joints apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Inertia, Pose, Propagation, blockwise, cross, skew
from ..topology import BASE
from .assembly import symmetric_matrix
from .links import Link, split
from .sweep import inward, outward

source = "Singh, Russo, Wensing 2022; Carpentier, Mansard 2018"


@dataclass(frozen=True)
class Derivatives:
    """of tau(q, v, a): by position, by velocity, and by acceleration (the mass matrix)."""

    by_position: Array
    by_velocity: Array
    mass_matrix: Array


@dataclass(frozen=True)
class Moving:
    """Spatial motion of a link and of its joint's axes S, at the common point."""

    v: Array
    a: Array
    S: Array
    S_carried: Array  # v_p x S: the rate of the axes as points of the parent
    S_carried_rate: Array  # a_p x S + v_p x (v_p x S)
    S_rate: Array  # v x S


@dataclass(frozen=True)
class Carried:
    """A link and everything beyond it: inertia, its rate's skew part B (B x needs x's turn only), and wrench."""

    M: Inertia
    B: Array  # 3 x 3, the moment that B makes of a turn
    f: Array  # its force is -f x turn; f the linear momentum
    wrench: Array

    def __add__(self, other: Carried) -> Carried:
        return Carried(self.M + other.M, self.B + other.B, self.f + other.f, self.wrench + other.wrench)

    def twice_B(self, x: Array) -> Array:
        """2 B x, of the columns of x."""
        return np.concatenate([2.0 * (self.B @ x[:3]), -2.0 * (skew(self.f) @ x[:3])])


def inverse_derivatives(links: list[Link], accelerations: Array, gravity: Array, nv: int) -> Derivatives:
    """d tau_i / d q_j and d tau_i / d v_j of every pair of joints on one branch."""
    X, gravity = _frames(links, gravity)
    moving = _motions(links, X, split(links, accelerations), gravity)
    carried = _composites(links, X, moving)
    by_q: dict[tuple[int, int], Array] = {}
    by_v: dict[tuple[int, int], Array] = {}
    mass: dict[tuple[int, int], Array] = {}
    for link, own, beyond in zip(links, moving, carried, strict=True):
        i = link.index
        M_S = beyond.M @ own.S
        # what column i does to the joints further in
        down_q = beyond.twice_B(own.S_carried) + beyond.M @ own.S_carried_rate + _crossed(own.S, beyond.wrench)
        down_v = beyond.twice_B(own.S) + beyond.M @ (own.S_carried + own.S_rate)
        # what the joints further in do to row i: S_i^T 2 B, S_i^T M
        row_B = 2.0 * (own.S[:3].T @ beyond.B - own.S[3:].T @ skew(beyond.f))
        at = link
        while True:
            j, inner = at.index, moving[at.index]
            mass[j, i] = inner.S.T @ M_S
            by_v[j, i] = inner.S.T @ down_v
            if j == i:
                by_q[i, i] = own.S.T @ (beyond.twice_B(own.S_carried) + beyond.M @ own.S_carried_rate)
            else:
                by_q[j, i] = inner.S.T @ down_q
                by_q[i, j] = row_B @ inner.S_carried[:3] + M_S.T @ inner.S_carried_rate
                by_v[i, j] = row_B @ inner.S[:3] + M_S.T @ (inner.S_carried + inner.S_rate)
            if at.parent == BASE:
                break
            at = links[at.parent]
        mass[i, i] = mass[i, i] + np.diag(link.rotor)
    return Derivatives(_matrix(links, by_q, nv), _matrix(links, by_v, nv), symmetric_matrix(links, mass, nv))


def _frames(links: list[Link], gravity: Array) -> tuple[list[Pose], Array]:
    """Poses in the common frame: the ground's, or a floating first link's with gravity turned into it."""
    floating = [link for link in links if link.parent == BASE and link.P.shape[1] == 6]
    if len(floating) == 1 and sum(link.parent == BASE for link in links) == 1:
        first = floating[0]
        gravity = first.A.turned(gravity)

        def from_first(link: Link, parent: Pose) -> Pose:
            return Pose() if link.index == first.index else parent @ link.X

        return outward(links, from_first, Pose()), gravity

    def step(link: Link, parent: Pose) -> Pose:
        return parent @ link.X

    return outward(links, step, Pose()), gravity


def _motions(links: list[Link], X: list[Pose], accelerations: list[Array], gravity: Array) -> list[Moving]:
    def step(link: Link, parent: Moving, pose: Pose, acceleration: Array) -> Moving:
        S = Propagation.of(pose.inverse()) @ link.P
        carried = _cross(parent.v, S)
        v = parent.v + S @ link.rate
        S_rate = _cross(v, S)
        a = parent.a + S @ acceleration + S_rate @ link.rate
        return Moving(v, a, S, carried, _cross(parent.a, S) + _cross(parent.v, carried), S_rate)

    nothing = np.zeros((6, 0))
    still = Moving(np.zeros(6), np.concatenate([np.zeros(3), -gravity]), nothing, nothing, nothing, nothing)
    return outward(links, step, still, X, accelerations)


def _composites(links: list[Link], X: list[Pose], moving: list[Moving]) -> list[Carried]:
    def step(link: Link, beyond: Carried, pose: Pose, own: Moving) -> tuple[Carried, Carried]:
        M = link.M.gathered(pose)
        w, u = own.v[:3], own.v[3:]
        momentum = M @ own.v
        # B = [[-w~ K - h~ u~, O], [-f~, O]],  K = 1/2 tr(I) 1 - I the second moment of the mass
        I = M.tensor
        K = (I[0, 0] + I[1, 1] + I[2, 2]) / 2.0 * np.eye(3) - I
        B = -(skew(w) @ K) - skew(M.moment) @ skew(u)
        # M a + v x* M v
        n, f = momentum[:3], momentum[3:]
        gyroscopic = np.concatenate([cross(w, n) + cross(u, f), cross(w, f)])
        total = Carried(M, B, f, M @ own.a + gyroscopic) + beyond
        return total, total

    return inward(links, step, Carried(Inertia.zero(), np.zeros((3, 3)), np.zeros(3), np.zeros(6)), X, moving)


def _cross(v: Array, S: Array) -> Array:
    """v x S of motions, column by column: [w x s; w x r + u x s]"""
    w, u = skew(v[:3]), skew(v[3:])
    return np.concatenate([w @ S[:3], w @ S[3:] + u @ S[:3]])


def _crossed(S: Array, wrench: Array) -> Array:
    """S x* wrench, column by column: [s x n + r x f; s x f]"""
    n, f = skew(wrench[:3]), skew(wrench[3:])
    return np.concatenate([-(n @ S[:3]) - f @ S[3:], -(f @ S[:3])])


def _matrix(links: list[Link], blocks: dict[tuple[int, int], Array], nv: int) -> Array:
    return blockwise(nv, nv, [(links[i].v, links[j].v, B) for (i, j), B in blocks.items()])
