"""Actuator forces along a motion: computed, told, and written."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoopwrightError

if TYPE_CHECKING:
    from ..mechanism import Mechanism
    from .motions import Motion

_AT_ONCE = 200  # states computed between two steps of the progress bar


def forces(mechanism: Mechanism, motion: Motion) -> Any:
    """tau for every row of the motion."""
    import numpy as np

    from ..verbs import Dynamics
    from . import screen

    dynamics = Dynamics(mechanism)
    starts = range(0, len(motion.t), _AT_ONCE)
    parts = []
    for k in screen.progress(starts, "inverse dynamics"):
        rows = slice(k, k + _AT_ONCE)
        parts.append(dynamics.inverse(motion.q[rows], motion.v[rows], motion.a[rows], t=motion.t[rows]))
    return np.concatenate(parts)


def peaks(mechanism: Mechanism, t: Any, tau: Any) -> list[dict[str, Any]]:
    """For every actuator its largest force, when that is, and the root of the mean square."""
    import numpy as np

    from ..mechanism import actuator_units

    found = []
    for name, unit, values in zip(mechanism.actuators, actuator_units(mechanism), np.asarray(tau).T, strict=True):
        at = int(np.argmax(np.abs(values)))
        rms = float(np.sqrt(np.mean(values**2)))
        found.append({"actuator": name, "unit": unit, "peak": float(values[at]), "t": float(t[at]), "rms": rms})
    return found


def show_peaks(mechanism: Mechanism, t: Any, tau: Any) -> None:
    """The same as a table."""
    from . import screen

    screen.table(
        [("actuator", "left"), ("peak", "right"), ("at t (s)", "right"), ("rms", "right"), ("unit", "left")],
        [
            (p["actuator"], f"{p['peak']:.5g}", f"{p['t']:.4g}", f"{p['rms']:.5g}", p["unit"])
            for p in peaks(mechanism, t, tau)
        ],
    )


def answer(
    mechanism: Mechanism, motion: Motion, tau: Any, files: dict[str, Path], inside: dict[str, Any]
) -> dict[str, Any]:
    """All of it, for a program; `inside` is what happens in the joints."""
    return {
        "name": mechanism.name,
        "motion": motion.source,
        "coordinates": list(mechanism.coordinates),
        "velocities": list(mechanism.velocities),
        "actuators": list(mechanism.actuators),
        "peaks": peaks(mechanism, motion.t, tau),
        "t": motion.t.tolist(),
        "q": motion.q.tolist(),
        "v": motion.v.tolist(),
        "a": motion.a.tolist(),
        "tau": tau.tolist(),
        **inside,
        "files": {what: str(file) for what, file in files.items()},
    }


def write(mechanism: Mechanism, motion: Motion, tau: Any, folder: Path, name: str = "inverse") -> dict[str, Path]:
    """The table and the plot in a folder."""
    from ..view import motion_figure, save

    table, plot = folder / f"{name}.csv", folder / f"{name}.png"
    _write_table(mechanism, motion, tau, table)
    title = f"{mechanism.name}: {motion.source}"
    save(motion_figure(mechanism, motion.t, motion.q, motion.v, tau, title), plot)
    return {"table": table, "plot": plot}


def _write_table(mechanism: Mechanism, motion: Motion, tau: Any, path: Path) -> None:
    import numpy as np

    heads = [
        "t",
        *mechanism.coordinates,
        *(f"{name}'" for name in mechanism.velocities),
        *(f"{name}''" for name in mechanism.velocities),
        *(f"tau.{name}" for name in mechanism.actuators),
    ]
    rows = np.column_stack([motion.t, motion.q, motion.v, motion.a, tau]).tolist()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heads)
            writer.writerows(rows)
    except OSError as error:
        raise LoopwrightError(f"cannot write {path}: {error.strerror or error}") from None
