"""The subsystems of a tree: what hangs from the ground by one joint, each a small tree of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..dynamics import Link
from ..topology import BASE, Cut

source = "[Koul2014, section 2 and (13)-(16)]"


@dataclass(frozen=True)
class Subsystem:
    """`links` are numbered from 0; `members` and `coordinates` are their numbers in the whole tree."""

    links: list[Link]
    members: list[int]
    coordinates: list[int]


def subsystems(links: list[Link]) -> list[Subsystem]:
    """In the order in which they stand on the ground."""
    groups: dict[int, list[int]] = {}
    for index, root in enumerate(roots(links)):
        groups.setdefault(root, []).append(index)
    return [_alone(links, members) for members in groups.values()]


def roots(links: list[Link]) -> list[int]:
    """For every link, the one between it and the ground that stands on the ground."""
    found: list[int] = []
    for link in links:
        found.append(link.index if link.parent == BASE else found[link.parent])
    return found


def _alone(links: list[Link], members: list[int]) -> Subsystem:
    number = {BASE: BASE} | {index: k for k, index in enumerate(members)}
    own: list[Link] = []
    coordinates: list[int] = []
    for index in members:
        link = links[index]
        v = slice(len(coordinates), len(coordinates) + link.v.stop - link.v.start)
        own.append(replace(link, index=number[index], parent=number[link.parent], v=v))
        coordinates += range(link.v.start, link.v.stop)
    return Subsystem(own, members, coordinates)


def loop_subsystems(links: list[Link], cuts: Sequence[Cut]) -> list[list[int]]:
    """For every loop the numbers of the subsystems it runs through: the non-zero blocks of J   [Koul2014, 14]"""
    root = roots(links)
    number = {index: k for k, index in enumerate(dict.fromkeys(root))}
    ends = [(cut.parent.node, cut.child.node) for cut in cuts]
    return [sorted({number[root[node]] for node in pair if node != BASE}) for pair in ends]
