"""Inverse dynamics from the Gibbs function of accelerations, in O(n)."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, cross
from .kinematics import Motion, motions
from .links import Link, joined, split
from .sweep import inward

source = "Mata, Provenzano, Cuadrado, Valero 1999, as in [Provenzano2002, (1)-(2)]"


def inverse_dynamics(links: list[Link], accelerations: Array, gravity: Array, external: list[Array]) -> Array:
    """tau_j = dG/dth''_j, with G = sum_i 1/2 m r'' . r'' + 1/2 w' . I w' + w' . (w x I w) at the mass centres."""
    rising = np.concatenate([np.zeros(3), -gravity])
    own = split(links, accelerations)

    def step(link: Link, handed: Array, motion: Motion, acceleration: Array, w_external: Array) -> tuple[Array, Array]:
        w, w_rate, r_origin = motion.twist[:3], motion.rate[:3], motion.rate[3:]
        d, I = link.M.centre, link.M.tensor_at_centre
        # r''_G = r''_O + w' x d + w x (w x d)
        r_centre = r_origin + cross(w_rate, d) + cross(w, cross(w, d))
        # dG_i/dr''_G = m r''_G,   dG_i/dw' = I w' + w x I w           [Provenzano2002, 1]
        by_centre = link.M.mass * r_centre
        by_turn = I @ w_rate + cross(w, I @ w)
        # dr''_G/dr''_O = 1, dr''_G/dw' = -d~: the chain rule brings both to the link's origin, and on by A^T
        gradient = np.concatenate([by_turn + cross(d, by_centre), by_centre]) - w_external + handed
        # dt'_i/dth''_i = P_i
        return link.P.T @ gradient + link.rotor * acceleration, link.A.T @ gradient

    return joined(links, inward(links, step, np.zeros(6), motions(links, own, rising), own, external))
