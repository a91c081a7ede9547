"""Where the nodes of a layered drawing go: few crossings, straight chains (after Sugiyama)

Layers are distances from the ground, so an edge joins nodes of one layer or of two neighbouring ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

Edge = tuple[str, str]
Layers = list[list[str]]

_SWEEPS = 12
_SMALL = 400  # edges up to which orders are also improved swap by swap


def ordered(layers: Layers, edges: Sequence[Edge]) -> Layers:
    """Every layer sorted so that few edges cross; ties keep the order given."""
    touching = _touching(edges)
    best = [list(layer) for layer in layers]
    least = crossings(best, edges)
    trial = [list(layer) for layer in best]
    for sweep in range(_SWEEPS):
        if least == 0:
            break
        forward = range(1, len(trial))
        for k in forward if sweep % 2 == 0 else reversed(range(len(trial) - 1)):
            beside = trial[k - 1] if sweep % 2 == 0 else trial[k + 1]
            trial[k] = _by_barycentre(trial[k], beside, touching)
        if len(edges) <= _SMALL:
            _swapped(trial, edges)
        count = crossings(trial, edges)
        if count < least:
            best, least = [list(layer) for layer in trial], count
    return best


def crossings(layers: Layers, edges: Sequence[Edge]) -> int:
    """Pairs of edges that cross, and nodes that an edge within a layer must go around."""
    place = {name: (k, i) for k, layer in enumerate(layers) for i, name in enumerate(layer)}
    gaps: dict[int, list[tuple[int, int]]] = {}
    around = 0
    for a, b in edges:
        (ka, ia), (kb, ib) = sorted((place[a], place[b]))
        if ka == kb:
            around += 2 * (abs(ia - ib) - 1) if ia != ib else 0
        else:
            gaps.setdefault(ka, []).append((ia, ib))
    return around + sum(_inversions(ends) for ends in gaps.values())


def _inversions(ends: list[tuple[int, int]]) -> int:
    """Pairs with a < c and b > d, counted by inserting the second ends in the order of the first."""
    from bisect import bisect_right, insort

    seen: list[int] = []
    count = 0
    for _, b in sorted(ends):
        count += len(seen) - bisect_right(seen, b)
        insort(seen, b)
    return count


def _by_barycentre(layer: list[str], beside: list[str], touching: Mapping[str, list[str]]) -> list[str]:
    where = {name: i for i, name in enumerate(beside)}
    now = {name: i for i, name in enumerate(layer)}

    def centre(name: str) -> float:
        near = [where[other] for other in touching.get(name, ()) if other in where]
        return sum(near) / len(near) if near else now[name]

    return sorted(layer, key=lambda name: (centre(name), now[name]))


def _swapped(layers: Layers, edges: Sequence[Edge]) -> None:
    """Exchange neighbours as long as that removes crossings."""
    least = crossings(layers, edges)
    improved = True
    while improved:
        improved = False
        for layer in layers:
            for i in range(len(layer) - 1):
                layer[i], layer[i + 1] = layer[i + 1], layer[i]
                count = crossings(layers, edges)
                if count < least:
                    least, improved = count, True
                else:
                    layer[i], layer[i + 1] = layer[i + 1], layer[i]


def heights(layers: Layers, edges: Sequence[Edge], apart: Callable[[str, str], float]) -> dict[str, float]:
    """A height for every node, as level with its neighbours as `apart` (within a layer) allows."""
    touching = _touching(edges)
    y: dict[str, float] = {}
    offsets: list[list[float]] = []
    for layer in layers:
        offset = [0.0]
        for a, b in pairwise(layer):
            offset.append(offset[-1] + apart(a, b))
        offsets.append(offset)
        y.update({name: at - offset[-1] / 2 for name, at in zip(layer, offset, strict=True)})
    level = {name: k for k, layer in enumerate(layers) for name in layer}
    for sweep in range(2 * _SWEEPS):
        for k in range(len(layers)) if sweep % 2 else reversed(range(len(layers))):
            wanted = []
            for name in layers[k]:
                near = [y[other] for other in touching.get(name, ()) if level[other] != k]
                wanted.append(sum(near) / len(near) if near else y[name])
            y.update(zip(layers[k], _apart(wanted, offsets[k]), strict=True))
    return y


def _apart(wanted: list[float], offset: list[float]) -> list[float]:
    """The heights nearest to those wanted that keep their distances: isotonic regression of wanted - offset."""
    blocks: list[tuple[float, int]] = []  # mean and count
    for value, at in zip(wanted, offset, strict=True):
        mean, count = value - at, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, count = (mean * count + before * many) / (count + many), count + many
        blocks.append((mean, count))
    level = [mean for mean, count in blocks for _ in range(count)]
    return [mean + at for mean, at in zip(level, offset, strict=True)]


def _touching(edges: Sequence[Edge]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for a, b in edges:
        found.setdefault(a, []).append(b)
        found.setdefault(b, []).append(a)
    return found
