"""Many states in one call, against the peers' own ways to have many states computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .models import ARMS, ROBOTS
from .peers import Rival, rivals
from .peers.rival import PROBE
from .row import Row, Taken, Target
from .states import BATCH, TAKES, Subject, subject
from .timing import Call, in_turn

OURS, IN_PARTS, FILLED = "loopwright", "in parts", "filled"
PART = 256  # states whose answers stay in the caches, as a peer's do that keeps the last one only
LONG = 2**23  # bytes of answers that do not


def batched() -> list[Row]:
    """Seconds per state of every robot and quantity, 4096 states in a call on one thread."""
    return [row for name in ROBOTS for quantity in TAKES for row in _rows(name, subject(name), quantity)]


def _rows(name: str, robot: Subject, quantity: str) -> list[Row]:
    kernel = robot.dynamics.kernel(quantity)
    given = robot.states.of(quantity)
    out = np.empty((BATCH, *kernel.face.output))
    names = {"kernel": kernel, "given": given, "out": out}
    ours = {OURS: Call("kernel(*given, out=out)", names)}
    if out.nbytes > LONG:
        parts = [tuple(x[k : k + PART] for x in given) for k in range(0, BATCH, PART)]
        ours[IN_PARTS] = Call("for x in parts: kernel(*x, out=out)", names | {"parts": parts, "out": out[:PART].copy()})
        ours[FILLED] = Call("out.fill(1.0)", names)
    ours[OURS].once()
    others = {rival.name: rival for rival in rivals(robot, quantity)}
    differ = {rival: _difference(out[PROBE], others[rival]) for rival in others}
    taken = in_turn(ours | {rival: others[rival].call for rival in others})
    each = {call: Taken(total.best / BATCH, total.median / BATCH) for call, total in taken.items()}
    count = robot.dynamics.count(quantity).total
    rows = []
    for way in ours:
        if way == FILLED:
            continue
        note = f"{count} operations, {count / each[way].best * 1e-9:.0f} a ns"
        if way == OURS and FILLED in each:
            note += (
                f"; {out.nbytes / 1e6:.0f} MB, which take {each[FILLED].best * 1e9:.0f} ns a state to fill with ones"
            )
        label = f"{name} {quantity}" + (f", {PART} at a time" if way == IN_PARTS else "")
        plain = Row(label, each[way], "s", note=note)
        beside = [
            replace(
                plain,
                peer=rival,
                peer_taken=each[rival],
                target=_target(name, quantity, rival),
                differ=differ[rival],
                note=others[rival].note,
            )
            for rival in others
        ]
        rows += [plain, *beside]
    return rows


def _difference(ours: np.ndarray, rival: Rival) -> float:
    rival.call.once()
    theirs = rival.answers()
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def _target(name: str, quantity: str, rival: str) -> Target:
    if quantity == "forward_derivatives":
        return Target(times=5.0)
    if rival.startswith("mujoco"):
        return Target(times=20.0)
    return Target(times=20.0 if ROBOTS[name] in ARMS else 10.0)
