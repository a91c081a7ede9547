"""How a mechanism will be computed: the computing forest, loops, subsystems, modules, mobility, counted mobility."""

from ..mechanism.joints import Turn
from .forest import BASE, Cut, Extra, Forest, JointSpring, Node, PointSpring, Push, Seat, forest
from .groups import loop_subsystems, modules, subsystems
from .lean import lean
from .loops import Loop, fundamental_loops
from .mobility import Mobility, mobility
from .noun import Topology

__all__ = [
    "BASE",
    "Cut",
    "Extra",
    "Forest",
    "JointSpring",
    "Loop",
    "Mobility",
    "Node",
    "PointSpring",
    "Push",
    "Seat",
    "Topology",
    "Turn",
    "forest",
    "fundamental_loops",
    "lean",
    "loop_subsystems",
    "mobility",
    "modules",
    "subsystems",
]
