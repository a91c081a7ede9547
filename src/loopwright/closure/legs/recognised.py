"""Whether a mechanism is a parallel architecture: chains of joints, the legs, from the ground to one platform.

Nobody declares it: it is seen from which joints touch which bodies. Each leg has at most one motor; a leg without
is carried along. In a single loop any body may be the platform; taken is the middle one beside the joint that is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ...errors import LoopwrightError
from ...topology import BASE, Forest
from ..structure import Structure

_HINT = "; take another formulation, such as 'embedding'"


@dataclass(frozen=True)
class Motor:
    """The entry of tau and the coordinate of v that it drives."""

    rank: int
    v: int


@dataclass(frozen=True)
class Leg:
    """Nodes from the ground outwards, the joint that is cut, nodes from the platform up to the cut.

    The leg that carries the platform has no cut: its last node is the platform.
    """

    inner: tuple[int, ...]
    cut: int | None
    outer: tuple[int, ...]
    motor: Motor | None

    @property
    def length(self) -> int:
        """How many joints it has."""
        return len(self.inner) + len(self.outer) + (self.cut is not None)

    def bodies(self, platform: int) -> tuple[int, ...]:
        """The nodes passed on the way from the ground to the platform, which comes last."""
        return self.inner if self.cut is None else (*self.inner, *reversed(self.outer), platform)


@dataclass(frozen=True)
class Legs:
    """The platform's node, and its legs in the order in which they leave the ground."""

    platform: int
    legs: tuple[Leg, ...]

    @property
    def driven(self) -> tuple[int, ...]:
        """The coordinates that have motors, in the order of tau."""
        return tuple(m.v for m in sorted((leg.motor for leg in self.legs if leg.motor), key=lambda m: m.rank))


@dataclass(frozen=True)
class _Edge:
    """A joint between two nodes: of the tree (number of its node), or cut (number of the cut)."""

    a: int
    b: int
    node: int | None
    cut: int | None

    def other(self, end: int) -> int:
        return self.b if end == self.a else self.a


def recognised(forest: Forest) -> Legs:
    """The legs of a parallel architecture; refuses anything else and says why."""
    edges = [_Edge(node.parent, node.index, node.index, None) for node in forest.nodes]
    edges += [_Edge(cut.parent.node, cut.child.node, None, k) for k, cut in enumerate(forest.cuts)]
    at: dict[int, list[_Edge]] = {BASE: [], **{node.index: [] for node in forest.nodes}}
    for edge in edges:
        at[edge.a].append(edge)
        at[edge.b].append(edge)
    found = []
    for platform in _platforms(forest, at):
        legs = tuple(_leg(_walked(forest, at, first, platform)) for first in at[BASE])
        found.append(Legs(platform, tuple(replace(leg, motor=_motor(forest, leg)) for leg in legs)))
    if not found:
        raise _refused("no body moves that could be the platform")
    fit = [legs for legs in found if all(len(_motors(forest, leg)) <= 1 for leg in legs.legs)]
    if not fit:
        raise _refused(_crowded(forest, found[0]))
    # beside the cut nothing is walked backwards; even legs are short
    return min(fit, key=lambda legs: (any(leg.outer for leg in legs.legs), max(leg.length for leg in legs.legs)))


def _platforms(forest: Forest, at: dict[int, list[_Edge]]) -> Iterator[int]:
    """The one body with three joints or more, or in a single loop any."""
    loose = [k for k, edges in at.items() if k != BASE and len(edges) == 1]
    if loose:
        raise _refused(
            f"'{_body(forest, loose[0])}' is no part of a loop: only '{_joint(forest, at[loose[0]][0])}' holds it"
        )
    branching = [k for k, edges in at.items() if k != BASE and len(edges) > 2]
    if len(branching) > 1:
        shown = ", ".join(f"'{_body(forest, k)}' ({_joints(forest, at[k])})" for k in branching[:3])
        raise _refused(
            f"legs are chains, and one body alone, the platform, has more than two joints; here {shown} have"
        )
    if branching:
        if len(at[branching[0]]) != len(at[BASE]):
            raise _refused(
                f"every leg runs from the ground to the platform, but the ground has {len(at[BASE])} joints "
                f"({_joints(forest, at[BASE])}) and '{_body(forest, branching[0])}' has {len(at[branching[0]])}"
            )
        yield branching[0]
        return
    if len(at[BASE]) != 2:
        raise _refused(
            f"its {len(at[BASE]) // 2} loops share no body: no platform joins the legs that begin with "
            f"{_joints(forest, at[BASE])}"
        )
    yield from (k for k in at if k != BASE)


