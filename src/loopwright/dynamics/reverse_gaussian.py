"""Forward dynamics, O(n): the DeNOC form, I = U D U^T solved link by link without forming I."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from .links import Link, joined, split
from .newton_euler import body_wrenches
from .pivot import Pivot, pivot
from .sweep import inward, outward

source = "[Saha1997]; [Saha2003]; [Saha2013, (27)-(33)]"


def pivots(links: list[Link]) -> list[Pivot]:
    """The diagonal blocks of D and what is needed of U."""

    def step(link: Link, handed: Array) -> tuple[Pivot, Array]:
        # M^_i = M_i + sum A_ji^T M-_j A_ji                            [Saha2013, 31]
        found = pivot(link, link.M.matrix() + handed)
        return found, link.A.gathered(found.M_bar)

    return inward(links, step, np.zeros((6, 6)))


def forward_dynamics(links: list[Link], tau: Array, gravity: Array, external: list[Array]) -> Array:
    """th'' with I th'' = phi, phi = tau - (C th' + gravity - N^T w_external)   [Saha2013, 27]"""
    D = pivots(links)
    still = body_wrenches(links, np.zeros(len(tau)), gravity, external)

    def eliminate(link: Link, handed: Array, tau_i: Array, w: Array, pivot: Pivot) -> tuple[Array, Array]:
        # phi_i = tau_i - P_i^T w~_i: the sum w~ of (25) and the sum eta of (29) go inwards as one
        eta = handed + w
        # tau^_i = phi_i - P_i^T eta_i,i+1                             [28]
        tau_hat = tau_i - link.P.T @ eta
        # eta_i = psi_i tau^_i + eta_i,i+1,  handed on by A^T          [29]
        return tau_hat, link.A.T @ (pivot.psi @ tau_hat + eta)

    tau_hat = inward(links, eliminate, np.zeros(6), split(links, tau), still, D)

    def substitute(link: Link, arrived: tuple[Array, Array], tau: Array, pivot: Pivot) -> tuple[Array, Array]:
        # mu_i,i-1 = A mu_i-1,  th''_i = tau^_i / m^_i - psi_i^T mu    [32, 33]
        mu = link.A @ arrived[1]
        acceleration = pivot.over(tau) - pivot.psi.T @ mu
        # mu_i = P_i th''_i + mu_i,i-1
        return acceleration, link.P @ acceleration + mu

    swept = outward(links, substitute, (np.zeros(0), np.zeros(6)), tau_hat, D)
    return joined(links, [acceleration for acceleration, _ in swept])


@dataclass(frozen=True)
class Recursion:
    """I = U D U^T as sweeps over the links, without forming I: the same three steps as a `Factor`."""

    links: list[Link]
    pivots: list[Pivot]

    @staticmethod
    def of(links: list[Link]) -> Recursion:
        return Recursion(links, pivots(links))

    def halfway(self, right: Array) -> Array:
        """y with U y = right, one column or several: tau^ of (28)."""

        def eliminate(link: Link, eta: Array, tau: Array, pivot: Pivot) -> tuple[Array, Array]:
            tau_hat = tau - link.P.T @ eta
            return tau_hat, link.A.T @ (pivot.psi @ tau_hat + eta)

        nothing = np.zeros((6, *right.shape[1:]))
        return joined(self.links, inward(self.links, eliminate, nothing, split(self.links, right), self.pivots))

    def scaled(self, y: Array) -> Array:
        """D^-1 y"""
        own = zip(split(self.links, y), self.pivots, strict=True)
        return joined(self.links, [pivot.over(part) for part, pivot in own])

    def back(self, y: Array) -> Array:
        """x with U^T x = y: the accelerations of (32)-(33)."""

        def substitute(link: Link, arrived: tuple[Array, Array], own: Array, pivot: Pivot) -> tuple[Array, Array]:
            mu = link.A @ arrived[1]
            acceleration = own - pivot.psi.T @ mu
            return acceleration, link.P @ acceleration + mu

        start = (np.zeros(0), np.zeros((6, *y.shape[1:])))
        swept = outward(self.links, substitute, start, split(self.links, y), self.pivots)
        return joined(self.links, [acceleration for acceleration, _ in swept])
