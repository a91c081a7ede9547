"""What the walking robots share: a box of a body that floats, and a leg of two slender links."""

from __future__ import annotations

from ..mechanism import Builder, Shape

Vector = tuple[float, float, float]

LINK_LENGTH = 0.3
BEND = 0.5  # of the hip; the knee bends back by twice as much, so that the foot stands under the hip


def body(b: Builder, mass: float, size: Vector) -> None:
    """A uniform box, joined to the ground by nothing but its six coordinates."""
    xx, yy, zz = (side**2 * mass / 12.0 for side in size)
    b.body("body", mass, inertia=(yy + zz, xx + zz, xx + yy), shapes=(Shape("box", size),))
    b.free("body_joint", "ground", "body")


def leg(b: Builder, name: str, hip: Vector, mass: float, down: Vector, forward: Vector, across: Vector) -> None:
    """Thigh and shank along `down`; the hip turns about `forward`, then `across`, the knee about `across`."""
    to = (LINK_LENGTH * down[0], LINK_LENGTH * down[1], LINK_LENGTH * down[2])
    b.rod(f"{name}_thigh", mass, to=to)
    b.rod(f"{name}_shank", mass, to=to)
    b.universal(f"{name}_hip", "body", f"{name}_thigh", axes=(forward, across), xyz=hip, actuated=True)
    b.revolute(f"{name}_knee", f"{name}_thigh", f"{name}_shank", axis=across, xyz=to, actuated=True)


def standing(names: tuple[str, ...], at: Vector) -> dict[str, float]:
    """Coordinates of a body level at `at`, every leg bent."""
    q = {f"body_joint.{axis}": value for axis, value in zip("xyz", at, strict=True)}
    q |= {"body_joint.qx": 0.0, "body_joint.qy": 0.0, "body_joint.qz": 0.0, "body_joint.qw": 1.0}
    for name in names:
        q |= {f"{name}_hip.1": 0.0, f"{name}_hip.2": BEND, f"{name}_knee": -2.0 * BEND}
    return q
