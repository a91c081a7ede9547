"""The two sides of a cut joint, seen from the last link that both hang from.

Closing a loop concerns only motions within it, so everything here is relative to that link, in its axes; what
carries the loop as a whole never enters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics import Link, Motion, moved
from ..spatial import Array, Pose, cross
from ..topology import Cut, Seat


@dataclass(frozen=True)
class Side:
    """A path of links, outward from the common one, and the poses at which they and the joint's frame stand."""

    links: list[Link]
    X: list[Pose]
    seat: Seat
    frame: Pose


@dataclass(frozen=True)
class Moving:
    """Angular velocity and rate of a side's frame; velocity and acceleration of a point of it."""

    w: Array
    v: Array
    w_rate: Array
    v_rate: Array


def sides(links: list[Link], cut: Cut) -> tuple[Side, Side]:
    """The parent's and the child's side."""
    down, up = paths(links, cut.parent.node, cut.child.node)
    return _side(down, cut.parent), _side(up, cut.child)


def paths(links: list[Link], one: int, other: int) -> tuple[list[Link], list[Link]]:
    """The links to two nodes from the last that both hang from, which is left out."""
    to_one, to_other, _ = _walked(links, one, other)
    return to_one, to_other


def common(links: list[Link], one: int, other: int) -> int:
    """The last node that two hang from, or BASE."""
    return _walked(links, one, other)[2]


def _walked(links: list[Link], one: int, other: int) -> tuple[list[Link], list[Link], int]:
    ways: tuple[list[Link], list[Link]] = [], []
    while one != other:
        # parents have lower numbers, so what both hang from is not above the lower of the two
        if one > other:
            ways[0].append(links[one])
            one = links[one].parent
        else:
            ways[1].append(links[other])
            other = links[other].parent
    return ways[0][::-1], ways[1][::-1], one


def _side(own: list[Link], seat: Seat) -> Side:
    X: list[Pose] = []
    for link in own:
        X.append(X[-1] @ link.X if X else link.X)
    return Side(own, X, seat, X[-1] @ seat.X if X else seat.X)


def columns(side: Side, at: Array) -> list[tuple[slice, Array]]:
    """For every joint of the side, the twists of the side's point at `at` when it moves by one: 6 x nv."""
    found = []
    for link, X in zip(side.links, side.X, strict=True):
        if not link.P.shape[1]:
            continue
        reach = at - X.p
        turned = [np.concatenate([X.R @ P[:3], X.R @ P[3:]]) for P in link.P.T]
        found.append((link.v, np.stack([_carried(t, reach) for t in turned], axis=1)))
    return found


def _carried(t: Array, reach: Array) -> Array:
    return np.concatenate([t[:3], t[3:] + cross(t[:3], reach)])


def moving(side: Side, at: Array | None = None) -> Moving:
    """How the side's frame moves with the velocities of its joints and no accelerations; its origin, or point `at`."""
    still = np.zeros(6)
    if not side.links:
        return Moving(np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3))
    motion = Motion.of(still, still)
    for link in side.links:
        motion = moved(link, motion, np.zeros(link.v.stop - link.v.start))
    X = side.X[-1]
    r = side.seat.X.p if at is None else X.R.T @ (at - X.p)
    w, v = motion.twist[:3], motion.twist[3:]
    v_point, rate_point = v + cross(w, r), motion.rate[3:] + motion.field @ r
    return Moving(X.R @ w, X.R @ v_point, X.R @ motion.rate[:3], X.R @ rate_point)