def _walked(forest: Forest, at: dict[int, list[_Edge]], first: _Edge, platform: int) -> list[_Edge]:
    """The edges from the ground to the platform that begin with this one."""
    walked, end = [first], first.other(BASE)
    while end != platform:
        if end == BASE:
            raise _refused(
                f"the chain {_joints(forest, walked)} goes from the ground back to it, past '{_body(forest, platform)}'"
            )
        (onward,) = (edge for edge in at[end] if edge is not walked[-1])
        walked.append(onward)
        end = onward.other(end)
    return walked


def _leg(edges: list[_Edge]) -> Leg:
    k = next((k for k, edge in enumerate(edges) if edge.cut is not None), len(edges))
    inner = tuple(edge.node for edge in edges[:k] if edge.node is not None)
    outer = tuple(edge.node for edge in reversed(edges[k + 1 :]) if edge.node is not None)
    return Leg(inner, edges[k].cut if k < len(edges) else None, outer, None)


def _motors(forest: Forest, leg: Leg) -> list[Motor]:
    """What drives a leg; a motor on the joint that is cut is refused."""
    if leg.cut is not None and any(rank is not None for rank in forest.cuts[leg.cut].actuated):
        name = forest.cuts[leg.cut].joint
        raise _refused(f"the motor of '{name}' sits on a joint that is cut: let cuts=… cut another joint of its leg")
    own = {v for k in (*leg.inner, *leg.outer) for v in range(forest.nodes[k].v.start, forest.nodes[k].v.stop)}
    return [Motor(rank, v) for rank, v in enumerate(forest.actuated) if v in own]


def _motor(forest: Forest, leg: Leg) -> Motor | None:
    return next(iter(_motors(forest, leg)), None)


def _crowded(forest: Forest, legs: Legs) -> str:
    """Which motors share a leg."""
    of = {v: node.joint for node in forest.nodes for v in range(node.v.start, node.v.stop)}
    crowd = next(motors for leg in legs.legs if len(motors := _motors(forest, leg)) > 1)
    shown = " and ".join(f"'{of[motor.v]}'" for motor in crowd)
    undeclared = len(forest.actuated) == forest.nv
    hint = (
        " (no motor is declared, so every tree coordinate has one: say actuated=True of those that are driven)"
        if undeclared
        else ""
    )
    return f"the motors {shown} drive one leg, and a leg has one at most{hint}"


def require(forest: Forest, structure: Callable[[], Structure]) -> None:
    """A parallel architecture with one motor for every freedom, no more and no fewer."""
    motors, freedoms = len(recognised(forest).driven), len(structure().independent)
    if motors != freedoms:
        raise _refused(f"it has {freedoms} freedoms and {motors} motors, and needs one for each")


def _refused(reason: str) -> LoopwrightError:
    return LoopwrightError(f"formulation 'legs' is for parallel architectures: {reason}{_HINT}")


def _body(forest: Forest, node: int) -> str:
    return forest.nodes[node].body


def _joint(forest: Forest, edge: _Edge) -> str:
    return forest.nodes[edge.node].joint if edge.node is not None else forest.cuts[edge.cut or 0].joint


def _joints(forest: Forest, edges: list[_Edge]) -> str:
    return ", ".join(_joint(forest, edge) for edge in edges)
