"""Mechanisms of which only the graph matters: rods on revolute joints about z, whatever joins them."""

import numpy as np

import loopwright as lw
from loopwright.mechanism import GROUND


def planar(name, joints, cuts=None, **options):
    """`joints` maps a joint's name to "parent child"; where the joints sit is picked at random."""
    return made(name, {joint: ("revolute", *ends.split()) for joint, ends in joints.items()}, cuts, True, **options)


def made(name, joints, cuts=None, flat=False, **options):
    """`joints` maps a joint's name to (kind, parent, child); `options` of joints by name."""
    rng = np.random.default_rng(len(joints))
    b = lw.Builder(name, gravity=(0, -9.81, 0))
    for body in dict.fromkeys(body for _, *ends in joints.values() for body in ends if body != GROUND):
        b.body(body, 1.0, (*rng.normal(size=2), 0.0), (1.0, 1.0, 1.0))
    for joint, (kind, parent, child) in joints.items():
        xyz, child_xyz = rng.normal(size=(2, 3)) * (1.0, 1.0, 0.0 if flat else 1.0)
        pitch = {"pitch": 0.1} if kind == "screw" else {}
        getattr(b, kind)(joint, parent, child, xyz=xyz, child_xyz=child_xyz, **pitch, **options.get(joint, {}))
    return b.build(cuts)


def four_bar():
    joints = {"crank_joint": "ground crank", "rocker_joint": "ground rocker"}
    return planar("four_bar", joints | {"crank_pin": "crank coupler", "rocker_pin": "coupler rocker"})


def carpet_scraper(**options):
    """Seven links, ten joints   [SSLM, figure 3]; joints 8, 9 and 10 are cut there."""
    joints = {"1": "ground #1", "2": "ground #2", "3": "#2 #3", "4": "ground #4", "5": "#4 #5", "6": "#4 #6"}
    joints |= {"7": "#6 #7", "8": "#1 #3", "9": "#3 #5", "10": "#5 #7"}
    return planar("carpet_scraper", joints, **options)


def excavator(**options):
    """Two arms and a boom with its own loop, joined so that the loops share them as in [SSLM, (14)]."""
    joints = {"a": "ground arm", "aa": "arm fore", "b": "ground boom", "bb": "boom stick", "bc": "stick bucket"}
    joints |= {"bd": "stick link", "c": "ground jack", "cc": "jack rod", "c1": "fore boom", "c2": "bucket link"}
    joints |= {"c3": "arm bucket", "c4": "fore rod"}
    return planar("excavator", joints, cuts=["c1", "c2", "c3", "c4"], **options)


def three_rrr():
    """A platform on three legs of two links; all joints revolute."""
    joints = {}
    for leg in "123":
        ends = {"shoulder": "ground upper", "elbow": "upper lower", "wrist": "lower platform"}
        for joint, pair in ends.items():
            joints[f"{joint}_{leg}"] = " ".join(
                body if body in (GROUND, "platform") else f"{body}_{leg}" for body in pair.split()
            )
    return planar("three_rrr", joints)


def stewart():
    """A platform on six legs, each universal, prismatic, spherical."""
    joints = {}
    for leg in range(6):
        joints[f"hooke_{leg}"] = ("universal", GROUND, f"lower_{leg}")
        joints[f"slide_{leg}"] = ("prismatic", f"lower_{leg}", f"upper_{leg}")
        joints[f"ball_{leg}"] = ("spherical", f"upper_{leg}", "platform")
    return made("stewart", joints)
