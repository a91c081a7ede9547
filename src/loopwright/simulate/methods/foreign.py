"""Methods of SciPy and SUNDIALS, as references and as choices."""

from __future__ import annotations

from .method import foreign

_SHAMPINE = "[BogackiShampine1989]"
SCIPY = (
    foreign("scipy:RK23", 3, "scipy", _SHAMPINE),
    foreign("scipy:RK45", 5, "scipy", "[Dormand1980]"),
    foreign("scipy:DOP853", 8, "scipy", "[Hairer1993, II.10]"),
    foreign("scipy:Radau", 5, "scipy", "[Hairer1996, IV.8]"),
    foreign("scipy:BDF", 5, "scipy", "[ShampineReichelt1997]"),
    foreign("scipy:LSODA", 12, "scipy", "[Petzold1983]"),
)
_SUNDIALS = "[Hindmarsh2005]"
SUNDIALS = (
    foreign("cvodes", 5, "sundials", _SUNDIALS),
    foreign("cvodes:Adams", 12, "sundials", _SUNDIALS),
    foreign("idas", 5, "sundials", _SUNDIALS),
)
