"""Readable equations of small mechanisms: which symbols stand for what, and how the results are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism, known
from ..program import NoForm, TooLarge, expressions, sympy_package
from .quantities import Quantity
from .record import face_of, tape
from .typeset import Line, as_latex, as_text

FORMS = ("latex", "sympy", "text")
_MOST_OPERATIONS = 400  # of the recorded program

_LIKE_A_SYMBOL = re.compile(  # tau is kept for forces
    r"([a-su-zA-Z]|alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|phi|chi|psi)_?\d*"
)
_LENGTHS = ("slide", "x", "y", "z")
_LETTERS = {"q": "q", "w": "omega", "v": "v"}  # of the entries of quaternions and of velocities that are no rates
# what a quantity of one entry per coordinate is called
_PER_COORDINATE = {"inverse": "tau", "bias": "h", "gravity": "G"}
_LISTED = {"energy": ("T", "V"), "mass_centre": ("c_x", "c_y", "c_z")}
_MATRICES = {"mass_matrix": "I", "jacobian": "J", "convective": "C"}


@dataclass(frozen=True)
class Coordinate:
    """Symbols of one coordinate of v."""

    speed: Any
    acceleration: Any
    force: Any


@dataclass(frozen=True)
class Symbols:
    """Everything that may stand in an equation."""

    q: tuple[Any, ...]
    coordinates: tuple[Coordinate, ...]
    legend: tuple[tuple[Any, str], ...]  # symbols that are not called like what they stand for
    cut_forces: tuple[Any, ...] = ()  # of motors on joints that are cut


def equations(mechanism: Mechanism, quantity: Quantity, form: str, parameters: Sequence[str]) -> Any:
    """The quantity as text, LaTeX or a SymPy matrix of its shape."""
    if not known(form, FORMS):
        raise LoopwrightError(f"no form '{form}' of equations; there are {', '.join(FORMS)}")
    sympy = sympy_package()
    symbols = symbols_of(mechanism, parameters)
    face = face_of(mechanism, quantity, parameters)
    arguments = [_argument(name, size, symbols, mechanism) for name, size in face.inputs]
    # frames as the user set them: moving them saves operations and costs readability
    recorded = tape(mechanism, replace(quantity, layout="plain"), parameters)
    if len(recorded.operations) > _MOST_OPERATIONS:
        raise _too_large(mechanism, quantity, f"{len(recorded.operations)} operations")
    try:
        found = expressions(recorded, arguments)
    except (TooLarge, RecursionError):
        raise _too_large(mechanism, quantity, "more than a page") from None
    except NoForm:
        raise LoopwrightError(
            f"'{quantity.name}' of '{mechanism.name}' is marked at singular positions, which has no form in equations: "
            "ask for its parts, mass_matrix, bias and closure_jacobian, with I a + bias = tau + J^T lambda, J a = -J' v"
        ) from None
    if form == "sympy":
        rows = face.output[0]
        return sympy.Matrix(rows, len(found) // rows, found)
    lines = [Line(name, value) for name, value in _named(quantity, face.output, found, symbols) if name]
    return (as_latex if form == "latex" else as_text)(lines, symbols.legend)


def _too_large(mechanism: Mechanism, quantity: Quantity, size: str) -> LoopwrightError:
    parts = "" if quantity.name in _PER_COORDINATE else " ask for its parts (mass_matrix, bias, gravity, energy), or"
    return LoopwrightError(
        f"the equations of '{quantity.name}' of '{mechanism.name}' take {size}, which nobody would read;{parts} use "
        "dyn.casadi(…) for derivatives and optimal control, dyn.c_source(…) for a controller, dyn.kernel(…) for speed"
    )


def _argument(name: str, size: int | None, symbols: Symbols, mechanism: Mechanism) -> tuple[str, Sequence[Any]]:
    by_name = {
        "q": symbols.q,
        "v": [c.speed for c in symbols.coordinates],
        "a": [c.acceleration for c in symbols.coordinates],
        "tau": [*(symbols.coordinates[k].force for k in mechanism.actuated), *symbols.cut_forces],
    }
    if size is None:
        return "numbers", [sympy_package().Symbol(name)]
    return name, by_name[name]


def symbols_of(mechanism: Mechanism, parameters: Sequence[str] = ()) -> Symbols:
    """A joint's own name where it reads like a symbol, theta_k or d_k for the k-th coordinate where it does not."""
    names = _Names({*parameters, "t"})
    q: list[Any] = []
    coordinates: list[Coordinate] = []
    for joint, branch in enumerate(mechanism.tree.branches, start=1):
        kind: Any = BY_NAME[branch.joint.kind]
        number = len(coordinates) + 1
        for k, suffix in enumerate(kind.positions):
            letter = "d" if suffix in _LENGTHS or kind.name == "prismatic" else "theta"
            preferred = f"{letter}_{number + k}" if kind.flat else _entry(suffix, joint)
            q.append(names.of(_label(branch, suffix), preferred))
        for k, suffix in enumerate(kind.velocities):
            # the rate of a coordinate, or the entry of a velocity that is no rate
            speed = (
                f"{q[k - kind.nv].name}_dot"
                if kind.flat
                else names.of(_label(branch, suffix), _entry(suffix, joint)).name
            )
            force = names.of("", f"tau_{number + k}")
            coordinates.append(Coordinate(names.symbol(speed), names.symbol(_rate(speed)), force))
    behind = range(len(coordinates) + 1, len(coordinates) + 1 + mechanism.nu - len(mechanism.actuated))
    cut = [names.of("", f"tau_{k}") for k in behind]
    return Symbols(tuple(q), tuple(coordinates), tuple(names.legend), tuple(cut))


