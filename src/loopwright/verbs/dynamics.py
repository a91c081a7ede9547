"""`lw.Dynamics`: the questions users ask of one mechanism."""

from __future__ import annotations

from .forces import Forces
from .kinematics import Kinematics
from .matrices import Matrices
from .programs import Programs
from .slopes import Slopes


class Dynamics(Forces, Slopes, Matrices, Kinematics, Programs):
    """Forward and inverse dynamics, kinematics, energy and momentum of a mechanism.

    q, v, a and tau are arrays whose last axis follows `mech.coordinates`, `mech.velocities` and
    `mech.actuators`; leading axes broadcast. Wrenches and twists are angular first, in ground axes.

    A question asked for many states is compiled for this mechanism; `compiled=True` does so at once,
    `compiled=False` stays with NumPy. The answers are the same to rounding.

    Which closure rows repeat others and which coordinates depend on which is found out at closed positions, looked for
    from the neutral one on. Where a mechanism has branches that differ in this, `near` is a state on the one to be
    computed with: a State, a position or positions by name.

    The verbs stand by kind in the classes it is made of: forces.py, slopes.py, matrices.py, kinematics.py and
    programs.py.
    """
