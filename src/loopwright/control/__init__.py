"""What a mechanism should do: trajectories, and the laws that keep it on them."""

from . import trajectory
from .choosing import clip, where
from .law import Law, Wanted, law
from .laws import ComputedTorque, computed_torque, pd

__all__ = ["ComputedTorque", "Law", "Wanted", "clip", "computed_torque", "law", "pd", "trajectory", "where"]
