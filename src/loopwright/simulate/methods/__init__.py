"""The methods of integration by name: each is a table or a tableau on a shared engine."""

from __future__ import annotations

import re

from ...errors import LoopwrightError
from .adams import ABM
from .dop853 import DOP853
from .foreign import SCIPY, SUNDIALS
from .generalised_alpha import GENERALISED_ALPHA, generalised_alpha
from .method import Method
from .rodas4 import RODAS4
from .rodas5p import RODAS5P
from .runge_kutta import DOPRI5, RK4
from .semi_implicit import SEMI_IMPLICIT_EULER

METHODS: tuple[Method, ...] = (SEMI_IMPLICIT_EULER, RK4, DOPRI5, DOP853, ABM, RODAS4, RODAS5P, GENERALISED_ALPHA)
FOREIGN = (*SCIPY, *SUNDIALS)


def method(name: str) -> Method:
    """The method of that name; generalised_alpha(0.5) is that with another spectral radius."""
    for one in (*METHODS, *FOREIGN):
        if name in (one.name, *one.also):
            return one
    given = re.fullmatch(rf"{GENERALISED_ALPHA.name}\(([\d.eE+-]+)\)", name)
    if given is not None:
        return generalised_alpha(_number(given[1], name), name)
    ours, others = (", ".join(one.name for one in some) for some in (METHODS, FOREIGN))
    raise LoopwrightError(f"no method '{name}'; there are {ours}, and as references {others}")


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise LoopwrightError(f"in method '{name}', '{text}' is no number") from None


__all__ = ["FOREIGN", "METHODS", "Method", "method"]
