"""What the verbs answer when the answer has several parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array


def each(values: Array) -> tuple[Any, ...]:
    """What stands along the last axis, one after the other: numbers of one state, arrays of many."""
    return tuple(np.moveaxis(values, -1, 0))


@dataclass(frozen=True)
class InverseResult:
    """`tau` for the actuators; `unmet`: what coordinates without actuator lack; and what happens in the joints.

    `reactions`: by joint, the wrench [moment; force] in ground axes at the child's joint frame that the parent does
    to the child. `determinate`: for each of the six numbers, whether it follows from the motion alone (True) or
    also from how stiff the parts are. `singular`: for every state, whether loops lose independent rows there; what
    the lost rows would hold grows without bound on the way there, and is left out of the reactions. `standing` says
    what kind of singular position it is, for loops or motors, which joints are involved and how far it is.
    """

    tau: Array
    unmet: dict[str, Array]
    multipliers: Array
    reactions: dict[str, Array]
    determinate: dict[str, Array]
    singular: Array
    standing: Any  # a Standing, or an array of them


@dataclass(frozen=True)
class ForwardResult:
    """Accelerations `a`, and in the joints the same as in `InverseResult`."""

    a: Array
    multipliers: Array
    reactions: dict[str, Array]
    determinate: dict[str, Array]
    singular: Array
    standing: Any  # a Standing, or an array of them


@dataclass(frozen=True)
class Solved:
    """One set of equations of inverse dynamics: of these bodies' coordinates, for these motors and multipliers.

    A multiplier is named by its loop and its row among the loop's own.
    """

    bodies: tuple[str, ...]
    coordinates: tuple[str, ...]
    gives: tuple[str, ...]

    def __str__(self) -> str:
        return f"{{{', '.join(self.bodies)}}}: {len(self.coordinates)} equations give {', '.join(self.gives)}"


@dataclass(frozen=True)
class ForwardDerivatives:
    """Of the accelerations: by position (along the velocities' directions), velocity, actuator force, parameters.

    With loops, `by_position` and `by_velocity` have a column for each of the independent coordinates: while it varies,
    the other independent ones and all their rates are held, and the dependent ones follow so that the loops stay
    closed. A derivative along any motion that the loops allow is then by_position @ dq[independent].
    """

    by_position: Array
    by_velocity: Array
    by_force: Array
    by_parameter: Array  # a column for each that was named


@dataclass(frozen=True)
class InverseDerivatives:
    """Of the generalised forces: by position, velocity, acceleration (the mass matrix) and parameters.

    With loops, of the motors' forces, by the independent coordinates as in `ForwardDerivatives`.
    """

    by_position: Array
    by_velocity: Array
    by_acceleration: Array
    by_parameter: Array  # a column for each that was named


@dataclass(frozen=True)
class Linear:
    """dx/dt = A x + B u about a motion; x = (positions along the velocities' directions, velocities).

    With loops, x has the independent coordinates and their rates.
    """

    A: Array
    B: Array


@dataclass(frozen=True)
class LoopComplement:
    """The DeNOC matrices of a parallel architecture: twists of all bodies are N_l N_c N_d th', th' its motors' rates.

    Six rows for each of `bodies`, which stand leg by leg from the ground to the platform; the platform stands in
    every leg. Twists are at the links' origins in their own axes, as in `denoc`. `M` holds the masses, that of the
    platform in the first leg only, so that the mass matrix is N^T M N with N = N_l N_c N_d; rotors come on top.
    `J` gives the twist of the platform at its own origin, in ground axes.
    """

    N_l: Array
    N_c: Array
    N_d: Array
    M: Array
    J: Array
    bodies: tuple[str, ...]
