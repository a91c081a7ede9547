"""What can be asked of an open tree, each as one function from arrays to an array.

These are the texts that run on numbers and that are recorded on symbols: they see a forest and arrays only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..closure import cut_spring_energy
from ..dynamics import (
    FORWARD,
    INVERSE,
    MASS,
    Algorithm,
    Link,
    Loads,
    convective_matrix,
    gravitational,
    jacobian,
    kinetic,
    links_at,
    loads,
    momentum,
    motions,
    poses,
    skew_convective_matrix,
    spring_energy,
    twists,
    whole,
)
from ..dynamics.denoc import N_d, N_d_at_centres, N_l, N_l_at_centres
from ..dynamics.links import split
from ..dynamics.newton_euler import inverse_dynamics
from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism, known
from ..spatial import Array, Number, Pose, Propagation, array, blockwise, cross, skew
from ..topology import BASE, Forest, Seat

Shape = Callable[[Mechanism], tuple[int, ...]]


@dataclass(frozen=True)
class Quantity:
    """`compute(forest, *inputs)`; `inputs` are names among q, v, a, tau and t; `label` tells two of one name apart.

    `layout` says what the text needs of the forest: "lean" for equations of motion, whose masses may be lumped;
    "axes" where masses are used as bodies have them but frames may stand anywhere; "plain" as the user said it.
    """

    name: str
    inputs: tuple[str, ...]
    compute: Callable[..., Array]
    shape: Shape
    layout: str = "plain"
    detail: str = ""
    recorded_only: bool = False  # made of the recorded expressions themselves, so there is no NumPy form
    unsolved: Callable[..., tuple[Array, Array]] | None = None  # (S, X) when the answer is S^-1 X, S the mass matrix
    rolls: bool = False  # made of sweeps alone, with one result for every velocity
    along: tuple[str, ...] = ()  # coordinates whose motion the loops allow, by which it is said, in this order
    sizes: tuple[tuple[str, int | None], ...] = ()  # of inputs that are none of the five; t here is always taken
    by_parameters: bool = False  # then compute also takes the free parameters, and the answer has a column for each

    @property
    def label(self) -> str:
        return f"{self.name} {self.detail}".rstrip()


def per_velocity(mechanism: Mechanism) -> tuple[int, ...]:
    """The shape of one number for every velocity."""
    return (mechanism.nv,)


def _square(mechanism: Mechanism) -> tuple[int, ...]:
    return (mechanism.nv, mechanism.nv)


def _of(*sizes: int) -> Shape:
    return lambda mechanism: sizes


def _layout(algorithm: Algorithm) -> str:
    return "axes" if algorithm.by_mass_centres else "lean"


def moving(forest: Forest, q: Array, v: Array, t: Number) -> tuple[list[Link], Loads]:
    """The links in one state, and everything that acts on the tree there."""
    links = links_at(forest, q, v)
    if not (forest.point_springs or forest.pushes):
        return links, loads(forest, t, q, v, [], [])
    return links, loads(forest, t, q, v, poses(links), twists(links))


def inverse(algorithm: Algorithm) -> Quantity:
    """Generalised forces that the motion needs, beyond what loads and springs supply."""

    def compute(forest: Forest, q: Array, v: Array, a: Array, t: Number) -> Array:
        links, acting = moving(forest, q, v, t)
        return algorithm.function(links, a, forest.gravity, acting.on_links) - acting.at_joints

    inputs, layout, rolls = ("q", "v", "a", "t"), _layout(algorithm), algorithm.by_sweeps
    return Quantity("inverse", inputs, compute, per_velocity, layout, algorithm.name, rolls=rolls)


def bias(forest: Forest, q: Array, v: Array, t: Number) -> Array:
    """What inverse dynamics gives for no acceleration."""
    links, acting = moving(forest, q, v, t)
    return inverse_dynamics(links, np.zeros(forest.nv), forest.gravity, acting.on_links) - acting.at_joints


def forward(algorithm: Algorithm) -> Quantity:
    """Accelerations under the actuators' forces and all loads."""

    def compute(forest: Forest, q: Array, v: Array, tau: Array, t: Number) -> Array:
        links, acting = moving(forest, q, v, t)
        f = at_actuators(forest, tau) + acting.at_joints
        return algorithm.function(links, f, forest.gravity, acting.on_links, forest.nv)

    inputs, layout, rolls = ("q", "v", "tau", "t"), _layout(algorithm), algorithm.by_sweeps
    return Quantity("forward", inputs, compute, per_velocity, layout, algorithm.name, rolls=rolls)


