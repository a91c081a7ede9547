"""What the verbs print: text and tables for people, JSON for programs, complaints to stderr."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_UNLIMITED = 10_000  # columns, where nobody looks at a terminal


def say(text: str = "") -> None:
    """Plain text, as it is."""
    print(text)


def heading(text: str) -> None:
    """A line that stands out."""
    from rich.text import Text

    _show(Text(text, style="bold"))


def table(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> None:
    """Columns are (head, "left" or "right"); on a terminal the table fits its width, elsewhere it takes its own."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for head, side in columns:
        drawn.add_column(Text(head), justify="right" if side == "right" else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*map(Text, row))
    _show(drawn)


def paragraphs(items: Iterable[tuple[str, str]]) -> None:
    """A head and some words each, for terminals too narrow for a table."""
    from rich.padding import Padding
    from rich.text import Text

    for head, words in items:
        _show(Text(head, style="bold"))
        _show(Padding(Text(words), (0, 0, 0, 2)))


def width() -> int:
    """Columns that a line may take."""
    return _console().width


def _show(drawn: Any) -> None:
    console = _console()
    with console.capture() as captured:
        console.print(drawn)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    print("\n".join(lines).strip("\n"))


def data(answer: Any) -> None:
    """JSON; what is not a number there becomes null."""
    print(json.dumps(_finite(answer), indent=2, allow_nan=False))


def complain(text: str) -> None:
    """To stderr, as an error."""
    from rich.text import Text

    if sys.stderr is not None:
        _console(stderr=True).print(Text.assemble(("Error: ", "bold red"), text), soft_wrap=True)


def progress(items: Sequence[Any], what: str) -> Iterator[Any]:
    """The items one by one, with a bar on stderr when that is a terminal and there are several."""
    if len(items) < 2 or sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    from rich.progress import track

    yield from track(items, what, console=_console(stderr=True), transient=True)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False)
    if not made.is_terminal:
        made.width = _UNLIMITED
    return made


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
