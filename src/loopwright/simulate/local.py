"""What implicit methods need of a problem: local coordinates to step in, and the slope of their rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..program import looped
from .loops import closed as closed_text
from .loops import local as text
from .loops import loop_slopes, slopes
from .loops import motion as motion_text
from .problem import Local, Problem
from .quantities import power_slopes, varied

if TYPE_CHECKING:
    from .motion import Context


def localised(problem: Problem, c: Context) -> None:
    """For a flow of all tree coordinates, or of independent ones where `c` has loops to close in every state."""
    dynamics, m = c.dynamics, c.mechanism
    minimal = dynamics.formulation is not None and not dynamics.formulation.open
    following = int(c.numbers[closed_text.ROWS]) if minimal else 0
    k, works = m.nv - following, int(c.numbers[motion_text.POWERS])
    _lay(problem, c, following)
    wide = 2 * m.nv + m.nu
    count = m.nv * wide
    if minimal:
        c.asks(slopes.SLOPES, varied(dynamics.loops))
        count += m.nv * m.nv + 4 * following * m.nv
    else:
        c.calls(slopes.SLOPES, dynamics.kernel("forward_derivatives"))
    if works:
        c.asks(slopes.POWER_SLOPES, power_slopes())
    sizes = {
        slopes.VARIED: count, slopes.POWERS_VARIED: works * wide, slopes.ASIDE: 4 * m.nv, slopes.SPAN: k * m.nv,
        slopes.BY_LAW: (wide + 1) * m.nu + m.nq + 2 * m.nv, slopes.WEIGHT: k * k, slopes.RIGHT: m.nv,
    }  # fmt: skip
    for place, size in sizes.items():
        c.holds(place, np.zeros(max(size, 1)))
    sloping = loop_slopes.loop_slope if minimal else slopes.slope
    chart, lift, rates, slope = made = [looped(one) for one in (text.chart, text.lift, text.local, sloping)]
    problem.keep += made
    timed = bool(c.numbers[[motion_text.TIMED, motion_text.LAW, motion_text.PATH]].any())
    problem.local = Local(
        2 * m.nv + works, k, following, chart.address, lift.address, rates.address, slope.address, timed
    )


def _lay(problem: Problem, c: Context, following: int) -> None:
    """Memory of the local coordinates."""
    m = c.mechanism
    c.numbers[text.FLOWING], c.numbers[text.FOLLOWING] = problem.flow, following
    for place in (text.LIFTED, text.RATED, text.BASE):
        c.holds(place, np.zeros(problem.size))
    at = {text.AT_Q: c.numbers[text.LIFTED], text.AT_V: c.numbers[text.LIFTED] + 8 * m.nq}
    if following:
        # the flow closes the loops first, and stands there
        at = {text.AT_Q: c.numbers[closed_text.POSITION], text.AT_V: c.numbers[closed_text.VELOCITY]}
    for place, address in at.items():
        c.numbers[place] = address
    c.holds(text.ORDERED, np.arange(m.nv, dtype=np.int64))
    c.holds(text.SEATS, np.arange(2 * m.nv, dtype=np.int64))
    c.holds(text.TURN, np.zeros(max(m.nv, 16)))
