"""A mechanism drawn as sticks: a line through the joints of every body, at one position or at several."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..mechanism import GROUND, Mechanism, evaluated, placed
from ..spatial import Array, Pose
from ..topology import Topology
from ..verbs import Dynamics
from .motion import COLOURS
from .saving import as_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, GREY, GAP = "#22303c", "#8a949d", "#c8404f"
_SLIDING = ("prismatic", "cylindrical", "screw")


@dataclass(frozen=True)
class Skeleton:
    """Corners of every body, joints, what joints slide along, gaps of loops that do not close; in ground axes."""

    bodies: dict[str, Array]
    joints: dict[str, Array]
    grounded: Array
    slides: dict[str, Array]
    gaps: dict[str, Array]
    size: float


def skeleton(mechanism: Mechanism, q: Any, cuts: Collection[str] | None = None) -> Skeleton:
    """Where everything stands at q."""
    dynamics = Dynamics(mechanism, cuts=cuts)
    bodies = {body.name: dynamics.pose(body.name, q) for body in mechanism.bodies}
    return skeleton_at(dynamics.mechanism, {GROUND: Pose(), **bodies})


def skeleton_at(mechanism: Mechanism, poses: Mapping[str, Pose]) -> Skeleton:
    """The same from where the bodies are, the ground among them."""
    on: dict[str, list[Array]] = {name: [] for name in poses}
    ends: dict[str, tuple[Array, Array]] = {}
    for joint in mechanism.joints:
        if joint.kind == "free":
            continue
        a = poses[joint.parent].point(placed(joint.in_parent, mechanism.values).p)
        b = poses[joint.child].point(placed(joint.in_child, mechanism.values).p)
        on[joint.parent].append(a)
        on[joint.child].append(b)
        ends[joint.name] = (a, b)
    for body in mechanism.bodies:
        on[body.name] += [poses[body.name].point(p) for p in _tips(mechanism, body.name, len(on[body.name]))]
    everything = np.array([point for points in on.values() for point in points]).reshape(-1, 3)
    size = float(np.ptp(everything, axis=0).max(initial=0.0)) or 1.0
    cut = {joint.name for joint in mechanism.tree.cuts}
    apart = {name: np.array(pair) for name, pair in ends.items() if np.linalg.norm(pair[1] - pair[0]) > 1e-6 * size}
    return Skeleton(
        bodies={name: _outline(_distinct(points, size)) for name, points in on.items() if name != GROUND},
        joints={name: a for name, (a, _) in ends.items()},
        grounded=np.array(on[GROUND]).reshape(-1, 3),
        slides={name: pair for name, pair in apart.items() if mechanism.joint(name).kind in _SLIDING},
        gaps={
            name: pair
            for name, pair in apart.items()
            if name in cut and mechanism.joint(name).kind not in (*_SLIDING, "planar")
        },
        size=size,
    )


def _tips(mechanism: Mechanism, name: str, joints: int) -> list[Array]:
    """Ends of a rod; else, for a body on one joint only, its mass centre, so that there is something to see."""
    body = mechanism.body(name)
    rods = [np.array(shape.size, dtype=float).reshape(2, 3) for shape in body.shapes if shape.kind == "line"]
    if rods:
        return [end for rod in rods for end in rod]
    return [np.array(evaluated(body.com, mechanism.values), dtype=float)] if joints == 1 else []


def _distinct(points: list[Array], size: float) -> list[Array]:
    kept: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > 1e-9 * size for other in kept):
            kept.append(point)
    return kept


def _outline(points: list[Array]) -> Array:
    """The corners of the body in their order around it, closed; two points are a line."""
    corners = np.array(points).reshape(-1, 3)
    if len(corners) < 3:
        return corners
    around = corners - corners.mean(axis=0)
    axes = np.linalg.svd(around)[2]
    order = _hull(around @ axes[:2].T)
    return corners[[*order, order[0]]]


def _hull(flat: Array) -> list[int]:
    """Convex hull of points in a plane by Andrew's monotone chain."""
    order = [int(k) for k in np.lexsort((flat[:, 1], flat[:, 0]))]

    def half(way: Sequence[int]) -> list[int]:
        found: list[int] = []
        for k in way:
            while len(found) > 1 and _left(flat[found[-2]], flat[found[-1]], flat[k]) <= 0.0:
                found.pop()
            found.append(k)
        return found[:-1]

    return half(order) + half(order[::-1])


