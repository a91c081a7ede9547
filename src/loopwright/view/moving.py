"""A run as moving pictures: GIF, MP4, or a page of HTML."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import GROUND
from ..simulate import Run, poses
from ..spatial import Pose
from ..topology import Topology
from .film import film
from .pose import Skeleton, equal_axes, plane_of, skeleton_at, sticks
from .saving import as_words

KINDS = (".gif", ".mp4", ".html")
_MOST_FRAMES = 3000
_DPI = 90


def animation(run: Run, file: str | Path, fps: int = 25, speed: float = 1.0) -> Path:
    """The mechanism moving, `speed` times as fast as it does, in pictures `fps` to the second."""
    path = Path(file)
    if path.suffix.lower() not in KINDS:
        raise LoopwrightError(
            f"an animation cannot be written as '{path.name}'; its name must end in .gif, .mp4 or .html"
        )
    if isinstance(fps, bool) or not isinstance(fps, int) or fps < 1:
        raise LoopwrightError(f"fps must be a whole number of pictures per second, got {fps!r}")
    if not (isinstance(speed, (int, float)) and math.isfinite(speed) and speed > 0.0):
        raise LoopwrightError(f"speed must be a positive number, got {speed!r}")
    chosen = shown(run, fps, speed)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".html":
            path.write_text(film(run, chosen, speed), encoding="utf-8")
        else:
            _moving(run, path, chosen, fps)
    except OSError as error:
        raise LoopwrightError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def shown(run: Run, fps: int, speed: float) -> list[int]:
    """The saved states nearest to the moments of the pictures."""
    count = 1 + int((run.t[-1] - run.t[0]) * fps / speed + 1e-9)
    if count > _MOST_FRAMES:
        raise LoopwrightError(
            f"{count} pictures are more than {_MOST_FRAMES}: ask for fewer per second, animate(…, fps=5), or for a "
            "faster show, animate(…, speed=10)"
        )
    moments = run.t[0] + np.arange(count) * speed / fps
    after = np.clip(np.searchsorted(run.t, moments), 1, max(len(run.t) - 1, 1))
    if len(run.t) == 1:
        return [0] * count
    nearer = moments - run.t[after - 1] < run.t[after] - moments
    return [int(k) for k in np.where(nearer, after - 1, after)]


def skeletons(run: Run, chosen: list[int]) -> list[Skeleton]:
    """Where everything stands in these saved states."""
    names = [GROUND, *(body.name for body in run.mechanism.bodies)]
    return [
        skeleton_at(run.mechanism, {name: Pose(X[:, :3], X[:, 3]) for name, X in zip(names, row, strict=True)})
        for row in poses(run)[chosen]
    ]


def _moving(run: Run, path: Path, chosen: list[int], fps: int) -> None:
    """By Matplotlib: Pillow writes GIFs, ffmpeg writes MP4s."""
    from matplotlib import animation as writers
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    writer: Any
    if path.suffix.lower() == ".gif":
        writer = writers.PillowWriter(fps=fps)
    elif writers.writers.is_available("ffmpeg"):
        writer = writers.FFMpegWriter(fps=fps, codec="h264", extra_args=["-pix_fmt", "yuv420p"])
    else:
        raise LoopwrightError(
            f"{path.name} needs the program ffmpeg, which is not installed here; .gif and .html need nothing"
        )
    drawn = skeletons(run, chosen)
    flat = plane_of(Topology.of(run.mechanism))
    figure = Figure(figsize=_size(drawn, flat))
    FigureCanvasAgg(figure)
    ax: Any = figure.add_subplot(projection=None if flat else "3d")
    _framed(ax, drawn, flat, run)
    with writer.saving(figure, str(path), _DPI):
        for k, one in zip(chosen, drawn, strict=True):
            for artist in [*ax.lines, *ax.patches]:
                artist.remove()
            sticks(ax, one, flat or (0, 1, 2), 1.0)
            ax.set_title(as_words(f"{run.mechanism.name}   {run.t[k]:.2f} s"), loc="left")
            writer.grab_frame()


def _size(drawn: list[Skeleton], flat: tuple[int, int] | None) -> tuple[float, float]:
    """In inches: as high as a plane motion is for its width, with room for the axes."""
    if flat is None:
        return 6.0, 6.0
    across, high = np.ptp(_points(drawn)[:, flat], axis=0)
    return 6.0, float(np.clip(5.0 * high / max(across, 1e-9), 1.5, 6.0)) + 1.0


def _points(drawn: list[Skeleton]) -> Any:
    return np.concatenate([np.concatenate([*one.bodies.values(), one.grounded]) for one in drawn])


def _framed(ax: Any, drawn: list[Skeleton], flat: tuple[int, int] | None, run: Run) -> None:
    """The same limits in every picture."""
    if flat is None:
        equal_axes(ax, drawn, run.mechanism)
        return
    points = _points(drawn)[:, flat]
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.08 * max(float((high - low).max()), 1e-6)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal", adjustable="box")
    ax.grid(color="#dde3e9", linewidth=0.8)
    ax.set_axisbelow(True)
    for which, axis in zip(("x", "y"), flat, strict=True):
        getattr(ax, f"set_{which}label")(f"{'xyz'[axis]} (m)")
