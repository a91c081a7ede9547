"""The State: where a mechanism stands and how it moves at one moment, read by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import Array
from .naming import unknown
from .noun import Mechanism, require_mechanism
from .reading import floats, plain_number, several
from .turning import require_turn


@dataclass(frozen=True, eq=False)
class State:
    """Positions `q`, velocities `v` and time `t` of a mechanism; the arrays cannot be changed.

    `s["elbow"]` is the position of a coordinate (or of all coordinates of a joint), `s.rate("elbow")` its velocity
    and, where accelerations `a` were given, `s.acceleration("elbow")` its acceleration.
    """

    mechanism: Mechanism = field(repr=False)
    q: Array
    v: Array
    t: float = 0.0
    a: Array | None = None

    def __post_init__(self) -> None:
        q = _entries("q", self.q, self.mechanism.coordinates, self.mechanism)
        object.__setattr__(self, "q", _fixed(_unit_quaternions(self.mechanism, q)))
        object.__setattr__(self, "v", _fixed(_entries("v", self.v, self.mechanism.velocities, self.mechanism)))
        object.__setattr__(self, "t", plain_number("state", "t", self.t))
        if self.a is not None:
            object.__setattr__(self, "a", _fixed(_entries("a", self.a, self.mechanism.velocities, self.mechanism)))

    @classmethod
    def of(cls, mechanism: Mechanism, given: Any = None, v: Any = None, t: float = 0.0) -> State:
        """A State from whatever says one: a State, a pair (q, v), an array q, or positions by name.

        What is not given is neutral and at rest. `v` is an array, or velocities by name.
        """
        require_mechanism("a State", mechanism)
        if isinstance(given, State):
            _require_same(mechanism, given.mechanism)
            found = given if v is None else cls(mechanism, given.q, _by_name(mechanism, "v", v), given.t)
        else:
            if isinstance(given, tuple) and len(given) == 2 and v is None and all(map(_is_entries, given)):
                given, v = given
            found = cls(mechanism, _by_name(mechanism, "q", given), _by_name(mechanism, "v", v), t)
        found._require_finite()
        return found

    def _require_finite(self) -> None:
        names = (*self.mechanism.coordinates, *(f"rate of {name}" for name in self.mechanism.velocities))
        wrong = [name for name, x in zip(names, [*self.q, *self.v], strict=True) if not np.isfinite(x)]
        if wrong:
            shown = ", ".join(wrong[:5])
            raise LoopwrightError(f"the state of '{self.mechanism.name}' is not a finite number at {shown}")

    def __getitem__(self, name: str) -> Any:
        """The position of a coordinate: a number; or of a joint that has several: an array."""
        return _read(self.q, name, self.mechanism.coordinates, "coordinate", self.mechanism)

    def rate(self, name: str) -> Any:
        """The velocity of a coordinate: a number; or of a joint that has several: an array."""
        return _read(self.v, name, self.mechanism.velocities, "velocity", self.mechanism)

    def acceleration(self, name: str) -> Any:
        """The acceleration of a coordinate: a number; or of a joint that has several: an array."""
        if self.a is None:
            raise LoopwrightError(
                f"this state of '{self.mechanism.name}' has no accelerations: assemble it with a={{…}}"
            )
        return _read(self.a, name, self.mechanism.velocities, "acceleration", self.mechanism)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value:.6g}" for name, value in zip(self.mechanism.coordinates, self.q, strict=True))
        return f"State({shown}; {'at rest' if not np.any(self.v) else 'moving'}, t={self.t:g})"


def _is_entries(given: Any) -> bool:
    return given is None or isinstance(given, (Mapping, np.ndarray, list, tuple))


def _require_same(mechanism: Mechanism, other: Mechanism) -> None:
    if (mechanism.coordinates, mechanism.velocities) != (other.coordinates, other.velocities):
        raise LoopwrightError(
            f"the state is one of '{other.name}', whose coordinates ({', '.join(other.coordinates)}) are not those of "
            f"'{mechanism.name}' ({', '.join(mechanism.coordinates)})"
        )


def _by_name(mechanism: Mechanism, what: str, given: Any) -> Any:
    """An array as it is; a mapping entered into the neutral position, or into rest."""
    start = mechanism.neutral() if what == "q" else np.zeros(mechanism.nv)
    if given is None:
        return start
    if not isinstance(given, Mapping):
        return given
    names, kind = (mechanism.coordinates, "coordinate") if what == "q" else (mechanism.velocities, "velocity")
    for name, value in given.items():
        places = _places(name, names, kind, mechanism)
        values = list(value) if several(value) else [value]
        if len(values) != len(places):
            raise LoopwrightError(f"'{name}' of '{mechanism.name}' has {len(places)} entries, got {len(values)}")
        start[places] = [plain_number(f"'{name}'", kind, entry) for entry in values]
    return start


def _read(values: Array, name: str, names: tuple[str, ...], kind: str, mechanism: Mechanism) -> Any:
    places = _places(name, names, kind, mechanism)
    return float(values[places[0]]) if name in names else values[places]


def _places(name: str, names: tuple[str, ...], kind: str, mechanism: Mechanism) -> list[int]:
    """Where a coordinate, or every coordinate of a joint, stands."""
    found = [k for k, known in enumerate(names) if known == name or known.rpartition(".")[0] == name]
    if found:
        return found
    cut = next((branch.name for branch in mechanism.tree.cuts if branch.name == name), None)
    if cut is not None:
        raise LoopwrightError(
            f"joint '{name}' of '{mechanism.name}' is cut to open a loop and has no coordinate; name one of "
            f"{', '.join(names)}, or cut the loop elsewhere"
        )
    raise LoopwrightError(unknown(name, kind, names, mechanism.name))


def _entries(what: str, given: Any, names: tuple[str, ...], mechanism: Mechanism) -> Array:
    values = np.array(floats(what, given))
    if values.ndim == 0 and len(names) == 1:
        values = values.reshape(1)
    if values.shape != (len(names),):
        shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        raise LoopwrightError(
            f"{what} of a state has shape {values.shape}; '{mechanism.name}' needs {len(names)} numbers: {shown}"
        )
    return values


def _unit_quaternions(mechanism: Mechanism, q: Array) -> Array:
    """Rounding taken off quaternions; one that is far from unit length is the user's mistake."""
    for k, label in enumerate(mechanism.coordinates):
        if label.endswith(".qw"):
            part = q[k - 3 : k + 1]
            length = float(np.sqrt(part @ part))
            require_turn(label.removesuffix(".qw"), length)
            part /= length
    return q


def _fixed(values: Array) -> Array:
    values.flags.writeable = False
    return values
