"""The convective matrix C with C th' the velocity terms: as the papers define it, and so that I' - 2C is skew.

C is not unique; both forms give the same C th'. The papers' joint-origin form, C = N^T (M N' + O M E N)
[Saha2013, 48-49], makes I' - 2C skew only by accident; their mass-centre form, C = N^T (M N' + W M N) [17],
always does. Here both are computed at the joint origins.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..spatial import Array, Inertia, block, cross, skew
from .kinematics import twists
from .links import Link
from .sweep import outward

source = "[Saha2013, (17), (47)-(49)]"


def convective_matrix(links: list[Link], nv: int) -> Array:
    """C = N^T (M N' + O M E N)   [Saha2013, 49]"""
    return _assembled(links, nv, _joint_origin_form)


def skew_convective_matrix(links: list[Link], nv: int) -> Array:
    """C = N^T (M N' + B N), with M' - 2B skew for every body: then I' - 2C is skew too."""
    return _assembled(links, nv, _mass_centre_form)


def _assembled(links: list[Link], nv: int, gyration: Callable[[Inertia, Array], Array]) -> Array:
    total = np.zeros((nv, nv))
    t = twists(links)
    for (N, N_rate), link, twist in zip(complements(links, nv), links, t, strict=True):
        total = total + N.T @ (link.M @ N_rate + gyration(link.M, twist[:3]) @ N)
    return total


def complements(links: list[Link], nv: int) -> list[tuple[Array, Array]]:
    """(N_i, N'_i) of every link: t_i = N_i th', t'_i = N_i th'' + N'_i th'; 6 x nv, in the link's own axes."""
    t = twists(links)

    def step(link: Link, parent: tuple[Array, Array, Array], twist: Array) -> tuple[Array, Array, Array]:
        N_p, N_rate_p, t_p = parent
        R, a = link.A.R, link.A.a
        # columns of joints further in: t^k = A t^k_p, and d(w^k x a)/dt adds w^k x (w_p x a + R v_joint)
        a_rate = cross(t_p[:3], a) + R @ (link.P @ link.rate)[3:]
        inherited_rate = link.A @ N_rate_p
        inherited_rate = inherited_rate + np.concatenate([np.zeros((3, nv)), -(R.T @ skew(a_rate) @ N_p[:3])])
        # own columns turn with the link: P' = [w x; w x] P + dP/dt
        spin = skew(twist[:3])
        own_rate = np.concatenate([spin @ link.P[:3], spin @ link.P[3:]]) + link.P_rate
        return _with_own(link.A @ N_p, link.P, link), _with_own(inherited_rate, own_rate, link), twist

    start = (np.zeros((6, nv)), np.zeros((6, nv)), np.zeros(6))
    return [(N, N_rate) for N, N_rate, _ in outward(links, step, start, t)]


def _with_own(inherited: Array, own: Array, link: Link) -> Array:
    return np.concatenate([inherited[:, : link.v.start], own, inherited[:, link.v.stop :]], axis=1)


def _joint_origin_form(M: Inertia, w: Array) -> Array:
    # O M E                                                            [Saha2013, 47]
    W = skew(w)
    zero = np.zeros((3, 3))
    return block(W @ M.tensor, zero, -(W @ skew(M.moment)), zero)


def _mass_centre_form(M: Inertia, w: Array) -> Array:
    # S^T (M_C S' + W M_C S) with t_C = S t_O, S = [[1, O], [-d~, 1]], S' from d' = w x d
    W, d, zero = skew(w), skew(M.centre), np.zeros((3, 3))
    h_rate = skew(cross(w, M.moment))
    return block(W @ M.tensor_at_centre - d @ h_rate, zero, -h_rate, zero)
