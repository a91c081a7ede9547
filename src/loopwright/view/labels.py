"""Labels that sit on their curves and keep clear of nodes, of other curves and of each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .svg import Box, Curve

_PLACES = (0.5, 0.58, 0.42, 0.66, 0.34, 0.74, 0.26, 0.82, 0.18)
_ROUNDS = 4


def on_curves(curves: Sequence[Curve], sizes: Sequence[tuple[float, float]], nodes: Sequence[Box]) -> list[Box]:
    """A box of the given size on each curve."""
    if not curves:
        return []
    samples = np.array([[curve.at(s) for s in np.linspace(0.04, 0.96, 47)] for curve in curves])
    middles = np.array([[b.x, b.y, b.width, b.height] for b in nodes]).reshape(-1, 4)
    options = [[Box(*curve.at(s), *size) for s in _PLACES] for curve, size in zip(curves, sizes, strict=True)]
    fixed = [[_against_drawing(box, k, samples, middles) for box in boxes] for k, boxes in enumerate(options)]
    chosen = [0 for _ in options]
    for _ in range(_ROUNDS):
        before = list(chosen)
        for k, boxes in enumerate(options):
            others = _near(options, chosen, k)
            costs = [
                fixed[k][i] + 4.0 * i + sum(10.0 * box.overlap(other) for other in others)
                for i, box in enumerate(boxes)
            ]
            # moving is only worth it when it clears something
            if min(costs) + 8.0 < costs[chosen[k]]:
                chosen[k] = int(np.argmin(costs))
        if chosen == before:
            break
    return [boxes[i] for boxes, i in zip(options, chosen, strict=True)]


def _near(options: list[list[Box]], chosen: list[int], k: int) -> list[Box]:
    here = options[k][0]
    reach = 2 * max(here.width, here.height) + 200.0
    return [
        boxes[chosen[j]]
        for j, boxes in enumerate(options)
        if j != k and abs(boxes[0].x - here.x) < reach and abs(boxes[0].y - here.y) < reach
    ]


def _against_drawing(box: Box, own: int, samples: np.ndarray, nodes: np.ndarray) -> float:
    """How much of nodes and of other curves the box would hide."""
    inside = (np.abs(samples[..., 0] - box.x) < box.width / 2 + 2) & (
        np.abs(samples[..., 1] - box.y) < box.height / 2 + 2
    )
    inside[own] = False
    across = np.minimum(box.right, nodes[:, 0] + nodes[:, 2] / 2) - np.maximum(box.left, nodes[:, 0] - nodes[:, 2] / 2)
    down = np.minimum(box.bottom, nodes[:, 1] + nodes[:, 3] / 2) - np.maximum(box.top, nodes[:, 1] - nodes[:, 3] / 2)
    hidden = float((np.maximum(across + 6, 0) * np.maximum(down, 0)).sum())
    return 10.0 * hidden + 30.0 * float(inside.sum())
