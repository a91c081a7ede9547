"""Forward dynamics of very many loops: how the time grows with their number, and how long a kernel takes to make."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import loopwright as lw
from loopwright.zoo.scissor_lift import start as start_of_lift

from .row import Row, Taken, Target
from .timing import Call, in_turn

NUMBERS = (10, 30, 100, 300, 1000)
VALUES = 400_000  # entries of q in a batch, so that batches of all sizes are as large
GROWTH = Target(at_most=2.0)  # of the time for one cell, from the least number to the largest
READY = Target(at_most=60.0)

Given = tuple[np.ndarray, np.ndarray, np.ndarray]


def many_loops() -> list[Row]:
    """Seconds per state and cell, states side by side; one cell of the longest against one of the shortest."""
    return [*_family(lw.zoo.n_four_bar, falling), *_family(lw.zoo.scissor_lift, rising)]


def _family(make: Callable[[int], lw.Mechanism], states: Callable[[lw.Mechanism, int, int], Given]) -> list[Row]:
    name, rows, longest = make.__name__, [], 0.0
    for n in NUMBERS:
        row, longest = _row(f"{name}({n}), per cell", make(n), n, states)
        rows.append(row)
    first, last = rows[0].taken, rows[-1].taken
    grown = Taken(last.best / first.best, last.median / first.median)
    return [
        *rows,
        Row(f"{name}, a cell of {NUMBERS[-1]} over one of {NUMBERS[0]}", grown, "times", target=GROWTH),
        Row(f"{name}({NUMBERS[-1]}), ready", Taken(longest, longest), "s", target=READY, note="nothing kept before"),
    ]


def _row(
    case: str, mechanism: lw.Mechanism, n: int, states: Callable[[lw.Mechanism, int, int], Given]
) -> tuple[Row, float]:
    """And how long it took to make the kernel, from the mechanism on."""
    with nothing_kept():
        start = time.perf_counter()
        dynamics = lw.Dynamics(mechanism)
        kernel = dynamics.kernel("forward")
        ready = time.perf_counter() - start
    count = max(8, VALUES // mechanism.nv // 8 * 8)
    given = states(mechanism, n, count)
    out = np.empty((count, mechanism.nv))
    taken = in_turn({"ours": Call("kernel(*given, out=out)", {"kernel": kernel, "given": given, "out": out})})["ours"]
    marked = int(count - np.isfinite(out).all(axis=1).sum())
    each = Taken(taken.best / count / n, taken.median / count / n)
    note = f"{mechanism.nv} coordinates, ready in {ready:.2g} s, {each.best * n * 1e6:.3g} us a state"
    if marked:
        note += f"; {marked} of {count} states marked as not to be trusted by the pivots chosen beforehand"
    return Row(case, each, "s", note=note), ready


def falling(mechanism: lw.Mechanism, n: int, count: int) -> Given:
    """The row of four-bars as one parallelogram, at different angles."""
    signs = np.array([1.0 if name.startswith("pivot") else -1.0 for name in mechanism.coordinates])
    angles = np.linspace(-1.2, 1.2, count)[:, None]
    return angles * signs, np.cos(angles) * signs, np.zeros((count, mechanism.nu))


def rising(mechanism: lw.Mechanism, n: int, count: int) -> Given:
    """The lift at different heights, its velocity by differences of closed positions."""
    h, names = 1e-6, mechanism.coordinates
    angles, which = np.linspace(0.3, 1.2, 8), np.arange(count) % 8
    at, ahead, behind = (
        np.array([[start[name] for name in names] for start in (start_of_lift(n, angle + d) for angle in angles)])
        for d in (0.0, h, -h)
    )
    return at[which], ((ahead - behind) / (2 * h))[which] * 0.3, np.zeros((count, mechanism.nu))


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Kernels are made anew."""
    before = os.environ.get("LOOPWRIGHT_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LOOPWRIGHT_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["LOOPWRIGHT_CACHE"]
            else:
                os.environ["LOOPWRIGHT_CACHE"] = before
