"""What the numbers that go into a program and come out of it mean: names, units and words, for those who only see C."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism, actuator_units
from ..program import Argument, c_source, identifier
from .quantities import BY_ALGORITHM, Quantity
from .record import face_of, tape

# quantity: (what is computed, what `out` holds)
_RESULTS = {
    "forward": ("Forward dynamics", "accelerations: the rates of v"),
    "inverse": ("Inverse dynamics", "forces at every coordinate of v that the motion needs beyond loads and springs"),
    "mass_matrix": ("Mass matrix", "the generalised inertia matrix, row by row (SI units)"),
    "bias": ("Velocity terms, gravity, springs and loads", "bias in I a + bias = forces, for every coordinate of v"),
    "gravity": ("Forces that hold the mechanism still against gravity", "one for every coordinate of v"),
    "energy": ("Energy", "kinetic energy [J], potential energy [J]"),
    "power": ("Power of each kind of force", "of actuators, springs, dampers, friction, loads [W]"),
    "momentum": (
        "Momentum, in ground axes",
        "linear [kg m/s], angular about the ground's origin [kg m^2/s], mass centre [m], angular about it [kg m^2/s]",
    ),
    "mass_centre": ("Mass centre of all moving bodies", "its position in ground axes [m]"),
    "rates": ("Rates of the coordinates", "dq/dt"),
    "forward_derivatives": (
        "Derivatives of forward dynamics",
        "row by row: of the accelerations by position (along v's directions), by velocity, by actuator force",
    ),
    "inverse_derivatives": (
        "Derivatives of inverse dynamics",
        "row by row: of the forces by position (along v's directions), by velocity, by acceleration",
    ),
    "forward_by_parameters": ("Derivatives of forward dynamics", "row by row: of the accelerations by each parameter"),
    "inverse_by_parameters": ("Derivatives of inverse dynamics", "row by row: of the forces by each parameter"),
    "pose": ("Pose of a body in the ground", "three rows of [R p]: rotation matrix and position [m]"),
    "jacobian": ("Jacobian of a point of a body, in ground axes", "6 rows: angular, then linear velocity by each v"),
    "twist": ("Twist of a point of a body, in ground axes", "angular [rad/s], then linear velocity [m/s]"),
    "twist_rate": ("Rate of a twist, in ground axes", "angular [rad/s^2], then linear acceleration [m/s^2]"),
    "convective": ("Matrix C with C v the velocity terms", "C, row by row (SI units)"),
}
# where there are loops; {u} are the independent coordinates, {motors} the actuators
_RESULTS_OF_LOOPS = {
    "forward": ("Forward dynamics", "accelerations: the rates of v; not a number at singular positions"),
    "inverse": (
        "Inverse dynamics",
        "forces of the actuators ({motors}), then what they leave at every coordinate of v",
    ),
    "forward_derivatives": (
        "Derivatives of forward dynamics along what the loops allow",
        "row by row: of the accelerations by {u}, by the rates of these, by actuator force",
    ),
    "inverse_derivatives": (
        "Derivatives of inverse dynamics along what the loops allow",
        "row by row: of the forces of the actuators ({motors}) by {u}, by the rates, by the accelerations of these",
    ),
    "forward_by_parameters": (
        "Derivatives of forward dynamics, the loops kept closed",
        "row by row: of the accelerations by each parameter, with {u} and their rates held",
    ),
    "inverse_by_parameters": (
        "Derivatives of inverse dynamics, the loops kept closed",
        "row by row: of the forces of the actuators ({motors}) by each parameter, with the motion of {u} held",
    ),
    "embedding": ("Velocities that the loops allow", "row by row: of every entry of v by the rates of {u}"),
    "closure": ("What is left to close", "row by row of every cut joint (rad, m); zero where the loops are closed"),
    "closure_jacobian": ("Rows of the loops", "J, row by row, with J v = 0 for every motion that the loops allow"),
}
_UNITS = {
    **dict.fromkeys(("slide", "x", "y", "z", "vx", "vy", "vz"), "m"),
    **dict.fromkeys(("qx", "qy", "qz", "qw"), ""),
}


def source_in_c(
    mechanism: Mechanism, quantity: Quantity, which: Mapping[str, Any], parameters: Sequence[str], function: str | None
) -> str:
    """The C file of a quantity, with a head that explains it; `which` is how the quantity was picked."""
    if function is not None and not isinstance(function, str):
        raise LoopwrightError(f"the name of a C function is a word, got {function!r}")
    title, result = _told(mechanism, quantity)
    how = which or (
        {_how(mechanism, quantity): quantity.detail.split(" near ")[0].strip()} if quantity.name in BY_ALGORITHM else {}
    )
    picked = f" ({', '.join(f'{key} {value}' for key, value in how.items())})" if how else ""
    head = f"{title}{picked} of the mechanism '{mechanism.name}'. SI units: m, kg, s, N, rad. Written by Loopwright."
    words = [mechanism.name, quantity.name, *(value for value in which.values() if isinstance(value, str))]
    arguments = [
        Argument(name, size, _said(mechanism, name)) for name, size in face_of(mechanism, quantity, parameters).inputs
    ]
    recorded = tape(mechanism, quantity, parameters)
    return c_source(recorded, identifier(function or "_".join(words)), head, arguments, result)


def _how(mechanism: Mechanism, quantity: Quantity) -> str:
    """What the quantity's detail is."""
    if not mechanism.tree.cuts or quantity.name == "mass_matrix":
        return "algorithm"
    return "formulation" if quantity.name == "forward" else "equations"


def _told(mechanism: Mechanism, quantity: Quantity) -> tuple[str, str]:
    """What is computed, and what `out` holds."""
    if mechanism.tree.cuts and quantity.name in _RESULTS_OF_LOOPS:
        title, result = _RESULTS_OF_LOOPS[quantity.name]
        return title, result.format(u=", ".join(quantity.along), motors=", ".join(mechanism.actuators))
    return _RESULTS.get(quantity.name, (quantity.name, "row by row (SI units)"))


def _said(mechanism: Mechanism, name: str) -> str:
    """One argument in words; parameters are all that is not q, v, a, tau or t."""
    positions, velocities = _units(mechanism)
    if name == "q":
        return f"positions: {_listed(zip(mechanism.coordinates, positions, strict=True))}"
    if name in ("v", "a"):
        words, rate = ("velocities", "s") if name == "v" else ("accelerations", "s^2")
        units = [f"{unit}/{rate}" for unit in velocities]
        return f"{words}: {_listed(zip(mechanism.velocities, units, strict=True))}"
    if name == "tau":
        units = [unit.replace("·", " ") for unit in actuator_units(mechanism)]
        return f"forces of the actuators: {_listed(zip(mechanism.actuators, units, strict=True))}"
    if name == "t":
        return "time [s], on which a load depends"
    return f"parameter '{name}' of the mechanism (now {mechanism.values[name]:g})"


def _listed(labels: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{label} [{unit}]" if unit else label for label, unit in labels)


def _units(mechanism: Mechanism) -> tuple[list[str], list[str]]:
    """Of every entry of q, and of v without the "per second"; the entries of a unit quaternion have none."""
    found: tuple[list[str], list[str]] = ([], [])
    for branch in mechanism.tree.branches:
        kind: Any = BY_NAME[branch.joint.kind]
        for suffixes, units in zip((kind.positions, kind.velocities), found, strict=True):
            plain = "m" if kind.name == "prismatic" else "rad"
            units += [_UNITS.get(suffix, plain) for suffix in suffixes]
    return found
