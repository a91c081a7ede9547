"""MuJoCo's own Runge-Kutta steps, called once for the whole run; loops are held by soft equalities.

An equality can be as stiff as two steps are short, so its softness goes with the step, and the error at about its
third power: stiffer ones, and softer ones, were tried and are worse.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import mujoco
import numpy as np

from tests.peers.mujoco_loops import MujocoLoops
from tests.peers.mujoco_model import MujocoModel

from ...models.swinging import Case
from .contestant import Contestant, Poses
from .loopwright import STEPS

IMPEDANCE = (0.9999, 0.9999, 0.001, 0.5, 2.0)
ITERATIONS, TOLERANCE = 100, 1e-14


def contestants(case: Case) -> list[Contestant]:
    """RK4 at several steps."""
    base = MujocoLoops if case.mechanism.tree.cuts else MujocoModel
    peer = type("Sprung", (Sprung, base), {})(case.mechanism)
    steps = tuple(h * case.seconds / 10.0 for h in (*STEPS, 3e-5))

    def poses(q: np.ndarray) -> Poses:
        return {body.name: peer._pose(body.name, q) for body in case.mechanism.bodies}

    note = "soft loops" if case.mechanism.tree.cuts else ""
    return [Contestant("MuJoCo", "RK4", "step", steps, _ready(peer, case), poses, note)]


class Sprung(MujocoModel):
    """With the springs of joints and of points."""

    def _xml(self, chains: list) -> str:
        root = ElementTree.fromstring(super()._xml(chains))
        mechanism = self.mechanism
        for element in root.iter("joint"):
            joint = mechanism.joint(element.get("name", "").partition("/")[0])
            if any(joint.stiffness):
                element.set("stiffness", f"{joint.stiffness[0]:.17g}")
                element.set("springref", f"{joint.rest[0]:.17g}")
        bodies = {body.get("name"): body for body in root.iter("body")}
        for spring in mechanism.springs:
            tendons = ElementTree.SubElement(root, "tendon")
            held = {
                "name": spring.name,
                "stiffness": f"{spring.stiffness:.17g}",
                "springlength": f"{spring.length:.17g}",
            }
            spatial = ElementTree.SubElement(tendons, "spatial", held)
            for body, point in ((spring.parent, spring.in_parent), (spring.child, spring.in_child)):
                R, p = self.seats[body]
                name, at = f"{spring.name} at {body}", p + R @ np.array(point)
                site = {"name": name, "pos": " ".join(f"{x:.17g}" for x in at)}
                ElementTree.SubElement(bodies.get(body, root.find("worldbody")), "site", site)
                ElementTree.SubElement(spatial, "site", {"site": name})
        return ElementTree.tostring(root, encoding="unicode")


def _ready(peer: MujocoModel, case: Case) -> Callable[[float], Callable[[], np.ndarray]]:
    model, data = peer.model, peer.data
    q, v = peer.position(case.start.q), peer.rates(case.start.q) @ case.start.v
    efforts = np.zeros(model.nv)
    for effort in case.mechanism.efforts:
        efforts[model.joint(f"{effort.joint}/0").dofadr[0]] = effort.value[0]
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.iterations, model.opt.tolerance = ITERATIONS, TOLERANCE

    def ready(step: float) -> Callable[[], np.ndarray]:
        count = round(case.seconds / step)

        def stepped() -> np.ndarray:
            model.opt.timestep = case.seconds / count
            model.eq_solref[:] = (2.0 * model.opt.timestep, 1.0)
            model.eq_solimp[:] = IMPEDANCE
            mujoco.mj_resetData(model, data)
            data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, efforts
            mujoco.mj_step(model, data, nstep=count)
            return data.qpos.copy()

        return stepped

    return ready
