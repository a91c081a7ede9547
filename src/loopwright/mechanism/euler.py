"""Joints of several freedoms as chains of one-dof joints: the Euler-angle joints of [Saha2013, 5].

A spherical joint becomes three revolutes about successive axes of one of the 12 sequences, with bodies of no
mass between them; a free joint three slides before that; universal, cylindrical and planar joints their own
one-dof parts. The motion is the same, the coordinates are angles instead of quaternions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import (
    EULER_SEQUENCES,
    Array,
    euler_rates,
    from_euler,
    from_quaternion,
    numbers,
    to_euler,
    to_quaternion,
)
from .check import check
from .expression import evaluated, parameters_in
from .joints import BY_NAME, JointKind, turn_to
from .naming import known
from .noun import Mechanism, require_mechanism
from .parts import Body, Effort, Joint, Placement
from .reading import arguments_taken

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
_TURNING = ("spherical", "free")
_NOTHING = {"damping": 0.0, "stiffness": 0.0, "rotor_inertia": 0.0}


def as_one_dof_joints(mechanism: Mechanism, sequence: str = "ZYX") -> Mechanism:
    """The same mechanism in which every joint of the tree has one freedom; joint `j` becomes `j.1`, `j.2` …

    Joints that are cut to open loops have no coordinate, so they stay as they are, and stay cut.
    """
    require_mechanism("as_one_dof_joints", mechanism)
    if not known(sequence, EULER_SEQUENCES):
        raise LoopwrightError(f"no Euler sequence {sequence!r}; it is one of {', '.join(EULER_SEQUENCES)}")
    cut = tuple(joint.name for joint in mechanism.tree.cuts)
    bodies, joints = list(mechanism.bodies), []
    parts_of: dict[str, list[str]] = {}
    for joint in mechanism.joints:
        steps = [] if joint.name in cut else _steps(joint, sequence, mechanism)
        if len(steps) < 2:
            joints.append(joint)
            continue
        parts = _chain(joint, steps)
        parts_of[joint.name] = [part.name for part in parts]
        # a massless body takes the name of the joint that leads to it
        bodies.extend(Body(part.name, 0.0, (0.0, 0.0, 0.0), (0.0,) * 6) for part in parts[:-1])
        joints.extend(parts)
    if any(joint.kind in _TURNING and joint.name in parts_of for joint in mechanism.joints):
        _refuse_functions_of_state(mechanism)
    expanded = replace(
        mechanism,
        bodies=tuple(bodies),
        joints=tuple(joints),
        efforts=tuple(part for effort in mechanism.efforts for part in _efforts(effort, parts_of, mechanism)),
        cuts=cut or None,
    )
    check(expanded)
    return expanded


def _chain(joint: Joint, steps: list[tuple[str, Any]]) -> list[Joint]:
    """The one-dof parts of a joint, with massless bodies between."""
    names = [f"{joint.name}.{k}" for k in range(1, len(steps) + 1)]
    stops = [joint.parent, *names[:-1], joint.child]
    return [
        Joint(
            name=names[k],
            kind=kind,
            parent=stops[k],
            child=stops[k + 1],
            in_parent=joint.in_parent if k == 0 else Placement(),
            in_child=joint.in_child if k == len(steps) - 1 else Placement(),
            geometry=(("axis", axis),),
            actuated=joint.actuated[k : k + 1],
            limits=joint.limits[k : k + 1],
            damping=joint.damping[k : k + 1],
            friction=joint.friction[k : k + 1],
            stiffness=joint.stiffness[k : k + 1],
            rest=joint.rest[k : k + 1] if BY_NAME[joint.kind].flat else (0.0,),
            rotor_inertia=joint.rotor_inertia[k : k + 1],
        )
        for k, (kind, axis) in enumerate(steps)
    ]


def _efforts(effort: Effort, parts_of: Mapping[str, list[str]], mechanism: Mechanism) -> list[Effort]:
    """One effort for every part of its joint."""
    parts = parts_of.get(effort.joint)
    if parts is None:
        return [effort]
    if mechanism.joint(effort.joint).kind in _TURNING or callable(effort.value):
        raise LoopwrightError(
            f"effort '{effort.name}' cannot be shared out to the one-dof parts of joint '{effort.joint}': only numbers "
            "on a joint without orientation can; remove it"
        )
    return [
        Effort(f"{effort.name}.{k}", part, (value,))
        for k, (part, value) in enumerate(zip(parts, effort.value, strict=True), start=1)
    ]


def _refuse_functions_of_state(mechanism: Mechanism) -> None:
    loads = [(wrench.name, "force", wrench.force) for wrench in mechanism.wrenches]
    loads += [(wrench.name, "torque", wrench.torque) for wrench in mechanism.wrenches]
    loads += [(effort.name, "value", effort.value) for effort in mechanism.efforts]
    for name, option, value in loads:
        if callable(value) and arguments_taken(f"load '{name}'", option, value) > 1:
            raise LoopwrightError(
                f"load '{name}': its {option} is a function of (t, q, v), and q and v mean something else in the "
                "one-dof form; make it a function of t, or remove it"
            )


def _steps(joint: Joint, sequence: str, mechanism: Mechanism) -> list[tuple[str, Any]]:
    """(kind, axis) of every one-dof part, from the parent to the child."""
    turns = [("revolute", _AXES[letter]) for letter in sequence]
    slides = [("prismatic", _AXES[letter]) for letter in "XYZ"]
    if joint.kind in _TURNING:
        _refuse_directional(joint)
        return turns if joint.kind == "spherical" else slides + turns
    if joint.kind == "universal":
        return [("revolute", axis) for axis in joint.shape("axes")]
    if joint.kind == "cylindrical":
        return [("revolute", joint.shape("axis")), ("prismatic", joint.shape("axis"))]
    if joint.kind == "planar":
        if parameters_in(joint.shape("normal")):
            raise LoopwrightError(
                f"joint '{joint.name}': a planar joint whose normal is a parameter has no one-dof form"
            )
        frame = turn_to(*2 * (numbers(evaluated(joint.shape("normal"), mechanism.values)),))
        x, y, z = (tuple(frame[:, k]) for k in range(3))
        return [("prismatic", x), ("prismatic", y), ("revolute", z)]
    return [(joint.kind, None)]


def _refuse_directional(joint: Joint) -> None:
    for option, default in _NOTHING.items():
        if any(value != default for value in getattr(joint, option)):
            raise LoopwrightError(
                f"joint '{joint.name}': its {option} acts on the angular velocity, which Euler angles do not have as "
                "coordinates; keep the joint as it is or remove the option"
            )
    if any(value != 0.0 for pair in joint.friction for value in pair):
        raise LoopwrightError(f"joint '{joint.name}': its friction has no Euler-angle form; remove it")
    if len(set(joint.actuated)) > 1:
        raise LoopwrightError(
            f"joint '{joint.name}': only some of its freedoms are actuated, and Euler angles are other freedoms; "
            "actuate all of them or none"
        )


def native_state(native: Mechanism, one_dof: Mechanism, q: Array, v: Array) -> tuple[Array, Array]:
    """The (q, v) of the mechanism that move it as (q, v) move its one-dof form."""
    positions, velocities = [], []
    for joint, kind, own in _parts(native, one_dof):
        angles, rates = q[own], v[own]
        if kind.name in _TURNING:
            sequence = _sequence(one_dof, joint, kind.nv)
            R = from_euler(sequence, angles[-3:])
            spin = euler_rates(sequence, angles[-3:]) @ rates[-3:]
            angles = np.concatenate([angles[:-3], to_quaternion(R)])
            rates = np.concatenate([R.T @ rates[:-3], spin]) if kind.name == "free" else spin
        positions.append(angles)
        velocities.append(rates)
    return np.concatenate(positions), np.concatenate(velocities)


def one_dof_state(native: Mechanism, one_dof: Mechanism, q: Array, v: Array) -> tuple[Array, Array]:
    """The (q, v) of the one-dof form that move it as (q, v) move the mechanism; not at a singular middle angle."""
    positions, velocities = np.zeros(one_dof.nq), np.zeros(one_dof.nv)
    i = j = 0
    for joint, kind, own in _parts(native, one_dof):
        there, moving = q[i : i + kind.nq], v[j : j + kind.nv]
        i, j = i + kind.nq, j + kind.nv
        if kind.name in _TURNING:
            sequence = _sequence(one_dof, joint, kind.nv)
            R = from_quaternion(there[-4:])
            angles = to_euler(sequence, R)
            rates = np.linalg.solve(euler_rates(sequence, angles), moving[-3:])
            there = np.concatenate([there[:-4], angles])
            moving = np.concatenate([R @ moving[:3], rates]) if kind.name == "free" else rates
        positions[own], velocities[own] = there, moving
    return positions, velocities


def _parts(native: Mechanism, one_dof: Mechanism) -> list[tuple[str, JointKind, list[int]]]:
    """Every joint of the tree, its kind, and where its parts stand in the one-dof form."""
    place = {name: k for k, name in enumerate(one_dof.coordinates)}
    found = []
    for branch in native.tree.branches:
        joint, kind = branch.joint.name, BY_NAME[branch.joint.kind]
        names = [f"{joint}.{k}" for k in range(1, kind.nv + 1)] if kind.nv > 1 else [joint] * kind.nv
        for name in names:
            if name not in place:
                raise LoopwrightError(
                    f"'{one_dof.name}' has no coordinate '{name}', so it is no one-dof form of '{native.name}'; "
                    "make that with as_one_dof_joints"
                )
        found.append((joint, kind, [place[name] for name in names]))
    return found


def _sequence(one_dof: Mechanism, joint: str, count: int) -> str:
    """The Euler sequence by which a joint was taken apart, read off the axes of its last three parts."""
    letters = {axis: letter for letter, axis in _AXES.items()}
    return "".join(letters[one_dof.joint(f"{joint}.{k}").shape("axis")] for k in range(count - 2, count + 1))
