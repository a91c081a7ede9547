"""`loopwright zoo`: the ready mechanisms."""

from __future__ import annotations

from typing import Any

from .models import AsJson

_NARROW, _WIDE = 64, 150  # columns: below, no table; above, one for the source


def zoo(as_json: AsJson = False) -> None:
    """List the ready mechanisms: bodies, joints, loops, and where their numbers come from."""
    from .. import zoo as ready
    from . import screen

    rows: list[dict[str, Any]] = []
    for name, make in ready.MECHANISMS.items():
        mechanism = make()
        rows.append(
            {
                "name": name,
                "bodies": len(mechanism.bodies),
                "joints": len(mechanism.joints),
                "loops": len(mechanism.tree.cuts),
                "coordinates": mechanism.nv,
                "description": ready.describe(name),
                "source": mechanism.source,
            }
        )
    if as_json:
        screen.data(rows)
        return
    counts = ("bodies", "joints", "loops")
    if screen.width() < _NARROW:
        screen.paragraphs((r["name"], f"{_counted(r)}. {r['description']} {r['source']}") for r in rows)
        return
    wide = screen.width() >= _WIDE
    heads = ("what it is", "source") if wide else ("what it is, and its source",)
    screen.table(
        [("name", "left"), *((count, "right") for count in counts), *((head, "left") for head in heads)],
        [(r["name"], *(str(r[count]) for count in counts), *_words(r, wide)) for r in rows],
    )


def _words(row: dict[str, Any], wide: bool) -> tuple[str, ...]:
    both = (row["description"], row["source"])
    return both if wide else ("\n".join(both),)


def _counted(row: dict[str, Any]) -> str:
    return ", ".join(f"{count} {row[count]}" for count in ("bodies", "joints", "loops"))
