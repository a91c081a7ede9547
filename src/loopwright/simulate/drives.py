"""What drives the actuators: numbers, values over time, or a law asked in every state."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import Mechanism, unknown
from ..program import Kernel
from ..spatial import Array
from .joined import Joined
from .pieces import constant
from .samples import Samples
from .trajectory import Trajectory, table_of, wanted_width

BODY = ctypes.CFUNCTYPE(None, *([ctypes.c_void_p] * 4))


@runtime_checkable
class Compiled(Protocol):
    """A law in native code: `kernel` of (t, q, v) or, where it follows a `path`, of (t, q, v, wanted)."""

    mechanism: Mechanism
    path: Trajectory | None
    breaks: tuple[float, ...]

    @property
    def kernel(self) -> Kernel:
        """One force for every actuator; `wanted` are the path's values, rates and accelerations in a row."""

    def on_symbols(self, t: Any, q: Array, v: Array) -> Array:
        """The same as expressions of symbols."""


@dataclass(eq=False)
class Drive:
    """`values` are the forces that hold now; `path` or `law` set them.

    `law`, when not 0, is an address: `law(t, q, v, tau)`, or `law(t, q, v, wanted, tau)` where there is a path, takes
    addresses, like a kernel's body. `at` answers the same for many states. `note` is what the user should know.
    """

    values: Array
    at: Callable[[Array, Array, Array], Array]
    law: int = 0
    path: Trajectory | None = None
    raised: Array | None = None  # one whole number that a law sets when it fails
    failure: list[BaseException] | None = None
    breaks: tuple[float, ...] = ()  # moments at which it is not smooth
    note: str = ""
    keep: Any = None


def drive(mechanism: Mechanism, tau: Any) -> Drive:
    """Read what the user gives for tau."""
    path = None if tau is None else over_time(mechanism, tau)
    if path is not None:
        return _along(mechanism, path)
    if isinstance(tau, Compiled):
        return _law(mechanism, tau)
    if callable(tau):
        return _function(mechanism, tau)
    nu = mechanism.nu
    values = _numbers(mechanism, tau)
    return Drive(values.copy(), lambda t, q, v: np.broadcast_to(values, (len(t), nu)).copy())


def _numbers(mechanism: Mechanism, tau: Any) -> Array:
    nu = mechanism.nu
    try:
        return np.zeros(nu) if tau is None else np.array(np.broadcast_to(np.asarray(tau, dtype=float), nu))
    except (TypeError, ValueError):
        raise LoopwrightError(
            f"tau must be one number for each of {_named(mechanism)}, values over time (times, values), a trajectory, "
            f"a law, a function of (t, q, v), a mapping by actuator, or None; got {tau!r}"
        ) from None


def _named(mechanism: Mechanism) -> str:
    return ", ".join(mechanism.actuators) or "no actuator"


def over_time(mechanism: Mechanism, tau: Any) -> Trajectory | None:
    """Values over time for every actuator, if that is what was given."""
    if isinstance(tau, Mapping):
        return _by_name(mechanism, tau)
    path = values_over_time(tau)
    if path is None:
        return None
    if isinstance(path, Samples):
        path = path.ordered(mechanism.actuators, f"'{mechanism.name}' has the actuators")
    wanted_width(path, mechanism.nu, f"tau of '{mechanism.name}', whose actuators are {_named(mechanism)},")
    return path


def values_over_time(given: Any) -> Trajectory | None:
    """A trajectory, samples, a DataArray or (times, values) as a trajectory; None when it is nothing of these."""
    if isinstance(given, Trajectory):
        return given
    if hasattr(given, "dims") and hasattr(given, "coords"):
        return Samples.of(given)
    if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1:
        return Samples(*given)
    return None


def _by_name(mechanism: Mechanism, tau: Mapping[str, Any]) -> Trajectory:
    parts: dict[str, Trajectory] = {}
    for name, given in tau.items():
        if name not in mechanism.actuators:
            raise LoopwrightError(unknown(name, "actuator", mechanism.actuators, mechanism.name))
        path = values_over_time(given)
        if path is None:
            try:
                path = constant(float(given))
            except (TypeError, ValueError):
                raise LoopwrightError(
                    f"tau of '{name}' must be a number or values over time; got {given!r}. A law or a function gives "
                    "the forces of all actuators: tau=law"
                ) from None
        wanted_width(path, 1, f"tau of '{name}'")
        parts[name] = path
    return Joined([parts.get(name) or constant(0.0) for name in mechanism.actuators])


def _along(mechanism: Mechanism, path: Trajectory) -> Drive:
    def at(t: Array, q: Array, v: Array) -> Array:
        return table_of(path, t)[:, 0] if len(t) else np.zeros((0, mechanism.nu))

    return Drive(np.zeros(mechanism.nu), at, path=path, breaks=path.breaks)


def _law(mechanism: Mechanism, law: Compiled) -> Drive:
    """A law in native code."""
    own, path = law.mechanism, law.path
    for what in ("coordinates", "velocities", "actuators"):
        if getattr(own, what) != getattr(mechanism, what):
            raise LoopwrightError(
                f"the law is one of '{own.name}', whose {what} are {', '.join(getattr(own, what))}; those of "
                f"'{mechanism.name}' are {', '.join(getattr(mechanism, what))}"
            )
    kernel = law.kernel

    def at(t: Array, q: Array, v: Array) -> Array:
        wanted = () if path is None else (table_of(path, t).reshape(len(t), -1),)
        return kernel(t, q, v, *wanted) if len(t) else np.zeros((0, mechanism.nu))

    return Drive(np.zeros(mechanism.nu), at, kernel.single, path, breaks=law.breaks, keep=law)


def _function(mechanism: Mechanism, law: Callable[..., Any]) -> Drive:
    """A Python function of (t, q, v), asked in every evaluation: far slower than numbers or a kernel."""
    nq, nv, nu = mechanism.nq, mechanism.nv, mechanism.nu
    failure: list[BaseException] = []
    raised = np.zeros(1, dtype=np.int64)

    def asked(t: float, q: Array, v: Array) -> Array:
        return np.array(np.broadcast_to(np.asarray(law(t, q, v), dtype=float), nu))

    def called(t: int, q: int, v: int, tau: int) -> None:
        try:
            _at(tau, nu)[:] = asked(float(_at(t, 1)[0]), _at(q, nq).copy(), _at(v, nv).copy())
        except BaseException as error:  # noqa: BLE001 - raised again, in words, when the loop has ended
            failure.append(error)
            raised[0] = 1

    body = BODY(called)

    def at(t: Array, q: Array, v: Array) -> Array:
        rows = [asked(float(a), b, c) for a, b, c in zip(t, q, v, strict=True)]
        return np.stack(rows) if rows else np.zeros((0, nu))

    address = ctypes.cast(body, ctypes.c_void_p).value or 0
    note = "tau is a Python function, asked in every evaluation, which is slow: lw.law(mech, function) compiles it"
    return Drive(np.zeros(nu), at, address, None, raised, failure, note=note, keep=body)


def _at(address: int, count: int) -> Array:
    if not count:
        return np.zeros(0)
    return np.ctypeslib.as_array((ctypes.c_double * count).from_address(address))