def _left(a: Array, b: Array, c: Array) -> float:
    """Twice the area of the triangle, positive when it turns left; nearly straight counts as straight."""
    u, w = b - a, c - a
    area = float(u[0] * w[1] - u[1] * w[0])
    return area if abs(area) > 1e-9 * float(np.linalg.norm(u) * np.linalg.norm(w)) else 0.0


def pose_figure(mechanism: Mechanism, states: Any, cuts: Collection[str] | None = None, title: str = "") -> Figure:
    """One q, or several that fade in from the first to the last; flat for planar mechanisms, else in space."""
    from matplotlib.figure import Figure

    drawn = [skeleton(mechanism, q, cuts) for q in np.atleast_2d(np.asarray(states, dtype=float))]
    flat = plane_of(Topology.of(mechanism, cuts))
    figure = Figure(figsize=(7.0, 6.4), layout="constrained")
    figure.suptitle(as_words(title or mechanism.name), x=0.02, ha="left", fontweight="bold")
    ax: Any = figure.add_subplot(projection=None if flat else "3d")
    for k, one in enumerate(drawn):
        fade = 0.18 + 0.82 * ((k + 1) / len(drawn)) ** 2
        sticks(ax, one, flat or (0, 1, 2), 1.0 if k == len(drawn) - 1 else fade * 0.6)
    if flat:
        ax.set_aspect("equal", adjustable="datalim")
        ax.grid(color="#dde3e9", linewidth=0.8)
        ax.set_axisbelow(True)
        ax.margins(0.08)
    else:
        equal_axes(ax, drawn, mechanism)
    for which, axis in zip(("x", "y", "z"), flat or (0, 1, 2), strict=False):
        getattr(ax, f"set_{which}label")(f"{'xyz'[axis]} (m)")
    return figure


def plane_of(topology: Topology) -> tuple[int, int] | None:
    """The two axes of the plane of motion, right and up, when it is a plane of the ground's axes."""
    normal = topology.mobility.normal
    if normal is None:
        return None
    return {2: (0, 1), 1: (0, 2), 0: (1, 2)}[int(np.argmax(np.abs(normal)))] if max(map(abs, normal)) > 0.999 else None


def sticks(ax: Any, one: Skeleton, axes: Sequence[int], alpha: float) -> None:
    def chosen(points: Array) -> list[Array]:
        return [points[..., k] for k in axes]

    for k, corners in enumerate(one.bodies.values()):
        colour = COLOURS[k % len(COLOURS)]
        if len(corners) > 1:
            ax.plot(*chosen(corners), color=colour, linewidth=3.2, alpha=alpha, solid_capstyle="round")
            if len(axes) == 2 and len(corners) > 3:
                ax.fill(*chosen(corners), color=colour, alpha=0.18 * alpha, linewidth=0)
    joints = np.array(list(one.joints.values())).reshape(-1, 3)
    ax.plot(*chosen(joints), "o", color=INK, markerfacecolor="white", markersize=6, alpha=alpha, zorder=5)
    ax.plot(*chosen(one.grounded), "^", color=INK, markersize=9, alpha=alpha, zorder=4)
    for ends in one.slides.values():
        ax.plot(*chosen(ends), "-", color=GREY, linewidth=2.0, alpha=alpha, zorder=1)
    for ends in one.gaps.values():
        ax.plot(*chosen(ends), ":", color=GAP, linewidth=1.6, alpha=alpha)


def equal_axes(ax: Any, drawn: Sequence[Skeleton], mechanism: Mechanism) -> None:
    """The same scale along all axes, and what gravity calls up is up."""
    from matplotlib.ticker import MaxNLocator

    points = np.concatenate([np.concatenate([*one.bodies.values(), one.grounded]) for one in drawn])
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = max(float(np.ptp(points, axis=0).max()) / 2, 1e-6) * 1.05
    for which, centre in zip("xyz", middle, strict=True):
        getattr(ax, f"set_{which}lim")(centre - half, centre + half)
    gravity = np.abs([float(g) for g in evaluated(mechanism.gravity, mechanism.values)])
    up = "xyz"[int(np.argmax(gravity))] if gravity.max() > 0 else "z"
    ax.view_init(elev=20.0, azim=-60.0, vertical_axis=up)
    ax.set_box_aspect((1, 1, 1))
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_major_locator(MaxNLocator(5))
