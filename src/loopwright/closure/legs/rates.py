"""Every tree coordinate from the driven ones and the platform's twist, and the transpose: N_c of the paper at work."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...spatial import Array, Number, array
from .projections import Platform, Projection

source = "[Saha2001, (11b), (12b), (22)]"


def spread(at: Platform, t_e: Array, driven: Mapping[int, Number], drifting: bool) -> Array:
    """Rates of all coordinates of v; with `drifting`, accelerations of a platform that accelerates so."""
    found: dict[int, Number] = {}
    for one in at.legs:
        leg = one.leg
        # t_e' = t_e - A_ek p_k th'_k                                   [Saha2001, 12a]
        right = [row @ t_e for row in one.reach]
        if drifting:
            right = [x + p @ leg.drift for x, p in zip(right, one.scaled, strict=True)]
        if leg.driven is not None:
            k = found[leg.driven] = driven[leg.driven]
            right = [x - (p @ leg.j_k) * k for x, p in zip(right, one.scaled, strict=True)]
        found |= zip(leg.passive, one.rates(right), strict=True)
        if leg.own:
            rest = t_e - sum((c * found[v] for v, c in leg.c.items()), np.zeros(6))
            found |= zip(leg.own, leg.F @ rest, strict=True)
    return array([found[k] for k in range(len(found))])


def gathered(at: Platform, driven: tuple[int, ...], forces: Array, on_platform: Array) -> Array:
    """The driven joints' share of forces at all coordinates and of a wrench on the platform.

    w-_k = w~_k + A-_ek^T (all legs' w~) - A_ek^T (own w~ below the motor)   [Saha2001, 22]
    """
    left: dict[int, Number] = {}
    for one in at.legs:
        leg = one.leg
        own = {v: forces[v] for v in (*leg.passive, *leg.c, leg.driven) if v is not None}
        if leg.own:
            y = leg.F.T @ array([forces[v] for v in leg.own])
            on_platform = on_platform + y
            own |= {v: own[v] - c @ y for v, c in leg.c.items()}
        handed = one.gathered([own[v] for v in leg.passive])
        on_platform = on_platform + sum((row * f for row, f in zip(one.reach, handed, strict=True)), np.zeros(6))
        if leg.driven is not None:
            taken = ((p @ leg.j_k) * f for p, f in zip(one.scaled, handed, strict=True))
            left[leg.driven] = own[leg.driven] - sum(taken, 0.0)
    return array([left[k] + at.J[:, n] @ on_platform for n, k in enumerate(driven)])


def shares(one: Projection) -> tuple[list[int], Array]:
    """Coordinates of a leg, and their rates by each entry of t_e and by the leg's own motor: rows of 7."""
    leg = one.leg
    passive = one.rates([array([*row, -(p @ leg.j_k)]) for row, p in zip(one.reach, one.scaled, strict=True)])
    rows = dict(zip(leg.passive, passive, strict=True))
    if leg.driven is not None:
        rows[leg.driven] = np.eye(7)[6]
    if leg.own:
        rest = np.eye(6, 7) - sum((np.outer(c, rows[v]) for v, c in leg.c.items()), np.zeros((6, 7)))
        rows |= zip(leg.own, leg.F @ rest, strict=True)
    return list(rows), np.stack(list(rows.values())) if rows else np.zeros((0, 7))