def at_actuators(forest: Forest, tau: Array) -> Array:
    """Forces at every coordinate, from those of the actuators."""
    at = {k: tau[i] for i, k in enumerate(forest.actuated)}
    return array([at.get(k, 0.0) for k in range(forest.nv)])


def mass_matrix(algorithm: Algorithm) -> Quantity:
    """I, nv x nv."""

    def compute(forest: Forest, q: Array) -> Array:
        return algorithm.function(links_at(forest, q), forest.nv)

    return Quantity("mass_matrix", ("q",), compute, _square, _layout(algorithm), algorithm.name)


def gravity(forest: Forest, q: Array) -> Array:
    """Generalised forces that hold the tree still against gravity alone."""
    still = np.zeros(forest.nv)
    return inverse_dynamics(links_at(forest, q), still, forest.gravity, [np.zeros(6) for _ in forest.nodes])


def energy(forest: Forest, q: Array, v: Array) -> Array:
    """[kinetic, potential]"""
    links = links_at(forest, q, v)
    X = poses(links)
    springs = spring_energy(forest, q, X) + cut_spring_energy(forest, links, q)
    potential = gravitational(links, X, forest.gravity) + springs
    return array([kinetic(links, twists(links)), potential])


def whole_momentum(forest: Forest, q: Array, v: Array) -> Array:
    """[linear, angular about the ground's origin, mass centre, angular about it]"""
    links = links_at(forest, q, v)
    p = momentum(links, poses(links), twists(links))
    return np.concatenate([p.linear, p.angular, p.centre, p.about_centre])


def mass_centre(forest: Forest, q: Array) -> Array:
    """Of all moving bodies, in ground axes."""
    links = links_at(forest, q)
    return whole(links, poses(links)).centre


def rates(forest: Forest, q: Array, v: Array) -> Array:
    """dq/dt"""
    parts = [node.kind.rates(q[node.q], v[node.v]) for node in forest.nodes]
    return np.concatenate(parts) if parts else np.zeros(0)


def drift(forest: Forest, v: Array) -> Array:
    """How a small displacement, in the directions of the velocities, is carried along by the motion itself."""
    # of a ball: d(s)/dt = s_w - w x s; of a free joint also d(p)/dt = p_v - w x p - u x s
    blocks = []
    for node in forest.nodes:
        if not node.kind.flat:
            i = node.v.stop - 3
            w = skew(v[i : i + 3])
            blocks.append((slice(i, i + 3), slice(i, i + 3), -w))
            if node.kind.nv == 6:
                along = slice(node.v.start, node.v.start + 3)
                blocks += [(along, along, -w), (along, slice(i, i + 3), -skew(v[along]))]
    return blockwise(forest.nv, forest.nv, blocks)


def pose_of(seat: Seat) -> Quantity:
    """Rows of [R p] of a body, twelve numbers."""

    def compute(forest: Forest, q: Array) -> Array:
        X = _seated(seat, poses(links_at(forest, q)))
        return np.concatenate([X.R, X.p[:, None]], axis=1).reshape(-1)

    return Quantity("pose", ("q",), compute, _of(12), "plain", _where(seat))


def jacobian_of(seat: Seat, point: Array) -> Quantity:
    """6 x nv, of a point of a body, in ground axes."""

    def compute(forest: Forest, q: Array) -> Array:
        links = links_at(forest, q)
        X = poses(links)
        return jacobian(links, X, seat.node, _seated(seat, X).point(point), forest.nv)

    return Quantity("jacobian", ("q",), compute, lambda m: (6, m.nv), "plain", _where(seat, point))


def twist_of(seat: Seat, point: Array) -> Quantity:
    """Angular and linear velocity of a point of a body, in ground axes."""

    def compute(forest: Forest, q: Array, v: Array) -> Array:
        if seat.node == BASE:
            return np.zeros(6)
        links = links_at(forest, q, v)
        X = poses(links)[seat.node]
        return Propagation(X.R.T, X.R.T @ (X.R @ seat.X.point(point))) @ twists(links)[seat.node]

    return Quantity("twist", ("q", "v"), compute, _of(6), "plain", _where(seat, point))


