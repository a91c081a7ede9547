"""A mechanism's graph in layers, and how much room each of its parts takes in a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..mechanism import GROUND, Joint, Mechanism
from .layers import Layers, ordered
from .svg import shortened, width_of

NODE_TEXT, LABEL_TEXT, KIND_TEXT = 13.0, 11.5, 10.0  # sizes of type
LONGEST = 26  # characters of a name that are shown
MARK = 21.0  # room for the sign of an actuator
NODE_HEIGHT = 34.0
LABEL_HEIGHT = 29.0

_WALL = (30.0, 76.0)  # the ground, at least
_PORT = 19.0  # between edges that end at one side of a node
_AROUND_LABEL = 76.0  # of the way between two layers, what must stay free of labels


@dataclass(frozen=True)
class Sketch:
    """`towards` and `away` list the joints of a body that lead to lower and to higher layers."""

    joints: Sequence[Joint]
    layers: Layers
    level: Mapping[str, int]
    row: Mapping[str, int]
    towards: Mapping[str, list[Joint]]
    away: Mapping[str, list[Joint]]
    together: Mapping[frozenset[str], int]  # how many joints join two bodies
    sizes: Mapping[str, tuple[float, float]]
    labels: Mapping[str, tuple[float, float]]
    per_band: int

    def folded_at(self, per_band: int) -> Sketch:
        """The same in bands of so many layers."""
        return replace(self, per_band=per_band)

    def cell(self, k: int) -> tuple[int, int]:
        """Band and column of a layer; every second band runs to the left."""
        band, place = divmod(k, self.per_band)
        return band, place if band % 2 == 0 else self.per_band - 1 - place

    def ends(self, joint: Joint) -> tuple[str, str]:
        """The body in the lower layer, or higher up in the same one, first."""
        a, b = sorted((joint.parent, joint.child), key=lambda name: (self.level[name], self.row[name]))
        return a, b

    def upright(self, joint: Joint) -> bool:
        """Whether it joins two nodes that stand one above the other, and does so alone."""
        a, b = self.ends(joint)
        beside = self.level[a] == self.level[b] and self.row[b] == self.row[a] + 1
        return beside and self.together[frozenset((a, b))] == 1

    def port(self, joint: Joint) -> float:
        """Room of an edge's end: those that join the same two bodies keep clear of each other's labels."""
        return LABEL_HEIGHT + 9.0 if self.together[frozenset((joint.parent, joint.child))] > 1 else _PORT

    def gap(self, k: int) -> float:
        """Room beyond layer k for its labels, and for the edges that go around within it."""
        onward = [self.labels[joint.name][0] for name in self.layers[k] for joint in self.away[name]]
        within = [
            self.labels[joint.name][0]
            for joint in self.joints
            if self.level[joint.parent] == self.level[joint.child] == k and not self.upright(joint)
        ]
        return max(onward, default=0.0) + _AROUND_LABEL + max(within, default=0.0)


def sketch(mechanism: Mechanism) -> Sketch:
    """The graph of a mechanism in layers by distance from the ground, in one band."""
    joints = mechanism.joints
    layers = _layers(mechanism)
    level = {name: k for k, layer in enumerate(layers) for name in layer}
    towards: dict[str, list[Joint]] = {name: [] for name in level}
    away: dict[str, list[Joint]] = {name: [] for name in level}
    for joint in joints:
        lower, higher = sorted((joint.parent, joint.child), key=level.__getitem__)
        if level[lower] != level[higher]:
            away[lower].append(joint)
            towards[higher].append(joint)
    bare = Sketch(
        joints=joints,
        layers=layers,
        level=level,
        row={name: i for layer in layers for i, name in enumerate(layer)},
        towards=towards,
        away=away,
        together=Counter(frozenset((joint.parent, joint.child)) for joint in joints),
        sizes={},
        labels={joint.name: label_size(joint) for joint in joints},
        per_band=len(layers),
    )
    return replace(bare, sizes={name: _node_size(bare, name) for name in level})


def _layers(mechanism: Mechanism) -> Layers:
    import networkx

    graph = networkx.MultiGraph()
    graph.add_node(GROUND)
    graph.add_nodes_from(body.name for body in mechanism.bodies)
    graph.add_edges_from((joint.parent, joint.child) for joint in mechanism.joints)
    order = {name: k for k, name in enumerate(graph)}
    layers = [sorted(layer, key=order.__getitem__) for layer in networkx.bfs_layers(graph, GROUND)]
    return ordered(layers, [(joint.parent, joint.child) for joint in mechanism.joints])


def label_size(joint: Joint) -> tuple[float, float]:
    """A joint's label: its name over its kind, beside the sign of an actuator."""
    text = max(width_of(shortened(joint.name, LONGEST), LABEL_TEXT), width_of(joint.kind, KIND_TEXT))
    return text + (MARK if any(joint.actuated) else 0.0) + 8.0, LABEL_HEIGHT


def _node_size(bare: Sketch, name: str) -> tuple[float, float]:
    needed = max(sum(map(bare.port, side[name])) for side in (bare.towards, bare.away))
    if name == GROUND:
        return _WALL[0], max(_WALL[1], needed)
    return max(width_of(shortened(name, LONGEST), NODE_TEXT) + 22.0, 56.0), max(NODE_HEIGHT, needed + 10.0)
