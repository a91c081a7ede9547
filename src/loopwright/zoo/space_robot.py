"""A free-floating robot with one arm."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism
from .keywords import one_of

START = {  # base="planar"
    "base_joint.x": 0.0,
    "base_joint.y": 0.0,
    "base_joint.angle": 0.0,
    "shoulder": 0.3803,
    "elbow": -0.6198,
    "wrist": 1.2867,
}

BASE_MASS, BASE_INERTIA = 500.0, (83.61, 83.61, 83.61)
LINK_MASS, LINK_INERTIA = 10.0, (0.01, 1.05, 1.05)
LENGTH, MOUNT = 1.0, 0.5


def space_robot(base: str = "planar") -> Mechanism:
    """Space robot: a heavy base that floats without gravity, and an arm of three links.

    ::

        ,-------.
        |   +   o======o======o======>
        '-------'
          base  shoulder elbow wrist      500 kg, and three links of 10 kg and 1 m

    Nothing holds the base: linear and angular momentum stay what they are. `base="planar"` lets it move in the
    plane of the arm, `base="free"` in space. The published motion is the cycloid of all joints from the start to
    -pi/2 in 20 s.
    Source: ReDySim, floating base, three-link robot [Shah2012].
    """
    one_of("space_robot", "base", base, ("planar", "free"))
    b = Builder("space_robot", gravity=(0, 0, 0), source="ReDySim, floating base, three links [Shah2012]")
    floating_base(b, base)
    arm(b, ("shoulder", "elbow", "wrist"), ("upper_arm", "forearm", "hand"), side=1.0)
    return b.build()


def floating_base(b: Builder, base: str) -> None:
    """The base body and the joint that does not hold it."""
    b.body("base", BASE_MASS, inertia=BASE_INERTIA)
    join = b.planar if base == "planar" else b.free
    join("base_joint", "ground", "base")


def arm(b: Builder, joints: tuple[str, ...], bodies: tuple[str, ...], side: float) -> None:
    """An arm that starts on the base at x = side * MOUNT."""
    parent, at = "base", side * MOUNT
    for joint, body in zip(joints, bodies, strict=True):
        b.body(body, LINK_MASS, com=(LENGTH / 2, 0, 0), inertia=LINK_INERTIA)
        b.revolute(joint, parent, body, xyz=(at, 0, 0), actuated=True)
        parent, at = body, LENGTH
