"""Parallel architectures, legs from the ground to one platform, in minimal order and recursively   [Saha2001]."""

from .complement import Complement, complement
from .dynamics import forward_dynamics, inverse_dynamics, source
from .recognised import Leg, Legs, recognised, require

__all__ = [
    "Complement",
    "Leg",
    "Legs",
    "complement",
    "forward_dynamics",
    "inverse_dynamics",
    "recognised",
    "require",
    "source",
]
