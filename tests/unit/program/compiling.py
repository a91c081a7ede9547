"""Small programs made into kernels, for a given number of lanes and with or without fused multiply-add."""

from __future__ import annotations

import dataclasses
import itertools

import casadi

from loopwright.program import Face, Kernel, Operation, Tape, machine, tape_of
from loopwright.program.module import ENTRIES, module
from loopwright.program.native import loaded, object_code

WIDTHS = (1, 2, 4, 8)
COMBINATIONS = list(itertools.product(WIDTHS, (True, False)))


def kernel(tape, width=None, fma=None, numbers=(), shape=None):
    """A kernel of a tape of one output; nothing is kept. Inputs in `numbers` are single numbers."""
    here = machine() if fma is None else dataclasses.replace(machine(), fma=fma)
    lanes = here.width if width is None else width
    code = loaded(object_code(module(tape, here, lanes, numbers, shape)), ENTRIES)
    inputs = tuple((f"x{k}", None if k in numbers else size) for k, size in enumerate(tape.inputs))
    return Kernel(Face(tape.name, inputs, tape.outputs if shape is None else shape), code)


def of_casadi(inputs, output, **how):
    """A kernel of a CasADi expression, entries column by column."""
    return kernel(tape_of(casadi.Function("f", inputs, [output])), **how)


def of_operations(names, arguments, **how):
    """A kernel that applies each of the operations named to the same arguments."""
    operations = [Operation("input", place=(0, k)) for k in range(arguments)]
    for k, name in enumerate(names):
        operations.append(Operation(name, tuple(range(arguments))))
        operations.append(Operation("output", (len(operations) - 1,), (0, k)))
    return kernel(Tape("f", (arguments,), (len(names),), tuple(operations)), **how)
