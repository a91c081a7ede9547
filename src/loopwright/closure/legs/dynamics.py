"""Forward and inverse dynamics of parallel architectures in the motors' coordinates alone, recursively."""

from __future__ import annotations

import numpy as np

from ...dynamics import Link
from ...dynamics.links import joined
from ...dynamics.newton_euler import body_wrenches
from ...dynamics.sweep import inward
from ...spatial import Array, solve
from ..elimination import eliminated
from ..loaded import Loaded, Solution
from .inertia import apart, mass_matrix
from .projections import Platform, platform
from .rates import gathered, spread
from .recognised import recognised

source = "[Saha2001]"


def forward_dynamics(at: Loaded) -> Solution:
    """I th'' = tau - C th', for the motors' joints; the other accelerations follow   [Saha2001, 25]"""
    legs = recognised(at.forest)
    now, driven = platform(at.forest, at.links, legs, at.structure), legs.driven
    M = apart(at.links, now, legs.platform, at.nv)
    # what the joints do while the driven ones do not accelerate, and what that takes: tau - C th'
    still = spread(now, now.drift, dict.fromkeys(driven, 0.0), drifting=True)
    own, w_e = _taken(at, now, legs.platform, np.zeros(at.nv))
    own = own + M.legs @ still + M.coupling.T @ now.drift
    w_e = w_e + M.platform @ now.drift + M.coupling @ still
    phi = -gathered(now, driven, own, w_e)
    # reverse Gaussian elimination, I = U D U^T: from the last leg to the first   [Saha1997]
    I = mass_matrix(M, now, driven)[::-1, ::-1]
    acceleration = solve(I, phi[::-1])[::-1]
    drives = dict(zip(driven, acceleration, strict=True))
    a = still + spread(now, now.J @ acceleration, drives, drifting=False)
    # J^T lambda = I a - phi
    return Solution(a, eliminated(at.J, at.structure).multipliers(at.I @ a - at.phi), now.health)


def inverse_dynamics(at: Loaded, a: Array) -> tuple[Array, Array]:
    """tau of the motors, in the order of tau, and the health of the position   [Saha2001, IDA-1 to 3]"""
    legs = recognised(at.forest)
    now = platform(at.forest, at.links, legs, at.structure)
    # IDA-2, IDA-3: through the passive joints to the motors           [22, 24]
    return gathered(now, legs.driven, *_taken(at, now, legs.platform, a)), now.health


def _taken(at: Loaded, now: Platform, node: int, a: Array) -> tuple[Array, Array]:
    """What these accelerations take beyond the loads: at the joints, and as a wrench on the platform."""
    w = body_wrenches(at.links, a, at.gravity, at.external)

    def step(link: Link, handed: Array, w_i: Array) -> tuple[tuple[Array, Array], Array]:
        # IDA-1: w~_i = w_i + A~^T w~_i+1; the platform hands nothing to the leg that carries it   [Saha2001, 21]
        w_i = w_i + handed
        if link.index == node:
            return (link.rotor * a[link.v], w_i), np.zeros(6)
        return (link.P.T @ w_i + link.rotor * a[link.v], w_i), link.A.T @ w_i

    swept = inward(at.links, step, np.zeros(6), w)
    R, w_e = now.X.R, swept[node][1]
    own = joined(at.links, [force for force, _ in swept]) - at.f
    return own, np.concatenate([R @ w_e[:3], R @ w_e[3:]])
