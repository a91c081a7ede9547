"""A table of links, and the mechanism it describes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from loopwright import Builder, Mechanism

Triple = tuple[float, float, float]
Six = tuple[float, float, float, float, float, float]

AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


@dataclass(frozen=True)
class Link:
    """A body and the revolute joint, at `xyz` and `rpy` in the parent, about whose `axis` it turns.

    The inertia (xx, yy, zz, xy, xz, yz) is about the mass centre, in the axes of the body.
    """

    name: str
    parent: str
    axis: str
    xyz: Triple
    rpy: Triple
    mass: float
    com: Triple
    inertia: Six

    def mirrored(self, across: int, here: str, there: str) -> Link:
        """Its image in the plane across axis `across`; `there` replaces `here` in the names."""
        x, y, z = (-1.0 if k == across else 1.0 for k in range(3))
        roll, pitch, yaw = y * z * self.rpy[0], x * z * self.rpy[1], x * y * self.rpy[2]
        signs = (1.0, 1.0, 1.0, x * y, x * z, y * z)
        return replace(
            self,
            name=self.name.replace(here, there),
            parent=self.parent.replace(here, there),
            xyz=(x * self.xyz[0], y * self.xyz[1], z * self.xyz[2]),
            rpy=(roll, pitch, yaw),
            com=(x * self.com[0], y * self.com[1], z * self.com[2]),
            inertia=tuple(sign * entry for sign, entry in zip(signs, self.inertia, strict=True)),
        )


@dataclass(frozen=True)
class Trunk:
    """The body that floats."""

    name: str
    mass: float
    com: Triple
    inertia: Six


def built(name: str, source: str, links: Iterable[Link], trunk: Trunk | None = None) -> Mechanism:
    """The links in the order given, parents first; every coordinate is actuated, those of a floating trunk too."""
    b = Builder(name, source=source)
    if trunk is not None:
        b.body(trunk.name, trunk.mass, trunk.com, trunk.inertia)
        b.free("base", "ground", trunk.name)
    for link in links:
        b.body(link.name, link.mass, link.com, link.inertia)
        b.revolute(f"{link.name}_joint", link.parent, link.name, AXES[link.axis], xyz=link.xyz, rpy=link.rpy)
    return b.build()
