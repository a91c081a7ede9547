"""Random mechanisms for tests and benchmarks: the same seed gives the same mechanism on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .closure import close
from .mechanism import BY_NAME, GROUND, KINDS, Builder, Mechanism, standing
from .spatial import Array, Pose, to_euler
from .verbs import Dynamics

_LOOSE = ("revolute", "universal", "cylindrical", "spherical", "planar", "prismatic", "screw")
_CLOSING = ("spherical", "spherical", "universal", "cylindrical", "planar", "screw", "revolute", "prismatic", "weld")
EVERY = tuple(kind.name for kind in KINDS)
MOVING = tuple(kind.name for kind in KINDS if kind.nv)


def random_tree(
    seed: int,
    bodies: int | None = None,
    kinds: Sequence[str] = MOVING,
    floating: bool = False,
    backwards: bool = True,
    loads: bool = False,
    branching: int = 3,
) -> Mechanism:
    """A tree of up to 15 bodies with the joint kinds given, in general position.

    `floating` starts it with a free joint; `backwards` lets some joints name the outer body as their parent;
    `loads` adds springs, dampers, friction and wrenches; `branching` is how far back a body may attach.
    """
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 16)) if bodies is None else bodies
    b = Builder(f"random_{seed}", gravity=tuple(rng.normal(size=3) * 5.0))
    for i in range(count):
        b.body(f"b{i}", rng.uniform(0.5, 3.0), rng.normal(size=3) * 0.3, random_inertia(rng))
    for i in range(count):
        parent = GROUND if i == 0 else f"b{rng.integers(max(0, i - branching), i)}"
        # what is welded to the ground is no link
        kind = "free" if i == 0 and floating else str(rng.choice([k for k in kinds if i > 0 or k != "weld"]))
        ends = (f"b{i}", parent) if backwards and rng.random() < 0.3 else (parent, f"b{i}")
        getattr(b, kind)(f"j{i}", *ends, **_geometry(kind, rng), **_options(kind, rng, loads))
    if loads:
        _add_loads(b, count, rng)
    return b.build()


def random_loops(seed: int, loops: int | None = None, planar: bool = False) -> tuple[Mechanism, Array]:
    """A mechanism with 1 to 6 loops that share links, and a position at which all are closed.

    `planar` keeps every axis to one plane of space, so that the rows of the cut joints are redundant.
    """
    rng = np.random.default_rng(seed)
    wanted = int(rng.integers(1, 7)) if loops is None else loops
    more = int(rng.integers(1, 4)) if planar else int(rng.integers(2, 5)) + (3 if wanted >= 5 else 0)
    count = (2 * wanted if planar else wanted) + more
    tree = _planar_tree(seed, count, rng) if planar else random_tree(seed, count, _LOOSE, branching=4)
    poses = Dynamics(tree, compiled=False)
    q = tree.integrate(tree.neutral(), rng.uniform(-1.0, 1.0, tree.nv))
    X = {GROUND: Pose()} | {body.name: poses.pose(body.name, q) for body in tree.bodies}
    b, free, closed = _copied(tree), tree.nv, 0
    for k in range(wanted):
        kind = str(rng.choice(("revolute", "revolute", "prismatic") if planar else _CLOSING))
        rows = 2 if planar else 6 - BY_NAME[kind].nv
        if free - rows < 1 and closed == 0 and k == wanted - 1:
            kind, rows = "spherical", 3  # of all kinds this leaves the most freedoms: some loop there is
        if free - rows < 1:
            continue
        closed += 1
        free -= rows
        a, c = rng.choice([GROUND, *(body.name for body in tree.bodies)], 2, replace=False)
        geometry = _in_plane(kind, rng) if planar else _geometry(kind, rng)
        _join(b, kind, f"close{k}", (a, X[a]), (c, X[c]), planar, rng, geometry)
    mechanism = b.build()
    return mechanism, standing(mechanism, X)


def random_parallel(seed: int, planar: bool = False) -> tuple[Mechanism, Array]:
    """A platform on legs with one motor each, anywhere in its leg, and a position at which all loops are closed.

    In a plane three legs of three freedoms; in space six legs of six or three of five. Sometimes one more leg that
    has no motor and holds nothing.
    """
    rng = np.random.default_rng(seed)
    few = not planar and rng.random() < 0.3
    choices, count = (_PLANAR_LEGS, 3) if planar else (_LEGS_OF_FIVE, 3) if few else (_LEGS_OF_SIX, 6)
    b = Builder(f"parallel_{seed}", gravity=tuple(rng.normal(size=3) * 5.0))
    platform = _pose(rng, planar)
    b.body("platform", rng.uniform(0.5, 3.0), rng.normal(size=3) * 0.3, random_inertia(rng))
    idle = rng.random() < 0.3
    for leg in range(count + idle):
        driven = leg < count
        kinds = choices[rng.integers(len(choices))] if driven else (_PLANAR_LEGS if planar else _LEGS_OF_SIX)[0]
        inner, X = GROUND, Pose()
        single = [k for k, kind in enumerate(kinds) if BY_NAME[kind].nv == 1]
        motor = int(rng.choice(single)) if driven else -1
        for k, kind in enumerate(kinds):
            outer, there = ("platform", platform) if k == len(kinds) - 1 else (f"link_{leg}{k}", _pose(rng, planar))
            if outer != "platform":
                b.body(outer, rng.uniform(0.5, 3.0), rng.normal(size=3) * 0.3, random_inertia(rng))
            geometry = _in_plane(kind, rng) if planar else _geometry(kind, rng)
            _join(b, kind, f"j{leg}{k}", (inner, X), (outer, there), planar, rng, geometry | {"actuated": k == motor})
            inner, X = outer, there
    mechanism = b.build()
    loops = Dynamics(mechanism, compiled=False).loops
    moved = close(loops.closing, mechanism.integrate(mechanism.neutral(), rng.uniform(-0.3, 0.3, mechanism.nv)))
    return mechanism, moved.q if moved.left < 1e-12 else mechanism.neutral()


_PLANAR_LEGS = tuple(
    tuple({"R": "revolute", "P": "prismatic"}[letter] for letter in leg) for leg in ("RRR", "RPR", "PRR", "RRP")
)
_LEGS_OF_SIX = (
    ("universal", "prismatic", "spherical"),
    ("revolute", "universal", "spherical"),
    ("spherical", "prismatic", "universal"),
    ("prismatic", "universal", "spherical"),
    ("revolute", "spherical", "universal"),
    ("cylindrical", "revolute", "spherical"),
    ("revolute", "revolute", "revolute", "spherical"),
    ("revolute", "prismatic", "universal", "revolute", "revolute"),
)
_LEGS_OF_FIVE = (
    ("revolute", "prismatic", "spherical"),
    ("prismatic", "revolute", "spherical"),
    ("universal", "prismatic", "universal"),
    ("revolute", "revolute", "spherical"),
)


def _pose(rng: np.random.Generator, planar: bool) -> Pose:
    if planar:
        return Pose.at(_flat(rng), (0.0, 0.0, rng.uniform(-3.0, 3.0)))
    return Pose.at(rng.normal(size=3), rng.uniform(-3.0, 3.0, 3))


def _join(
    b: Builder,
    kind: str,
    name: str,
    inner: tuple[str, Pose],
    outer: tuple[str, Pose],
    planar: bool,
    rng: np.random.Generator,
    options: dict[str, Any],
) -> None:
    """A joint somewhere on the inner body, at its neutral position where the two bodies stand."""
    xyz = np.array(_flat(rng)) if planar else rng.normal(size=3) * 0.4
    rpy = np.zeros(3) if planar else rng.uniform(-3.0, 3.0, 3)
    there = outer[1].inverse() @ inner[1] @ Pose.at(xyz, rpy)
    turned = to_euler("ZYX", there.R)[::-1]
    getattr(b, kind)(name, inner[0], outer[0], xyz=xyz, rpy=rpy, child_xyz=there.p, child_rpy=turned, **options)


def random_inertia(rng: np.random.Generator) -> Array:
    """The inertia of a random cloud of points about its centre: one that a body can have."""
    points = rng.normal(size=(5, 3)) * 0.3
    points = points - points.mean(axis=0)
    second: Array = points.T @ points
    return np.eye(3) * np.trace(second) - second


def _planar_tree(seed: int, count: int, rng: np.random.Generator) -> Mechanism:
    b = Builder(f"planar_{seed}", gravity=tuple(rng.normal(size=3) * 5.0))
    for i in range(count):
        b.body(f"b{i}", rng.uniform(0.5, 3.0), rng.normal(size=3) * 0.3, random_inertia(rng))
    for i in range(count):
        kind = str(rng.choice(("revolute", "revolute", "revolute", "prismatic")))
        inner = GROUND if i == 0 else f"b{rng.integers(max(0, i - 4), i)}"
        getattr(b, kind)(f"j{i}", inner, f"b{i}", **_in_plane(kind, rng), xyz=_flat(rng), child_xyz=_flat(rng))
    return b.build()


def _flat(rng: np.random.Generator) -> tuple[float, float, float]:
    return (*(rng.normal(size=2) * 0.5), 0.0)


def _in_plane(kind: str, rng: np.random.Generator) -> dict[str, Any]:
    return {"axis": (*rng.normal(size=2), 0.0) if kind == "prismatic" else (0.0, 0.0, 1.0)}


def _copied(tree: Mechanism) -> Builder:
    """A builder that holds a tree's bodies and joints already, without rotors, which could not be cut."""
    b = Builder(tree.name, gravity=tree.gravity)
    for body in tree.bodies:
        b.body(body.name, body.mass, body.com, body.inertia)
    for joint in tree.joints:
        placed = {"xyz": joint.in_parent.xyz, "rpy": joint.in_parent.rpy}
        placed |= {"child_xyz": joint.in_child.xyz, "child_rpy": joint.in_child.rpy}
        getattr(b, joint.kind)(joint.name, joint.parent, joint.child, **placed, **dict(joint.geometry))
    return b


