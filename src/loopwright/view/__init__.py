"""Pictures: the graph of a mechanism, its sticks at a position, and a motion over time."""

from .comparison import comparison_figure
from .graph import graph_svg
from .motion import motion_figure
from .moving import animation
from .operations import operations_figure
from .pose import Skeleton, pose_figure, skeleton
from .reactions import reactions_figure
from .runs import run_figure
from .saving import save

__all__ = [
    "Skeleton",
    "animation",
    "comparison_figure",
    "graph_svg",
    "motion_figure",
    "operations_figure",
    "pose_figure",
    "reactions_figure",
    "run_figure",
    "save",
    "skeleton",
]
