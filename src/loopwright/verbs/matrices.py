"""The matrices and vectors of the equations of motion of the tree."""

from __future__ import annotations

from typing import Any

from ..dynamics import MASS, named
from ..errors import LoopwrightError
from ..mechanism import known
from ..spatial import Array
from . import closed
from . import quantities as ask
from .asking import Asking
from .results import LoopComplement


class Matrices(Asking):
    """The terms of  I a + bias = forces."""

    def mass_matrix(self, q: Any, algorithm: str | None = None) -> Array:
        """The generalised inertia matrix, by "crba", "gah", "noc" or "denoc"."""
        known = self._from_kernel(("mass_matrix", algorithm), q)
        if known is not None:
            return known
        chosen = named(MASS, algorithm, "the mass matrix")
        chosen.require(self._forest)
        quantity = ask.mass_matrix(chosen)
        found = self._answer(quantity, q=q)
        self._note_ready(("mass_matrix", algorithm), quantity)
        return found

    def bias(self, q: Any, v: Any, t: Any = 0.0) -> Array:
        """Everything in I a + bias = forces besides the accelerations: velocity terms, gravity, springs, loads."""
        known = self._from_kernel(("bias", None), q, v) if type(t) is float else None
        if known is not None:
            return known
        found = self._answer(ask.BIAS, q=q, v=v, t=t)
        self._note_ready(("bias", None), ask.BIAS)
        return found

    def gravity(self, q: Any) -> Array:
        """Generalised forces that hold the mechanism still against gravity alone."""
        return self._answer(ask.GRAVITY, q=q)

    def convective(self, q: Any, v: Any, form: str = "skew") -> Array:
        """C with C v the velocity terms: form "skew" (dI/dt - 2C is skew) or "papers" (at the joint origins)."""
        return self._answer(ask.convective(form), q=q, v=v)

    def denoc(self, q: Any, at: str = "joints") -> tuple[Array, Array]:
        """N_l and N_d with t = N_l N_d v, twists at the links' "joints" or at their mass "centres"."""
        if not known(at, ("joints", "centres")):
            raise LoopwrightError(f"DeNOC matrices are at 'joints' or 'centres', not {at!r}")
        lower, diagonal = ask.denoc_of(at)
        return self._answer(lower, q=q), self._answer(diagonal, q=q)

    def denoc_loops(self, q: Any) -> LoopComplement:
        """N_l, N_c and N_d with t = N_l N_c N_d th', of a parallel architecture and the rates th' of its motors."""
        chosen = closed.complements(self._forest)
        found = {name: self._answer(quantity, q=q) for name, quantity in chosen.quantities.items()}
        return LoopComplement(**found, bodies=chosen.bodies)
