"""Forward dynamics of chains and trees: how the time grows with the number of bodies, written out and rolled."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import loopwright as lw
from loopwright.testing import random_tree

from .models import chain
from .peers import rivals
from .row import Row, Taken, Target
from .states import BATCH, in_states
from .timing import Call, in_turn

LENGTHS = (2, 6, 12, 24)
ROLLED = (100, 300, 1000, 3000, 10_000)
SIDE_BY_SIDE = 64
CONSTANT = Target(times=1 / 1.3)  # as many bodies a second as of the shortest chain, within 30 %
LARGE = {"chain of 10,000": lambda: chain(10_000), "random tree of 5,000": lambda: random_tree(3, bodies=5000)}
IN_SECONDS = Target(at_most=10.0)


def chains() -> list[Row]:
    """Seconds per state and body of chains with nothing special about them, and how long until large ones answer."""
    return [*(_row(n) for n in LENGTHS), *_rolled(), *(_ready(name, make) for name, make in LARGE.items())]


def _row(n: int) -> Row:
    """4096 states in a call, written out."""
    robot = in_states(chain(n))
    start = time.perf_counter()
    kernel = robot.dynamics.kernel("forward")
    ready = time.perf_counter() - start
    given = robot.states.of("forward")
    calls = {"ours": Call("kernel(*given, out=out)", {"kernel": kernel, "given": given, "out": np.empty((BATCH, n))})}
    calls |= {rival.name: rival.call for rival in rivals(robot, "forward") if "InParallel" in rival.name}
    per_body = {name: Taken(taken.best / BATCH / n, taken.median / BATCH / n) for name, taken in in_turn(calls).items()}
    count = robot.dynamics.count("forward").total
    row = Row(
        f"{n} links, per link",
        per_body.pop("ours"),
        "s",
        note=f"{count / n:.0f} operations a link, ready in {ready:.2g} s",
    )
    for peer, taken in per_body.items():
        row = replace(row, peer=peer, peer_taken=taken)
    return row


def _rolled() -> list[Row]:
    """Loops over the bodies, one state at a time and many, against the shortest chain."""
    calls: dict[str, Call] = {}
    sizes: dict[str, int] = {}
    for n in ROLLED:
        kernel = lw.Dynamics(chain(n)).kernel("forward", rolled=True)
        rng = np.random.default_rng(n)
        for way, count in (("one state", 1), (f"{SIDE_BY_SIDE} states", SIDE_BY_SIDE)):
            q, v, tau = (np.ascontiguousarray(x) for x in rng.uniform(-3.0, 3.0, (3, count, n)))
            names = {"kernel": kernel, "q": q, "v": v, "tau": tau, "out": np.empty((count, n))}
            calls[f"{n} links rolled, {way}, per link"] = Call("kernel(q, v, tau, out=out)", names)
            sizes[f"{n} links rolled, {way}, per link"] = count * n
    taken = {name: Taken(t.best / sizes[name], t.median / sizes[name]) for name, t in in_turn(calls).items()}
    first = {name.partition(", ")[2]: name for name in reversed(list(taken))}  # the shortest stands first
    rows = []
    for name, each in taken.items():
        shortest = first[name.partition(", ")[2]]
        row = Row(name, each, "s")
        if name != shortest:
            row = replace(row, peer=f"{ROLLED[0]} links", peer_taken=taken[shortest], target=CONSTANT)
        rows.append(row)
    return rows


def _ready(name: str, make: Callable[[], lw.Mechanism]) -> Row:
    """From a mechanism to its first answer, nothing kept from before."""
    mechanism = make()
    q, v = mechanism.random_state(1)
    before = os.environ.get("LOOPWRIGHT_CACHE")
    with tempfile.TemporaryDirectory() as empty:
        os.environ["LOOPWRIGHT_CACHE"] = empty
        try:
            start = time.process_time()  # it runs once: time of the processor, whatever else the machine does
            lw.Dynamics(mechanism).kernel("forward")(q, v, np.zeros(mechanism.nu))
            spent = time.process_time() - start
        finally:
            os.environ.pop("LOOPWRIGHT_CACHE")
            os.environ |= {} if before is None else {"LOOPWRIGHT_CACHE": before}
    return Row(f"{name}, ready", Taken(spent, spent), "s", target=IN_SECONDS, note=f"{mechanism.nv} coordinates")
