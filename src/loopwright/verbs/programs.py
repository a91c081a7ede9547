"""The same questions as programs: native code, CasADi functions, C source, equations and counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..program import Counts, Kernel, counted
from .asking import Asking
from .equations import equations
from .meaning import source_in_c
from .quantities import Quantity
from .record import recorded, tape

ROLLING_FORWARD = "aba"  # in place of the usual one, which for few coordinates is not made of sweeps alone


class Programs(Asking):
    """What else a quantity may be made into; names are those of the verbs."""

    def kernel(
        self,
        name: str,
        *,
        parameters: Sequence[str] = (),
        width: int | None = None,
        rolled: bool | None = None,
        **which: Any,
    ) -> Kernel:
        """A quantity as native code: kernel(q, v, tau, out=None, threads=1), with free `parameters` after those.

        `which` picks it: algorithm="aba"; body="tool", point=(…) for pose, jacobian, twist and twist_rate;
        form="skew". `width` sets the states computed side by side (1, 2, 4, 8). `rolled` chooses between a
        program that is written out (False) and loops over the bodies (True: forward, inverse, bias, gravity); left
        out, long programs are rolled.
        """
        if rolled and name == "forward" and not self.topology.loops:
            which = {"algorithm": ROLLING_FORWARD, **which}
        free = self._free(parameters)
        made = self._answers.kernel(self._quantity(name, **which), free, width, rolled)
        made.again = (_made_again, type(self), self._given, name, free, width, rolled, which)
        return made

    def question(self, name: str, **which: Any) -> Quantity:
        """What a kernel of that name computes."""
        return self._quantity(name, **which)

    def kernel_of(self, quantity: Quantity) -> Kernel:
        """Native code of a question that has no name of its own here, made once."""
        return self._answers.kernel(quantity)

    def casadi(self, name: str, *, parameters: Sequence[str] = (), **which: Any) -> Any:
        """The same program as a `casadi.Function` of SX type; matrices come row by row."""
        return recorded(self.mechanism, self._quantity(name, **which), self._free(parameters))

    def c_source(self, name: str, *, parameters: Sequence[str] = (), function: str | None = None, **which: Any) -> str:
        """The same program as one C99 file without dependencies; its head explains the arguments."""
        return source_in_c(self.mechanism, self._quantity(name, **which), which, self._free(parameters), function)

    def equations(
        self, name: str, *, form: str = "latex", parameters: Sequence[str] | None = None, **which: Any
    ) -> Any:
        """Readable equations of a small mechanism, as "latex", "text" or a "sympy" matrix.

        The mechanism's parameters appear by name; `parameters` chooses which, the others as numbers.
        """
        free = self._free(tuple(self.mechanism.values) if parameters is None else parameters)
        return equations(self.mechanism, self._quantity(name, **which), form, free)

    def count(self, name: str, *, parameters: Sequence[str] = (), **which: Any) -> Counts:
        """Multiplications, additions, divisions … of the recorded program."""
        return counted(tape(self.mechanism, self._quantity(name, **which), self._free(parameters)))


def _made_again(
    verbs: type[Programs],
    given: tuple[Any, ...],
    name: str,
    parameters: Sequence[str],
    width: int | None,
    rolled: bool | None,
    which: dict[str, Any],
) -> Kernel:
    """In another process, where the cache may hold the code."""
    return verbs(*given).kernel(name, parameters=parameters, width=width, rolled=rolled, **which)
