"""One text, two kinds of number: what NumPy computes, the recorded symbols compute too."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import loopwright as lw
from loopwright.dynamics import FORWARD, INVERSE, MASS
from loopwright.testing import random_tree
from loopwright.topology import Seat, forest
from loopwright.verbs import quantities as ask
from tests.mechanisms import close, open_zoo, recorded

ROOT = Path(lw.__file__).parent


def _quantities(mech, kinds):
    seat: Seat = lw.Dynamics(mech).topology.forest.seats[mech.bodies[-1].name]
    point = np.array([0.1, -0.2, 0.3])
    wanted = [algorithm for algorithm in INVERSE + FORWARD + MASS if kinds <= set(algorithm.joints or kinds)]
    made = [(f"inverse {a.name}", ask.inverse(a)) for a in wanted if a in INVERSE]
    made += [(f"forward {a.name}", ask.forward(a)) for a in wanted if a in FORWARD]
    made += [(f"mass {a.name}", ask.mass_matrix(a)) for a in wanted if a in MASS]
    made += [(q.name, q) for q in (ask.GRAVITY, ask.ENERGY, ask.MOMENTUM, ask.MASS_CENTRE, ask.RATES)]
    made += [(form, ask.convective(form)) for form in ("skew", "papers")]
    made += [(q.name, q) for q in (ask.pose_of(seat), ask.jacobian_of(seat, point), ask.twist_of(seat, point))]
    made += [("twist_rate", ask.twist_rate_of(seat, point))]
    return made


def _check(mech):
    tree = forest(mech)
    kinds = {node.kind.name for node in tree.nodes}
    q, v = mech.random_state(3)
    given = {"q": q, "v": v, "a": v[::-1].copy(), "tau": np.linspace(-1.0, 1.0, mech.nu), "t": 0.7}
    sizes = {"q": mech.nq, "v": mech.nv, "a": mech.nv, "tau": mech.nu, "t": 0}
    for label, quantity in _quantities(mech, kinds):
        f = recorded(quantity.compute, tree, **{name: sizes[name] for name in quantity.inputs})
        values = [given[name] for name in quantity.inputs]
        by_numbers = np.asarray(quantity.compute(tree, *values), dtype=float)
        by_symbols = np.array(f(*values), dtype=float).reshape(by_numbers.shape)
        # forward dynamics divides by pivots: two orders of the same sums part by cond(I) roundings
        condition = np.linalg.cond(lw.mass_matrix(mech, q)) if label.startswith("forward") else 1.0
        # velocity terms may cancel to nothing: their parts are as large as the mass matrix times the speeds
        scale = max(
            np.abs(by_numbers).max(), np.abs(lw.mass_matrix(mech, q)).max() if label in ("skew", "papers") else 0
        )
        close(by_symbols, by_numbers, max(1e-12, 20.0 * np.finfo(float).eps * condition), scale)


def test_random_trees_with_loads():
    for seed in range(8):
        _check(random_tree(seed, bodies=1 + seed % 5, loads=True, floating=seed % 2 == 0))


def test_revolute_trees_by_every_algorithm():
    for seed in range(3):
        _check(random_tree(seed, bodies=4, kinds=("revolute",)))


def test_zoo():
    for mech in open_zoo().values():
        if mech.nv <= 12:
            _check(mech)


def test_constants_fold_away():
    """A planar arm records far fewer operations than a spatial one: zeros are never multiplied."""

    def operations(mech):
        f = recorded(ask.forward(FORWARD[0]).compute, forest(mech), q=3, v=3, tau=3, t=0)
        return f.n_instructions()

    general = random_tree(1, bodies=3, kinds=("revolute",), backwards=False)
    assert operations(lw.zoo.planar_3r()) < 0.3 * operations(general)


def test_parameters_can_stay_symbols():
    """A parameter left free is an input of the recorded program, and its derivative is exact."""
    import casadi

    from loopwright.spatial import Symbol, expression, symbols

    b = lw.Builder("pendulum", gravity=(0, 0, -9.81))
    length, mass = b.parameter("length", 0.7), b.parameter("mass", 2.0)
    b.body("bob", mass=mass, com=(length, 0, 0), inertia=(0.01, 0.01 * mass, 0.01 * mass))
    b.revolute("hinge", "ground", "bob", axis=(0, 1, 0))
    mech = b.build()
    L, q = casadi.SX.sym("L"), casadi.SX.sym("q")
    out = expression(
        ask.forward(FORWARD[0]).compute(forest(mech, {"length": Symbol(L)}), symbols(q), np.zeros(1), np.zeros(1), 0.0)
    )
    f = casadi.Function("f", [q, L], [out, casadi.jacobian(out, L)])
    for value in (0.7, 1.3):
        there = lw.forward_dynamics(mech.with_parameters(length=value), [0.4], [0.0])
        close(np.array(f(0.4, value)[0]).reshape(-1), there, 1e-14)
        # a = g L cos(q) / (L^2 + 0.01)
        exact = 9.81 * np.cos(0.4) * (0.01 - value**2) / (value**2 + 0.01) ** 2
        close(np.array(f(0.4, value)[1]).reshape(-1), [exact], 1e-12)


def test_algorithm_files_do_not_know_what_numbers_are():
    words = re.compile(
        r"casadi|\bSX\b|symbol\w*|llvm|numba|jax|torch|dtype|isinstance|float64|is_symbolic", re.IGNORECASE
    )
    files = sorted((ROOT / "dynamics").glob("*.py"))
    assert len(files) > 12
    for file in files:
        found = words.findall(file.read_text())
        assert not found, f"{file.name} speaks of {sorted(set(found))}"
