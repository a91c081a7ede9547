"""SSLM: multipliers from the inertias of subsystems, loop by loop; then each subsystem is a tree under known forces.

Loops meet only in the subsystems that they share, so the matrix of the multipliers (GICM) has as many holes as the
graph of loops and subsystems, and is eliminated block by block in an order that keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..dynamics import Factor, factored
from ..dynamics.composite_body import mass_matrix
from ..dynamics.newton_euler import inverse_dynamics
from ..dynamics.reverse_gaussian import Recursion
from ..spatial import Array, Number, array, ldl, substituted
from .loaded import Loaded, Solution
from .pivoted import least
from .subsystems import Subsystem, loop_subsystems, subsystems

source = "[Koul2014, (13)-(46)]"

LONG = 11  # links of a subsystem from which on sweeps over them are cheaper than a factor of its inertia

Blocks = dict[tuple[int, int], Array]  # (r, s) of the GICM, r >= s in the order of elimination


@dataclass(frozen=True)
class Swung:
    """One subsystem: I_j = U D U^T, and what its forces and its loops' rows become: U^-1 phi_j, U^-1 J_ij^T."""

    own: Subsystem
    factor: Factor | Recursion
    y: Array
    Y: Mapping[int, Array]


def forward_dynamics(at: Loaded) -> Solution:
    """lambda by (23)-(25), loop by loop; then the accelerations by (17), subsystem by subsystem."""
    trees = subsystems(at.links)
    loops = _loops(at)
    through = dict(zip(range(len(at.cuts)), loop_subsystems(at.links, at.cuts), strict=True))
    swung = [_swung(at, tree, {i: r for i, r in loops.items() if j in through[i]}) for j, tree in enumerate(trees)]
    order = elimination_order({i: len(rows) for i, rows in loops.items()}, through)
    blocks, right = _gicm(at, swung, loops)
    multipliers, health = _eliminated(blocks, right, order)
    a: list[Number] = [0.0] * at.nv
    for part in swung:
        for k, value in zip(part.own.coordinates, _accelerations(part, multipliers), strict=True):
            a[k] = value
    places = {row: (i, k) for i, rows in loops.items() for k, row in enumerate(rows)}
    found = array([multipliers[i][k] for i, k in (places[p] for p in range(len(at.d)))])
    return Solution(array(a), found, least([at.reach, health]))


def _loops(at: Loaded) -> dict[int, list[int]]:
    """For every loop that keeps rows, where these stand in J."""
    of = [i for i, cut in enumerate(at.cuts) for _ in range(cut.rows)]
    found: dict[int, list[int]] = {}
    for place, row in enumerate(at.structure.rows):
        found.setdefault(of[row], []).append(place)
    return found


def _swung(at: Loaded, own: Subsystem, loops: Mapping[int, list[int]]) -> Swung:
    # phi_j = tau^E_j - C_j q'_j                                                  [Koul2014, 20]
    still = inverse_dynamics(
        own.links, np.zeros(len(own.coordinates)), at.gravity, [at.external[k] for k in own.members]
    )
    phi = at.f[own.coordinates] - still
    # I_j = N_j^T M_j N_j = U D U^T                                               [Koul2014, 7]
    factor = inertia(own)
    # phi^_j = I_j^-1 phi_j,  I^_ij^T = I_j^-1 J_ij^T: half of each is enough     [Koul2014, 20]
    Y = {i: factor.halfway(at.J[np.ix_(rows, own.coordinates)].T) for i, rows in loops.items()}
    return Swung(own, factor, factor.halfway(phi), Y)


def inertia(own: Subsystem) -> Factor | Recursion:
    """I_j, factored as a matrix or, where that would be a large one, link by link."""
    if len(own.links) >= LONG:
        return Recursion.of(own.links)
    return factored(mass_matrix(own.links, len(own.coordinates)), own.links)


def elimination_order(rows: Mapping[int, int], through: Mapping[int, Sequence[int]]) -> list[int]:
    """The loops, always next the one whose neighbours have the fewest rows: loops that share a subsystem meet."""
    meets = {i: {k for k in rows if k != i and set(through[i]) & set(through[k])} for i in rows}
    order: list[int] = []
    while meets:
        first = min(meets, key=lambda i: (sum(rows[k] for k in meets[i]), i))
        around = meets.pop(first)
        for k in around:
            meets[k] = (meets[k] | around) - {first, k}
        order.append(first)
    return order


def _gicm(at: Loaded, swung: Sequence[Swung], loops: Mapping[int, list[int]]) -> tuple[Blocks, dict[int, Array]]:
    # Psi_i = -(J' q')_i - sum_j J_ij phi^_j,   I_rs = sum_j J_rj I_j^-1 J_sj^T   [Koul2014, 25]
    right = {i: -at.d[rows] for i, rows in loops.items()}
    blocks: Blocks = {}
    for part in swung:
        scaled = {i: part.factor.scaled(Y) for i, Y in part.Y.items()}
        for r, Y in part.Y.items():
            right[r] = right[r] - scaled[r].T @ part.y
            for s in part.Y:
                if s <= r:
                    rs = Y.T @ scaled[s]
                    blocks[r, s] = blocks[r, s] + rs if (r, s) in blocks else rs
    return blocks, right


def _eliminated(blocks: Blocks, right: dict[int, Array], order: Sequence[int]) -> tuple[dict[int, Array], Number]:
    """The multipliers of every loop by block Gaussian elimination, and the least share of a pivot that is left."""
    S = _both(blocks)
    before = {i: np.diag(S[i, i]) for i in order}
    shares: list[Number] = []
    factors: dict[int, tuple[list[list[Array]], list[Array]]] = {}
    later: dict[int, list[int]] = {}
    for n, i in enumerate(order):
        later[i] = [k for k in order[n + 1 :] if (k, i) in S]
        factors[i] = ldl(S[i, i])
        shares += [pivot / was for pivot, was in zip(factors[i][1], before[i], strict=True)]
        for r in later[i]:
            # I~_rs = I_rs - I_ri I_ii^-1 I_is,   Psi~_r = Psi_r - I_ri I_ii^-1 Psi_i     [Koul2014, 34-36]
            F = substituted(*factors[i], S[i, r]).T
            right[r] = right[r] - F @ right[i]
            for s in later[i]:
                if (s, r) == (r, s) or order.index(s) > order.index(r):
                    less = F @ S[i, s]
                    S[r, s] = S[r, s] - less if (r, s) in S else -less
                    S[s, r] = S[r, s].T
    found: dict[int, Array] = {}
    for i in reversed(order):
        # lambda_i = I~_ii^-1 (Psi~_i - sum I_is lambda_s)                        [Koul2014, 34-36]
        rest = right[i]
        for s in later[i]:
            rest = rest - S[i, s] @ found[s]
        found[i] = substituted(*factors[i], rest)
    return found, least(shares)


def _both(blocks: Blocks) -> Blocks:
    """Both triangles."""
    return blocks | {(s, r): B.T for (r, s), B in blocks.items() if r != s}


def _accelerations(part: Swung, multipliers: Mapping[int, Array]) -> Array:
    """q''_j = I_j^-1 (phi_j + J_j^T lambda): the tree algorithm under tau^lambda, begun in U^-1   [Koul2014, 17, 19]"""
    y = part.y
    for i, Y in part.Y.items():
        y = y + Y @ multipliers[i]
    return part.factor.back(part.factor.scaled(y))
