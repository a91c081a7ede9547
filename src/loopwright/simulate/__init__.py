"""Motion over time: integrators, time loops, events, and the Run."""

from typing import TYPE_CHECKING

from ..on_demand import on_demand

if TYPE_CHECKING:
    from .audit import Again, Audit
    from .events import Event
    from .front import simulate
    from .measured import Measured, poses
    from .opening import open_run
    from .run import Counts, Happened, Run, Settings
    from .samples import Samples
    from .springs import SpringSweep, spring_sweep

__all__ = [
    "Again",
    "Audit",
    "Counts",
    "Event",
    "Happened",
    "Measured",
    "Run",
    "Samples",
    "Settings",
    "SpringSweep",
    "open_run",
    "poses",
    "simulate",
    "spring_sweep",
]

_NAMES = {
    "audit": ("Again", "Audit"),
    "events": ("Event",),
    "front": ("simulate",),
    "measured": ("Measured", "poses"),
    "opening": ("open_run",),
    "run": ("Counts", "Happened", "Run", "Settings"),
    "samples": ("Samples",),
    "springs": ("SpringSweep", "spring_sweep"),
}

if not TYPE_CHECKING:
    __getattr__ = on_demand(__name__, _NAMES)
