"""The rolled form of a quantity: every step of its sweeps recorded once for each sort of link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dynamics import walked_by
from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..program import Rolled, Sweep, rolled_of, tape_of
from ..spatial import Array, expression, symbols
from ..topology import BASE, Forest, lean
from .alike import Alike, alike, model
from .quantities import Quantity
from .sweeping import Recording

LONG = 12_000  # operations; from there on a program written out takes seconds to compile and outgrows the nearest cache
_OF_FORWARD, _OF_OTHERS = 300, 100  # operations for every coordinate, of a chain


def is_long(forest: Forest, quantity: Quantity) -> bool:
    """Whether a quantity written out would be a long program."""
    return forest.nv * (_OF_FORWARD if quantity.name == "forward" else _OF_OTHERS) > LONG


def why_not(mechanism: Mechanism, forest: Forest, quantity: Quantity, parameters: Sequence[str]) -> str:
    """Why a quantity has no rolled form, or ""."""
    if not quantity.rolls:
        return f"'{quantity.label}' is not made of sweeps alone"
    if parameters:
        return "free parameters would be other numbers in every link"
    acting = [push.force for push in forest.pushes] + [push.torque for push in forest.pushes]
    for value in [*acting, *(extra.value for extra in forest.extras)]:
        if callable(value):
            return f"{value.what} is a Python function"
    for spring, ends in zip(mechanism.springs, forest.point_springs, strict=True):
        if BASE not in (ends.a.node, ends.b.node):
            return f"spring '{spring.name}' is between two bodies that move"
    return ""


def chosen(
    mechanism: Mechanism, forest: Forest, quantity: Quantity, parameters: Sequence[str], asked: bool | None
) -> bool:
    """Whether to roll: as asked, or where it is possible and the program would be long."""
    if asked is False or (asked is None and not is_long(forest, quantity)):
        return False
    why = why_not(mechanism, forest, quantity, parameters)
    if why and asked:
        raise LoopwrightError(f"'{mechanism.name}' has no rolled form here: {why}; leave rolled=True away")
    return not why


def rolled(forest: Forest, quantity: Quantity) -> Rolled:
    """Record the steps and fill the tables."""
    # masses stay with their bodies: lumped, those of a long chain would add up and cancel again
    laid_out = lean(forest, lump=False)
    return recorded(quantity, laid_out, alike(laid_out))


def recorded(quantity: Quantity, laid_out: Forest, groups: Sequence[Alike]) -> Rolled:
    """The steps as functions, and the tables."""
    import casadi

    one_of_each = model(groups, laid_out.gravity)
    sizes = {"q": one_of_each.nq, "tau": len(one_of_each.actuated)}
    names = [name for name in quantity.inputs if name != "t"]
    inputs = [casadi.SX.sym(name, sizes.get(name, one_of_each.nv)) for name in names]
    given = [symbols(x) if x.numel() else np.zeros(0) for x in inputs]
    now = [0.0] * ("t" in quantity.inputs)
    recording = Recording()
    with walked_by(recording):
        answer = quantity.compute(one_of_each, *given, *now)
    arriving = [sweep.arriving for sweep in recording.sweeps]
    steps, constants = [], []
    own = _slices(names, one_of_each)
    for k, group in enumerate(groups):
        outputs = [expression(sweep.handed[k]) for sweep in recording.sweeps]
        outputs.append(expression(answer[one_of_each.nodes[k].v]))
        folded, figures, table = _hoisted(group, casadi.cse(outputs))
        local = [x[own[k][name]] for x, name in zip(inputs, names, strict=True)]
        function = casadi.Function(quantity.name, [figures, *local, *arriving], [casadi.densify(x) for x in folded])
        steps.append(tape_of(function))
        constants.append(table)
    sweeps = [Sweep(sweep.inward, tuple(sweep.start)) for sweep in recording.sweeps]
    return rolled_of(quantity.name, sweeps, steps, **_tables(names, laid_out, groups, constants))


def _slices(names: Sequence[str], forest: Forest) -> list[dict[str, slice]]:
    """Where the entries of every node stand in every input."""
    motors = np.searchsorted(np.array(forest.actuated), [[node.v.start, node.v.stop] for node in forest.nodes])
    return [
        {
            name: node.q if name == "q" else slice(*map(int, motors[node.index])) if name == "tau" else node.v
            for name in names
        }
        for node in forest.nodes
    ]


def _hoisted(group: Alike, outputs: list[Any]) -> tuple[list[Any], Any, Array]:
    """What depends on a link's figures alone is computed once, now: the outputs, their new constants and the table."""
    import casadi

    flat = casadi.vertcat(*outputs)
    found, names, made = casadi.extract_parametric(flat, group.symbols)
    plain = [x for x in casadi.vertsplit(group.symbols) if casadi.depends_on(found, x)] if group.symbols.numel() else []
    constants = casadi.vertcat(*plain, *names)
    values = casadi.Function("constants", [group.symbols], [casadi.densify(casadi.vertcat(*plain, *made))])
    table = np.array(values(group.table.T)).T if constants.numel() else np.zeros((len(group.members), 0))
    edges = np.cumsum([0, *(x.numel() for x in outputs)])
    return casadi.vertsplit(found, [int(e) for e in edges]), constants, table


def _tables(
    names: Sequence[str], laid_out: Forest, groups: Sequence[Alike], constants: Sequence[Array]
) -> dict[str, Any]:
    count = len(laid_out.nodes)
    kinds, rows = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    for k, group in enumerate(groups):
        kinds[list(group.members)] = k
        rows[list(group.members)] = range(len(group.members))
    slices = _slices([*names, "out"], laid_out)
    places = np.array([[own[name].start for name in (*names, "out")] for own in slices], dtype=np.int32)
    sizes = {"q": laid_out.nq, "tau": len(laid_out.actuated)}
    return {
        "kinds": kinds,
        "rows": rows,
        "parents": np.array(laid_out.parents, dtype=np.int32),
        "places": places.reshape(count, len(names) + 1),
        "constants": tuple(constants),
        "inputs": tuple(sizes.get(name, laid_out.nv) for name in names),
        "output": laid_out.nv,
    }
