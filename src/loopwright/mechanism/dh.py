"""Mechanisms from Denavit–Hartenberg tables: the standard form for chains, the modified form for trees.

Standard, row i:  Rz(theta) Tz(d) Tx(a) Rx(alpha), frame i at the far end of link i   [Denavit1955]
Modified, row i:  Rz(gamma) Tz(epsilon) Rx(alpha) Tx(a) Rz(theta) Tz(d), frame i at its own joint   [Khalil1986]
The mass centre and the inertia about it are given in the frame of the row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..spatial import cos, sin
from . import reading as read
from .builder import Builder, JointOptions
from .expression import Expression
from .naming import suggestion
from .noun import Mechanism
from .parts import GROUND

_LENGTHS = ("alpha", "a", "d", "theta", "gamma", "epsilon")
_PLACED = ("axis", "xyz", "rpy", "child_xyz", "child_rpy")
_OPTIONS = tuple(option for option in JointOptions.__annotations__ if option not in _PLACED)


@dataclass(frozen=True)
class Row:
    """One link; theta (or d, when prismatic) is the offset added to the coordinate. `parent` 0 is the ground."""

    alpha: Any = 0.0
    a: Any = 0.0
    d: Any = 0.0
    theta: Any = 0.0
    prismatic: bool = False
    mass: Any = 0.0
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0, 0.0, 0.0)
    parent: int | None = None  # row number from 1, 0 the ground; None: the row before
    gamma: Any = 0.0  # with epsilon: where a branch leaves its parent, modified form only
    epsilon: Any = 0.0
    joint: str = ""
    body: str = ""
    options: Mapping[str, Any] | None = None  # what the joint also takes: actuated, limits, damping …


def standard_dh(name: str | Builder, rows: Sequence[Row | Mapping[str, Any]], **about: Any) -> Mechanism:
    """A serial chain from a standard table; `about` goes to Builder (gravity, source).

    Instead of a name, a Builder may be given: one that has the parameters which the rows use.
    """
    b = _builder(name, about)
    previous = GROUND
    for i, row in enumerate(_rows(b.name, rows), start=1):
        if row.parent not in (None, i - 1) or row.gamma != 0.0 or row.epsilon != 0.0:
            raise LoopwrightError(f"{b.name}, row {i}: the standard form is for chains; use modified_dh for branches")
        body, joint = _names(row, i)
        b.body(body, row.mass, row.com, row.inertia)
        # the joint's axis is z of the frame before; the child frame is Tz(d) Tx(a) Rx(alpha) further on
        c, s = _cos(row.alpha), _sin(row.alpha)
        d = 0.0 if row.prismatic else row.d
        placement = {
            "xyz": (0.0, 0.0, row.d if row.prismatic else 0.0),
            "rpy": (0.0, 0.0, row.theta),
            "child_xyz": (-1.0 * row.a, -1.0 * d * s, -1.0 * d * c),
            "child_rpy": (-1.0 * row.alpha, 0.0, 0.0),
        }
        _join(b, row, joint, previous, body, placement)
        previous = body
    return b.build()


def modified_dh(name: str | Builder, rows: Sequence[Row | Mapping[str, Any]], **about: Any) -> Mechanism:
    """A chain or tree from a modified table; each row may name its parent row. `name` as in `standard_dh`."""
    b = _builder(name, about)
    bodies = [GROUND]
    for i, row in enumerate(_rows(b.name, rows), start=1):
        parent = i - 1 if row.parent is None else row.parent
        if not 0 <= parent < i:
            earlier = f"an earlier row, 1 to {i - 1}, or 0 for the ground" if i > 1 else "0, the ground"
            raise LoopwrightError(f"{b.name}, row {i}: its parent is {parent}; it must be {earlier}")
        body, joint = _names(row, i)
        b.body(body, row.mass, row.com, row.inertia)
        bodies.append(body)
        cg, sg, ca, sa = _cos(row.gamma), _sin(row.gamma), _cos(row.alpha), _sin(row.alpha)
        # Rz(gamma) Tz(epsilon) Rx(alpha) Tx(a) Tz(d), in the parent
        placement = {
            "xyz": (row.a * cg + row.d * sg * sa, row.a * sg - row.d * cg * sa, row.epsilon + row.d * ca),
            "rpy": (row.alpha, 0.0, row.gamma),
            "child_rpy": (0.0, 0.0, -1.0 * row.theta),
        }
        _join(b, row, joint, bodies[parent], body, placement)
    return b.build()


def _builder(name: str | Builder, about: dict[str, Any]) -> Builder:
    if not isinstance(name, Builder):
        return Builder(name, **about)
    if about:
        raise LoopwrightError(f"{name.name}: give {', '.join(about)} to the Builder, not to the table")
    return name


def _join(b: Builder, row: Row, joint: str, parent: str, body: str, placement: dict[str, Any]) -> None:
    make = b.prismatic if row.prismatic else b.revolute
    make(joint, parent, body, **{**placement, **(row.options or {})})


def _names(row: Row, i: int) -> tuple[str, str]:
    return row.body or f"link{i}", row.joint or f"joint{i}"


def _rows(name: str, rows: Sequence[Row | Mapping[str, Any]]) -> list[Row]:
    """The rows with every number read, so that what follows can compute with them."""
    if isinstance(rows, Mapping) or not read.several(rows):
        raise LoopwrightError(f"{name}: rows must be a list of Row or of dicts, got {rows!r}")
    read_in = [_row(f"{name}, row {i}", row) for i, row in enumerate(rows, start=1)]
    if not read_in:
        raise LoopwrightError(f"{name}: the table has no rows; give one for every link")
    return read_in


def _row(what: str, given: Any) -> Row:
    if isinstance(given, Mapping):
        known = [field.name for field in fields(Row)]
        for column in given:
            if column not in known:
                hint = suggestion(column, known, "the columns are")
                raise LoopwrightError(f"{what}: there is no column '{column}'; {hint}")
        given = Row(**given)
    if not isinstance(given, Row):
        raise LoopwrightError(f"{what}: a row is a Row or a dict of its columns, got {given!r}")
    if not isinstance(given.prismatic, (bool, np.bool_)):
        raise LoopwrightError(f"{what}: prismatic must be True or False, got {given.prismatic!r}")
    if given.parent is not None and (isinstance(given.parent, bool) or not isinstance(given.parent, (int, np.integer))):
        raise LoopwrightError(f"{what}: parent must be the number of an earlier row, got {given.parent!r}")
    for column in ("joint", "body"):
        if not isinstance(getattr(given, column), str):
            raise LoopwrightError(f"{what}: {column} must be a name, got {getattr(given, column)!r}")
    _check_options(what, given.options)
    return replace(given, **{column: read.number(what, column, getattr(given, column)) for column in _LENGTHS})


def _check_options(what: str, options: Any) -> None:
    if options is not None and not isinstance(options, Mapping):
        raise LoopwrightError(f"{what}: options must be a dict of what the joint also takes, got {options!r}")
    for option in options or {}:
        if option in _PLACED:
            raise LoopwrightError(f"{what}: the table places the joint, so its options cannot have {option}")
        if option not in _OPTIONS:
            hint = suggestion(option, _OPTIONS, "they can have")
            raise LoopwrightError(f"{what}: the options of its joint cannot have '{option}'; {hint}")


def _cos(angle: Any) -> Any:
    return cos(angle) if isinstance(angle, Expression) else _clean(math.cos(angle))


def _sin(angle: Any) -> Any:
    return sin(angle) if isinstance(angle, Expression) else _clean(math.sin(angle))


def _clean(value: float) -> float:
    """cos(pi/2) is meant to be zero."""
    return 0.0 if abs(value) < 1e-15 else value
