"""Coordinates of cut joints by name, their angles followed through full turns along a motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism, plain_number, unknown
from ..spatial import Array
from .results import each


def by_cut_coordinate(mechanism: Mechanism, values: Array, near: Mapping[str, Any] | None) -> dict[str, Array]:
    """`values` follow `mech.cut_coordinates`; the first leading axis, if there is one, is the motion."""
    names = mechanism.cut_coordinates
    if near is not None and not isinstance(near, Mapping):
        raise LoopwrightError(f"what angles are near goes by name, {{coordinate: value}}; got {near!r}")
    for name in near or {}:
        if name not in names:
            raise LoopwrightError(unknown(name, "coordinate of a cut joint", names, mechanism.name))
    begin = {name: plain_number("near", name, value) for name, value in (near or {}).items()}
    turning = {
        f"{joint.name}.{kind.positions[k]}" if kind.positions[k] else joint.name
        for joint in mechanism.tree.cuts
        for kind in [BY_NAME[joint.kind]]
        for k in kind.full_turns
    }
    found = dict(zip(names, each(values), strict=True))
    return {name: _followed(own, begin.get(name)) if name in turning else own for name, own in found.items()}


def _followed(angles: Array, near: float | None) -> Array:
    if np.ndim(angles):
        angles = np.unwrap(angles, axis=0)
    if near is None or not np.size(angles):
        return angles
    first = angles[:1] if np.ndim(angles) else angles
    return angles - 2.0 * np.pi * np.round((first - near) / (2.0 * np.pi))