def _geometry(kind: str, rng: np.random.Generator) -> dict[str, Any]:
    if kind in ("revolute", "prismatic", "cylindrical", "screw"):
        pitch = {"pitch": rng.normal()} if kind == "screw" else {}
        return {"axis": rng.normal(size=3), **pitch}
    if kind == "planar":
        return {"normal": rng.normal(size=3)}
    if kind == "universal":
        return {"axes": (rng.normal(size=3), rng.normal(size=3))}
    return {}


def _options(kind: str, rng: np.random.Generator, loads: bool) -> dict[str, Any]:
    options: dict[str, Any] = {
        "xyz": rng.normal(size=3) * 0.4,
        "rpy": rng.uniform(-3.0, 3.0, 3),
        "child_xyz": rng.normal(size=3) * 0.4,
        "child_rpy": rng.uniform(-3.0, 3.0, 3),
        "rotor_inertia": rng.uniform(0.0, 0.2),
    }
    if kind in ("free", "weld"):
        del options["rotor_inertia"]  # there is no rotor between the ground and a floating body
    if loads and kind != "weld":
        options |= {"damping": rng.uniform(0.0, 1.0), "friction": rng.uniform(0.0, 1.0)}
        if kind != "free":
            options["stiffness"] = rng.uniform(0.0, 5.0)
    return options


def _add_loads(b: Builder, count: int, rng: np.random.Generator) -> None:
    last = f"b{count - 1}"
    b.spring(
        "spring", GROUND, last, rng.normal(size=3), rng.normal(size=3) * 0.3, stiffness=7.0, damping=0.6, length=0.4
    )
    b.wrench("push", last, force=rng.normal(size=3), torque=rng.normal(size=3), xyz=rng.normal(size=3) * 0.2)
    b.wrench("jet", "b0", force=rng.normal(size=3), torque=rng.normal(size=3), axes="body")
