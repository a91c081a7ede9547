"""Motion over time: integrators, time loops, events, and the Run."""

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
