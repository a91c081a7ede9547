"""Forces and moments in the joints along a motion: computed, told, and written."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoopwrightError

if TYPE_CHECKING:
    from ..mechanism import Mechanism
    from .motions import Motion

_AT_ONCE = 20  # states computed between two steps of the progress bar
_NOTHING = 1e-8  # of the largest: rounding
PARTS = ("mx", "my", "mz", "fx", "fy", "fz")


@dataclass(frozen=True)
class Inside:
    """By joint, a row [moment, force] for every row of the motion, and which of the six the motion determines."""

    wrenches: dict[str, Any]
    determinate: dict[str, Any]


def along(mechanism: Mechanism, motion: Motion, tau: Any) -> Inside:
    """The wrench of every joint's parent on its child, at the child's joint frame, in ground axes."""
    import numpy as np

    from ..verbs.details import reactions_of
    from ..verbs.loops import loops_of
    from . import screen

    given = {"q": motion.q, "v": motion.v, "a": motion.a, "tau": tau, "t": motion.t}
    loops, parts = loops_of(mechanism), []
    for k in screen.progress(range(0, len(motion.t), _AT_ONCE), "reactions"):
        rows = slice(k, k + _AT_ONCE)
        parts.append(reactions_of(loops, {name: values[rows] for name, values in given.items()}, None))
    wrenches = {name: np.concatenate([part.wrenches[name] for part in parts]) for name in parts[0].wrenches}
    certain = {name: np.all([part.determinate[name] for part in parts], axis=0) for name in wrenches}
    return Inside(wrenches, certain)


def sizes(inside: Inside, name: str) -> tuple[Any, Any]:
    """Of the moment and of the force, over time."""
    import numpy as np

    wrench = inside.wrenches[name]
    return np.linalg.norm(wrench[:, :3], axis=1), np.linalg.norm(wrench[:, 3:], axis=1)


def peaks(motion: Motion, inside: Inside) -> list[dict[str, Any]]:
    """For every joint the largest force and moment, when they are, and which components are left open."""
    import numpy as np

    found = []
    for name, certain in inside.determinate.items():
        moment, force = sizes(inside, name)
        at_force, at_moment = int(np.argmax(force)), int(np.argmax(moment))
        found.append(
            {
                "joint": name,
                "force": float(force[at_force]),
                "t_force": float(motion.t[at_force]),
                "moment": float(moment[at_moment]),
                "t_moment": float(motion.t[at_moment]),
                "open": [part for part, is_certain in zip(PARTS, certain, strict=True) if not is_certain],
            }
        )
    return found


def show(motion: Motion, inside: Inside) -> None:
    """The same as a table, and what the last column means."""
    from . import screen

    rows = peaks(motion, inside)
    largest = {what: max(p[what] for p in rows) for what in ("force", "moment")}

    def cells(p: dict[str, Any], what: str) -> tuple[str, str]:
        rounding = p[what] <= _NOTHING * largest[what]
        return ("0", "") if rounding else (f"{p[what]:.5g}", f"{p[f't_{what}']:.4g}")

    heads = [("force (N)", "right"), ("at t (s)", "right"), ("moment (N·m)", "right"), ("at t (s)", "right")]
    screen.table(
        [("reaction in", "left"), *heads, ("left open", "left")],
        [(p["joint"], *cells(p, "force"), *cells(p, "moment"), " ".join(p["open"])) for p in rows],
    )
    if any(p["open"] for p in rows):
        screen.say("left open: constraints repeat each other there; these are the least forces of all that would do")


def answer(inside: Inside) -> dict[str, Any]:
    """All of it, for a program."""
    return {
        "reactions": {name: wrench.tolist() for name, wrench in inside.wrenches.items()},
        "determinate": {name: certain.tolist() for name, certain in inside.determinate.items()},
    }


def write(mechanism: Mechanism, motion: Motion, inside: Inside, folder: Path) -> dict[str, Path]:
    """The table and the plot in a folder."""
    import numpy as np

    from ..view import reactions_figure, save

    table, plot = folder / "reactions.csv", folder / "reactions.png"
    heads = ["t", *(f"{name}.{part}" for name in inside.wrenches for part in PARTS)]
    rows = np.column_stack([motion.t, *inside.wrenches.values()]).tolist()
    try:
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heads)
            writer.writerows(rows)
    except OSError as error:
        raise LoopwrightError(f"cannot write {table}: {error.strerror or error}") from None
    both = {name: sizes(inside, name) for name in inside.wrenches}
    save(reactions_figure(motion.t, both, f"{mechanism.name}: {motion.source}"), plot)
    return {"reactions": table, "their plot": plot}
