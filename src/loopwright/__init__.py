"""Loopwright: kinematics and dynamics of mechanisms, above all those with closed loops.

`import loopwright as lw` gives `lw.Builder` and `lw.zoo` to make a mechanism, `lw.report` to look at it and
`lw.Dynamics` to compute with it.
"""

from . import zoo
from .control import clip, computed_torque, law, pd, trajectory, where
from .errors import LoopwrightError
from .mechanism import Builder, Mechanism, Row, State, as_one_dof_joints, modified_dh, standard_dh
from .simulate import Event, Run, Samples, open_run, simulate, spring_sweep
from .topology import Topology
from .verbs import (
    Course,
    Dynamics,
    Reach,
    Singularities,
    assemble,
    bias,
    energy,
    follow,
    forward_dynamics,
    gravity,
    inverse_dynamics,
    jacobian,
    mass_matrix,
    momentum,
    pose,
    reach,
    report,
    singularities,
    suggest_springs,
)

__version__ = "0.1.0"
__all__ = [
    "Builder",
    "Course",
    "Dynamics",
    "Event",
    "LoopwrightError",
    "Mechanism",
    "Reach",
    "Row",
    "Run",
    "Samples",
    "Singularities",
    "State",
    "Topology",
    "__version__",
    "as_one_dof_joints",
    "assemble",
    "bias",
    "clip",
    "computed_torque",
    "energy",
    "follow",
    "forward_dynamics",
    "gravity",
    "inverse_dynamics",
    "jacobian",
    "law",
    "mass_matrix",
    "modified_dh",
    "momentum",
    "open_run",
    "pd",
    "pose",
    "reach",
    "report",
    "simulate",
    "singularities",
    "spring_sweep",
    "standard_dh",
    "suggest_springs",
    "trajectory",
    "where",
    "zoo",
]
