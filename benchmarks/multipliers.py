"""Multipliers all at once (SLM) and subsystem by subsystem (SSLM): the ratio of table 4 of Koul and others, on kernels.

Alone, a program gives nothing but the multipliers, and what only accelerations need is not in it; whole, it gives the
accelerations. By NumPy the same texts run operation by operation, as the paper's MATLAB did: always whole, since a text
computes both. Per state, of forward dynamics: the paper's whole is a simulation, with its integrator and calls.
"""

from __future__ import annotations

import numpy as np

from loopwright.closure import Formulation, formulation
from loopwright.program import Kernel, counted
from loopwright.verbs import closed
from loopwright.verbs.quantities import Quantity
from loopwright.verbs.record import kernel, tape

from .loops import Linkage, linkage
from .row import Row, Taken
from .states import BATCH
from .timing import Call, in_turn

# seconds for the multipliers over 15 s of motion, and for the whole simulation: SLM, SSLM      [Koul2014, tables 3, 4]
PAPER = {"carpet_scraper": ((0.3045, 0.2205), (2.8, 2.72)), "three_rrr": ((0.2055, 0.1575), (3.07, 2.96))}
OTHERS = ("excavator", "scissor_lift")
WAYS = ("multiplier", "subsystem")
WHOLE = "whole"


def multipliers() -> list[Row]:
    """Seconds per state: SSLM, with SLM as its peer."""
    return [row for name in (*PAPER, *OTHERS) for row in _rows(linkage(name))]


def _rows(one: Linkage) -> list[Row]:
    found = []
    for k, (what, quantity) in enumerate((("multipliers alone", _alone), (WHOLE, _whole))):
        asked = {name: quantity(formulation(name), one) for name in WAYS}
        counts = {name: counted(tape(one.mechanism, asked[name])).total for name in WAYS}
        note = f"{counts['subsystem']} operations, SLM {counts['multiplier']}"
        if one.name in PAPER:
            slm, sslm = PAPER[one.name][k]
            note += f"; in the paper {slm / sslm:.3g} times"
        made = {name: kernel(one.mechanism, one.dynamics.topology.forest, asked[name]) for name in WAYS}
        taken = in_turn({name: _call(one, made[name]) for name in WAYS})
        found.append(_row(f"{one.name} {what}, side by side", taken, BATCH, note))
        if what == WHOLE:
            plain = in_turn({name: _by_numpy(one, asked[name]) for name in WAYS}, rounds=5)
            found.append(_row(f"{one.name} {what}, by NumPy", plain, 1, ""))
    return found


def _row(case: str, taken: dict[str, Taken], count: int, note: str) -> Row:
    slm, sslm = (Taken(taken[name].best / count, taken[name].median / count) for name in WAYS)
    return Row(case, sslm, "s", peer="SLM", peer_taken=slm, note=note)


def _whole(chosen: Formulation, one: Linkage) -> Quantity:
    return closed.forward(chosen, one.dynamics.loops)


def _alone(chosen: Formulation, one: Linkage) -> Quantity:
    loops = one.dynamics.loops
    rows = len(loops.structure(one.dynamics.topology.forest).rows)

    def compute(forest, q, v, tau, t):
        return chosen.forward_dynamics(closed.loaded(forest, loops, q, v, tau, t)).multipliers

    return Quantity("multipliers", ("q", "v", "tau", "t"), compute, lambda m: (rows,), "lean", chosen.name)


def _call(one: Linkage, made: Kernel) -> Call:
    given = one.states.of("forward")
    out = np.empty((BATCH, *made.face.output))
    call = Call("kernel(*given, out=out)", {"kernel": made, "given": given, "out": out})
    call.once()
    assert np.isfinite(out).all()
    return call


def _by_numpy(one: Linkage, asked: Quantity) -> Call:
    state = [x[0] for x in one.states.of("forward")]
    names = {"compute": asked.compute, "forest": one.dynamics.topology.forest, "state": state}
    return Call("compute(forest, *state, 0.0)", names)
