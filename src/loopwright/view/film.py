"""A run as one page of HTML: the outlines of the bodies, their poses over time, and a few lines that draw them.

The page loads nothing from anywhere; names stand in it as data, never as markup.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ..mechanism import GROUND, Mechanism, evaluated, placed
from ..simulate import Run, poses
from ..spatial import Pose
from ..topology import Topology
from .motion import COLOURS
from .pose import Skeleton, plane_of, skeleton_at

_PAGE = Path(__file__).with_name("film.html")
_DIGITS = 6  # of what is drawn


def film(run: Run, chosen: list[int], speed: float) -> str:
    """The page, showing these saved states."""
    told = json.dumps(_told(run, chosen, speed), separators=(",", ":"), allow_nan=False)
    # a name such as "</script>" must not end the script
    safe = told.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _PAGE.read_text(encoding="utf-8").replace("/*DATA*/null", safe)


def _told(run: Run, chosen: list[int], speed: float) -> dict[str, Any]:
    m = run.mechanism
    names = [GROUND, *(body.name for body in m.bodies)]
    X = np.nan_to_num(poses(run)[chosen])
    first = [Pose(x[:, :3], x[:, 3]) for x in X[0]]
    still = skeleton_at(m, dict(zip(names, first, strict=True)))
    bodies = [
        {
            "name": name,
            "colour": COLOURS[k % len(COLOURS)],
            "outline": _list([_seen(first[k + 1], p) for p in still.bodies[name]]),
        }
        for k, name in enumerate(names[1:])
    ]
    joints = [
        {"name": joint.name, "body": names.index(joint.parent), "other": names.index(joint.child)}
        | _ends(m, joint.name)
        for joint in m.joints
        if joint.kind != "free"
    ]
    return {
        "name": m.name,
        "status": run.status,
        "speed": speed,
        "plane": plane_of(Topology.of(m)),
        "up": _up(m),
        "bodies": bodies,
        "joints": joints,
        "grounded": _list(still.grounded),
        "extent": _extent(X, names, still),
        "times": _list(run.t[chosen]),
        "poses": _list(X[:, 1:].reshape(len(chosen), -1)),
    }


def _ends(m: Mechanism, name: str) -> dict[str, Any]:
    """The two origins of a joint, each in its own body."""
    joint = m.joint(name)
    return {
        "at": _list(placed(joint.in_parent, m.values).p),
        "otherAt": _list(placed(joint.in_child, m.values).p),
        "slides": joint.kind in ("prismatic", "cylindrical", "screw"),
    }


def _extent(X: Any, names: list[str], still: Skeleton) -> list[list[float]]:
    """The box that holds every outline at every time."""
    points = [still.grounded]
    for k, name in enumerate(names[1:], start=1):
        first = Pose(X[0, k, :, :3], X[0, k, :, 3])
        for corner in still.bodies[name]:
            points.append(X[:, k, :, :3] @ _seen(first, corner) + X[:, k, :, 3])
    every = np.concatenate(points)
    return _list(np.stack([every.min(axis=0), every.max(axis=0)]))


def _seen(X: Pose, point: Any) -> Any:
    """A point of the ground's axes in a body's own."""
    return X.R.T @ (point - X.p)


def _up(m: Mechanism) -> int:
    gravity = np.abs([float(g) for g in evaluated(m.gravity, m.values)])
    return int(np.argmax(gravity)) if gravity.max() > 0.0 else 2


def _list(values: Any) -> Any:
    return np.round(np.asarray(values, dtype=float), _DIGITS).tolist()
