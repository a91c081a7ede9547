"""The open-tree algorithms by name, with the joints they treat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import known
from ..spatial import Array
from ..topology import Forest
from . import articulated_body, composite_body, denoc, factor, gah, gibbs_appell, newton_euler, noc, reverse_gaussian
from .links import Link


@dataclass(frozen=True)
class Algorithm:
    """A name users type, what computes it and the paper it comes from."""

    name: str
    function: Callable[..., Array]
    source: str
    joints: tuple[str, ...] = ()  # kinds of joint it treats; empty: all
    by_mass_centres: bool = False  # needs masses as bodies have them, with a centre
    by_sweeps: bool = False  # made of sweeps alone, so that its cost grows with the number of links and no faster

    def require(self, forest: Forest) -> None:
        """Refuse a mechanism with joints that the algorithm cannot treat."""
        if not self.joints:
            return
        others = [f"'{node.joint}' ({node.kind.name})" for node in forest.nodes if node.kind.name not in self.joints]
        if others:
            raise LoopwrightError(
                f"algorithm '{self.name}' treats {', '.join(self.joints)} joints only, not {', '.join(others[:4])}"
                f"{' …' if len(others) > 4 else ''}; use another algorithm, or lw.as_one_dof_joints(mech) where "
                "that leaves only such joints"
            )


INVERSE = (
    Algorithm("rnea", newton_euler.inverse_dynamics, newton_euler.source, by_sweeps=True),
    Algorithm("gibbs_appell", gibbs_appell.inverse_dynamics, gibbs_appell.source, by_mass_centres=True, by_sweeps=True),
)
MASS = (
    Algorithm("crba", composite_body.mass_matrix, composite_body.source),
    Algorithm("gah", gah.mass_matrix, gah.source, gah.joints),
    Algorithm("noc", noc.mass_matrix, noc.source, by_mass_centres=True),
    Algorithm("denoc", denoc.mass_matrix, denoc.source),
)


def _by_articulated_bodies(links: list[Link], tau: Array, gravity: Array, external: list[Array], nv: int) -> Array:
    return articulated_body.forward_dynamics(links, tau, gravity, external)


def _by_elimination(links: list[Link], tau: Array, gravity: Array, external: list[Array], nv: int) -> Array:
    return reverse_gaussian.forward_dynamics(links, tau, gravity, external)


def _by_mass_matrix(mass_matrix: Callable[..., Array]) -> Callable[..., Array]:
    """Walker and Orin's method: the mass matrix, the bias by inverse dynamics, a factorisation."""

    def forward_dynamics(links: list[Link], tau: Array, gravity: Array, external: list[Array], nv: int) -> Array:
        phi = tau - _bias(links, tau, gravity, external)
        return factor.factored(mass_matrix(links, nv), links).solve(phi)

    return forward_dynamics


def _bias(links: list[Link], tau: Array, gravity: Array, external: list[Array]) -> Array:
    return newton_euler.inverse_dynamics(links, np.zeros(len(tau)), gravity, external)


FORWARD = (
    Algorithm("aba", _by_articulated_bodies, articulated_body.source, by_sweeps=True),
    Algorithm("denoc", _by_elimination, reverse_gaussian.source, by_sweeps=True),
    *(
        Algorithm(
            mass.name,
            _by_mass_matrix(mass.function),
            f"[WalkerOrin1982] with {mass.source}",
            mass.joints,
            mass.by_mass_centres,
        )
        for mass in MASS
        if mass.name != "denoc"
    ),
)


def named(registry: tuple[Algorithm, ...], name: str | None, what: str) -> Algorithm:
    """The algorithm of that name, the first when none is asked for."""
    if name is None:
        return registry[0]
    by_name = {algorithm.name: algorithm for algorithm in registry}
    if not known(name, by_name):
        raise LoopwrightError(f"no algorithm '{name}' for {what}; there are {', '.join(by_name)}")
    return by_name[name]
