"""What the user says: bodies, joints, loads, parameters; the Builder that collects and the noun that holds them."""

from .acting import acting
from .builder import Builder, JointOptions
from .dh import Row, modified_dh, standard_dh
from .euler import as_one_dof_joints, native_state, one_dof_state
from .expression import Expression, evaluated
from .joints import BY_NAME, KINDS, JointKind
from .named import Named, named
from .naming import known, unknown
from .noun import Mechanism, require_mechanism
from .parts import GROUND, Body, Effort, Joint, Placement, Shape, Spring, Wrench
from .placing import JointFrames, joint_frames, placed
from .reading import chosen_cuts, floats, plain_number, several
from .spanning import Branch, SpanningTree, neighbours, spanning_tree
from .standing import standing
from .state import State
from .turning import NEARLY, require_turn
from .units import actuator_units, force_units, position_units, velocity_units

__all__ = [
    "BY_NAME",
    "GROUND",
    "KINDS",
    "NEARLY",
    "Body",
    "Branch",
    "Builder",
    "Effort",
    "Expression",
    "Joint",
    "JointFrames",
    "JointKind",
    "JointOptions",
    "Mechanism",
    "Named",
    "Placement",
    "Row",
    "Shape",
    "SpanningTree",
    "Spring",
    "State",
    "Wrench",
    "acting",
    "actuator_units",
    "as_one_dof_joints",
    "chosen_cuts",
    "evaluated",
    "floats",
    "force_units",
    "joint_frames",
    "known",
    "modified_dh",
    "named",
    "native_state",
    "neighbours",
    "one_dof_state",
    "placed",
    "plain_number",
    "position_units",
    "require_mechanism",
    "require_turn",
    "several",
    "spanning_tree",
    "standard_dh",
    "standing",
    "unknown",
    "velocity_units",
]
