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

NUMBERS = (1, 3, 10, 30, 100, 300, 1000)
VALUES = 400_000  # entries of q in a batch, so that batches of all sizes are as large
FOLDED = 100  # from here on programs are folded into loops
LINEAR = Target(at_most=1.1)  # power of the number of cells by which the time of a state grows
READY = Target(at_most=60.0)

Given = tuple[np.ndarray, np.ndarray, np.ndarray]


def many_loops() -> list[Row]:
    """Seconds per state and cell, states side by side; and with which power of the number of cells a state's grow."""
    return [*_family(lw.zoo.n_four_bar, falling), *_family(lw.zoo.scissor_lift, rising)]


def _family(make: Callable[[int], lw.Mechanism], states: Callable[[lw.Mechanism, int, int], Given]) -> list[Row]:
    name, rows, longest = make.__name__, [], 0.0
    for n in NUMBERS:
        row, longest = _row(f"{name}({n}), per cell", make(n), n, states)
        rows.append(row)
    folded = NUMBERS.index(FOLDED)
    return [
        *rows,
        Row(f"{name}, growth from 1 to {NUMBERS[-1]}", _power(rows, 0), "th power", target=LINEAR),
        Row(f"{name}, growth from {FOLDED} to {NUMBERS[-1]}", _power(rows, folded), "th power", target=LINEAR),
        Row(f"{name}({NUMBERS[-1]}), ready", Taken(longest, longest), "s", target=READY, note="nothing kept before"),
    ]


def _power(rows: list[Row], first: int) -> Taken:
    """Of the number, by which the time of a state grows: the slope of a line through the logarithms."""
    n = np.log(NUMBERS[first:])

    def slope(each: list[float]) -> float:
        return float(np.polyfit(n, n + np.log(each), 1)[0])

    taken = [row.taken for row in rows[first:]]
    return Taken(slope([t.best for t in taken]), slope([t.median for t in taken]))


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
    operations = dynamics.count("forward").total
    note = f"{mechanism.nv} coordinates, ready in {ready:.2g} s, {each.best * n * 1e6:.3g} us a state, "
    note += f"{operations / n:.0f} operations a cell, {operations / n / each.best * 1e-9:.0f} a ns"
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