def twist_rate_of(seat: Seat, point: Array) -> Quantity:
    """Angular and linear acceleration of a point of a body, in ground axes."""

    def compute(forest: Forest, q: Array, v: Array, a: Array) -> Array:
        if seat.node == BASE:
            return np.zeros(6)
        links = links_at(forest, q, v)
        moving = motions(links, split(links, a))[seat.node]
        return _point_rate(poses(links)[seat.node], seat.X.point(point), moving.twist, moving.rate)

    return Quantity("twist_rate", ("q", "v", "a"), compute, _of(6), "plain", _where(seat, point))


def _point_rate(X: Pose, r: Array, twist: Array, rate: Array) -> Array:
    # a_P = a_O + w' x r + w x (w x r)
    w, w_rate = twist[:3], rate[:3]
    linear = rate[3:] + cross(w_rate, r) + cross(w, cross(w, r))
    return np.concatenate([X.R @ w_rate, X.R @ linear])


def _seated(seat: Seat, X: list[Pose]) -> Pose:
    return seat.X if seat.node == BASE else X[seat.node] @ seat.X


def convective(form: str) -> Quantity:
    """C with C v the velocity terms of the equations of motion."""
    forms: dict[str, Any] = {"skew": skew_convective_matrix, "papers": convective_matrix}
    if not known(form, forms):
        raise LoopwrightError(f"no form '{form}' of the convective matrix; there are {', '.join(forms)}")

    def compute(forest: Forest, q: Array, v: Array) -> Array:
        return forms[form](links_at(forest, q, v), forest.nv)

    # the papers' form depends on where along its axis a joint's origin stands
    return Quantity("convective", ("q", "v"), compute, _square, "axes" if form == "skew" else "plain", form)


def denoc_of(at: str) -> tuple[Quantity, Quantity]:
    """N_l and N_d, at the joint origins or at the mass centres."""

    def lower(forest: Forest, q: Array) -> Array:
        return (N_l if at == "joints" else N_l_at_centres)(links_at(forest, q))

    def diagonal(forest: Forest, q: Array) -> Array:
        return (N_d if at == "joints" else N_d_at_centres)(links_at(forest, q), forest.nv)

    def links_of(mechanism: Mechanism) -> int:
        return 6 * sum(BY_NAME[branch.joint.kind].nv > 0 for branch in mechanism.tree.branches)

    return (
        Quantity("N_l", ("q",), lower, lambda m: (links_of(m), links_of(m)), "plain", at),
        Quantity("N_d", ("q",), diagonal, lambda m: (links_of(m), m.nv), "plain", at),
    )


def _where(seat: Seat, point: Array | None = None) -> str:
    """A seat and point in words that are the same when they are the same."""
    numbers = [*seat.X.R.flat, *seat.X.p, *([] if point is None else point)]
    return f"{seat.node} {' '.join(float(x).hex() for x in numbers)}"


BIAS = Quantity("bias", ("q", "v", "t"), bias, per_velocity, "lean", rolls=True)
GRAVITY = Quantity("gravity", ("q",), gravity, per_velocity, "lean", rolls=True)
ENERGY = Quantity("energy", ("q", "v"), energy, _of(2), "axes")
MOMENTUM = Quantity("momentum", ("q", "v"), whole_momentum, _of(12), "axes")
MASS_CENTRE = Quantity("mass_centre", ("q",), mass_centre, _of(3), "axes")
DRIFT = Quantity("drift", ("v",), drift, _square)
RATES = Quantity("rates", ("q", "v"), rates, lambda m: (m.nq,))
PLAIN = (BIAS, GRAVITY, ENERGY, MOMENTUM, MASS_CENTRE, RATES)

BY_ALGORITHM: dict[str, tuple[tuple[Algorithm, ...], Callable[[Algorithm], Quantity]]] = {
    "forward": (FORWARD, forward),
    "inverse": (INVERSE, inverse),
    "mass_matrix": (MASS, mass_matrix),
}
BY_BODY: dict[str, Callable[[Seat, Array], Quantity]] = {
    "pose": lambda seat, point: pose_of(seat),
    "jacobian": jacobian_of,
    "twist": twist_of,
    "twist_rate": twist_rate_of,
}
