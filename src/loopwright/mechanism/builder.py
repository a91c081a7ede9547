"""Builder: say the bodies, joints and loads one by one; `build()` checks them and freezes the Mechanism."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from ..errors import LoopwrightError
from . import reading as read
from .check import check
from .expression import Expression
from .joints import BY_NAME
from .naming import suggestion
from .noun import Mechanism
from .parts import GROUND, Body, Effort, Joint, Placement, Shape, Spring, Wrench

ZERO = (0.0, 0.0, 0.0)
PLACING = ("xyz", "rpy", "child_xyz", "child_rpy")  # all that a weld takes


class JointOptions(TypedDict, total=False):
    """What every joint takes. Numbers may be parameters; a single number serves every coordinate of the joint."""

    xyz: Any  # joint frame in the parent body
    rpy: Any
    child_xyz: Any  # joint frame in the child body
    child_rpy: Any
    actuated: Any  # True, or one flag per velocity
    limits: Any  # (lower, upper), or one pair per coordinate
    damping: Any  # N m s/rad or N s/m
    friction: Any  # dry friction; (forward, backward) when it differs
    stiffness: Any  # spring towards `rest`
    rest: Any
    rotor_inertia: Any  # reflected to the joint: gear ratio squared times the rotor's own


class Builder:
    """The fixed body is called "ground"; joints name their parent and child, in any order, loops included."""

    def __init__(self, name: str, gravity: Any = (0.0, 0.0, -9.81), source: str = "") -> None:
        self.name = read.name("mechanism", name)
        self.gravity = read.triple(f"mechanism '{name}'", "gravity", gravity)
        self.source = source
        self._bodies: list[Body] = []
        self._joints: list[Joint] = []
        self._springs: list[Spring] = []
        self._wrenches: list[Wrench] = []
        self._efforts: list[Effort] = []
        self._parameters: dict[str, float] = {}
        self._notes: list[str] = []

    def parameter(self, name: str, value: float) -> Expression:
        """A named number; use it, or `b[name]`, wherever a number is."""
        what = f"parameter '{name}'"
        if not isinstance(name, str) or not name.isidentifier():
            raise LoopwrightError(f"{what}: the name must be a plain word such as 'l2'")
        if name in self._parameters:
            raise LoopwrightError(f"{what} is declared twice; give the second another name")
        self._parameters[name] = read.plain_number(what, "value", value)
        return Expression(name)

    def __getitem__(self, name: str) -> Expression:
        if not isinstance(name, str) or name not in self._parameters:
            known = ", ".join(self._parameters) or "none"
            raise LoopwrightError(
                f"no parameter '{name}' is declared yet; declare it with b.parameter('{name}', value) (so far: {known})"
            )
        return Expression(name)

    def note(self, text: str) -> None:
        """Something a reader of this mechanism should know."""
        self._notes.append(str(text))

    def body(
        self,
        name: str,
        mass: Any = 0.0,
        com: Any = ZERO,
        inertia: Any = (0.0, 0.0, 0.0),
        shapes: Sequence[Shape] = (),
    ) -> None:
        """A rigid body; inertia (xx, yy, zz[, xy, xz, yz]) or a 3x3 matrix, about the mass centre, in body axes."""
        what = f"body '{name}'"
        self._bodies.append(
            Body(
                read.name("body", name),
                read.number(what, "mass", mass),
                read.triple(what, "com", com),
                read.inertia(what, inertia),
                read.shapes(what, shapes),
            )
        )

    def rod(self, name: str, mass: Any, to: Any, start: Any = ZERO) -> None:
        """A slender uniform rod from `start` to `to` in body axes: m l²/12 about its middle, nothing along it."""
        what = f"rod '{name}'"
        a, b = read.triple(what, "start", start), read.triple(what, "to", to)
        d = [q - p for p, q in zip(a, b, strict=True)]
        m = read.number(what, "mass", mass)
        com = [(p + q) * 0.5 for p, q in zip(a, b, strict=True)]
        xx, yy, zz = d[0] * d[0], d[1] * d[1], d[2] * d[2]
        products = [d[0] * d[1], d[0] * d[2], d[1] * d[2]]
        inertia = [m * k / 12.0 for k in (yy + zz, xx + zz, xx + yy)] + [m * k / -12.0 for k in products]
        self.body(name, m, com, inertia, shapes=() if _symbolic(a, b) else (Shape("line", (*a, *b)),))

    def revolute(
        self, name: str, parent: str, child: str, axis: Any = (0, 0, 1), **options: Unpack[JointOptions]
    ) -> None:
        """One turn about `axis` (in the joint frame)."""
        self._joint("revolute", name, parent, child, {"axis": axis}, options)

    def prismatic(
        self, name: str, parent: str, child: str, axis: Any = (0, 0, 1), **options: Unpack[JointOptions]
    ) -> None:
        """One slide along `axis`."""
        self._joint("prismatic", name, parent, child, {"axis": axis}, options)

    def screw(
        self, name: str, parent: str, child: str, axis: Any = (0, 0, 1), *, pitch: Any, **options: Unpack[JointOptions]
    ) -> None:
        """A turn about `axis` that advances `pitch` metres per full turn; the coordinate is the angle."""
        self._joint("screw", name, parent, child, {"axis": axis, "pitch": pitch}, options)

    def universal(
        self, name: str, parent: str, child: str, axes: Any = ((1, 0, 0), (0, 1, 0)), **options: Unpack[JointOptions]
    ) -> None:
        """A turn about axes[0], fixed in the parent, then about axes[1], fixed in the child."""
        self._joint("universal", name, parent, child, {"axes": axes}, options)

    def cylindrical(
        self, name: str, parent: str, child: str, axis: Any = (0, 0, 1), **options: Unpack[JointOptions]
    ) -> None:
        """A turn about `axis` and a slide along it: coordinates (angle, slide)."""
        self._joint("cylindrical", name, parent, child, {"axis": axis}, options)

    def spherical(self, name: str, parent: str, child: str, **options: Unpack[JointOptions]) -> None:
        """A ball: q is a quaternion (x, y, z, w), v the angular velocity in the axes of the child."""
        self._joint("spherical", name, parent, child, {}, options)

    def planar(
        self, name: str, parent: str, child: str, normal: Any = (0, 0, 1), **options: Unpack[JointOptions]
    ) -> None:
        """Slides (x, y) in the plane across `normal`, in the parent's axes, then a turn about it.

        With a normal along z the slides are along the joint frame's x and y. Otherwise x is e x normal, with e the
        axis z, x or y when the normal's largest component is x, y or z, and y is normal x x.
        """
        self._joint("planar", name, parent, child, {"normal": normal}, options)

    def free(self, name: str, parent: str, child: str, **options: Unpack[JointOptions]) -> None:
        """No constraint: q = (position, quaternion xyzw), v = (linear, angular) in the axes of the child."""
        self._joint("free", name, parent, child, {}, options)

    def weld(self, name: str, parent: str, child: str, **options: Unpack[JointOptions]) -> None:
        """No motion."""
        self._joint("weld", name, parent, child, {}, options)

    def _joint(
        self, kind: str, name: str, parent: str, child: str, geometry: dict[str, Any], options: JointOptions
    ) -> None:
        what = f"joint '{name}'"
        nv = BY_NAME[kind].nv
        takes = list(JointOptions.__annotations__) if nv else list(PLACING)
        for option in options:
            if option not in takes:
                hint = suggestion(option, takes, "it takes")
                raise LoopwrightError(f"{what}: a {kind} joint takes no option '{option}'; {hint}")

        def each(option: str) -> tuple[Any, ...]:
            return read.each(what, option, options.get(option, 0.0), nv)

        self._joints.append(
            Joint(
                read.name("joint", name),
                kind,
                read.name(f"{what}: parent body", parent),
                read.name(f"{what}: child body", child),
                Placement(
                    read.triple(what, "xyz", options.get("xyz", ZERO)),
                    read.triple(what, "rpy", options.get("rpy", ZERO)),
                ),
                Placement(
                    read.triple(what, "child_xyz", options.get("child_xyz", ZERO)),
                    read.triple(what, "child_rpy", options.get("child_rpy", ZERO)),
                ),
                tuple((key, read.geometry(what, key, value)) for key, value in geometry.items()),
                read.flags(what, "actuated", options.get("actuated", False), nv),
                read.limits(what, options.get("limits"), kind),
                each("damping"),
                read.friction(what, options.get("friction", 0.0), nv),
                each("stiffness"),
                read.rest(what, options.get("rest", 0.0), kind),
                each("rotor_inertia"),
            )
        )

    def spring(
        self,
        name: str,
        parent: str,
        child: str,
        xyz: Any = ZERO,
        child_xyz: Any = ZERO,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        length: Any = 0.0,
    ) -> None:
        """A spring and damper between a point of one body and a point of another; `length` is the free length."""
        what = f"spring '{name}'"
        self._springs.append(
            Spring(
                read.name("spring", name),
                read.name(f"{what}: parent body", parent),
                read.name(f"{what}: child body", child),
                read.triple(what, "xyz", xyz),
                read.triple(what, "child_xyz", child_xyz),
                read.number(what, "stiffness", stiffness),
                read.number(what, "damping", damping),
                read.number(what, "length", length),
            )
        )

    def wrench(
        self, name: str, body: str, force: Any = ZERO, torque: Any = ZERO, xyz: Any = ZERO, axes: str = GROUND
    ) -> None:
        """A force at point `xyz` of a body and a torque: numbers, or functions of t or of (t, q, v).

        Components are along the ground's axes, or along the body's own with axes="body".
        """
        what = f"wrench '{name}'"
        if not isinstance(axes, str) or axes not in (GROUND, "body"):
            raise LoopwrightError(f"{what}: axes must be 'ground' or 'body', not {axes!r}")
        self._wrenches.append(
            Wrench(
                read.name("wrench", name),
                read.name(f"{what}: body", body),
                read.function_or(what, "force", force, read.triple),
                read.function_or(what, "torque", torque, read.triple),
                read.triple(what, "xyz", xyz),
                axes,
            )
        )

    def effort(self, name: str, joint: str, value: Any) -> None:
        """A torque or force at a joint's coordinates, besides its actuator: numbers, or a function as in `wrench`."""
        what = f"effort '{name}'"
        self._efforts.append(
            Effort(
                read.name("effort", name),
                read.name(f"{what}: joint", joint),
                read.function_or(what, "value", value, read.entries),
            )
        )

    def _for_each_coordinate(self, effort: Effort) -> Effort:
        """A single number serves all coordinates of the joint, which may have been named after the effort."""
        kinds = {joint.name: joint.kind for joint in self._joints}
        if callable(effort.value) or len(effort.value) != 1 or effort.joint not in kinds:
            return effort
        return replace(effort, value=effort.value * BY_NAME[kinds[effort.joint]].nv)

    def build(self, cuts: Collection[str] | None = None) -> Mechanism:
        """The frozen Mechanism; raises one LoopwrightError that lists everything found wrong.

        `cuts` names the joints at which to open the loops, when the automatic choice should not be used.
        """
        mechanism = Mechanism(
            name=self.name,
            gravity=read.triple(f"mechanism '{self.name}'", "gravity", self.gravity),
            bodies=tuple(self._bodies),
            joints=tuple(self._joints),
            springs=tuple(self._springs),
            wrenches=tuple(self._wrenches),
            efforts=tuple(self._for_each_coordinate(effort) for effort in self._efforts),
            parameters=tuple(self._parameters.items()),
            cuts=None if cuts is None else read.chosen_cuts(cuts),
            notes=tuple(self._notes),
            source=self.source,
        )
        check(mechanism)
        return mechanism


def _symbolic(*triples: tuple[Any, ...]) -> bool:
    return any(isinstance(value, Expression) for triple in triples for value in triple)
