"""A mechanism with loops in MuJoCo: its tree, and at every cut two points held together by a soft equality."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from loopwright.mechanism import Placement

from .mujoco_model import MujocoModel

# as stiff as it lets a constraint be: it never presses as hard as it should, by a share of 1e-4 at the least
_STIFF = {"solref": "0.002 1", "solimp": "0.9999 0.9999 0.001"}
_LEAST = 1e-12  # kg m^2: it refuses slender rods without inertia about their own axis


class MujocoLoops(MujocoModel):
    """Three rows for every cut, as in Pinocchio: enough for balls, and for hinges where all moves in one plane."""

    def _xml(self, chains: list) -> str:
        root = ElementTree.fromstring(super()._xml(chains))
        flag = root.find("option/flag")
        assert flag is not None
        flag.attrib.pop("constraint")
        for inertial in root.iter("inertial"):
            principal = [max(float(x), _LEAST) for x in inertial.get("diaginertia", "").split()]
            inertial.set("diaginertia", " ".join(f"{x:.17g}" for x in principal))
        bodies = {body.get("name"): body for body in root.iter("body")}
        equality = ElementTree.SubElement(root, "equality")
        for joint in self.mechanism.tree.cuts:
            names = []
            for body, placement in ((joint.parent, joint.in_parent), (joint.child, joint.in_child)):
                names.append(f"{joint.name} at {body}")
                self._site(bodies.get(body, root.find("worldbody")), names[-1], body, placement)
            held = {"site1": names[0], "site2": names[1], **_STIFF}
            ElementTree.SubElement(equality, "connect", held)
        return ElementTree.tostring(root, encoding="unicode")

    def _site(self, element: ElementTree.Element, name: str, body: str, placement: Placement) -> None:
        R, p = self.seats[body]
        at = p + R @ np.array(placement.xyz)
        ElementTree.SubElement(element, "site", {"name": name, "pos": " ".join(f"{x:.17g}" for x in at)})
