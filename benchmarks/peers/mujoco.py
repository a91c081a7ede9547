"""MuJoCo: a rollout of one step for all states; its functions called from Python, less the setting of the state."""

from __future__ import annotations

from typing import Any

import mujoco as mj
import numpy as np
from mujoco import rollout

from tests.peers.mujoco_model import MujocoModel

from ..states import States, Subject
from ..timing import Call
from .rival import PROBE, Rival

NOTE = "called from Python; setting the state and an empty call subtracted"


def rivals(subject: Subject, quantity: str) -> list[Rival]:
    """Forward dynamics in two ways; no mass matrix without the rest of mj_forward, no derivatives but differences."""
    if quantity not in ("forward", "inverse"):
        return []
    peer = MujocoModel(subject.mechanism)
    theirs = _in_coordinates_of(peer, subject.states)
    if quantity == "forward":
        return [_rollout(peer, subject.states, theirs), _forward(peer, subject.states, theirs)]
    return [_inverse(peer, subject.states, theirs)]


def _rollout(peer: MujocoModel, states: States, theirs: States) -> Rival:
    model = peer.model
    model.opt.timestep = 1.0  # v1 - v0 = h a then loses no digits; the time it takes is the same
    start = np.concatenate([np.zeros((len(theirs.q), 1)), theirs.q, theirs.v], axis=1)
    after = np.empty((len(start), 1, start.shape[1]))
    names = {
        "rollout": rollout.rollout,
        "model": model,
        "data": peer.data,
        "start": start,
        "forces": theirs.tau[:, None, :].copy(),
        "options": {"control_spec": int(mj.mjtState.mjSTATE_QFRC_APPLIED), "nstep": 1, "state": after},
    }

    def answers() -> np.ndarray:
        probe = states[PROBE]
        found = after[PROBE, 0, -model.nv :] - theirs.v[PROBE]
        every = zip(probe.q, probe.v, found, strict=True)
        return np.array([np.linalg.solve(peer.rates(q), a - peer.drift(q, v)) for q, v, a in every])

    call = Call("rollout(model, data, start, forces, **options)", names)
    return Rival("mujoco.rollout, one step", call, answers, "with the integration of the step")


def _forward(peer: MujocoModel, states: States, theirs: States) -> Rival:
    spec = mj.mjtState.mjSTATE_QPOS | mj.mjtState.mjSTATE_QVEL | mj.mjtState.mjSTATE_QFRC_APPLIED
    names = {
        "mj": mj,
        "model": peer.model,
        "data": peer.data,
        "spec": int(spec),
        "states": list(np.concatenate([theirs.q, theirs.v, theirs.tau], axis=1)),
    }
    code = "for x in states: mj.mj_setState(model, data, x, spec); mj.{}(model, data)"
    call = Call(code.format("mj_forward"), names, code.format("mj_sensorPos"))  # there are no sensors
    return Rival("mujoco.mj_forward, looped", call, lambda: _asked(peer, states, "forward"), NOTE)


def _inverse(peer: MujocoModel, states: States, theirs: States) -> Rival:
    names = {
        "mj": mj,
        "model": peer.model,
        "data": peer.data,
        "q": peer.data.qpos,
        "v": peer.data.qvel,
        "a": peer.data.qacc,
        "states": list(zip(theirs.q, theirs.v, theirs.a, strict=True)),
    }
    code = "for x, y, z in states: q[:] = x; v[:] = y; a[:] = z; mj.{}(model, data)"
    call = Call(code.format("mj_inverse"), names, code.format("mj_sensorPos"))
    return Rival("mujoco.mj_inverse, looped", call, lambda: _asked(peer, states, "inverse"), NOTE)


def _asked(peer: MujocoModel, states: States, quantity: str) -> np.ndarray:
    ask: Any = getattr(peer, quantity)
    return np.array([ask(*state) for state in zip(*states[PROBE].of(quantity), strict=True)])


def _in_coordinates_of(peer: MujocoModel, states: States) -> States:
    rows = []
    for q, v, a, tau in zip(states.q, states.v, states.a, states.tau, strict=True):
        B = peer.rates(q)
        rows.append((peer.position(q), B @ v, B @ a + peer.drift(q, v), np.linalg.solve(B.T, tau)))
    return States(*(np.array(column) for column in zip(*rows, strict=True)))
