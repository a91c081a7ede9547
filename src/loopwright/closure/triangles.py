"""Three bodies joined in a ring, solved in closed form: where the second and the third stand in the first.

The ring is rigid but for the ways in which it can be put together. In a plane it is the dyad of a characteristic
pair of joints: hinges and slides RRR, RRP, RPR, PRR, RPP … are one triangle, seen from another side. In space, a rod
with points at both ends closes over a hinge (a sphere meets a circle) or a slide (a sphere meets a line).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Pose, about, skew

source = "dyads of planar linkages (Assur); the rod between a circle and a sphere [Hartenberg1964]"

_FLAT = 1e-9  # how far from parallel axes may be that are meant to be
_TOUCH = 1e-12  # of a squared length: circles that miss by less touch


@dataclass(frozen=True)
class Corner:
    """A joint between two of the bodies: its canonical frame in either, z along the axis."""

    kind: str
    here: Pose
    there: Pose
    cosine: float = 0.0  # between the axes of a universal joint

    def turned(self) -> Corner:
        """The same from the other body."""
        return Corner(self.kind, self.there, self.here, self.cosine)


# bodies A, B, C; corners AB, BC, CA, each from its first body to its second; poses of B and C in A
Placed = tuple[Pose, Pose]
Solver = Callable[[Corner, Corner, Corner, Pose], "list[Placed] | None"]


def triangle(ab: Corner, bc: Corner, ca: Corner, near: Placed) -> list[Placed] | None:
    """All ways to put the ring together, or None when no closed form is known for it.

    `near` says where B and C stand now; a rod that may spin about itself is turned from there as little as possible.
    """
    ring, stand = [ab, bc, ca], [Pose(), *near]
    for k in range(3):
        # bodies renamed so that corner k closes the ring: C, A then are k, k + 1
        AB, BC, CA = ring[(k + 1) % 3], ring[(k + 2) % 3], ring[k]
        first, second, third = ((k + 1) % 3, (k + 2) % 3, k)
        base = stand[first].inverse()
        found = _solved(AB, BC, CA, base @ stand[second])
        if found is None:
            continue
        return [_renamed({first: Pose(), second: B, third: C}) for B, C in found]
    return None


def _renamed(X: dict[int, Pose]) -> Placed:
    base = X[0].inverse()
    return base @ X[1], base @ X[2]


def _solved(ab: Corner, bc: Corner, ca: Corner, near_B: Pose) -> list[Placed] | None:
    kinds = ab.kind + bc.kind + ca.kind
    if kinds == "RRR":
        return _three_hinges(ab, bc, ca) if _planar(ab, bc, ca) else None
    if kinds == "RRP":
        return _slide_opposite(ab, bc, ca) if _planar(ab, bc, ca) else None
    if kinds == "RPP":
        return _two_slides(ab, bc, ca) if _planar(ab, bc, ca) else None
    if kinds in ("SSR", "SUR", "USR"):
        return _rod(ab, bc, ca, near_B, _on_circle)
    if kinds in ("SSP", "SUP", "USP"):
        return _rod(ab, bc, ca, near_B, _on_line)
    return None


def _planar(ab: Corner, bc: Corner, ca: Corner) -> bool:
    """Whether, in every body, hinges are parallel and slides lie across them."""
    return all(
        _level((one.kind, one.there.R[:, 2]), (two.kind, two.here.R[:, 2]))
        for one, two in ((ab, bc), (bc, ca), (ca, ab))
    )


def _level(one: tuple[str, Array], two: tuple[str, Array]) -> bool:
    (kind, a), (other, b) = one, two
    if kind != other:
        return bool(abs(a @ b) < _FLAT)
    # two slides lie in some plane always; whether it is that of the hinge shows when the ring is closed
    return kind == "P" or bool(np.linalg.norm(np.cross(a, b)) < _FLAT)


def _three_hinges(ab: Corner, bc: Corner, ca: Corner) -> list[Placed] | None:
    # where the hinge BC may be: two circles about the hinges AB and CA
    n = ab.here.R[:, 2]
    p1, p3 = ab.here.p, ca.there.p
    b, c = _across(bc.here.p - ab.there.p, ab.there.R[:, 2]), _across(bc.there.p - ca.here.p, ca.here.R[:, 2])
    d = _across(p3 - p1, n)
    far, r1, r3 = (float(np.linalg.norm(x)) for x in (d, b, c))
    if min(far, r1, r3) <= _FLAT * max(far, r1, r3):
        return None
    x = (r1**2 - r3**2 + far**2) / (2.0 * far)
    along, up = d / far, np.cross(n, d / far)
    found = []
    for y in _roots(r1**2 - x**2, far**2):
        at = x * along + y * up
        B = _hinged(ab.here, ab.there, b, at)
        C = _hinged(ca.there, ca.here, c, at - d)
        found.append((B, C))
    return found


def _slide_opposite(ab: Corner, bc: Corner, ca: Corner) -> list[Placed] | None:
    # C only slides in A: its hinge runs along a line, which meets a circle about the hinge AB
    n = ab.here.R[:, 2]
    b = _across(bc.here.p - ab.there.p, ab.there.R[:, 2])
    C0 = ca.there @ ca.here.inverse()
    along = ca.there.R[:, 2]
    w = _across(C0.point(bc.there.p) - ab.here.p, n)
    r = float(np.linalg.norm(b))
    if r == 0.0:
        return None
    found = []
    for root in _roots((w @ along) ** 2 - (w @ w - r * r), r * r):
        s = root - w @ along
        found.append((_hinged(ab.here, ab.there, b, w + s * along), Pose(C0.R, C0.p + s * along)))
    return found


def _two_slides(ab: Corner, bc: Corner, ca: Corner) -> list[Placed] | None:
    # nothing turns but about the hinge, by what the slides fix: two lines meet
    C0 = ca.there @ ca.here.inverse()
    R_B = C0.R @ bc.there.R @ bc.here.R.T
    B = Pose(R_B, ab.here.p - R_B @ ab.there.p)
    one, two = ca.there.R[:, 2], R_B @ bc.here.R[:, 2]
    if np.linalg.norm(np.cross(one, two)) < _FLAT:
        return None
    # C0(bc) + s one = B(bc) + t two
    s = np.linalg.lstsq(np.stack([one, -two], axis=1), B.point(bc.here.p) - C0.point(bc.there.p), rcond=None)[0][0]
    return [(B, Pose(C0.R, C0.p + s * one))]


def _rod(ab: Corner, bc: Corner, ca: Corner, near_B: Pose, places: Callable[..., list[Pose]]) -> list[Placed] | None:
    # C moves on its hinge or slide until its end of the rod is as far from the other as the rod is long
    rod = bc.here.p - ab.there.p
    length = float(np.linalg.norm(rod))
    if length == 0.0:
        return None
    found = []
    for C in places(ca, bc.there.p, ab.here.p, length):
        e = (C.point(bc.there.p) - ab.here.p) / length
        aligned = turning(near_B.R @ rod / length, e) @ near_B.R
        for spin in _spins(ab, bc, C, e, aligned):
            R = about(e, spin) @ aligned
            found.append((Pose(R, ab.here.p - R @ ab.there.p), C))
    return found


def _on_circle(ca: Corner, end: Array, centre: Array, length: float) -> list[Pose]:
    # |base + u cos + w sin - centre|^2 = length^2
    arm = ca.here.inverse().point(end)
    base, u, w = (
        ca.there.point([0.0, 0.0, arm[2]]),
        ca.there.R @ [arm[0], arm[1], 0.0],
        ca.there.R @ [-arm[1], arm[0], 0.0],
    )
    away = base - centre
    right = (length**2 - away @ away - u @ u) / 2.0
    return [
        ca.there @ Pose(about(np.array([0.0, 0.0, 1.0]), angle), np.zeros(3)) @ ca.here.inverse()
        for angle in _angles(away @ u, away @ w, right)
    ]


def _on_line(ca: Corner, end: Array, centre: Array, length: float) -> list[Pose]:
    C0 = ca.there @ ca.here.inverse()
    along, w = ca.there.R[:, 2], C0.point(end) - centre
    slides = [root - w @ along for root in _roots((w @ along) ** 2 - (w @ w - length**2), length**2)]
    return [Pose(C0.R, C0.p + s * along) for s in slides]


def _spins(ab: Corner, bc: Corner, C: Pose, e: Array, R: Array) -> list[float]:
    """Turns of the rod about itself that keep the angle between the axes of its universal joint, if it has one."""
    if ab.kind == "U":
        held, own, cosine = ab.here.R[:, 2], R @ ab.there.R[:, 2], ab.cosine
    elif bc.kind == "U":
        held, own, cosine = C.R @ bc.there.R[:, 2], R @ bc.here.R[:, 2], bc.cosine
    else:
        return [0.0]
    # held . (e (e.own) + cos (own - e (e.own)) + sin e x own) = cosine
    axial = e * (e @ own)
    return _angles(held @ (own - axial), held @ np.cross(e, own), cosine - held @ axial)


def _hinged(here: Pose, there: Pose, own: Array, at: Array) -> Pose:
    """A body on a hinge, turned so that its direction `own` points along `at`."""
    z, n = there.R[:, 2], here.R[:, 2]
    U = np.stack([at / np.linalg.norm(at), np.cross(n, at) / np.linalg.norm(at), n], axis=1)
    V = np.stack([own / np.linalg.norm(own), np.cross(z, own) / np.linalg.norm(own), z], axis=1)
    R = U @ V.T
    return Pose(R, here.p - R @ there.p)


def turning(a: Array, b: Array) -> Array:
    """The least rotation that brings the unit vector a to b."""
    c = a @ b
    if c < -1.0 + 1e-12:
        side = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        return about(side / np.linalg.norm(side), math.pi)
    V = skew(np.cross(a, b))
    return np.eye(3) + V + V @ V / (1.0 + c)


def _across(a: Array, n: Array) -> Array:
    return a - n * (n @ a)


def _roots(square: float, size: float) -> list[float]:
    """+- sqrt; one zero where it nearly vanishes, none where it is negative."""
    if abs(square) <= _TOUCH * size:
        return [0.0]
    return [math.sqrt(square), -math.sqrt(square)] if square > 0.0 else []


def _angles(a: float, b: float, c: float) -> list[float]:
    """Solutions of a cos + b sin = c."""
    size = math.hypot(a, b)
    if size == 0.0:
        return []
    return [math.atan2(b, a) + root for root in _between(c / size)]


def _between(cosine: float) -> list[float]:
    if abs(abs(cosine) - 1.0) <= _TOUCH:
        return [math.acos(math.copysign(1.0, cosine))]
    return [math.acos(cosine), -math.acos(cosine)] if abs(cosine) < 1.0 else []
