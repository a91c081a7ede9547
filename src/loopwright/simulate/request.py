"""What a simulation was asked for, checked before anything is computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import State
from ..spatial import Array
from .drives import Drive
from .methods import METHODS, Method

_MOST_SAVED = 2e9  # bytes of states
_USUAL = {"": (1e-11, 1e-13), "scipy": (1e-11, 1e-13), "sundials": (1e-10, 1e-10)}  # tolerances, by library


def ended(given: Any, start: float) -> float:
    """The time to end at."""
    try:
        end = float(given)
    except (TypeError, ValueError):
        raise LoopwrightError(f"t_end must be a number of seconds, got {given!r}") from None
    if not np.isfinite(end):
        raise LoopwrightError(f"t_end must be a finite number of seconds, got {given!r}")
    if not end > start:
        raise LoopwrightError(f"t_end = {end:g} s is not after the start at t = {start:g} s")
    return end


def require_positive(**given: Any) -> None:
    """Of tolerances, budgets and step lengths, each by its name."""
    for name, value in given.items():
        if not isinstance(value, (int, float, np.number)) or not value > 0.0:
            raise LoopwrightError(f"{name} must be a positive number, got {value!r}")


def tolerances(method: Method, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """Relative and absolute error allowed; left out, the usual ones."""
    usual = _USUAL[method.library]
    found = usual[0] if rtol is None else rtol, usual[1] if atol is None else atol
    if not (np.isfinite(found[0]) and np.isfinite(found[1]) and found[0] >= 0.0 and found[1] > 0.0):
        raise LoopwrightError(f"tolerances must be positive numbers, got rtol={rtol!r}, atol={atol!r}")
    return found


def require_projection(method: Method, stabilise: str | None, limits: str) -> None:
    """A motion that is given is exact: nothing may drift from it or be thrown back."""
    if method.library == "sundials":
        raise LoopwrightError(f"method '{method.name}' is given forces, and no motion=: take another, dop853 for one")
    if stabilise != "project":
        raise LoopwrightError(f"with motion= loops are closed in every state: leave out stabilise={stabilise!r}")
    if limits == "bounce":
        raise LoopwrightError("limits='bounce' changes rates, which motion= gives: choose 'report', 'stop' or 'ignore'")


def require_explicit(method: Method) -> None:
    """A motion that is given has no slope."""
    if method.implicit:
        others = ", ".join(one.name for one in METHODS if not one.implicit)
        raise LoopwrightError(f"with motion= method '{method.name}' has no slope to go by: take one of {others}")


def require_answering(drives: Drive, start: State) -> None:
    """A function of the user's that cannot be asked at the start is a mistake in it, not an event of the motion."""
    if drives.failure is None:
        return
    try:
        drives.at(np.array([start.t]), start.q[None], start.v[None])
    except Exception as error:
        actuators = ", ".join(start.mechanism.actuators) or "no actuator"
        raise LoopwrightError(
            f"tau failed at the start, t = {start.t:g} s: {type(error).__name__}: {error}. It is asked as tau(t, q, v) "
            f"and must answer one number for each of {actuators}, or one for all"
        ) from error


def forces(drives: Drive, t: Array, q: Array, v: Array) -> Array:
    """What the actuators gave in every state saved; not a number where a function of the user's failed."""
    try:
        return drives.at(t, q, v)
    except Exception:  # noqa: BLE001 - the run's status says what failed
        if len(t) == 1:
            return np.full((1, len(drives.values)), np.nan)
        return np.concatenate([forces(drives, *(x[k : k + 1] for x in (t, q, v))) for k in range(len(t))])


def moments(save: Any, start: float, end: float, width: int) -> Array:
    """The times to save: every so many seconds and the end, or those given; states have `width` numbers."""
    if save is None:
        return np.array([start, end])
    try:
        given = np.asarray(save, dtype=float)
    except (TypeError, ValueError):
        raise LoopwrightError(f"save must be a number of seconds or the moments to save, got {save!r}") from None
    if given.ndim > 1 or np.isnan(given).any():
        raise LoopwrightError(f"save must be a number of seconds or a row of moments, got {save!r}")
    if given.ndim == 1:
        inside: Array = np.sort(given[(given >= start) & (given <= end)])
        return inside
    if not (np.isfinite(given) and given > 0.0):
        raise LoopwrightError(f"save must be a positive number of seconds or the moments to save, got {save!r}")
    count = (end - start) / float(given)
    if count * 8 * width > _MOST_SAVED:
        least = (end - start) * 8 * width / _MOST_SAVED
        raise LoopwrightError(
            f"save={save!r} makes {count:.3g} states of {width} numbers, more than memory should hold: "
            f"save every {least:.2g} s or more seldom"
        )
    found = start + float(given) * np.arange(int(np.floor(count * (1 + 1e-12))) + 1)
    # the last is the end itself, not what counting up to it gives
    found[-1] = min(found[-1], end)
    return found if np.isclose(found[-1], end, rtol=0, atol=1e-9 * float(given)) else np.append(found, end)
