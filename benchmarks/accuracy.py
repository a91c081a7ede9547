"""Long and hard motions against what is known of them: closed forms, published digits, conserved quantities."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ellipj, ellipk

import loopwright as lw

from .row import Row, Taken, Target

# IVP test set, to the 2e-9 to which two independent computations agree with it
ANDREWS = {"beta": 15.81077119629904, "theta": -15.75637105984298, "gamma": 0.04082224013073101}
# IFToMM library A02, N = 2: (x, y) of the first top
A02 = {
    1.0: (-0.195020301950, -0.980799205662),
    5.0: (-0.811310461003, -0.584615545352),
    10.0: (0.328458111537, 0.944518538180),
}
# the four-bar of ReDySim from rest, computed elsewhere: crank and its rate
FALLEN = {0.19: (-3.4859267, -12.4329794), 0.38: (-1.4282829, 34.8737081)}


def accuracy() -> list[Row]:
    """Errors at default tolerances, unless said otherwise, with drift of energy and closure beside them."""
    return [pendulum(), bifurcations(), andrews(), fallen_four_bar(), free_four_bar(), floating_robot()]


def pendulum() -> Row:
    run = simulated("pendulum", 2000.0, save=5.0, rtol=1e-13)
    period, w = 4.0 * ellipk(0.5) / np.sqrt(9.81), np.sqrt(9.81)
    _, cn, dn, _ = ellipj(w * np.mod(run.t, period), 0.5)
    angle = -np.pi / 2.0 - 2.0 * np.arcsin(np.sqrt(0.5) * cn / dn)
    apart = np.mod(run["pivot"] - angle + np.pi, 2.0 * np.pi) - np.pi
    return told("A01 pendulum, 845 swings, 2,000 s", run, np.abs(apart).max(), "rad")


def bifurcations() -> Row:
    run = simulated("n_four_bar", 10.0, save=1.0)
    angle = run["pivot_0"]
    apart = [np.hypot(-np.sin(angle[round(t)]) - x, np.cos(angle[round(t)]) - y) for t, (x, y) in A02.items()]
    turns = int(np.ptp(angle) / np.pi)
    return told(f"A02 two four-bars, 10 s, {turns} times through their singular positions", run, max(apart), "m")


def andrews() -> Row:
    run = simulated("andrews", 0.03, save=0.03)
    apart = max(abs(run[name][-1] - value) for name, value in ANDREWS.items())
    return told("Andrews' squeezer at .03 s", run, apart, "rad", Target(at_most=2e-9))


def fallen_four_bar() -> Row:
    run = simulated("redysim_four_bar", 0.38, save=0.19, moving=False)
    apart = [abs(run["crank_joint"][k + 1] - q) for k, (q, _) in enumerate(FALLEN.values())]
    return told("four-bar let go, .38 s", run, max(apart), "rad", Target(at_most=6e-8))


def free_four_bar() -> Row:
    run = simulated("four_bar", 100.0, save=0.1)
    return told("four-bar let go, 100 s: energy", run, run.audit.drift_relative, "of it", Target(at_most=1e-9))


def floating_robot() -> Row:
    mechanism = lw.zoo.dual_arm_space_robot()
    waves = lw.law(mechanism, lambda t, q, v: [2.0 * np.sin(3.0 * t + k) for k in range(mechanism.nu)])
    run = lw.simulate(mechanism, mechanism.random_state(3), 5.0, tau=waves, save=0.5, progress=False)
    p = lw.Dynamics(mechanism).momentum(run.q, run.v)
    size = np.abs(p.linear).max()
    worst = max(np.abs(kept - kept[0]).max() / size for kept in (p.linear, p.angular))
    return told("floating robot waving two arms, 5 s: momentum", run, worst, "of it")


def simulated(name: str, t_end: float, moving: bool = True, **options: Any) -> lw.Run:
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.State.of(mechanism, lw.zoo.start(name), v=(lw.zoo.rates(name) or None) if moving else None)
    return lw.simulate(mechanism, start, t_end, progress=False, **options)


def told(case: str, run: lw.Run, error: float, unit: str, target: Target | None = None) -> Row:
    drift, gap = run.audit.drift_relative, run.audit.gap
    note = f"energy {drift:.0e}, loops open {gap:.0e}, {run.counts.steps} steps in {run.counts.wall_time:.2g} s"
    return Row(case, Taken(float(error), float(error)), unit, target=target, note=note)
