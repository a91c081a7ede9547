"""The kinds of joint, one registered tuple."""

from .axial import Cylindrical, Prismatic, Revolute, Screw
from .ball import Free, Spherical
from .kind import Alignment, JointKind, Shape, Turn, turn_to, unit
from .planar import Planar
from .reversed import Reversed
from .universal import Universal
from .weld import Weld

KINDS: tuple[JointKind, ...] = (
    Revolute(),
    Prismatic(),
    Screw(),
    Universal(),
    Cylindrical(),
    Spherical(),
    Planar(),
    Free(),
    Weld(),
)
BY_NAME = {kind.name: kind for kind in KINDS}

__all__ = ["BY_NAME", "KINDS", "Alignment", "JointKind", "Reversed", "Shape", "Turn", "turn_to", "unit"]
