"""How near loops come to closing from a start: by damped steps where Gauss and Newton's overshoot or creep.

Near the folds of a loop some direction hardly matters to the gap, and Gauss and Newton's step goes far along it, or so
little that it ends there. Damping leaves such directions alone until the others have done what they can.
"""

from __future__ import annotations

import numpy as np

from ..spatial import Array, svd
from .closing import Closed, Closing, close

source = "Marquardt 1963"

_ROUNDS = 150
_PATIENCE = 10  # rounds in which the gap must narrow by a hundredth
_NARROW = 1e-6  # radians or metres from which on Gauss and Newton's steps are better
_CLOSED = 1e-10  # radians or metres that count as closed
_DAMPED, _LESS, _MORE = 1e-2, 0.3, 4.0  # of the largest singular value squared; after a step that was good, or not
_STEP = 1.0  # radians or metres moved at once, at the most


def nearest(loops: Closing, q: Array, fixed: Array | None = None) -> Closed:
    """Closed, or where the gap is least around; coordinates in `fixed` do not move."""
    ended = close(loops, q, fixed)
    if ended.left <= _CLOSED or loops.thin is not None:
        return ended
    again = close(loops, _neared(loops, q, fixed), fixed)
    return min(again, ended, key=lambda one: float(np.linalg.norm(loops.gap(one.q))))


def _neared(loops: Closing, q: Array, fixed: Array | None) -> Array:
    gap, damping, before = loops.gap(q), 0.0, np.inf
    for count in range(_ROUNDS):
        size = float(np.linalg.norm(gap))
        if not np.isfinite(size) or np.abs(gap).max(initial=0.0) <= _NARROW:
            break
        if count % _PATIENCE == 0:
            if size > 0.99 * before:
                break
            before = size
        J = loops.slope(q)
        if fixed is not None:
            J[:, fixed] = 0.0
        if not np.isfinite(J).all() or not J.any():
            break
        U, S, Vt = svd(J, full_matrices=False)
        damping = damping or _DAMPED * S[0] ** 2
        for _ in range(12):
            # (J^T J + damping 1) step = -J^T gap
            step = -Vt.T @ (S / (S * S + damping) * (U.T @ gap))
            if fixed is not None:
                step[fixed] = 0.0  # and not the rounding of zero
            step *= min(1.0, _STEP / max(float(np.linalg.norm(step)), 1e-300))
            trial = loops.integrate(q, step)
            left = loops.gap(trial)
            if np.linalg.norm(left) < size:
                break
            damping *= _MORE
        else:
            break
        q, gap, damping = trial, left, damping * _LESS
    return q
