"""Universal and planar joints as their one-dof parts, coordinate by coordinate the same, with nothing between.

Their motion subspace changes as they move; that of a turn or a slide never does. Programs of the equations of
motion and their derivatives are recorded from this form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..mechanism.joints import BY_NAME, Reversed, turn_to
from ..spatial import Inertia, Pose, array
from .forest import BASE, Forest, Node, PointSpring, Push, Seat

# (kind, pose before it, which coordinate), from the inner to the outer frame
Part = tuple[str, Pose, int]


def taken_apart(forest: Forest) -> Forest:
    """The same forest in which every joint but ball and free has a constant motion subspace."""
    nodes: list[Node] = []
    moved, after = {BASE: BASE}, {BASE: Pose()}
    for node in forest.nodes:
        parent = moved[node.parent]
        parts, after[node.index] = _parts(node)
        # what stood in the parent's frame stands in its last part's, which may be turned
        parts[0] = replace(parts[0], X_tree=after[node.parent] @ parts[0].X_tree)
        for part in parts:
            nodes.append(replace(part, index=len(nodes), parent=parent))
            parent = len(nodes) - 1
        moved[node.index] = parent

    def seat(s: Seat) -> Seat:
        return Seat(moved[s.node], after[s.node] @ s.X)

    return moved_seats(replace(forest, nodes=tuple(nodes)), seat)


def moved_seats(forest: Forest, seat: Callable[[Seat], Seat]) -> Forest:
    """Everything that rides on the nodes, seated anew."""

    def spring(s: PointSpring) -> PointSpring:
        return replace(s, a=seat(s.a), b=seat(s.b))

    def push(p: Push) -> Push:
        return replace(p, seat=seat(p.seat))

    return replace(
        forest,
        seats={body: seat(s) for body, s in forest.seats.items()},
        point_springs=tuple(spring(s) for s in forest.point_springs),
        pushes=tuple(push(p) for p in forest.pushes),
        cuts=tuple(replace(cut, parent=seat(cut.parent), child=seat(cut.child)) for cut in forest.cuts),
    )


def _parts(node: Node) -> tuple[list[Node], Pose]:
    if node.kind.name not in ("universal", "planar"):
        return [node], Pose()
    parts = _universal(node) if node.kind.name == "universal" else _planar()
    after = Pose()
    if isinstance(node.kind, Reversed):
        parts, after = _walked_back(parts)
    made = []
    for n, (name, before, k) in enumerate(parts):
        X = node.X_tree @ before if n == 0 else before
        kind = Reversed(BY_NAME[name]) if isinstance(node.kind, Reversed) else BY_NAME[name]
        q, v = slice(node.q.start + k, node.q.start + k + 1), slice(node.v.start + k, node.v.start + k + 1)
        rotor = node.rotor[k : k + 1]
        made.append(replace(node, kind=kind, shape=(), X_tree=X, inertia=Inertia.zero(), q=q, v=v, rotor=rotor))
    # the last frame may stand turned against the node's own
    made[-1] = replace(made[-1], inertia=node.inertia.gathered(after))
    return made, after


def _universal(node: Node) -> list[Part]:
    # Rz(q0) Rx(angle) Rz(q1)
    c, s = node.shape
    tilt = Pose(array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]), np.zeros(3))
    return [("revolute", Pose(), 0), ("revolute", tilt, 1)]


def _planar() -> list[Part]:
    # Tx(q0) Ty(q1) Rz(q2), each about or along its own z
    x, y = (Pose(turn_to(axis, axis), np.zeros(3)) for axis in np.eye(3)[:2])
    return [("prismatic", x, 0), ("prismatic", x.inverse() @ y, 1), ("revolute", y.inverse(), 2)]


def _walked_back(parts: list[Part]) -> tuple[list[Part], Pose]:
    """The same chain from its other end, every motion undone, and what is left to turn back at its end."""
    poses = [*(before for _, before, _ in parts), Pose()]
    back = [(name, poses[n + 1].inverse(), k) for n, (name, _, k) in enumerate(parts)]
    return back[::-1], poses[0].inverse()
