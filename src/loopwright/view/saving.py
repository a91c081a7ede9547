"""Figures and texts on disk, without a display."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import LoopwrightError
from .svg import clean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")


def save(picture: Figure | str, file: str | Path) -> Path:
    """Write a figure (.png, .svg or .pdf) or the text of an SVG; folders are made as needed."""
    path = Path(file)
    known = (".svg",) if isinstance(picture, str) else KINDS
    if path.suffix.lower() not in known:
        raise LoopwrightError(
            f"a picture cannot be written as '{path.name}'; its name must end in {' or '.join(known)}"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(picture, str):
            path.write_text(picture, encoding="utf-8")
        else:
            with warnings.catch_warnings():
                # names may be in any script; a font without it shows boxes, which is no reason to stop
                warnings.filterwarnings("ignore", message="Glyph .* missing from")
                picture.savefig(path, dpi=150)
    except OSError as error:
        raise LoopwrightError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def as_words(name: str) -> str:
    """A name as Matplotlib should print it: `$` would start a formula, and a leading `_` hide it from legends."""
    words = clean(name).replace("$", r"\$")
    return f" {words}" if words.startswith("_") else words
