"""What acts besides the actuators: springs, dampers, friction, wrenches and efforts, at the joints and on links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array, Number, Pose, cross, force_at, is_nothing, norm, numbers, sign, where
from ..topology import BASE, Forest, PointSpring, Push, Seat
from .links import Link, joined
from .sweep import inward


@dataclass(frozen=True)
class Loads:
    """`at_joints`: nv generalised forces; `on_links`: one wrench per link, at its origin and in its axes."""

    at_joints: Array
    on_links: list[Array]


def loads(forest: Forest, t: Number, q: Array, v: Array, X: list[Pose], twists: list[Array]) -> Loads:
    """Everything that acts at time t in the state (q, v)."""
    on_links = [np.zeros(6) for _ in forest.nodes]

    def add(seat: Seat, force: Array, torque: Array) -> None:
        """A force at the seat's point and a torque, in ground axes."""
        if seat.node != BASE:
            R = X[seat.node].R
            wrench = force_at(seat.X.p, R.T @ force)
            on_links[seat.node] = on_links[seat.node] + wrench + np.concatenate([R.T @ torque, np.zeros(3)])

    for spring in forest.point_springs:
        pull = _pull(spring, X, twists)
        add(spring.a, pull, np.zeros(3))
        add(spring.b, -pull, np.zeros(3))
    for push in forest.pushes:
        force, torque = _pushed(push, X, t, q, v)
        add(push.seat, force, torque)
    return Loads(_at_joints(forest, t, q, v), on_links)


def generalised(links: list[Link], acting: Loads) -> Array:
    """nv forces: those at the joints, and N^T w of those on the links."""

    def step(link: Link, handed: Array, own: Array) -> tuple[Array, Array]:
        w = own + handed
        return link.P.T @ w, link.A.T @ w

    return acting.at_joints + joined(links, inward(links, step, np.zeros(6), acting.on_links))


def _at_joints(forest: Forest, t: Number, q: Array, v: Array) -> Array:
    # -(damping v + friction sign(v)) - stiffness (q - rest) + efforts
    total = -forest.damping * v - friction_force(forest.friction, v)
    for spring in forest.joint_springs:
        total = _added(total, spring.v, -spring.stiffness * spring.kind.difference(spring.rest, q[spring.q]))
    for extra in forest.extras:
        total = _added(total, extra.v, numbers(value_of(extra.value, t, q, v)))
    return total


def friction_force(friction: Array, v: Array) -> Array:
    """Dry friction against the motion: its own magnitude forward and backward, nothing at rest."""
    if not _any(friction):
        return np.zeros(len(v))
    moving, forward, backward = sign(v), friction[:, 0], friction[:, 1]
    return moving * ((forward + backward) + moving * (forward - backward)) / 2.0


def _pull(spring: PointSpring, X: list[Pose], twists: list[Array]) -> Array:
    """Force on the point of `a`, towards the point of `b`, in ground axes."""
    (p_a, v_a), (p_b, v_b) = (_point(seat, X, twists) for seat in (spring.a, spring.b))
    reach = p_b - p_a
    distance = norm(reach)
    apart = distance > 0.0
    along = reach / where(apart, distance, 1.0)
    rate = along @ (v_b - v_a)
    return (spring.stiffness * (distance - spring.length) + spring.damping * rate) * along


def _point(seat: Seat, X: list[Pose], twists: list[Array]) -> tuple[Array, Array]:
    """Position and velocity in ground axes."""
    if seat.node == BASE:
        return seat.X.p, np.zeros(3)
    pose, twist = X[seat.node], twists[seat.node]
    return pose.point(seat.X.p), pose.R @ (twist[3:] + cross(twist[:3], seat.X.p))


def _pushed(push: Push, X: list[Pose], t: Number, q: Array, v: Array) -> tuple[Array, Array]:
    force, torque = (numbers(value_of(given, t, q, v)) for given in (push.force, push.torque))
    if not push.body_axes:
        return force, torque
    R = X[push.seat.node].R @ push.seat.X.R if push.seat.node != BASE else push.seat.X.R
    return R @ force, R @ torque


def value_of(given: Any, t: Number, q: Array, v: Array) -> Any:
    """A load as numbers, now."""
    return given(t, q, v) if callable(given) else given


def _added(total: Array, where_: slice, part: Array) -> Array:
    return np.concatenate([total[: where_.start], total[where_] + part, total[where_.stop :]])


def _any(values: Array) -> bool:
    return not all(is_nothing(x) for x in np.ravel(values))


def spring_energy(forest: Forest, q: Array, X: list[Pose]) -> Number:
    """1/2 k x^2 of every spring."""
    total: Number = 0.0
    for spring in forest.joint_springs:
        x = spring.kind.difference(spring.rest, q[spring.q])
        total = total + x @ (spring.stiffness * x)
    still = [np.zeros(6) for _ in X]
    for point in forest.point_springs:
        (p_a, _), (p_b, _) = (_point(seat, X, still) for seat in (point.a, point.b))
        stretch = norm(p_b - p_a) - point.length
        total = total + point.stiffness * stretch * stretch
    return total / 2.0
