"""The formulations by name: many answers to one question, the same to rounding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import LoopwrightError
from ..mechanism import known
from ..spatial import Array, Number
from ..topology import Forest
from . import embedding, legs, multiplier, sparse, springs, subsystem, system
from .loaded import Loaded, Solution
from .springs import Springs
from .structure import Structure


@dataclass(frozen=True)
class Formulation:
    """A name users type, what computes it and the paper it comes from."""

    name: str
    forward_dynamics: Callable[[Loaded], Solution]
    source: str
    considered: bool = False  # whether it may be taken when none is asked for
    inverse_dynamics: Callable[[Loaded, Array], tuple[Array, Number]] | None = None  # its own: tau and health
    require: Callable[[Forest, Callable[[], Structure]], None] | None = None  # refuses what it does not treat
    springs: Springs | None = None  # those that close its loops

    @property
    def open(self) -> bool:
        """Whether its loops may stand open."""
        return self.springs is not None

    @property
    def detail(self) -> str:
        """Tells two of one name apart."""
        return self.springs.label if self.springs else ""


# for any mechanism
FORMULATIONS = (
    Formulation("system", system.forward_dynamics, system.source),
    Formulation("multiplier", multiplier.forward_dynamics, multiplier.source),
    Formulation("subsystem", subsystem.forward_dynamics, subsystem.source),
    Formulation("embedding", embedding.forward_dynamics, embedding.source, considered=True),
    Formulation("sparse", sparse.forward_dynamics, sparse.source, considered=True),
)
# for some
SPECIAL = (
    Formulation(
        "legs",
        legs.forward_dynamics,
        legs.source,
        inverse_dynamics=legs.inverse_dynamics,
        require=legs.require,
    ),
    Formulation("springs", springs.Springs().forward_dynamics, springs.source, springs=springs.Springs()),
)


# for motion over time only: what they solve for is more than accelerations
OVER_TIME = ("dae",)


def with_springs(given: Springs) -> Formulation:
    """The formulation "springs" with these springs and dampers."""
    return replace(formulation("springs"), forward_dynamics=given.forward_dynamics, springs=given)


def formulation(name: str) -> Formulation:
    """The formulation of that name."""
    every = {one.name: one for one in (*FORMULATIONS, *SPECIAL)}
    if name in OVER_TIME:
        raise LoopwrightError(
            f"formulation '{name}' gives motions over time and no accelerations by themselves: "
            f"lw.simulate(mech, state, t_end, formulation='{name}'); for all else there are {', '.join(every)}"
        )
    if not known(name, every):
        raise LoopwrightError(f"no formulation '{name}'; there are {', '.join(every)}")
    return every[name]
