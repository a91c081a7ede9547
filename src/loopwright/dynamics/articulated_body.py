"""Forward dynamics, O(n): articulated bodies, with the bias wrenches carried along instead of a bias vector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from .kinematics import STILL, drift
from .links import Link, joined, split
from .pivot import Pivot, pivot
from .sweep import inward, outward

source = "[Featherstone1983]; [Featherstone1987]; [Featherstone2008, table 7.1]"


@dataclass(frozen=True)
class Moving:
    """Twist of a link and the part of its twist rate that no acceleration makes."""

    twist: Array
    drift: Array


@dataclass(frozen=True)
class Articulated:
    """Inertia and bias wrench of a link with everything hinged beyond it; they add."""

    M: Array
    p: Array

    def __add__(self, other: Articulated) -> Articulated:
        return Articulated(self.M + other.M, self.p + other.p)


@dataclass(frozen=True)
class Hinge:
    """What the joint needs on the way out: its pivot and u = tau - P^T p."""

    pivot: Pivot
    u: Array


def forward_dynamics(links: list[Link], tau: Array, gravity: Array, external: list[Array]) -> Array:
    """th'' from the forces at the joints."""

    def move(link: Link, parent: Moving) -> Moving:
        # t = A t_p + P th',   c = A' t_p + P' th'
        return Moving(link.A @ parent.twist + link.P @ link.rate, drift(link, parent.twist))

    moving = outward(links, move, Moving(STILL, STILL))

    def gather(link: Link, outer: Articulated, own: Moving, tau_i: Array, w: Array) -> tuple[Hinge, Articulated]:
        # M_i = m_i + sum M_a,   p_i = (wrench of a body that does not accelerate) - external + sum p_a
        M = link.M.matrix() + outer.M
        p = link.M.gyroscopic(own.twist[:3]) - w + outer.p
        u = tau_i - link.P.T @ p
        # M_a = M - U D^-1 U^T,   p_a = p + M_a c + U D^-1 u, both brought to the parent
        at = pivot(link, M)
        p_a = p + at.M_bar @ own.drift + at.psi @ u
        return Hinge(at, u), Articulated(link.A.gathered(at.M_bar), link.A.T @ p_a)

    nothing = Articulated(np.zeros((6, 6)), np.zeros(6))
    hinges = inward(links, gather, nothing, moving, split(links, tau), external)

    def release(link: Link, arrived: tuple[Array, Array], own: Moving, hinge: Hinge) -> tuple[Array, Array]:
        # th'' = D^-1 (u - U^T (A t'_p + c)),   t' = A t'_p + c + P th''
        rate = link.A @ arrived[1] + own.drift
        acceleration = hinge.pivot.over(hinge.u) - hinge.pivot.psi.T @ rate
        return acceleration, rate + link.P @ acceleration

    # t'_0 = [0; -g]
    rising = np.concatenate([np.zeros(3), -gravity])
    swept = outward(links, release, (np.zeros(0), rising), moving, hinges)
    return joined(links, [acceleration for acceleration, _ in swept])
