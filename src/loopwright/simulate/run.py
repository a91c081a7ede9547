"""The Run: a motion over time, where it came from and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoopwrightError
from ..mechanism import Mechanism, State, unknown
from ..spatial import Array
from . import showing
from .audit import Audit, audited
from .labelled import dataset, reactions
from .measured import Measured, measured
from .saving import write

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class Counts:
    """What a run cost: steps taken and rejected, evaluations of the flow and of its slope, seconds on the clock."""

    steps: int
    evaluations: int
    rejected: int
    slopes: int
    wall_time: float


@dataclass(frozen=True)
class Happened:
    """An event: its name, when, and the state there."""

    name: str
    t: float
    q: Array = field(repr=False)
    v: Array = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """How it was asked for, so that it can be asked for again."""

    formulation: str
    method: str
    rtol: float
    atol: float
    step: float | None
    stabilise: str | None
    t_end: float


@dataclass(frozen=True)
class Stored:
    """What a file holds of a run besides its states."""

    measured: Measured
    audit: Audit | None


@dataclass(frozen=True, eq=False)
class Run:
    """Positions, velocities, accelerations and actuator forces at the moments saved: row k belongs to `t[k]`.

    `status` is "finished", or says why the run ended before its time and what to do; what there is by then is here.
    `work` has what each kind of force had done since the start, by name. `again` asks for another run with other
    settings; `stored` is what a file had to say; `notes` what the user should know of how it was computed.
    """

    mechanism: Mechanism
    t: Array
    q: Array
    v: Array
    a: Array
    tau: Array
    status: str
    counts: Counts
    settings: Settings
    work: dict[str, Array] = field(default_factory=dict)
    events: tuple[Happened, ...] = ()
    again: Callable[..., Run] | None = field(default=None, repr=False)
    stored: Stored | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether it went all the way."""
        return self.status == "finished"

    @property
    def final(self) -> State:
        """The last state saved."""
        return State(self.mechanism, self.q[-1], self.v[-1], float(self.t[-1]))

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        ends = f"{self.t[0]:g} … {self.t[-1]:g} s" if len(self.t) else "nothing saved"
        return f"Run('{self.mechanism.name}': {ends}, {self.counts.steps} steps; {self.status})"

    def __getitem__(self, name: str) -> Any:
        """One coordinate over time, by name."""
        names = self.mechanism.coordinates
        if name not in names:
            raise LoopwrightError(unknown(name, "coordinate", names, self.mechanism.name))
        return self.q[:, names.index(name)]

    def recomputed(self, row: int, moments: Array, **changes: Any) -> Run:
        """The motion from a saved state on, at these moments, asked for as before but for the changes."""
        if self.again is None:
            raise LoopwrightError("a run from a file cannot be computed again: the file does not hold what drove it")
        start = State(self.mechanism, self.q[row], self.v[row], float(self.t[row]))
        return self.again(start, float(moments[-1]), save=moments, progress=False, **changes)

    @cached_property
    def measured(self) -> Measured:
        """Energies, powers, work, how far the loops were open."""
        return self.stored.measured if self.stored is not None else measured(self)

    @cached_property
    def audit(self) -> Audit:
        """What makes it believable; the motion is computed again for it, some three times."""
        known = self.stored.audit if self.stored is not None else None
        return known if known is not None else audited(self)

    @cached_property
    def data(self) -> xarray.Dataset:
        """All of it over time as an xarray Dataset, labelled by coordinate, actuator, body and row of the loops."""
        return dataset(self)

    def reactions(self, compliance: Mapping[str, Any] | None = None) -> xarray.Dataset:
        """Multipliers and the wrench in every joint over time; see `Dynamics.forward(…, details=True)`."""
        return reactions(self, compliance)

    def save(self, file: str | Path) -> Path:
        """Write it as NetCDF, its audit and its mechanism with it; `lw.open_run` reads it."""
        return write(self, file)

    def plot(self, file: str | Path | None = None) -> Any:
        """A figure of motion, forces, energy balance and closure; written when a .png, .svg or .pdf is named."""
        return showing.plot(self, file)

    def animate(self, file: str | Path, fps: int = 25, speed: float = 1.0) -> Path:
        """The mechanism moving: .gif, .mp4 (with ffmpeg) or .html, a page that needs nothing else."""
        return showing.animate(self, file, fps, speed)

    def view(self) -> Path:
        """The mechanism moving, in the browser; returns the page."""
        return showing.view(self)
