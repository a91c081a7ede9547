"""Runs show themselves: the one door from here to the room above, `view`, opened only when somebody looks.

pyproject.toml allows these imports to import-linter; everything else in the room knows nothing of pictures.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoopwrightError

if TYPE_CHECKING:
    from .run import Run


def plot(run: Run, file: str | Path | None) -> Any:
    """The figure, written when a file is named."""
    from ..view import run_figure, save

    _require_states(run)
    figure = run_figure(run)
    if file is not None:
        save(figure, file)
    return figure


def animate(run: Run, file: str | Path, fps: int, speed: float) -> Path:
    """Moving pictures in a file."""
    from ..view import animation

    _require_states(run)
    return animation(run, file, fps, speed)


def view(run: Run) -> Path:
    """A page in the browser."""
    import tempfile
    import webbrowser

    page = animate(run, Path(tempfile.mkdtemp(prefix="loopwright-")) / f"{_plain(run.mechanism.name)}.html", 25, 1.0)
    webbrowser.open(page.as_uri())
    return page


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name) or "run"


def _require_states(run: Run) -> None:
    if not len(run):
        raise LoopwrightError(f"the run of '{run.mechanism.name}' saved no state, so there is nothing to show")
