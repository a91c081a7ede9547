"""Reading states: arrays with leading axes, of the right length, with the mechanism's own words when not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import NEARLY, Mechanism, floats, require_turn
from ..spatial import Array

_LEAST, _MOST = (
    (1.0 - NEARLY) ** 2,
    (1.0 + NEARLY) ** 2,
)  # of the square of a length; what is near them is looked at again


def read(mechanism: Mechanism, name: str, given: Any) -> Array:
    """One of q, v, a, tau or t as floats; the last axis has the entries (t has none)."""
    values = floats(name, given)
    if name == "t":
        return values
    wanted = {"q": mechanism.coordinates, "tau": mechanism.actuators}.get(name, mechanism.velocities)
    if values.ndim == 0 and len(wanted) == 1:
        values = values.reshape(1)
    if values.ndim == 0 or values.shape[-1] != len(wanted):
        count = "a single number" if values.ndim == 0 else f"{values.shape[-1]} numbers"
        names = ", ".join(wanted[:8]) + (", …" if len(wanted) > 8 else "")
        raise LoopwrightError(f"{name} has {count}; '{mechanism.name}' needs {len(wanted)}: {names}")
    if name == "q":
        _unit_quaternions(mechanism, values)
    return values


def quaternions_of(mechanism: Mechanism) -> tuple[slice, ...]:
    """Where they stand in q."""
    return tuple(slice(end - 3, end + 1) for end in mechanism.quaternions)


def one_has_units(places: Sequence[slice], q: Array) -> bool:
    """Whether every quaternion of one position is a turn."""
    for place in places:
        x, y, z, w = q[place].tolist()
        if not _LEAST <= x * x + y * y + z * z + w * w <= _MOST:
            return False
    return True


def _unit_quaternions(mechanism: Mechanism, q: Array) -> None:
    ends = mechanism.quaternions
    if not ends or (q.ndim == 1 and one_has_units(quaternions_of(mechanism), q)):
        return
    length = np.sqrt(sum(q[..., np.array(ends) - k] ** 2 for k in range(4)))
    off = np.nan_to_num(np.abs(length - 1.0))
    if off.size:
        worst = np.unravel_index(np.argmax(off), off.shape)
        require_turn(mechanism.coordinates[ends[worst[-1]]].removesuffix(".qw"), length[worst])


def each_state(compute: Any, arguments: list[Array], cores: list[int]) -> Array:
    """compute(*one state) over all leading axes, which broadcast; `cores` are 1 for vectors, 0 for numbers."""
    leading = [a.shape[: a.ndim - core] for a, core in zip(arguments, cores, strict=True)]
    try:
        shape = np.broadcast_shapes(*leading)
    except ValueError:
        raise LoopwrightError(f"the leading axes {', '.join(map(str, leading))} do not broadcast together") from None
    if shape == ():
        return compute(*(a[()] for a in arguments))  # [()] makes a number of an array without axes
    count = int(np.prod(shape))
    spread = [
        np.broadcast_to(a, shape + a.shape[a.ndim - core :]).reshape((count, *a.shape[a.ndim - core :]))
        for a, core in zip(arguments, cores, strict=True)
    ]
    results = [compute(*state) for state in zip(*spread, strict=True)]
    if not results:
        probe = compute(*(np.zeros(s.shape[1:]) for s in spread))
        return np.zeros(shape + np.shape(probe))
    return np.stack(results).reshape(shape + np.shape(results[0]))
