"""Mechanisms with loops: forward dynamics in many states and one at a time, inverse dynamics, and the peers' ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec

import numpy as np

import loopwright as lw
from loopwright.closure import close

from .peers.rival import PROBE, Rival
from .row import Row, Taken, Target
from .states import BATCH, States
from .timing import Call, in_turn

MECHANISMS = ("four_bar", "three_rrr", "delta", "stewart", "robotic_leg")
POSITIONS = 64  # different ones among the states
AT_ONCE, ONE_BY_ONE = Target(times=50.0), Target(times=10.0)


@dataclass(frozen=True)
class Linkage:
    """A mechanism in states that close its loops, with accelerations that keep them closed."""

    name: str
    mechanism: lw.Mechanism
    dynamics: lw.Dynamics
    states: States


def loops() -> list[Row]:
    """Seconds per state: 4096 states side by side, the same one after another, both against the peers' functions."""
    return [row for name in MECHANISMS for row in _rows(linkage(name))]


def linkage(name: str) -> Linkage:
    """A ready mechanism around its start, at ordinary speeds."""
    mechanism = lw.zoo.MECHANISMS[name]()
    dynamics = lw.Dynamics(mechanism)
    start = lw.zoo.start(name)
    first = np.array([start[c] for c in mechanism.coordinates])
    rng = np.random.default_rng(len(name))
    q = [first]
    while len(q) < POSITIONS:
        N = dynamics.embedding(first)
        moved = mechanism.integrate(first, N @ rng.uniform(-0.2, 0.2, N.shape[1]))
        ended = close(dynamics.loops.closing, moved)
        if ended.left < 1e-12:
            q.append(ended.q)
    positions = np.tile(np.array(q), (BATCH // POSITIONS, 1))
    N = dynamics.embedding(positions)
    v = np.einsum("sij,sj->si", N, rng.normal(size=(BATCH, N.shape[-1])))
    tau = rng.normal(size=(BATCH, mechanism.nu))
    return Linkage(name, mechanism, dynamics, States(positions, v, dynamics.kernel("forward")(positions, v, tau), tau))


def _rows(one: Linkage) -> list[Row]:
    ours = {
        "forward, side by side": _call(one, "forward", None),
        "forward, one by one": _call(one, "forward", 1),
        "inverse, side by side": _call(one, "inverse", None),
        "inverse, one by one": _call(one, "inverse", 1),
    }
    rivals = {rival.name: rival for make in _peers() for rival in make(one)}
    taken = in_turn(ours | {name: rival.call for name, rival in rivals.items()})
    each = {call: Taken(total.best / BATCH, total.median / BATCH) for call, total in taken.items()}
    found = []
    for way in ours:
        count = one.dynamics.count(way.partition(",")[0]).total
        note = f"{count} operations, {count / each[way].best * 1e-9:.1f} a ns; {one.dynamics.formulation.name}"
        row = Row(f"{one.name} {way}", each[way], "s", note=note)
        target = AT_ONCE if way.endswith("side") else ONE_BY_ONE
        found += [_against(row, rival, each[name], target, one) for name, rival in rivals.items()] or [row]
    return found


def _against(row: Row, rival: Rival, taken: Taken, target: Target, one: Linkage) -> Row:
    """Beside the peer's forward dynamics: they have no inverse dynamics of loops."""
    a, theirs = one.states.a[PROBE], rival.answers()
    differ = float(np.abs(a - theirs).max() / np.abs(a).max())
    return replace(
        row, peer=rival.name, peer_taken=taken, target=target, differ=differ, note=f"{row.note}; {rival.note}"
    )


def _call(one: Linkage, quantity: str, width: int | None) -> Call:
    kernel = one.dynamics.kernel(quantity, width=width)
    given = one.states.of(quantity)
    out = np.empty((BATCH, *kernel.face.output))
    call = Call("kernel(*given, out=out)", {"kernel": kernel, "given": given, "out": out})
    call.once()
    assert np.isfinite(out).all()
    return call


def _peers() -> list[Callable[[Linkage], list[Rival]]]:
    found: list[Callable[[Linkage], list[Rival]]] = []
    if find_spec("pinocchio"):
        found.append(_pinocchio)
    if find_spec("mujoco"):
        found.append(_mujoco)
    return found


def _pinocchio(one: Linkage) -> list[Rival]:
    """Called from Python, less an empty call; one proximal step, which leaves errors of about 1e-9."""
    import pinocchio as pin

    from tests.peers.pinocchio_loops import PinocchioLoops

    peer = PinocchioLoops(one.mechanism)
    theirs = in_coordinates_of(peer, one.states)
    pin.initConstraintDynamics(peer.model, peer.data, peer.constraints, peer.held)
    nothing = pin.Model()
    none = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    no_data = nothing.createData()
    pin.initConstraintDynamics(nothing, no_data, none[0], none[1])
    names = {
        "f": pin.constraintDynamics,
        "peer": (peer.model, peer.data),
        "held": (peer.constraints, peer.held, pin.ProximalSettings(1e-10, 1e-10, 1)),
        "states": list(zip(theirs.q, theirs.v, theirs.tau, strict=True)),
        "nothing": (nothing, no_data),
        "empty": (np.zeros(0),) * 3,
        "unheld": (*none, pin.ProximalSettings(1e-10, 1e-10, 1)),
    }

    def answers() -> np.ndarray:
        found = [
            _probed(peer, one, names["f"](*names["peer"], *state, *names["held"]), k) for k, state in _probe(names)
        ]
        return np.array(found)

    call = Call("for x in states: f(*peer, *x, *held)", names, "for x in states: f(*nothing, *empty, *unheld)")
    return [
        Rival("pinocchio.constraintDynamics, looped", call, answers, "called from Python; an empty call subtracted")
    ]


def _probe(names: dict) -> list:
    return [(k, names["states"][k]) for k in range(BATCH)[PROBE]]


def _probed(peer, one: Linkage, a: np.ndarray, k: int) -> np.ndarray:
    q, v = one.states.q[k], one.states.v[k]
    return np.linalg.solve(peer.rates(q), np.array(a) - peer.drift(q, v))


def _mujoco(one: Linkage) -> list[Rival]:
    """Called from Python, less the setting of the state."""
    import mujoco as mj

    from tests.peers.mujoco_loops import MujocoLoops

    peer = MujocoLoops(one.mechanism)
    theirs = in_coordinates_of(peer, one.states)
    spec = mj.mjtState.mjSTATE_QPOS | mj.mjtState.mjSTATE_QVEL | mj.mjtState.mjSTATE_QFRC_APPLIED
    names = {
        "mj": mj,
        "model": peer.model,
        "data": peer.data,
        "spec": int(spec),
        "states": list(np.concatenate([theirs.q, theirs.v, theirs.tau], axis=1)),
    }
    code = "for x in states: mj.mj_setState(model, data, x, spec); mj.{}(model, data)"

    def answers() -> np.ndarray:
        found = []
        for k, state in _probe(names):
            mj.mj_setState(peer.model, peer.data, state, int(spec))
            mj.mj_forward(peer.model, peer.data)
            found.append(_probed(peer, one, peer.data.qacc, k))
        return np.array(found)

    call = Call(code.format("mj_forward"), names, code.format("mj_sensorPos"))
    return [Rival("mujoco.mj_forward, looped", call, answers, "soft; setting the state subtracted")]


def in_coordinates_of(peer, states: States) -> States:
    """The states as the peer has them, efforts at all its coordinates."""
    rows = []
    names = peer.mechanism.actuated
    for q, v, a, tau in zip(states.q, states.v, states.a, states.tau, strict=True):
        B, effort = peer.rates(q), np.zeros(len(v))
        effort[list(names)] = tau
        rows.append((peer.position(q), B @ v, B @ a + peer.drift(q, v), np.linalg.solve(B.T, effort)))
    return States(*(np.array(column) for column in zip(*rows, strict=True)))
