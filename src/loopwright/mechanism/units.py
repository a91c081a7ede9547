"""The unit of every coordinate: metres where it slides, radians where it turns, none in a quaternion."""

from __future__ import annotations

from .joints import BY_NAME
from .noun import Mechanism

_SLIDES = frozenset({"x", "y", "z", "slide", "vx", "vy", "vz"})
_QUATERNION = frozenset({"qx", "qy", "qz", "qw"})


def position_units(mechanism: Mechanism) -> tuple[str, ...]:
    """For the entries of q: "rad", "m" or ""."""
    return _each(mechanism, "positions")


def velocity_units(mechanism: Mechanism) -> tuple[str, ...]:
    """For the entries of v: "rad/s" or "m/s"."""
    return tuple(f"{unit}/s" for unit in _each(mechanism, "velocities"))


def force_units(mechanism: Mechanism) -> tuple[str, ...]:
    """For generalised forces at the entries of v: "N·m" or "N"."""
    return tuple("N" if unit == "m" else "N·m" for unit in _each(mechanism, "velocities"))


def actuator_units(mechanism: Mechanism) -> tuple[str, ...]:
    """For the actuators' forces, those in the tree first, then those on cut joints: "N·m" or "N"."""
    inside = force_units(mechanism)
    cut = [
        _unit(joint.kind, suffix)
        for joint in mechanism.tree.cuts
        for suffix, drives in zip(BY_NAME[joint.kind].velocities, joint.actuated, strict=True)
        if drives
    ]
    return (*(inside[k] for k in mechanism.actuated), *("N" if unit == "m" else "N·m" for unit in cut))


def _each(mechanism: Mechanism, which: str) -> tuple[str, ...]:
    return tuple(
        _unit(branch.joint.kind, suffix)
        for branch in mechanism.tree.branches
        for suffix in getattr(BY_NAME[branch.joint.kind], which)
    )


def _unit(kind: str, suffix: str) -> str:
    if suffix in _QUATERNION:
        return ""
    return "m" if kind == "prismatic" or suffix in _SLIDES else "rad"
