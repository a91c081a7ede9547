"""A run over time with names on everything: an xarray Dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import GROUND, actuator_units, position_units, velocity_units
from ..spatial import Array
from ..verbs.details import reactions_of
from ..verbs.loops import loops_of
from .measured import poses
from .observed import row_names

if TYPE_CHECKING:
    import xarray

    from .run import Run

Columns = dict[str, tuple[tuple[str, ...], Array, dict[str, str]]]

_WRENCH = ("mx", "my", "mz", "fx", "fy", "fz")


def columns(run: Run) -> Columns:
    """Everything known in every state but poses: name, dimensions, values, attributes."""
    m = run.measured
    found: Columns = {
        "q": (("time", "coordinate"), run.q, _said("positions, in radians and metres")),
        "v": (("time", "velocity"), run.v, _said("velocities, per second")),
        "a": (("time", "velocity"), run.a, _said("accelerations, per second squared")),
        "tau": (("time", "actuator"), run.tau, _said("forces of the actuators", "N, N m")),
        "kinetic": (("time",), m.kinetic, _said("kinetic energy", "J")),
        "gravity": (("time",), m.gravity, _said("potential energy of gravity", "J")),
        "springs": (("time",), m.springs, _said("potential energy of springs", "J")),
        "potential": (("time",), m.potential, _said("potential energy", "J")),
        "energy": (("time",), m.energy, _said("kinetic and potential energy", "J")),
        "imbalance": (("time",), m.imbalance, _said("energy gained beyond the work done", "J")),
    }
    for kind, values in m.power.items():
        found[f"power_{kind}"] = (("time",), values, _said(f"power of {kind}", "W"))
    for kind, values in m.work.items():
        found[f"work_{kind}"] = (("time",), values, _said(f"work of {kind} since the start", "J"))
    if m.gap.shape[1]:
        found["gap"] = (("time", "row"), m.gap, _said("how far the loops are open, in radians and metres"))
        found["gap_rate"] = (("time", "row"), m.gap_rate, _said("how fast they open, per second"))
        found["health"] = (("time",), m.health, _said("1 far from singular positions, 0 at them"))
    return found


def labels(run: Run) -> dict[str, tuple[str, ...]]:
    """Names along every dimension but time."""
    m = run.mechanism
    found = {"coordinate": m.coordinates, "velocity": m.velocities, "actuator": m.actuators}
    if m.tree.cuts:
        found["row"] = tuple(row_names(m))
    return found


def dataset(run: Run) -> xarray.Dataset:
    """With the poses of all bodies."""
    import xarray

    m = run.mechanism
    bodies = (GROUND, *(body.name for body in m.bodies))
    X = poses(run)
    placed: Columns = {
        "position": (("time", "body", "xyz"), X[..., 3], _said("origins of the bodies, in the ground", "m")),
        "rotation": (("time", "body", "xyz", "axis"), X[..., :3], _said("rotation matrices of the bodies")),
    }
    named = {**labels(run), "body": bodies, "xyz": tuple("xyz"), "axis": tuple("xyz")}
    return xarray.Dataset(
        {name: (dimensions, values, said) for name, (dimensions, values, said) in {**columns(run), **placed}.items()},
        coords={
            "time": ("time", run.t, {"units": "s"}),
            **{name: list(given) for name, given in named.items()},
            # of q, v and tau, entry by entry
            "unit": ("coordinate", list(position_units(m))),
            "rate_unit": ("velocity", list(velocity_units(m))),
            "force_unit": ("actuator", list(actuator_units(m))),
        },
        attrs={
            "mechanism": m.name,
            "status": run.status,
            "formulation": run.settings.formulation,
            "method": run.settings.method,
        },
    )


def reactions(run: Run, compliance: Mapping[str, Any] | None) -> xarray.Dataset:
    """State by state."""
    import xarray

    m = run.mechanism
    lost = [note for note in m.notes if "was a Python function" in note]
    if lost:
        raise LoopwrightError(f"the forces in the joints cannot be found from this file: {lost[0]}")
    given = {"q": run.q, "v": run.v, "a": run.a, "tau": run.tau, "t": run.t}
    found = reactions_of(loops_of(m), given, compliance)
    names = list(found.wrenches)
    wrenches = np.stack([found.wrenches[name] for name in names], axis=1)
    return xarray.Dataset(
        {
            "multipliers": (("time", "row"), found.multipliers, _said("of the loops' rows")),
            "reaction": (
                ("time", "joint", "component"),
                wrenches,
                _said("of the joint's parent on its child, at the child's joint frame, in ground axes", "N m, N"),
            ),
            "determinate": (
                ("joint", "component"),
                np.stack([found.determinate[name] for name in names]),
                _said("whether it follows from the motion alone"),
            ),
        },
        coords={
            "time": ("time", run.t, {"units": "s"}),
            "row": row_names(m),
            "joint": names,
            "component": list(_WRENCH),
        },
    )


def _said(words: str, units: str = "") -> dict[str, str]:
    return {"long_name": words, **({"units": units} if units else {})}
