"""Every way to the accelerations of one mechanism, side by side: the same answers, what each costs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..closure import FORMULATIONS, SPECIAL, close, formulation, rows
from ..dynamics import FORWARD, links_at, named
from ..errors import LoopwrightError
from ..mechanism import Mechanism
from ..program import Counts, Kernel
from ..spatial import Array, svd
from ..topology import Topology
from .closed import loaded
from .dynamics import Dynamics

STATES = 512  # computed side by side, and then one after another
_CHECKED = 8  # of them, solved besides by a general solver
_SAMPLES, _SECONDS = 7, 2e-3  # of timing: so many, each of so many seconds at the least


@dataclass(frozen=True)
class Compared:
    """One formulation (of a tree: one algorithm), or why it cannot be had for this mechanism.

    `apart` is the largest difference from the equations solved by a general solver, against the largest acceleration;
    None for `soft` loops, which close only in time. Seconds are per state, of forward dynamics.
    """

    name: str
    source: str
    chosen: bool
    soft: bool = False
    counts: Counts | None = None
    apart: float | None = None
    one_by_one: float | None = None
    side_by_side: float | None = None
    why_not: str = ""


def ways(mechanism: Mechanism) -> list[str]:
    """The names of what can be compared: formulations where there are loops, algorithms where there are none."""
    if Topology.of(mechanism).loops:
        return [one.name for one in (*FORMULATIONS, *SPECIAL)]
    return [one.name for one in FORWARD]


def compared(mechanism: Mechanism, name: str, chosen: str, timed: bool = True) -> Compared:
    """One of `ways`; `chosen` is the one taken when none is asked for."""
    loops = bool(Topology.of(mechanism).loops)
    source = formulation(name).source if loops else named(FORWARD, name, "forward dynamics").source
    soft = loops and formulation(name).open
    which: dict[str, Any] = {} if loops else {"algorithm": name}
    try:
        dynamics = Dynamics(mechanism, name if loops else None)
        counts = dynamics.count("forward", **which)
        if not timed:
            return Compared(name, source, name == chosen, soft, counts)
        states = some_states(dynamics)
        one, many = (dynamics.kernel("forward", width=width, **which) for width in (1, None))
    except LoopwrightError as reason:
        return Compared(name, source, name == chosen, soft, why_not=str(reason))
    apart = None if soft else _apart(dynamics, many, states)
    return Compared(name, source, name == chosen, soft, counts, apart, _seconds(one, states), _seconds(many, states))


def chosen(mechanism: Mechanism) -> tuple[str, str]:
    """What is taken when nothing is asked for: its name, and the whole sentence."""
    dynamics = Dynamics(mechanism)
    if dynamics.formulation is not None:
        return dynamics.formulation.name, dynamics.chosen
    usual = "crba" if mechanism.nv < 10 else "aba"
    return usual, f"{usual}: usual below ten coordinates" if usual == "crba" else f"{usual}: usual from ten coordinates"


def some_states(dynamics: Dynamics, count: int = STATES) -> tuple[Array, Array, Array]:
    """Closed positions, velocities that the loops allow, and forces; the same in every run."""
    mechanism, rng = dynamics.mechanism, np.random.default_rng(0)
    if not dynamics.topology.loops:
        q = np.array([mechanism.integrate(mechanism.neutral(), rng.uniform(-1, 1, mechanism.nv)) for _ in range(32)])
        v = rng.normal(size=(count, mechanism.nv))
    else:
        q = np.array(_closed(dynamics, rng))
        N = _bases(dynamics, q)
        each = [N[k % len(q)] @ rng.normal(size=N[k % len(q)].shape[1]) for k in range(count)]
        v = np.array(each)
    positions = q[np.arange(count) % len(q)]
    return positions, v, rng.normal(size=(count, mechanism.nu))


def _closed(dynamics: Dynamics, rng: np.random.Generator) -> list[Array]:
    """Regular positions near one on the branch that the mechanism is built on, or else near the clearest found."""
    mechanism, loops = dynamics.mechanism, dynamics.loops
    first = (loops.as_built or loops.positions)[0]
    found = [first]
    for _ in range(60):
        ended = close(loops.closing, mechanism.integrate(first, rng.uniform(-0.1, 0.1, mechanism.nv)))
        if ended.left < 1e-12:
            found.append(ended.q)
        if len(found) == 16:
            break
    return found


def _bases(dynamics: Dynamics, q: Array) -> list[Array]:
    """Of the velocities that the loops allow."""
    rank = len(dynamics.loops.structure(dynamics.topology.forest).rows)
    return [svd(dynamics.closure_jacobian(one))[2][rank:].T for one in q]


def _apart(dynamics: Dynamics, kernel: Kernel, states: tuple[Array, Array, Array]) -> float:
    found = kernel(*(x[:_CHECKED] for x in states))
    expected = np.array([reference(dynamics, *state) for state in zip(*(x[:_CHECKED] for x in states), strict=True)])
    kept = np.isfinite(found).all(axis=1)
    if not kept.any():
        return float("nan")
    return float(np.abs(found - expected)[kept].max() / np.abs(expected[kept]).max())


def reference(dynamics: Dynamics, q: Array, v: Array, tau: Array) -> Array:
    """I a + h = f + J^T lambda and J a + d = 0, all rows, as they stand, by least squares."""
    forest = dynamics.topology.forest
    if not dynamics.topology.loops:
        forces = np.zeros(forest.nv)
        forces[list(forest.actuated)] = tau
        return np.linalg.solve(dynamics.mass_matrix(q), forces - dynamics.bias(q, v))
    at = loaded(forest, dynamics.loops, q, v, tau, 0.0)
    every = rows(links_at(forest, q, v), forest.cuts, forest.nv)
    m = len(every.J)
    K = np.block([[at.I, every.J.T], [every.J, np.zeros((m, m))]])
    return np.linalg.lstsq(K, np.concatenate([at.phi, -every.drift]), rcond=1e-12)[0][: forest.nv]


def _seconds(kernel: Kernel, states: Sequence[Array]) -> float:
    """Per state, the best of some samples."""
    out = np.empty((len(states[0]), *kernel.face.output))
    start = time.perf_counter()
    kernel(*states, out=out)
    repeats = max(1, int(_SECONDS / (time.perf_counter() - start)))
    samples = []
    for _ in range(_SAMPLES):
        start = time.perf_counter()
        for _ in range(repeats):
            kernel(*states, out=out)
        samples.append((time.perf_counter() - start) / repeats)
    return min(samples) / len(states[0])
