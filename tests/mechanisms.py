"""Which mechanisms the cross-checks run over, and exact derivatives along a motion."""

from __future__ import annotations

import os
from functools import cache

import casadi
import numpy as np

import loopwright as lw
from loopwright.dynamics import INVERSE, named
from loopwright.spatial import Symbol, expression, symbols
from loopwright.testing import EVERY, random_tree
from loopwright.topology import forest
from loopwright.verbs import quantities as ask

FULL = os.environ.get("LOOPWRIGHT_FULL") == "1"
SEEDS = range(300 if FULL else 60)


@cache
def open_zoo() -> dict[str, lw.Mechanism]:
    """Every ready mechanism without loops."""
    built = {name: make() for name, make in lw.zoo.MECHANISMS.items()}
    return {name: mechanism for name, mechanism in built.items() if not mechanism.tree.cuts}


def subjects(**options):
    """(label, mechanism) of the open zoo and of random trees of every kind of joint, fixed and floating."""
    zoo = list(open_zoo().items())
    drawn = [(f"seed {seed}", random_tree(seed, kinds=EVERY, floating=seed % 3 == 0, **options)) for seed in SEEDS]
    return zoo + drawn


def close(actual, expected, digits=1e-10, scale=None):
    """Agreement relative to the largest entry: what one bad digit costs whoever uses the whole array."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert actual.shape == expected.shape
    size = max(np.abs(expected).max(initial=0.0), np.abs(actual).max(initial=0.0)) if scale is None else scale
    worst = np.abs(actual - expected).max(initial=0.0)
    assert worst <= digits * max(size, 1e-300), f"{worst:.3g} apart, {worst / max(size, 1e-300):.3g} of {size:.3g}"


def forces(mech, q, v, a, algorithm="rnea"):
    """Of inverse dynamics, at every coordinate of a tree, also those without motor; by NumPy, state by state."""
    compute, tree = ask.inverse(named(INVERSE, algorithm, "inverse dynamics")).compute, forest(mech)
    states = [np.asarray(x, dtype=float) for x in (q, v, a)]
    leading = np.broadcast_shapes(*(x.shape[:-1] for x in states))
    flat = [np.broadcast_to(x, (*leading, x.shape[-1])).reshape(-1, x.shape[-1]) for x in states]
    found = [np.asarray(compute(tree, *state, 0.0), dtype=float) for state in zip(*flat, strict=True)]
    return np.array(found).reshape(*leading, mech.nv)


def everywhere(mech, found):
    """The forces of an `InverseResult` of a tree, at every coordinate: what motors give and what is unmet."""
    f = np.zeros((*np.shape(found.tau)[:-1], mech.nv))
    f[..., mech.actuated] = found.tau
    for name, lacking in found.unmet.items():
        f[..., mech.velocities.index(name)] = lacking
    return f


def recorded(compute, forest, **sizes):
    """A CasADi function of a quantity: its one text run on symbols; size 0 is a single number."""
    inputs = {name: casadi.SX.sym(name, max(size, 1)) for name, size in sizes.items()}
    given = [Symbol(x) if sizes[name] == 0 else symbols(x) for name, x in inputs.items()]
    return casadi.Function("f", list(inputs.values()), [expression(compute(forest, *given))], list(inputs), ["out"])


def along_motion(compute, forest, q, v, a):
    """d/dt compute(forest, q, v) when dq/dt = rates(q, v) and dv/dt = a: exact, by CasADi's forward mode."""
    x_q, x_v = casadi.SX.sym("q", len(q)), casadi.SX.sym("v", len(v))
    q_s, v_s = symbols(x_q), symbols(x_v)
    out = expression(compute(forest, q_s, v_s))
    rate = [node.kind.rates(q_s[node.q], v_s[node.v]) for node in forest.nodes]
    direction = casadi.SX.sym("a", len(v))
    derivative = casadi.jtimes(out, x_q, expression(np.concatenate(rate))) + casadi.jtimes(out, x_v, direction)
    f = casadi.Function("f", [x_q, x_v, direction], [derivative])
    return np.array(f(q, v, a), dtype=float)


def rocker_at_its_dead_point():
    """A four-bar whose motor turns the rocker, where crank and coupler are in line and the rocker cannot turn."""
    b = lw.Builder("driven_rocker", gravity=(0, -9.81, 0))
    b.rod("crank", 1.5, to=(0.3, 0, 0))
    b.rod("coupler", 5.0, to=(1.0, 0, 0))
    b.rod("rocker", 3.0, to=(0.6, 0, 0))
    b.revolute("crank_joint", "ground", "crank")
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    b.revolute("rocker_joint", "ground", "rocker", xyz=(1, 0, 0), actuated=True)
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(1, 0, 0), child_xyz=(0.6, 0, 0))
    mechanism = b.build()
    # a triangle with sides 1.3, .6 and 1
    crank = np.arccos((1.3**2 + 1.0 - 0.6**2) / (2 * 1.3))
    rocker = np.pi - np.arccos((0.6**2 + 1.0 - 1.3**2) / (2 * 0.6))
    angles = {"crank_joint": crank, "crank_pin": 0.0, "rocker_joint": rocker}
    return mechanism, np.array([angles[name] for name in mechanism.coordinates])
