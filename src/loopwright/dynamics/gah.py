"""Mass matrix as the Hessian of the Gibbs function, O(n^2): steps 1 to 7 of [Provenzano2002], for trees.

It uses that the distance between neighbouring origins is constant in the inner link and that every joint is
a turn about its z axis, so it treats revolute joints only; `as_one_dof_joints` gives ball, universal and free
joints their revolute (and prismatic) parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Number, cross, cross_cross
from ..spatial.vector import Z
from .assembly import symmetric_matrix
from .links import Link
from .sweep import inward, outward

source = "[Provenzano2002, steps 1-7]"
joints = ("revolute",)


@dataclass(frozen=True)
class Outer:
    """What the children of a link hand it; sums add part by part."""

    mass: Number  # M
    g: Array  # their share of step 1, constant: M r
    E: Array  # -M r~ r~
    f: Array  # R f, step 4
    phi: Array  # their share of step 5

    def __add__(self, other: Outer) -> Outer:
        return Outer(self.mass + other.mass, self.g + other.g, self.E + other.E, self.f + other.f, self.phi + other.phi)


def mass_matrix(links: list[Link], nv: int) -> Array:
    """D_jk = z_k . (phi_j - r~_kj f~_j) z_j   [Provenzano2002, 20]"""
    nothing = Outer(0.0, np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros((3, 3)))
    gathered = inward(links, _steps_1_4_5, nothing)
    axes = outward(links, _steps_2_3, {})
    blocks: dict[tuple[int, int], Array] = {}
    for link, (f, phi), inner in zip(links, gathered, axes, strict=True):
        phi_z = phi @ Z
        # D_jj = z . phi_j z                                           [19]
        blocks[link.index, link.index] = np.diag(Z @ phi_z + link.rotor)
        # D_jk = z_k . [phi_j - r~_kj f~_j] z_j, with f~_j z_j common to every k   [20]
        f_z = cross(f, Z)
        for k, (z, r) in inner.items():
            if k != link.index:
                blocks[k, link.index] = (z @ (phi_z - cross(r, f_z))) * np.ones((1, 1))
    return symmetric_matrix(links, blocks, nv)


def _steps_2_3(link: Link, inner: dict[int, tuple[Array, Array]]) -> dict[int, tuple[Array, Array]]:
    """z_k and r_kj of every joint k between the ground and link j, in the axes of j."""
    # j_r_kj = j_R_j-1 (r_k,j-1 + r_j-1,j),   j_z_k = j_R_j-1 z_k     [10, 11, 13, 14]
    turned = {k: (link.A.turned(z), link.A.turned(r + link.A.a)) for k, (z, r) in inner.items()}
    return {**turned, link.index: (Z, np.zeros(3))}


def _steps_1_4_5(link: Link, outer: Outer) -> tuple[tuple[Array, Array], Outer]:
    M = link.M
    # M_i = m_i + M_i+1,   g_i = m_i r_iG + M_i+1 r_i,i+1              [6, 7]
    mass, g = M.mass + outer.mass, M.moment + outer.g
    # E_i = I_Oi - M_i+1 r~ r~                                         [8, 9]
    E = M.tensor + outer.E
    # f_i = g_i + R f_i+1                                              [16]
    f = g + outer.f
    # phi_i = E_i - r~ f~ - (r~ f~)^T + R phi_i+1 R^T                  [17]
    phi = E + outer.phi
    r = link.A.a
    Rf = link.A.returned(f)  # [15]
    handed = Outer(
        mass,
        mass * r,
        cross_cross(r, mass * r) / 2.0,
        Rf,
        cross_cross(r, Rf) + link.A.congruence(phi),
    )
    return (f, phi), handed
