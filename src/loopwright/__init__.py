"""Loopwright: kinematics and dynamics of mechanisms, above all those with closed loops.

`import loopwright as lw` gives `lw.Builder` and `lw.zoo` to make a mechanism, `lw.report` to look at it and
`lw.Dynamics` to compute with it. A room is imported when the first of its names is asked for.
"""

from typing import TYPE_CHECKING

from . import simulate as _room  # noqa: F401
from .errors import LoopwrightError
from .on_demand import on_demand

if TYPE_CHECKING:
    from . import zoo
    from .control import clip, computed_torque, law, pd, trajectory, where
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

# Importing a package sets its name in its parent, once. The room of `simulate` has the verb's name, so this is done
# above and undone here: the name then leads to the verb, whoever imports the room.
del simulate

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

_NAMES = {
    "control": ("clip", "computed_torque", "law", "pd", "trajectory", "where"),
    "mechanism": ("Builder", "Mechanism", "Row", "State", "as_one_dof_joints", "modified_dh", "standard_dh"),
    "simulate": ("Event", "Run", "Samples", "open_run", "simulate", "spring_sweep"),
    "topology": ("Topology",),
    "verbs": (
        "Course",
        "Dynamics",
        "Reach",
        "Singularities",
        "assemble",
        "bias",
        "energy",
        "follow",
        "forward_dynamics",
        "gravity",
        "inverse_dynamics",
        "jacobian",
        "mass_matrix",
        "momentum",
        "pose",
        "reach",
        "report",
        "singularities",
        "suggest_springs",
    ),
}
_ROOMS = ("closure", "control", "dynamics", "formats", "mechanism", "program", "spatial", "topology", "verbs", "zoo")

if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_demand(__name__, _NAMES, _ROOMS)


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
