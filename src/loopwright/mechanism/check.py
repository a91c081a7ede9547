"""Everything that can be wrong with a mechanism, said in its own language. One generator per kind of trouble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import symmetric, why_impossible
from .expression import Expression, evaluated, parameters_in
from .joints import BY_NAME, unit
from .naming import unknown
from .parts import GROUND, Body, Effort, Joint
from .reading import one_or, why_unusable
from .regularity import singular_coordinates
from .spanning import distances, has_rotor
from .turning import NEARLY

if TYPE_CHECKING:
    from .noun import Mechanism

_PARALLEL = 1e-9  # sine of the angle between two axes
_SHORT = 1e-50  # of a vector that should tell a direction
_SHOWN = 12


def check(mechanism: Mechanism) -> None:
    """Raise one LoopwrightError with all that is wrong; later checks run only when earlier ones pass."""
    stages = (_names, _references, _parameters, _numbers, _possible, _connected, _cuts, _regular)
    for stage in stages:
        found = list(stage(mechanism))
        if len(found) == 1:
            raise LoopwrightError(found[0])
        if found:
            shown = "\n".join(f"  - {problem}" for problem in found[:_SHOWN])
            more = f"\n  … and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            raise LoopwrightError(f"mechanism '{mechanism.name}' has {len(found)} problems:\n{shown}{more}")


def _names(mechanism: Mechanism) -> Iterator[str]:
    for what, items in (
        ("bodies", mechanism.bodies),
        ("joints", mechanism.joints),
        ("loads", (*mechanism.springs, *mechanism.wrenches, *mechanism.efforts)),
    ):
        for name, count in Counter(item.name for item in items).items():  # type: ignore[attr-defined]
            if count > 1:
                yield f"{count} {what} are named '{name}'; give each its own name"
    joints = {joint.name for joint in mechanism.joints}
    for joint in mechanism.joints:
        kind = BY_NAME[joint.kind]
        for clash in sorted({f"{joint.name}.{suffix}" for suffix in (*kind.positions, *kind.velocities)} & joints):
            yield f"joint '{clash}' has the name of a coordinate of the {kind.name} joint '{joint.name}'; rename one"
    if any(body.name == GROUND for body in mechanism.bodies):
        yield f"'{GROUND}' is the fixed body and is always there; give the body another name"
    if not mechanism.bodies:
        yield f"mechanism '{mechanism.name}' has no bodies; add some with b.body(name, mass=…)"


def _references(mechanism: Mechanism) -> Iterator[str]:
    bodies = dict.fromkeys([GROUND, *(body.name for body in mechanism.bodies)])

    def missing(what: str, *names: str) -> Iterator[str]:
        for name in dict.fromkeys(names):
            if name not in bodies:
                yield f"{what}: {unknown(name, 'body', list(bodies), mechanism.name)}"

    for joint in mechanism.joints:
        yield from missing(f"joint '{joint.name}'", joint.parent, joint.child)
        if joint.parent == joint.child:
            yield f"joint '{joint.name}' joins '{joint.parent}' to itself; name two different bodies"
    for spring in mechanism.springs:
        yield from missing(f"spring '{spring.name}'", spring.parent, spring.child)
        if spring.parent == spring.child:
            yield f"spring '{spring.name}' pulls '{spring.parent}' against itself; name two different bodies"
    for wrench in mechanism.wrenches:
        yield from missing(f"wrench '{wrench.name}'", wrench.body)
        if wrench.body == GROUND:
            yield f"wrench '{wrench.name}' acts on the ground, which cannot move; name a body"
    joints = {joint.name: joint for joint in mechanism.joints}
    for effort in mechanism.efforts:
        yield from _effort(effort, joints, mechanism)


def _effort(effort: Effort, joints: dict[str, Joint], mechanism: Mechanism) -> Iterator[str]:
    what = f"effort '{effort.name}'"
    joint = joints.get(effort.joint)
    if joint is None:
        yield f"{what}: {unknown(effort.joint, 'joint', list(joints), mechanism.name)}"
        return
    nv = BY_NAME[joint.kind].nv
    if nv == 0:
        yield f"{what}: joint '{joint.name}' is a weld, which has no coordinate to act at; name a joint that moves"
    elif isinstance(effort.value, tuple) and len(effort.value) != nv:
        yield f"{what}: joint '{joint.name}' needs {one_or(nv, 'number')}, got {len(effort.value)}"


def _parameters(mechanism: Mechanism) -> Iterator[str]:
    for what, option, value in _values(mechanism):
        for name in sorted(parameters_in(value) - set(mechanism.values)):
            yield f"{what}: {option} uses the parameter '{name}', which is not declared; add b.parameter('{name}', …)"


def _values(mechanism: Mechanism) -> Iterator[tuple[str, str, Any]]:
    """Everything made of numbers: what it belongs to, the option it was given as, and the value."""
    yield f"mechanism '{mechanism.name}'", "gravity", mechanism.gravity
    for body in mechanism.bodies:
        for option in ("mass", "com", "inertia"):
            yield f"body '{body.name}'", option, getattr(body, option)
    for joint in mechanism.joints:
        what = f"joint '{joint.name}'"
        for option in ("damping", "friction", "stiffness", "rest", "rotor_inertia"):
            yield what, option, getattr(joint, option)
        for option, value in joint.geometry:
            yield what, option, value
        for prefix, placement in (("", joint.in_parent), ("child_", joint.in_child)):
            yield what, f"{prefix}xyz", placement.xyz
            yield what, f"{prefix}rpy", placement.rpy
    for spring in mechanism.springs:
        what = f"spring '{spring.name}'"
        yield what, "xyz", spring.in_parent
        yield what, "child_xyz", spring.in_child
        for option in ("stiffness", "damping", "length"):
            yield what, option, getattr(spring, option)
    for wrench in mechanism.wrenches:
        for option, value in (("force", wrench.force), ("torque", wrench.torque), ("xyz", wrench.at)):
            yield f"wrench '{wrench.name}'", option, value
    for effort in mechanism.efforts:
        yield f"effort '{effort.name}'", "value", effort.value


def _numbers(mechanism: Mechanism) -> Iterator[str]:
    for what, option, value in _values(mechanism):
        for written in _flat(value):
            number = evaluated(written, mechanism.values)
            why = "" if callable(number) else why_unusable(number)
            if why:
                yield f"{what}: {option}{_derived(written, mechanism)} {why}"
                break


def _derived(written: Any, mechanism: Mechanism) -> str:
    """How a number came about, when it is an expression."""
    if not isinstance(written, Expression):
        return ""
    at = ", ".join(f"{name} = {mechanism.values[name]:g}" for name in dict.fromkeys(written.parameters()))
    text = str(written)
    return f" = {text[1:-1] if text.startswith('(') else text}, at {at},"


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _possible(mechanism: Mechanism) -> Iterator[str]:
    for body in mechanism.bodies:
        yield from _body(body, mechanism)
    for joint in mechanism.joints:
        yield from _joint(joint, mechanism)
    for spring in mechanism.springs:
        yield from _not_negative(f"spring '{spring.name}'", spring, ("stiffness", "damping", "length"), mechanism)


def _body(body: Body, mechanism: Mechanism) -> Iterator[str]:
    mass, inertia = evaluated((body.mass, body.inertia), mechanism.values)
    why = why_impossible(mass, symmetric(np.array(inertia, dtype=float)))
    if not why:
        return
    if mass < 0.0:
        yield f"body '{body.name}': {why}; it must be zero or more"
    elif mass == 0.0:
        yield f"body '{body.name}': {why}; give it a mass too, or a rotor_inertia to its joint instead"
    else:
        yield (
            f"body '{body.name}': {why}. Give the inertia about the mass centre (not the joint), in body axes, "
            "as xx, yy, zz, xy, xz, yz with the products as they stand in the matrix"
        )


def _joint(joint: Joint, mechanism: Mechanism) -> Iterator[str]:
    what = f"joint '{joint.name}'"
    for name, value in evaluated(joint.geometry, mechanism.values):
        yield from _direction(what, name, value)
    yield from _not_negative(what, joint, ("damping", "stiffness", "rotor_inertia", "friction"), mechanism)
    stiffness, rest = evaluated((joint.stiffness, joint.rest), mechanism.values)
    if joint.kind == "free" and any(stiffness):
        yield f"{what}: a free joint takes no stiffness; use b.spring between points instead"
    rotors = evaluated(joint.rotor_inertia, mechanism.values)
    if joint.kind == "free" and any(rotors):
        yield f"{what}: a free joint has no rotor; add the inertia to body '{joint.child}'"
    if joint.kind == "spherical" and len(set(rotors)) > 1:
        yield f"{what}: a spherical joint takes one rotor_inertia for all directions, got {rotors}"
    if joint.kind == "spherical" and len(set(stiffness)) > 1:
        yield f"{what}: a spherical joint takes one stiffness for all directions, got {_written(stiffness)}"
    if not BY_NAME[joint.kind].flat:
        length = float(np.linalg.norm(rest[-4:]))
        if abs(length - 1.0) > NEARLY:
            yield (
                f"{what}: the quaternion (x, y, z, w) in rest must have length 1, got {_written(rest[-4:])} of length "
                f"{length:g}; no turn is (0, 0, 0, 1)"
            )


def _direction(what: str, name: str, value: Any) -> Iterator[str]:
    if name in ("axis", "normal") and not np.linalg.norm(value) > _SHORT:
        yield f"{what}: its {name} {_written(value)} is zero or nearly so; give a direction such as (0, 0, 1)"
    if name == "axes":
        a, b = (np.array(axis, dtype=float) for axis in value)
        shortest = min(np.linalg.norm(a), np.linalg.norm(b))
        if not shortest > _SHORT:
            yield f"{what}: one of its axes is zero or nearly so; give two directions such as (1, 0, 0), (0, 1, 0)"
        elif np.linalg.norm(np.cross(unit(a), unit(b))) <= _PARALLEL:
            yield f"{what}: its two axes are parallel; a universal joint needs two that differ, or use a revolute"


def _not_negative(what: str, part: Any, options: tuple[str, ...], mechanism: Mechanism) -> Iterator[str]:
    for option in options:
        negative = [x for x in _flat(evaluated(getattr(part, option), mechanism.values)) if x < 0.0]
        if negative:
            yield f"{what}: {option} is {negative[0]:g}; it must be zero or more"


def _written(values: Any) -> str:
    return "(" + ", ".join(f"{x:g}" for x in values) + ")"


def _connected(mechanism: Mechanism) -> Iterator[str]:
    far = distances(mechanism.joints)
    lost = [body.name for body in mechanism.bodies if body.name not in far]
    while lost:
        island = distances(mechanism.joints, lost[0])
        together = [body for body in lost if body in island]
        lost = [body for body in lost if body not in island]
        if len(together) == 1:
            yield f"body '{together[0]}' is on no joint; join it to the ground, with b.free(…) if it should float"
        else:
            names = ", ".join(f"'{body}'" for body in together[:_SHOWN]) + (", …" if len(together) > _SHOWN else "")
            yield (
                f"bodies {names} are joined to each other but not to the ground; join one of them to it, with "
                "b.free(…) if they should float"
            )


def _cuts(mechanism: Mechanism) -> Iterator[str]:
    try:
        _ = mechanism.tree
    except LoopwrightError as error:
        yield f"mechanism '{mechanism.name}': {error}"
        return
    for joint in mechanism.tree.cuts:
        if has_rotor(joint):
            yield (
                f"joint '{joint.name}' has a rotor_inertia but is cut to open its loop, where a rotor is not computed: "
                "cut another joint of the loop, b.build(cuts=[…]), or give the rotor's inertia to another joint of it"
            )


def _regular(mechanism: Mechanism) -> Iterator[str]:
    carrying = {branch.inner for branch in mechanism.tree.branches}
    for branch, coordinate in singular_coordinates(mechanism):
        others = ", nor has anything that must follow it" if branch.outer in carrying else ""
        yield (
            f"nothing resists motion of joint '{branch.joint.name}'{coordinate}: '{branch.outer}' has no inertia there"
            f"{others}, so no acceleration can be found. Give the body mass or inertia, the joint a rotor_inertia, or "
            "weld it"
        )