class _Names:
    """Gives every symbol another name, and remembers those that are not called like what they stand for."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.legend: list[tuple[Any, str]] = []
        self.symbol = sympy_package().Symbol

    def of(self, label: str, preferred: str) -> Any:
        own = label if _LIKE_A_SYMBOL.fullmatch(label) else preferred
        while not {own, f"{own}_dot", f"{own}_ddot"}.isdisjoint(self.taken):
            own += "_"
        self.taken.add(own)
        if label not in ("", own):
            self.legend.append((self.symbol(own), label))
        return self.symbol(own)


def _label(branch: Any, suffix: str) -> str:
    return f"{branch.joint.name}.{suffix}" if suffix else branch.joint.name


def _entry(suffix: str, joint: int) -> str:
    """qx of the second joint is q_x2"""
    return f"{_LETTERS[suffix[0]]}_{suffix[1]}{joint}" if len(suffix) == 2 else f"{suffix}_{joint}"


def _rate(speed: str) -> str:
    return f"{speed[:-4]}_ddot" if speed.endswith("_dot") else f"{speed}_dot"


def _named(quantity: Quantity, shape: tuple[int, ...], found: Sequence[Any], symbols: Symbols) -> list[tuple[Any, Any]]:
    """(left side, right side); a symmetric matrix is said once."""
    Symbol = sympy_package().Symbol
    if quantity.name == "forward":
        return [(c.acceleration, value) for c, value in zip(symbols.coordinates, found, strict=True)]
    if quantity.name in _PER_COORDINATE:
        letter = _PER_COORDINATE[quantity.name]
        return [(Symbol(f"{letter}_{k}"), value) for k, value in enumerate(found, start=1)]
    if quantity.name in _LISTED:
        return [(Symbol(name), value) for name, value in zip(_LISTED[quantity.name], found, strict=True)]
    if quantity.name == "pose":
        names = [name for i in "123" for name in (f"R_{i}1", f"R_{i}2", f"R_{i}3", f"p_{i}")]
        return [(Symbol(name), value) for name, value in zip(names, found, strict=True)]
    if len(shape) == 2:
        letter = _MATRICES.get(quantity.name, quantity.name)
        separator = "," if max(shape) > 9 else ""
        places = [(i, j) for i in range(shape[0]) for j in range(shape[1])]
        return [
            (Symbol(f"{letter}_{i + 1}{separator}{j + 1}") if j >= i or quantity.name != "mass_matrix" else None, value)
            for (i, j), value in zip(places, found, strict=True)
        ]
    return [(Symbol(f"{quantity.name}_{k}"), value) for k, value in enumerate(found, start=1)]
