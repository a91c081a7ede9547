"""What drives the actuators, written with symbols: what a library that knows equations only can be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import LoopwrightError
from ...mechanism import Mechanism, State
from ...spatial import Array, Number, Symbol, expression, numbers, symbols
from ..drives import Compiled, Drive
from ..trajectory import Trajectory

Forces = Callable[[Number, Array, Array], Array]  # of t, q and v
_SAME = 1e-9  # of the forces
_STIR = 0.3  # rad, m and their rates: how far from the start a function is asked again


def forces_on_symbols(mechanism: Mechanism, tau: Any, drive: Drive, start: State, method: str) -> Forces:
    """The forces of all actuators as expressions of t, q and v, or in words why they cannot be had."""
    values, path = drive.values, drive.path
    if isinstance(tau, Compiled):
        asked: Forces = tau.on_symbols
    elif path is not None:
        asked = _along(path)
    elif drive.law:

        def asked(t: Any, q: Array, v: Array) -> Array:
            return np.broadcast_to(np.atleast_1d(numbers(tau(t, q, v))), mechanism.nu)
    else:
        return lambda t, q, v: values
    recorded = _recorded(mechanism, asked, method)
    if not isinstance(tau, Compiled) and drive.law:
        _require_same(mechanism, asked, recorded, start, method)
    return asked


def _along(path: Trajectory) -> Forces:
    return lambda t, q, v: np.reshape(path.at(t), path.width)


def _instead(method: str) -> str:
    return f"method '{method}' solves equations written with symbols: use another one, dop853 for one"


def _recorded(mechanism: Mechanism, law: Forces, method: str) -> Any:
    import casadi

    t, q, v = casadi.SX.sym("t"), casadi.SX.sym("q", mechanism.nq), casadi.SX.sym("v", mechanism.nv)
    try:
        return casadi.Function("tau", [t, q, v], [expression(law(Symbol(t), symbols(q), symbols(v)))])
    except Exception as error:
        raise LoopwrightError(
            f"tau cannot be written with symbols ({type(error).__name__}: {error}), and {_instead(method)}"
        ) from error


def _require_same(mechanism: Mechanism, law: Forces, recorded: Any, start: State, method: str) -> None:
    """What a function said of symbols is what it says of numbers, at the start and elsewhere later."""
    rng = np.random.default_rng(0)
    for later in (0.0, 1.0):
        q = mechanism.integrate(start.q, later * rng.normal(scale=_STIR, size=mechanism.nv))
        v = start.v + later * rng.normal(scale=_STIR, size=mechanism.nv)
        plain = np.array(law(start.t + later, q, v), dtype=float)
        again = np.array(recorded(start.t + later, q, v), dtype=float).ravel()
        if np.abs(plain - again).max(initial=0.0) > _SAME * max(1.0, float(np.abs(plain).max(initial=0.0))):
            raise LoopwrightError(
                f"tau gives {plain} where it gave {again} when asked with symbols, so it looks at something besides "
                f"t, q and v; {_instead(method)}"
            )
