"""The Topology: how a mechanism will be computed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from ..mechanism import Mechanism, chosen_cuts, require_mechanism
from .forest import Forest, forest
from .groups import loop_subsystems, modules, subsystems
from .loops import Loop, fundamental_loops
from .mobility import Mobility, mobility


@dataclass(frozen=True)
class Topology:
    """Spanning tree, cuts, loops, subsystems and modules of a mechanism."""

    mechanism: Mechanism

    @staticmethod
    def of(mechanism: Mechanism, cuts: Collection[str] | None = None) -> Topology:
        """By the rules of the spanning tree, or with the loops opened at the joints named in `cuts`."""
        require_mechanism("Topology", mechanism)
        if cuts is None:
            return Topology(mechanism)
        recut = replace(mechanism, cuts=chosen_cuts(cuts))
        _ = recut.tree  # cuts that do not make a tree are refused here
        return Topology(recut)

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        return fundamental_loops(self.mechanism.tree)

    @cached_property
    def subsystems(self) -> tuple[tuple[str, ...], ...]:
        return subsystems(self.mechanism.tree)

    @cached_property
    def loop_subsystems(self) -> tuple[tuple[int, ...], ...]:
        return loop_subsystems(self.loops, self.subsystems)

    @cached_property
    def modules(self) -> tuple[tuple[str, ...], ...]:
        return modules(self.mechanism.tree)

    @cached_property
    def mobility(self) -> Mobility:
        return mobility(self.mechanism)

    @cached_property
    def forest(self) -> Forest:
        """The tree laid out for computing, at the parameters' present values."""
        return forest(self.mechanism)
