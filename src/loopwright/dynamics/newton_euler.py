"""Inverse dynamics: recursive Newton–Euler in the form of the DeNOC matrices."""

from __future__ import annotations

import numpy as np

from ..spatial import Array
from .kinematics import motions
from .links import Link, joined, split
from .sweep import inward

source = "[Saha2013, (22)-(26), (47)]"


def inverse_dynamics(links: list[Link], accelerations: Array, gravity: Array, external: list[Array]) -> Array:
    """tau = I th'' + C th' + gravity - N^T w_external"""
    own = split(links, accelerations)

    def step(link: Link, handed: Array, w: Array, acceleration: Array) -> tuple[Array, Array]:
        # w~_i = w_i + sum A_ji^T w~_j,   tau_i = P_i^T w~_i           [Saha2013, 25]
        w = w + handed
        return link.P.T @ w + link.rotor * acceleration, link.A.T @ w

    w = body_wrenches(links, accelerations, gravity, external)
    return joined(links, inward(links, step, np.zeros(6), w, own))


def body_wrenches(links: list[Link], accelerations: Array, gravity: Array, external: list[Array]) -> list[Array]:
    """What each body alone takes to move so, beyond what acts on it from outside."""
    # t'_0 = [0; -g]                                                   [Saha2013, 26]
    rising = np.concatenate([np.zeros(3), -gravity])
    moving = motions(links, split(links, accelerations), rising)
    # w_i = M_i t'_i + O_i M_i E_i t_i                                 [Saha2013, 47a]
    return [
        link.M.wrench(motion.rate[3:], motion.field) - w_external
        for link, motion, w_external in zip(links, moving, external, strict=True)
    ]
