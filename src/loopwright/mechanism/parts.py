"""What a mechanism is made of: frozen records, exactly as the user said them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .expression import Expression

Value = float | Expression  # a number the user wrote
Triple = tuple[Value, Value, Value]
Given = Any  # a tuple of values, or a function of t or of (t, q, v) that returns them
Function = Callable[..., Any]

GROUND = "ground"


@dataclass(frozen=True)
class Placement:
    """A frame in a body: offset, then roll, pitch, yaw about fixed axes as in URDF."""

    xyz: Triple = (0.0, 0.0, 0.0)
    rpy: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shape:
    """Something to draw on a body: `kind` box, sphere, cylinder, line or mesh; no part in the dynamics."""

    kind: str
    size: tuple[float, ...] = ()
    placement: Placement = Placement()
    file: str = ""


@dataclass(frozen=True)
class Body:
    name: str
    mass: Value
    com: Triple
    inertia: tuple[Value, ...]  # xx, yy, zz, xy, xz, yz about the mass centre, in body axes
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Joint:
    """`geometry` holds what the kind needs: axis, axes, normal, pitch. Per-coordinate tuples have nv entries."""

    name: str
    kind: str
    parent: str
    child: str
    in_parent: Placement
    in_child: Placement
    geometry: tuple[tuple[str, Any], ...] = ()
    actuated: tuple[bool, ...] = ()
    limits: tuple[tuple[float, float], ...] = ()  # one pair per position, empty when there are none
    damping: tuple[Value, ...] = ()
    friction: tuple[tuple[Value, Value], ...] = ()  # dry: magnitude when moving forward, backward
    stiffness: tuple[Value, ...] = ()
    rest: tuple[Value, ...] = ()  # nq entries
    rotor_inertia: tuple[Value, ...] = ()

    def shape(self, name: str) -> Any:
        """One entry of the geometry."""
        return dict(self.geometry)[name]


@dataclass(frozen=True)
class Spring:
    """Point to point: force stiffness * (distance - length) + damping * d(distance)/dt, pulling together."""

    name: str
    parent: str
    child: str
    in_parent: Triple
    in_child: Triple
    stiffness: Value
    damping: Value
    length: Value


@dataclass(frozen=True)
class Wrench:
    """A force at a point of a body and a torque on it, in the axes of the ground or of the body itself."""

    name: str
    body: str
    force: Given
    torque: Given
    at: Triple
    axes: str  # "ground" or "body"


@dataclass(frozen=True)
class Effort:
    """A torque (or force) added at a joint's own coordinates, besides its actuator."""

    name: str
    joint: str
    value: Given
