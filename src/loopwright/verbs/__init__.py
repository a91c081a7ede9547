"""Where a formulation meets numbers: `Dynamics` and its one-shot forms."""

from .assembly import assemble
from .dynamics import Dynamics
from .following import Course, follow, reach
from .one_shot import (
    bias,
    energy,
    forward_dynamics,
    gravity,
    inverse_dynamics,
    jacobian,
    mass_matrix,
    momentum,
    pose,
)
from .reaching import Reach
from .report import Report, report
from .results import InverseResult
from .singularities import Singularities, singularities
from .springs import suggest_springs

__all__ = [
    "Course",
    "Dynamics",
    "InverseResult",
    "Reach",
    "Report",
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
]
