"""What all verbs share: one mechanism, how its loops are solved, what a name asks for, and where answers come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..closure import Formulation, formulation, with_springs
from ..dynamics import FORWARD, named
from ..errors import LoopwrightError
from ..mechanism import Mechanism, State, floats, known, require_mechanism, several, unknown
from ..spatial import Array
from ..topology import Seat, Topology
from . import closed, derivatives, loop_derivatives, spring_derivatives
from . import quantities as ask
from .answering import Answers
from .choice import Choice, choice
from .loops import Loops, loops_of
from .powers import POWER
from .springs import given
from .states import one_has_units, quaternions_of

ORIGIN = (0.0, 0.0, 0.0)
_DOUBLES = np.dtype(float)


class Asking:
    """The mechanism, its loops and its kernels; the verbs build on it."""

    def __init__(
        self,
        mechanism: Mechanism,
        formulation: str | None = None,
        cuts: Collection[str] | None = None,
        compiled: bool | None = None,
        stiffness: Any = None,
        damping: Any = None,
        near: Any = None,
    ) -> None:
        require_mechanism("Dynamics", mechanism)
        if cuts is None and near is None:
            self.loops = loops_of(mechanism)
        else:
            topology = Topology.of(mechanism, cuts)
            self.loops = Loops(topology, None if near is None else State.of(topology.mechanism, near).q)
        self.topology = self.loops.topology
        self.mechanism = self.topology.mechanism
        opened = None if cuts is None else self.mechanism.cuts
        self._given = (mechanism, formulation, opened, compiled, stiffness, damping, near)
        self._asked_for = self._known(formulation, stiffness, damping)
        self._forest = self.topology.forest
        self._answers = Answers(self.mechanism, self._forest, compiled)
        self._ready: dict[tuple[str, str | None], tuple[Any, tuple[slice, ...], tuple[int, ...]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Kernels stay here: another process finds theirs in the cache."""
        return type(self), self._given

    def __repr__(self) -> str:
        decided = self._asked_for or self.__dict__.get("_choice")
        return f"Dynamics({self.mechanism!r}{f', {decided.formulation.name}' if decided else ''})"

    def _known(self, name: str | None, stiffness: Any, damping: Any) -> Choice | None:
        """What the user asked for."""
        if name is not None and not isinstance(name, str):
            raise LoopwrightError(f"a formulation goes by its name, got {name!r}")
        if name != "springs" and not (stiffness is None and damping is None):
            raise LoopwrightError("stiffness and damping here are those of formulation='springs'")
        if not self.topology.loops:
            if name not in (None, "tree"):
                raise LoopwrightError(
                    f"no formulation '{name}' for '{self.mechanism.name}', which has no loops; there is 'tree'"
                )
            return None
        if name is None:
            return None
        if name == "springs":
            return Choice(with_springs(given(self.loops, stiffness, damping)), "asked for")
        found = formulation(name)
        if found.require is not None:
            found.require(self.topology.forest, lambda: self.loops.structure(self.topology.forest))
        return Choice(found, "asked for")

    @property
    def formulation(self) -> Formulation | None:
        """How loops are solved; None for a tree."""
        return self._choice.formulation if self.topology.loops else None

    @property
    def chosen(self) -> str:
        """The formulation in use, and why this one."""
        return str(self._choice) if self.topology.loops else "tree: there are no loops"

    @property
    def _own(self) -> Formulation | None:
        """The formulation that was asked for."""
        return self._asked_for.formulation if self._asked_for else None

    @cached_property
    def _choice(self) -> Choice:
        return self._asked_for or choice(self.loops)

    # what a name asks for

    def _quantity(
        self,
        name: str,
        algorithm: str | None = None,
        body: str | None = None,
        point: Any = ORIGIN,
        form: str = "skew",
        by: str | None = None,
    ) -> ask.Quantity:
        plain = {q.name: q for q in (*ask.PLAIN, POWER, *(self._of_loops if self.topology.loops else derivatives.ALL))}
        if not isinstance(name, str):
            raise LoopwrightError(f"a quantity goes by its name, got {name!r}")
        if name in plain:
            return plain[name]
        if name == "forward":
            return self._forward(algorithm)
        if name == "inverse" and self.topology.loops:
            self._require_tree(algorithm)
            return self._by(by)
        if name in ask.BY_ALGORITHM:
            registry, make = ask.BY_ALGORITHM[name]
            chosen = named(registry, algorithm, name)
            chosen.require(self._forest)
            return make(chosen)
        if name in ask.BY_BODY:
            if body is None:
                raise LoopwrightError(f"'{name}' is of a body: name it with body=…")
            return ask.BY_BODY[name](self._seat(body), self._point(point))
        if name == "convective":
            return ask.convective(form)
        every = sorted([*plain, *ask.BY_ALGORITHM, *ask.BY_BODY, "convective"])
        raise LoopwrightError(f"no quantity '{name}'; there are {', '.join(every)}")

    def _seat(self, body: str) -> Seat:
        if not known(body, self._forest.seats):
            raise LoopwrightError(unknown(body, "body", list(self._forest.seats), self.mechanism.name))
        return self._forest.seats[body]

    def _point(self, point: Any) -> Array:
        values = floats("a point", point)
        if values.shape != (3,):
            raise LoopwrightError(f"a point of a body has 3 numbers, got {point!r}")
        return values

    def _forward(self, algorithm: str | None) -> ask.Quantity:
        if self.formulation is not None:
            self._require_tree(algorithm)
            return closed.forward(self.formulation, self.loops)
        chosen = named(FORWARD, self.usual_forward if algorithm is None else algorithm, "forward dynamics")
        chosen.require(self._forest)
        return ask.forward(chosen)

    def _by(
        self, way: str | None, weights: Sequence[float] | None = None, preload: Sequence[float] | None = None
    ) -> ask.Quantity:
        """Inverse dynamics of loops, in parts where these determine it."""
        if way is not None and not known(way, closed.WAYS):
            raise LoopwrightError(f"no by='{way}'; inverse dynamics of loops goes by {' or '.join(closed.WAYS)}")
        if way is None and self._own is not None and self._own.inverse_dynamics is not None:
            return closed.inverse_by(self._own, self.loops)
        free = weights is None and preload is None
        if way == "subsystems" or (way is None and free and self.loops.determinate):
            if not free:
                raise LoopwrightError("weights and preload choose among forces; by='subsystems' finds the only ones")
            return closed.by_subsystems(self.loops)
        return closed.inverse(self.loops, weights, preload)

    def _require_tree(self, algorithm: str | None) -> None:
        if algorithm is not None:
            raise LoopwrightError(
                f"algorithm='{algorithm}' is for trees; '{self.mechanism.name}' has loops: choose a formulation, "
                "lw.Dynamics(mech, formulation=…)"
            )

    @cached_property
    def _of_loops(self) -> tuple[ask.Quantity, ...]:
        """What only a mechanism with loops can be asked, or answers in its own way."""
        found = (closed.CLOSURE, closed.CLOSURE_JACOBIAN, *(make(self.loops) for make in loop_derivatives.ALL))
        if self._own is None or self._own.springs is None:
            return found
        # a later one of the same name is taken
        own, pull = self._own, self._own.springs.generalised
        return (*found, *(make(own, pull, self.loops) for make in spring_derivatives.ALL))

    @property
    def usual_forward(self) -> str:
        """Few coordinates are cheaper by mass matrix and factor, many by articulated bodies   [Provenzano2002]"""
        return "crba" if self.mechanism.nv < 10 else "aba"

    def _free(self, parameters: Sequence[str]) -> tuple[str, ...]:
        if type(parameters) is tuple and not parameters:
            return ()
        if not isinstance(parameters, str) and not several(parameters):
            raise LoopwrightError(f"parameters are a list of names, got {parameters!r}")
        free = (parameters,) if isinstance(parameters, str) else tuple(parameters)
        for name in free:
            if not known(name, self.mechanism.values):
                raise LoopwrightError(unknown(name, "parameter", list(self.mechanism.values), self.mechanism.name))
        return free

    # one place where numbers go in and come out

    def _from_kernel(self, asked: tuple[str, str | None], *state: Any) -> Any:
        """What a kernel made before says of arrays; None where more has to be looked at than numbers can tell.

        Looking at everything takes ten times as long as the kernel of an arm.
        """
        try:
            ready = self._ready.get(asked)
        except TypeError:
            return None  # a name that is no word, of which is told later
        if ready is None:
            return None
        kernel, turns, shape = ready
        for x in state:
            if type(x) is not np.ndarray or x.dtype is not _DOUBLES:
                return None
        if turns and not (state[0].shape == shape and one_has_units(turns, state[0])):
            return None
        try:
            return kernel(*state)
        except (TypeError, ValueError):
            return None  # said in words by what looks closer

    def _note_ready(self, asked: tuple[str, str | None], quantity: ask.Quantity) -> None:
        """From now on `asked` may be answered at once, where the numbers are all that there is to look at."""
        kernel = None if self.topology.loops or self._answers.by_time else self._answers.made(quantity)
        if kernel is not None and self.mechanism.nv:
            self._ready[asked] = kernel.raw, quaternions_of(self.mechanism), (self.mechanism.nq,)

    def _answer(self, quantity: ask.Quantity, **given: Any) -> Array:
        answer = self._answers(quantity, given)
        if quantity.name == "forward" and not self.topology.loops:
            self._require_regular(answer, given)
        return answer

    def _require_regular(self, answer: Array, given: dict[str, Any]) -> None:
        """Where forces are finite and accelerations are not, the mass matrix is to blame."""
        if answer.ndim > 1 or np.all(np.isfinite(answer)) or not finite(given):
            return
        bias = self._answers(ask.BIAS, {name: given[name] for name in ask.BIAS.inputs})
        if np.all(np.isfinite(bias)):
            raise LoopwrightError(
                f"the mass matrix of '{self.mechanism.name}' is singular at this position: some motion of its joints "
                "moves no mass (two axes in line with nothing between them, for one). Give the bodies between them "
                "inertia, or the joints a rotor_inertia"
            )


def finite(given: Mapping[str, Any]) -> bool:
    """Whether a question holds numbers throughout: where it does not, no answer says anything of the mechanism."""
    return all(bool(np.isfinite(floats(name, values)).all()) for name, values in given.items())
