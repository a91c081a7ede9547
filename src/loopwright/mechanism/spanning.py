"""Which joints stay in the spanning tree and which are cut: it fixes the coordinates of the mechanism.

Rules, in this order: welds, actuated joints and joints with a rotor stay; joints whose full turns count, for a spring
or for limits more than a turn apart, stay; the joints with many constraint rows stay, so that the cuts bring the
fewest rows; joints near the ground stay, so that loops are short and subsystems small; then the order in which the
user named them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..errors import LoopwrightError
from .joints import BY_NAME
from .naming import suggestion
from .parts import GROUND, Joint


@dataclass(frozen=True)
class Branch:
    """A joint of the tree, walked from the body nearer the ground to the other."""

    joint: Joint
    inner: str
    outer: str

    @property
    def backwards(self) -> bool:
        """Whether the user named the outer body as the parent."""
        return self.joint.parent == self.outer


@dataclass(frozen=True)
class SpanningTree:
    """Branches with parents first, and the joints left over, which close loops."""

    branches: tuple[Branch, ...]
    cuts: tuple[Joint, ...]


def neighbours(joints: Sequence[Joint]) -> dict[str, list[tuple[Joint, str]]]:
    """For every body, the joints that touch it and the body on their other side, in the order given."""
    touching: dict[str, list[tuple[Joint, str]]] = {}
    for joint in joints:
        touching.setdefault(joint.parent, []).append((joint, joint.child))
        touching.setdefault(joint.child, []).append((joint, joint.parent))
    return touching


def distances(joints: Sequence[Joint], start: str = GROUND) -> dict[str, int]:
    """Number of joints between the ground, or another body, and every body that can be reached from it."""
    touching = neighbours(joints)
    far = {start: 0}
    queue = deque([start])
    while queue:
        body = queue.popleft()
        for _, other in touching.get(body, ()):
            if other not in far:
                far[other] = far[body] + 1
                queue.append(other)
    return far


def spanning_tree(joints: Sequence[Joint], cuts: Collection[str] | None = None) -> SpanningTree:
    """The tree by the rules above, or the one that is left when the user cuts the joints named."""
    if cuts is None:
        kept = _kept(joints)
    else:
        known = [joint.name for joint in joints]
        for name in cuts:
            if name not in known:
                raise LoopwrightError(f"cannot cut '{name}': there is no joint of that name; {suggestion(name, known)}")
        kept = set(known) - set(cuts)
    return _walk(joints, kept, cuts)


def _kept(joints: Sequence[Joint]) -> set[str]:
    """Kruskal's minimum spanning tree for the order of preference."""
    far = distances(joints)
    order = {joint.name: k for k, joint in enumerate(joints)}

    def preference(joint: Joint) -> tuple[bool, bool, int, int, int]:
        stays = joint.kind == "weld" or any(joint.actuated) or has_rotor(joint)
        near = min(far.get(joint.parent, 0), far.get(joint.child, 0))
        return (not stays, not counts_turns(joint), BY_NAME[joint.kind].nv, near, order[joint.name])

    group: dict[str, str] = {}

    def root(body: str) -> str:
        while group.setdefault(body, body) != body:
            group[body] = group[group[body]]
            body = group[body]
        return body

    kept = set()
    for joint in sorted(joints, key=preference):
        a, b = root(joint.parent), root(joint.child)
        if a != b:
            group[a] = b
            kept.add(joint.name)
    return kept


def has_rotor(joint: Joint) -> bool:
    """Whether anything turns with the joint's own coordinates: it is computed with those of the tree only."""
    return any(inertia != 0.0 for inertia in joint.rotor_inertia)


def counts_turns(joint: Joint) -> bool:
    """Whether it matters how often the joint has gone round, which is known of those of the tree."""
    turning = BY_NAME[joint.kind].full_turns
    sprung = any(stiffness != 0.0 and k in turning for k, stiffness in enumerate(joint.stiffness))
    return sprung or any(
        k in turning and 2.0 * math.pi <= high - low and (math.isfinite(low) or math.isfinite(high))
        for k, (low, high) in enumerate(joint.limits)
    )


def _walk(joints: Sequence[Joint], kept: set[str], cuts: Collection[str] | None) -> SpanningTree:
    """Parents first, each branch numbered through before the next, so that a chain's links are neighbours."""
    touching = neighbours([joint for joint in joints if joint.name in kept])
    branches: list[Branch] = []
    reached: set[str] = set()
    used: set[str] = set()
    stack: list[Branch | None] = [None]
    while stack:
        branch = stack.pop()
        body = GROUND
        if branch is not None:
            body = branch.outer
            branches.append(branch)
        if body in reached:
            cut = f"with the cuts {', '.join(sorted(cuts))} there is still" if cuts else "with no cut there is"
            raise LoopwrightError(f"{cut} a loop through '{body}': cut one joint more in it")
        reached.add(body)
        onward = [Branch(joint, body, other) for joint, other in touching.get(body, ()) if joint.name not in used]
        used.update(branch.joint.name for branch in onward)
        stack.extend(reversed(onward))
    lost = sorted({body for joint in joints for body in (joint.parent, joint.child)} - reached)
    if lost and cuts is not None:
        raise LoopwrightError(
            f"the cuts {', '.join(sorted(cuts))} leave {', '.join(lost)} with no joint to the tree: cut fewer joints"
        )
    return SpanningTree(tuple(branches), tuple(joint for joint in joints if joint.name not in kept))
