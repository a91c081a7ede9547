"""Mechanisms whose motion of ten seconds has digits left at its end, so that errors can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import loopwright as lw
from loopwright import Mechanism

from .ur5 import ur5

_ARM = (0.0, -1.0, 1.0, 0.5, 0.5, 0.2)
_ARM_SPRINGS = (60.0, 60.0, 30.0, 3.0, 3.0, 0.3)  # N m/rad: all joints swing about as fast
_STRAYED = 0.3  # rad


@dataclass(frozen=True)
class Case:
    """A motion from a state, and what it is in words."""

    name: str
    mechanism: Mechanism
    start: lw.State
    seconds: float
    what: str


def four_bar() -> Case:
    """One freedom, falling to and fro."""
    mechanism = lw.zoo.four_bar()
    return Case("four-bar", mechanism, lw.State.of(mechanism, lw.zoo.start("four_bar")), 10.0, "falling, 10 s")


def three_rrr() -> Case:
    """Let go, it would pass singular positions and lose all digits in seven seconds."""
    return _on_springs("3-RRR", lw.zoo.three_rrr(), lw.zoo.start("three_rrr"), 80.0)


def stewart() -> Case:
    """Let go, it would lie down."""
    return _on_springs("Stewart", lw.zoo.stewart(), lw.zoo.start("stewart"), 120.0)


def andrews() -> Case:
    """Under its motor's torque, let go near its rest, where it swings 800 times."""
    mechanism = lw.zoo.andrews()
    joints = tuple(replace(j, damping=(3e-4,)) if j.name == "beta" else j for j in mechanism.joints)
    braked = replace(mechanism, joints=joints)
    rest = lw.simulate(braked, lw.zoo.start("andrews"), 10.0, save=None, progress=False).final
    found = lw.assemble(mechanism, {"beta": rest["beta"] + _STRAYED})
    start = min(found, key=lambda state: abs(state["gamma"] - rest["gamma"]))
    return Case("Andrews", mechanism, start, 10.0, f"let go {_STRAYED} rad from rest, 10 s")


def published_andrews() -> Case:
    """As the IVP test set has it."""
    mechanism = lw.zoo.andrews()
    return Case("Andrews, published", mechanism, lw.State.of(mechanism, lw.zoo.start("andrews")), 0.03, "driven, .03 s")


def arm() -> Case:
    """Let go, it would lose all digits in six seconds."""
    mechanism = ur5()
    start = dict(zip(mechanism.coordinates, _ARM, strict=True))
    return _on_springs("UR5", mechanism, start, dict(zip(mechanism.coordinates, _ARM_SPRINGS, strict=True)))


def _on_springs(
    name: str, mechanism: Mechanism, start: Mapping[str, float], stiffness: float | Mapping[str, float]
) -> Case:
    """Every motor held by a spring about the start: under its weight the mechanism sags and swings."""
    given = stiffness if isinstance(stiffness, Mapping) else {}
    driven = mechanism.actuators or mechanism.coordinates
    joints = tuple(
        replace(joint, stiffness=(given.get(joint.name, stiffness),), rest=(start[joint.name],))
        if joint.name in driven
        else joint
        for joint in mechanism.joints
    )
    held = replace(mechanism, joints=joints)
    return Case(name, held, lw.State.of(held, start), 10.0, "swinging on springs at its motors, 10 s")


CASES: tuple[Callable[[], Case], ...] = (four_bar, three_rrr, stewart, andrews, published_andrews, arm)
