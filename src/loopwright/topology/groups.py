"""Two ways of grouping the bodies of a tree: subsystems that hang from the ground, and serial modules."""

from __future__ import annotations

from collections import Counter

from ..mechanism import GROUND, SpanningTree
from .loops import Loop


def subsystems(tree: SpanningTree) -> tuple[tuple[str, ...], ...]:
    """The trees into which the cuts divide the moving bodies, each standing on the ground   [Koul2014, section 2]"""
    link = _links(tree)
    groups: dict[str, list[str]] = {}
    root: dict[str, str] = {}
    for branch in tree.branches:
        if link[branch.outer] == GROUND:
            continue
        root[branch.outer] = branch.outer if link[branch.inner] == GROUND else root[branch.inner]
        groups.setdefault(root[branch.outer], []).append(branch.outer)
    return tuple(tuple(group) for group in groups.values())


def loop_subsystems(loops: tuple[Loop, ...], groups: tuple[tuple[str, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """For every loop, the numbers of the subsystems it runs through: the non-zero blocks of J   [Koul2014, 14]"""
    of = {body: k for k, group in enumerate(groups) for body in group}
    return tuple(tuple(sorted({of[body] for body in loop.bodies if body in of})) for loop in loops)


def modules(tree: SpanningTree) -> tuple[tuple[str, ...], ...]:
    """Kinematic modules: serial chains that start at a link where the tree branches   [Saha2013, section 3]"""
    link = _links(tree)
    onward = Counter(link[branch.inner] for branch in tree.branches if link[branch.outer] == branch.outer)
    found: list[list[str]] = []
    of: dict[str, list[str]] = {}
    for branch in tree.branches:
        inner, outer = link[branch.inner], link[branch.outer]
        if outer == GROUND:
            continue
        if outer not in of:
            starts = inner == GROUND or onward[inner] > 1
            if starts:
                found.append([])
            of[outer] = found[-1] if starts else of[inner]
        of[outer].append(branch.outer)
    return tuple(tuple(module) for module in found)


def _links(tree: SpanningTree) -> dict[str, str]:
    """For every body the first of those welded together with it: what moves as one link. The ground is one."""
    link = {GROUND: GROUND}
    for branch in tree.branches:
        link[branch.outer] = link[branch.inner] if branch.joint.kind == "weld" else branch.outer
    return link
