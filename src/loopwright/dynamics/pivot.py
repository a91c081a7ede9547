"""What a joint makes of the inertia beyond it: the step that both O(n) forms of forward dynamics share.

A joint resists its own motion with its rotor only, so what it hands on has no inertia along it: of those rows
nothing is computed. For a turn without rotor one of six rows and columns vanishes, for a ball three do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, mirrored, single_axes, solve, with_rows
from .links import Link

source = "[Featherstone1983]; [Saha1997]; [Saha2013, (30)-(31)]"


@dataclass(frozen=True)
class Pivot:
    """psi^ = M^ P,  m^ = P^T psi^,  psi = psi^ m^-1  and what is handed on, M- = M^ - psi psi^^T."""

    m_hat: Array
    psi: Array
    M_bar: Array

    def over(self, forces: Array) -> Array:
        """m^-1 of generalised forces."""
        return solve(self.m_hat, forces)


def pivot(link: Link, M: Array) -> Pivot:
    """Eliminate the joint of a link on which everything beyond it rides with the inertia M."""
    rotor = np.diag(link.rotor)
    # psi^_i = M^_i P_i,   m^_i = P_i^T psi^_i                         [Saha2013, 30]
    psi_hat = M @ link.P
    m_hat = link.P.T @ psi_hat + rotor
    psi = solve(m_hat, psi_hat.T).T
    # M-_i = M^_i - psi^_i psi_i^T                                     [31]
    M_bar = mirrored(M - psi_hat @ psi.T)
    # along the joint's own axes: P^T psi = 1 - rotor m^-1,  P^T M- = rotor psi^T
    own = single_axes(link.P)
    psi = with_rows(psi, own, np.eye(len(rotor)) - solve(m_hat, rotor).T)
    rows = (link.rotor * psi).T
    return Pivot(m_hat, psi, with_rows(with_rows(M_bar, own, rows).T, own, rows))
