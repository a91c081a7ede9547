"""Coordinates of a mechanism by name: those of the tree, and those of the joints that are cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from .joints import BY_NAME, JointKind
from .naming import unknown
from .noun import Mechanism
from .reading import plain_number, several
from .turning import require_turn


@dataclass(frozen=True)
class Named:
    """One joint's coordinates, some or all: `places` counts within the joint, `at` and `rates` within q and v.

    For a cut joint, `at` and `rates` count within `mech.cut_coordinates` and `mech.cut_velocities`.
    """

    joint: str
    label: str  # as the user said it
    kind: JointKind
    cut: bool
    places: tuple[int, ...]
    at: tuple[int, ...]
    rates: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def said(self) -> str:
        """Name and value, with the unit where there is one."""
        values = ", ".join(f"{x:.6g}" for x in self.values)
        return f"{self.label} = {values}{f' {self.unit}' if self.unit else ''}"

    @property
    def unit(self) -> str:
        """rad or m, for a single coordinate."""
        if len(self.places) != 1 or not self.kind.flat:
            return ""
        name = self.kind.name
        return "rad" if self.places[0] in self.kind.full_turns or name == "screw" else "m"


def named(mechanism: Mechanism, given: Mapping[str, Any] | None, rates: bool = False) -> list[Named]:
    """Values of coordinates, or of their rates, as the user gave them: by joint or by coordinate."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise LoopwrightError(f"values go by name, {{joint: value}}; got {given!r}")
    found = [_one(mechanism, label, value, rates) for label, value in given.items()]
    seen: set[tuple[str, int]] = set()
    for one in found:
        for k in one.places:
            if (one.joint, k) in seen:
                raise LoopwrightError(f"'{one.label}' of '{mechanism.name}' is given twice")
            seen.add((one.joint, k))
    return found


def _one(mechanism: Mechanism, label: Any, value: Any, rates: bool) -> Named:
    spots = _spots(mechanism)
    joint, suffix = label, None
    if joint not in spots and isinstance(label, str):
        joint, _, suffix = label.rpartition(".")
    names = (*mechanism.coordinates, *mechanism.cut_coordinates)
    if joint not in spots:
        raise LoopwrightError(unknown(label, "coordinate", names, mechanism.name))
    kind, cut, i, j = spots[joint]
    suffixes = kind.velocities if rates else kind.positions
    if suffix is not None and suffix not in suffixes:
        raise LoopwrightError(unknown(label, "velocity" if rates else "coordinate", names, mechanism.name))
    places = range(len(suffixes)) if suffix is None else (suffixes.index(suffix),)
    if suffix is not None and suffix.startswith("q") and not rates:
        raise LoopwrightError(f"'{label}' is one entry of a quaternion: give all four, {{'{joint}': (x, y, z, w)}}")
    values = list(value) if several(value) else [value]
    if len(values) != len(places):
        raise LoopwrightError(f"'{label}' of '{mechanism.name}' has {len(places)} entries, got {len(values)}")
    entries = tuple(plain_number(f"'{label}'", "velocity" if rates else "coordinate", entry) for entry in values)
    whole = len(places) == len(suffixes)
    at = tuple(i + k for k in (range(kind.nq) if whole else places))
    moves = tuple(j + k for k in (range(kind.nv) if whole else places))
    return Named(joint, label, kind, cut, tuple(places), at, moves, _unit(label, kind, entries, rates))


def _unit(label: str, kind: JointKind, values: tuple[float, ...], rates: bool) -> tuple[float, ...]:
    """Rounding taken off a quaternion."""
    if rates or len(values) != kind.nq or kind.nq == kind.nv:
        return values
    length = float(np.linalg.norm(values[-4:]))
    require_turn(label, length)
    return (*values[:-4], *(x / length for x in values[-4:]))


def _spots(mechanism: Mechanism) -> dict[str, tuple[JointKind, bool, int, int]]:
    """By joint: its kind, whether it is cut, and where its positions and velocities begin."""
    found: dict[str, tuple[JointKind, bool, int, int]] = {}
    in_tree = [branch.joint for branch in mechanism.tree.branches]
    for joints, cut in ((in_tree, False), (mechanism.tree.cuts, True)):
        i = j = 0
        for joint in joints:
            kind = BY_NAME[joint.kind]
            if kind.nv:
                found[joint.name] = (kind, cut, i, j)
            i, j = i + kind.nq, j + kind.nv
    return found
