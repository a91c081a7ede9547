"""The Tape: a recorded function as a flat list of operations, each value written once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ..errors import LoopwrightError
from .system import System

INPUT, CONSTANT, OUTPUT = "input", "constant", "output"
_ZERO = (0.0).hex()


@dataclass(frozen=True)
class Operation:
    """`name` applied to the values numbered in `of`; inputs and outputs carry (argument, entry), constants a value."""

    name: str
    of: tuple[int, ...] = ()
    place: tuple[int, int] = (0, 0)
    value: float = 0.0


@dataclass(frozen=True)
class Tape:
    """Operation k makes value k. `inputs` and `outputs` are the lengths of the flat arguments."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    operations: tuple[Operation, ...]
    system: System | None = None  # then the outputs are its matrix and its columns, and the result what solves them

    @property
    def results(self) -> tuple[int, ...]:
        """Lengths of what a caller gets."""
        return self.outputs if self.system is None else self.outputs[1:]

    def slots(self) -> tuple[tuple[int, ...], ...]:
        """Entry k of output m is number `slots[m][k]` of the values in it that differ, in the order they appear."""
        if self.system is not None:  # whose loops go through the entries in order
            return tuple(tuple(range(length)) for length in self.outputs)
        made: list[dict[Any, int]] = [{} for _ in self.outputs]
        of = [[0] * length for length in self.outputs]
        for operation in self.operations:
            if operation.name == OUTPUT:
                (m, k), value = operation.place, self._same(operation.of[0])
                of[m][k] = made[m].setdefault(value, len(made[m]))
        return tuple(map(tuple, of))

    def zeros(self, output: int) -> frozenset[int]:
        """Entries of an output that are zero whatever goes in."""
        found = []
        for operation in self.operations:
            if operation.name == OUTPUT and operation.place[0] == output:
                value = self.operations[operation.of[0]]
                if value.name == CONSTANT and value.value == 0.0:
                    found.append(operation.place[1])
        return frozenset(found)

    def nothing(self, output: int) -> int | None:
        """The slot of an output at which zero stands whatever goes in, if there is one; not minus zero."""
        if self.system is not None:
            return None
        for operation in self.operations:
            if (
                operation.name == OUTPUT
                and (m := operation.place[0]) == output
                and self._same(operation.of[0]) == _ZERO
            ):
                return self.slots()[m][operation.place[1]]
        return None

    def _same(self, k: int) -> Any:
        """A key that values share when they are equal by the look of it."""
        made = self.operations[k]
        return made.value.hex() if made.name == CONSTANT else k

    def each_once(self) -> Tape:
        """The same with every value once in an output, at its slot."""
        slots = self.slots()
        seen: set[tuple[int, int]] = set()
        kept: list[Operation] = []
        now_at: dict[int, int] = {}
        for k, operation in enumerate(self.operations):
            if operation.name == OUTPUT:
                m, place = operation.place[0], slots[operation.place[0]][operation.place[1]]
                if (m, place) in seen:
                    continue
                seen.add((m, place))
                operation = replace(operation, place=(m, place))
            now_at[k] = len(kept)
            kept.append(replace(operation, of=tuple(now_at[i] for i in operation.of)))
        return replace(self, operations=tuple(kept), outputs=tuple(len(set(places)) for places in slots))

    def uses(self) -> list[int]:
        """How often each value is read."""
        counts = [0] * len(self.operations)
        for operation in self.operations:
            for k in operation.of:
                counts[k] += 1
        return counts


@cache
def _names() -> dict[int, str]:
    """CasADi's operation codes, in words."""
    import casadi

    return {
        getattr(casadi, key): key[3:].lower()
        for key in dir(casadi)
        if key.startswith("OP_") and isinstance(getattr(casadi, key), int)
    }


def tape_of(function: Any) -> Tape:
    """Read the instruction list of a `casadi.Function` of SX type; entries of matrices are counted column by column."""
    if not function.is_a("SXFunction"):
        raise LoopwrightError(
            f"'{function.name()}' is not a function of SX type: expand it first ({function.name()}.expand())"
        )
    names = _names()
    operations: list[Operation] = []
    holds: dict[int, int] = {}  # CasADi's work slots are reused; values here are not
    scatter = [_dense_places(function.sparsity_out(k)) for k in range(function.n_out())]
    gather = [_dense_places(function.sparsity_in(k)) for k in range(function.n_in())]
    for k in range(function.n_instructions()):
        name = names[function.instruction_id(k)]
        read, written = function.instruction_input(k), function.instruction_output(k)
        if name == "const":
            operation = Operation(CONSTANT, value=float(function.instruction_constant(k)))
        elif name == "input":
            operation = Operation(INPUT, place=(read[0], gather[read[0]][read[1]]))
        elif name == "output":
            operation = Operation(OUTPUT, (holds[read[0]],), (written[0], scatter[written[0]][written[1]]))
        else:
            operation = Operation(name, tuple(holds[slot] for slot in read))
        if name != "output":
            holds[written[0]] = len(operations)
        operations.append(operation)
    for k, places in enumerate(scatter):
        for place in sorted(set(range(function.numel_out(k))) - set(places)):
            operations.append(Operation(CONSTANT))  # a structural zero is an entry like any other to the caller
            operations.append(Operation(OUTPUT, (len(operations) - 1,), (k, place)))
    return Tape(
        function.name(),
        tuple(function.numel_in(k) for k in range(function.n_in())),
        tuple(function.numel_out(k) for k in range(function.n_out())),
        tuple(operations),
    )


def _dense_places(sparsity: Any) -> list[int]:
    """Where the non-zeros stand among all entries, column by column."""
    return [int(place) for place in sparsity.find()]
