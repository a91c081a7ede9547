"""Which formulation to use when none is asked for: the one whose program has the fewest operations."""

from __future__ import annotations

from dataclasses import dataclass

from ..closure import FORMULATIONS, Formulation, formulation
from ..errors import LoopwrightError
from ..program import counted
from . import closed
from .loops import Loops
from .record import tape

# coordinates up to which the programs are recorded and counted, some tenths of a second each
COUNTED_UP_TO = 12
OTHERWISE = "sparse"


@dataclass(frozen=True)
class Choice:
    """A formulation and why it was taken."""

    formulation: Formulation
    why: str

    def __str__(self) -> str:
        return f"{self.formulation.name}: {self.why}"


def choice(loops: Loops) -> Choice:
    """By counting the recorded programs, or by structure where recording several would be slow."""
    n = loops.mechanism.nv
    if n > COUNTED_UP_TO:
        why = (
            f"of the exact ones its operations grow the least with size, and {n} coordinates are many to count on trial"
        )
        return Choice(formulation(OTHERWISE), why)
    found = counts(loops)
    best = min(found, key=lambda name: found[name])
    others = ", ".join(f"{name} {count}" for name, count in sorted(found.items(), key=lambda one: one[1])[1:])
    return Choice(formulation(best), f"{found[best]} operations for forward dynamics, the fewest ({others})")


def counts(loops: Loops) -> dict[str, int]:
    """Operations of forward dynamics by every formulation that can be taken unasked and treats this mechanism."""
    found, refused = {}, None
    for one in FORMULATIONS:
        if one.considered:
            try:
                found[one.name] = counted(tape(loops.mechanism, closed.forward(one, loops))).total
            except LoopwrightError as error:
                refused = error  # it does not treat this mechanism
    if refused is not None and not found:
        raise refused
    return found
