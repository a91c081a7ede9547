"""Methods of SciPy and SUNDIALS, as references and as choices."""

from __future__ import annotations

from .method import foreign

_SHAMPINE = "Bogacki, Shampine 1989"
SCIPY = (
    foreign("scipy:RK23", 3, "scipy", _SHAMPINE),
    foreign("scipy:RK45", 5, "scipy", "Dormand, Prince 1980"),
    foreign("scipy:DOP853", 8, "scipy", "Hairer, Norsett, Wanner 1993, II.10"),
    foreign("scipy:Radau", 5, "scipy", "Hairer, Wanner 1996, IV.8"),
    foreign("scipy:BDF", 5, "scipy", "Shampine, Reichelt 1997"),
    foreign("scipy:LSODA", 12, "scipy", "Petzold 1983"),
)
_SUNDIALS = "Hindmarsh and others 2005"
SUNDIALS = (
    foreign("cvodes", 5, "sundials", _SUNDIALS),
    foreign("cvodes:Adams", 12, "sundials", _SUNDIALS),
    foreign("idas", 5, "sundials", _SUNDIALS),
)
