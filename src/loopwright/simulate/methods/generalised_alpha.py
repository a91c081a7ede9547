"""The generalised-alpha method, for stiff and flexible systems, with steps of one length; of order 2.

What swings within a step is damped: `radius` of its amplitude is left after a step when it is far too fast to be
followed, 1 for none lost, 0 for all at once; what the step resolves keeps nearly all of its energy. One slope a step
and a few evaluations. In place of the mass matrix it has the accelerations of this mechanism's own kernel, and on
ball and free joints it goes by the exponential, so quaternions need nothing else.
"""

from __future__ import annotations

import numpy as np

from ...errors import LoopwrightError
from .method import Method

source = "[Chung1993], [Arnold2007]; on rotations [Bruls2012]"

NAME = "generalised_alpha"


def generalised_alpha(radius: float = 0.8, name: str = NAME) -> Method:
    """The method with this spectral radius at infinite frequency."""
    from ..loops import generalised_alpha as text

    if not 0.0 <= radius <= 1.0:
        raise LoopwrightError(f"the spectral radius of {NAME} is from 0 (most damping) to 1 (none), not {radius!r}")
    # [Chung1993, (25), (17), (20)]
    alpha_m, alpha_f = (2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    table = np.array([alpha_m, alpha_f, beta, gamma])
    return Method(name, 2, text.step, text.dense, table, text.room, source, fixed=True, implicit=True)


GENERALISED_ALPHA = generalised_alpha()
