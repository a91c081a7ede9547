"""Fundamental loops: one for every cut joint, through the tree."""

from __future__ import annotations

from dataclasses import dataclass

from ..mechanism import BY_NAME, GROUND, Joint, SpanningTree


@dataclass(frozen=True)
class Loop:
    """The circuit that a cut joint closes; named after that joint."""

    cut: Joint
    joints: tuple[str, ...]  # from the cut's parent down to the common body, up to its child; the cut not among them
    bodies: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.cut.name

    @property
    def rows(self) -> int:
        """Scalar conditions that closing it brings."""
        return 6 - BY_NAME[self.cut.kind].nv


def fundamental_loops(tree: SpanningTree) -> tuple[Loop, ...]:
    """The loop of every cut."""
    into = {branch.outer: branch for branch in tree.branches}
    number = {GROUND: -1} | {body: k for k, body in enumerate(into)}
    loops = []
    for cut in tree.cuts:
        ways: tuple[list[str], list[str]] = [], []
        down, up = cut.parent, cut.child
        while down != up:
            # a body comes after the one it hangs from: the later of the two is not common to both ways
            if number[down] > number[up]:
                ways[0].append(down)
                down = into[down].inner
            else:
                ways[1].append(up)
                up = into[up].inner
        joints = [into[body].joint.name for body in (*ways[0], *reversed(ways[1]))]
        loops.append(Loop(cut, tuple(joints), (*ways[0], down, *reversed(ways[1]))))
    return tuple(loops)
