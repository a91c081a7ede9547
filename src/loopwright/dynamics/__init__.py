"""Open trees: kinematics, the DeNOC matrices, and the recursive algorithms side by side."""

from .algorithms import FORWARD, INVERSE, MASS, Algorithm, named
from .convective import convective_matrix, skew_convective_matrix
from .derivatives import Derivatives, inverse_derivatives
from .factor import Factor, factored, towards_ground
from .kinematics import Motion, jacobian, motions, moved, poses, twists
from .links import Link, links_at
from .loads import Loads, friction_force, generalised, loads, spring_energy, value_of
from .quantities import Energy, Momentum, gravitational, kinetic, momentum, whole
from .sweep import walked_by

__all__ = [
    "FORWARD",
    "INVERSE",
    "MASS",
    "Algorithm",
    "Derivatives",
    "Energy",
    "Factor",
    "Link",
    "Loads",
    "Momentum",
    "Motion",
    "convective_matrix",
    "factored",
    "friction_force",
    "generalised",
    "gravitational",
    "inverse_derivatives",
    "jacobian",
    "kinetic",
    "links_at",
    "loads",
    "momentum",
    "motions",
    "moved",
    "named",
    "poses",
    "skew_convective_matrix",
    "spring_energy",
    "towards_ground",
    "twists",
    "value_of",
    "walked_by",
    "whole",
]
