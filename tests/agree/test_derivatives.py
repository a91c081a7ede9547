"""Derivatives recorded by structure against three others: complex steps, CasADi's, and differences of high order.

Complex steps go through NumPy's form of the plain forest: a position's entry moves by i h dq/ds, and the imaginary part
of the answer over h is the derivative, without any difference of large numbers. They need functions without
branches, so loads are looked at by CasADi's derivative of another algorithm and by differences of sixth order.
"""

from __future__ import annotations

import casadi
import numpy as np
import pytest

import loopwright as lw
from loopwright.dynamics import FORWARD, INVERSE, named
from loopwright.spatial import Symbol, expression, symbols
from loopwright.testing import random_tree
from loopwright.topology import forest
from loopwright.verbs import quantities as ask
from tests.mechanisms import FULL, close, forces, open_zoo

TREES = range(100 if FULL else 10)
STEP = 1e-40  # nothing is subtracted, so it may be as small as one likes


def state_of(mech, seed=5):
    q, v = mech.random_state(seed)
    rng = np.random.default_rng(seed)
    return q, v, rng.uniform(-2.0, 2.0, mech.nv), rng.uniform(-3.0, 3.0, mech.nu)


def directions(mech, q):
    """dq/ds of every direction of v."""
    dyn = lw.Dynamics(mech, compiled=False)
    return [dyn.rates(q, unit) for unit in np.eye(mech.nv)]


def agree(mech, name, given, expected, digits):
    """By q and v together, since one of two may be zero but for rounding; then by the third.

    Asked as CasADi functions: the kernels of them are looked at below, over the zoo, and beside Pinocchio.
    """
    found = np.array(lw.Dynamics(mech).casadi(name)(*given), dtype=float).reshape(mech.nv, -1)
    n = 2 * mech.nv
    close(found[:, :n], np.hstack(expected[:2]), digits)
    close(found[:, n:], expected[2], digits)


def digits_of(mech, q):
    """Accelerations lose cond(I) of the rounding."""
    return max(1e-11, 100.0 * np.finfo(float).eps * np.linalg.cond(lw.mass_matrix(mech, q)) ** 1.5)


def by_complex_steps(mech, compute, q, v, last):
    """[d/dq, d/dv, d/dlast] of compute(forest, q, v, last, t)."""
    tree = forest(mech)

    def slope(*given):
        return compute(tree, *given, 0.0).imag / STEP

    by_q = [slope(q + 1j * STEP * along, v, last) for along in directions(mech, q)]
    by_v = [slope(q, v + 1j * STEP * unit, last) for unit in np.eye(mech.nv)]
    by_last = [slope(q, v, last + 1j * STEP * unit) for unit in np.eye(len(last))]
    return [np.array(columns).T.reshape(mech.nv, -1) for columns in (by_q, by_v, by_last)]


@pytest.mark.parametrize("seed", TREES)
def test_complex_steps(seed):
    mech = random_tree(seed, bodies=1 + seed % 5, floating=seed % 3 == 0)
    q, v, a, tau = state_of(mech)
    expected = by_complex_steps(mech, ask.inverse(INVERSE[0]).compute, q, v, a)
    agree(mech, "inverse_derivatives", (q, v, a), expected, 1e-11)
    expected = by_complex_steps(mech, ask.forward(named(FORWARD, "aba", "")).compute, q, v, tau)
    agree(mech, "forward_derivatives", (q, v, tau), expected, digits_of(mech, q))


def by_casadi(mech, quantity, parameters=()):
    """CasADi's own derivatives of the recursion, recorded from the plain forest: [by q, by v, by the third, by p]."""
    free = {name: casadi.SX.sym(name) for name in parameters}
    tree = forest(mech, {name: Symbol(x) for name, x in free.items()})
    names = quantity.inputs[:3]
    sizes = {"q": mech.nq, "v": mech.nv, "a": mech.nv, "tau": mech.nu}
    inputs = [casadi.SX.sym(name, sizes[name]) for name in names]
    out = expression(quantity.compute(tree, *map(symbols, inputs), 0.0))
    every = [*inputs, *([casadi.vertcat(*free.values())] if free else [])]
    f = casadi.Function("f", [*inputs, *free.values()], [casadi.jacobian(out, x) for x in every])

    def ask_for(q, v, third):
        found = [np.array(x, dtype=float) for x in f(q, v, third, *(mech.values[name] for name in parameters))]
        return [found[0] @ np.array(directions(mech, q)).T.reshape(mech.nq, mech.nv), *found[1:]]

    return ask_for


@pytest.mark.parametrize("seed", TREES)
def test_loads_and_another_algorithm(seed):
    """Springs, dampers, friction and wrenches; here forward dynamics is differentiated in DeNOC's form."""
    mech = random_tree(seed + 500, bodies=1 + seed % 3, loads=True, floating=seed % 4 == 0)
    q, v, a, tau = state_of(mech)
    expected = by_casadi(mech, ask.inverse(INVERSE[0]))(q, v, a)
    agree(mech, "inverse_derivatives", (q, v, a), expected, 1e-11)
    expected = by_casadi(mech, ask.forward(named(FORWARD, "denoc", "")))(q, v, tau)
    agree(mech, "forward_derivatives", (q, v, tau), expected, digits_of(mech, q))


def difference(f, h):
    """f'(0), to the sixth order."""
    weights = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(w * (f(k * h) - f(-k * h)) for k, w in weights.items()) / (60.0 * h)


@pytest.mark.parametrize("name", [name for name, mech in open_zoo().items() if FULL or mech.nv <= 7])
def test_differences_over_the_zoo(name):
    """As `integrate` moves positions, one direction at random: no part of CasADi, of complex numbers or of rates."""
    mech = open_zoo()[name]
    dyn, (q, v, a, tau) = lw.Dynamics(mech, compiled=False), state_of(mech)
    rng = np.random.default_rng(1)
    dq, dv, da = rng.normal(size=(3, mech.nv))
    dtau = rng.normal(size=mech.nu)
    D = dyn.inverse_derivatives(q, v, a)
    for ours, f in (
        (D.by_position @ dq, lambda s: forces(mech, mech.integrate(q, s * dq), v, a)),
        (D.by_velocity @ dv, lambda s: forces(mech, q, v + s * dv, a)),
        (D.by_acceleration @ da, lambda s: forces(mech, q, v, a + s * da)),
    ):
        close(ours, difference(f, 1e-2), 1e-7, max(np.abs(f(0.0)).max(), np.abs(ours).max()))
    D = dyn.forward_derivatives(q, v, tau)
    for ours, f in (
        (D.by_position @ dq, lambda s: dyn.forward(mech.integrate(q, s * dq), v, tau)),
        (D.by_velocity @ dv, lambda s: dyn.forward(q, v + s * dv, tau)),
        (D.by_force @ dtau, lambda s: dyn.forward(q, v, tau + s * dtau)),
    ):
        close(ours, difference(f, 1e-3), 1e-6, max(np.abs(f(0.0)).max(), np.abs(ours).max()))


@pytest.mark.parametrize("name", ["puma560", "space_robot"])
def test_asked_again(name):
    """By a kernel made before: one state by itself, and many."""
    mech = open_zoo()[name]
    some = [state_of(mech, seed) for seed in range(9)]
    q, v, a, tau = (np.array([state[k] for state in some]) for k in range(4))
    for verb, last in (("forward_derivatives", tau), ("inverse_derivatives", a)):
        dyn = lw.Dynamics(mech)
        first = getattr(dyn, verb)(q, v, last)
        for n in (0, 8):
            again = getattr(dyn, verb)(q[n], v[n], last[n])
            for x, y in zip(vars(first).values(), vars(again).values(), strict=True):
                np.testing.assert_array_equal(y, x[n])
    with pytest.raises(lw.LoopwrightError, match="tau"):
        dyn.forward_derivatives(q[0], v[0], tau[0, :-1])


def crane():
    """A parameter in a length, in masses and a damper, in a spring, and in the direction of an axis."""
    b = lw.Builder("crane", gravity=(0.3, 0, -9.81))
    length, mass, stiffness = b.parameter("length", 0.7), b.parameter("mass", 2.0), b.parameter("stiffness", 3.0)
    tilt = b.parameter("tilt", 0.2)
    b.body("boom", mass=mass, com=(length / 2, 0, 0.1), inertia=(0.03, 0.02 * mass, 0.04))
    b.body("load", mass=1.5, com=(0, 0.1, -0.3), inertia=(0.05, 0.06, 0.07))
    b.revolute("hinge", "ground", "boom", axis=(tilt, 1, 0), stiffness=stiffness, damping=0.1 * mass)
    b.universal("hook", "boom", "load", axes=((0, 1, 0), (1, 0, 0)), xyz=(length, 0, 0))
    return b.build()


NAMES = ("length", "mass", "stiffness", "tilt")


def test_by_parameters():
    mech = crane()
    dyn, (q, v, a, tau) = lw.Dynamics(mech), state_of(mech)
    forward = dyn.forward_derivatives(q, v, tau, parameters=NAMES).by_parameter
    inverse = dyn.inverse_derivatives(q, v, a, parameters=NAMES).by_parameter
    assert forward.shape == inverse.shape == (3, 4)
    close(inverse, by_casadi(mech, ask.inverse(INVERSE[0]), NAMES)(q, v, a)[3], 1e-12)
    close(forward, by_casadi(mech, ask.forward(named(FORWARD, "denoc", "")), NAMES)(q, v, tau)[3], 1e-11)
    for k, name in enumerate(NAMES):

        def other(s, name=name):
            return lw.Dynamics(mech.with_parameters(**{name: mech.values[name] + s}), compiled=False)

        close(inverse[:, k], difference(lambda s: other(s).inverse(q, v, a), 1e-2), 1e-9, np.abs(inverse).max())
        close(forward[:, k], difference(lambda s: other(s).forward(q, v, tau), 1e-2), 1e-9, np.abs(forward).max())


def test_by_parameters_of_many_states_and_in_any_order():
    mech = crane()
    dyn = lw.Dynamics(mech)
    q, v = (np.array([mech.random_state(n)[k] for n in range(7)]) for k in (0, 1))
    tau = np.linspace(-1.0, 1.0, mech.nu)
    some = dyn.forward_derivatives(q, v, tau, parameters=("mass", "length")).by_parameter
    assert some.shape == (7, 3, 2)
    for n in range(7):
        close(some[n], dyn.forward_derivatives(q[n], v[n], tau, parameters=NAMES).by_parameter[:, [1, 0]], 1e-12)
    assert dyn.forward_derivatives(q, v, tau).by_parameter.shape == (7, 3, 0)
    # as a kernel and as a casadi.Function the values of the parameters are inputs
    kernel = dyn.kernel("forward_by_parameters", parameters=("mass",))
    heavier = lw.Dynamics(mech.with_parameters(mass=2.5)).forward_derivatives(q, v, tau, parameters=("mass",))
    close(kernel(q, v, tau, 2.5), heavier.by_parameter, 1e-12)
    function = dyn.casadi("forward_by_parameters", parameters=("mass",))
    close(np.array(function(q[0], v[0], tau, 2.5)).ravel(), heavier.by_parameter[0, :, 0], 1e-12)


def test_parameters_have_to_be_named_and_exist():
    dyn = lw.Dynamics(crane())
    with pytest.raises(lw.LoopwrightError, match="lenght"):
        dyn.forward_derivatives(*lw.Dynamics(crane()).mechanism.random_state(1), parameters=("lenght",))
    for name in ("forward_by_parameters", "inverse_by_parameters"):
        with pytest.raises(lw.LoopwrightError, match="name them with parameters="):
            dyn.kernel(name)


def test_time_and_functions_of_the_state():
    """A load given as a function is differentiated as it is recorded."""
    b = lw.Builder("driven", gravity=(0, -9.81, 0))
    stiffness = b.parameter("k", 4.0)
    b.rod("bar", mass=1.0, to=(0.7, 0, 0))
    b.revolute("hinge", "ground", "bar", stiffness=stiffness)
    b.effort("drive", "hinge", lambda t, q, v: np.sin(3.0 * t) * q[0] - 0.2 * v[0] ** 3)
    mech = b.build()
    dyn, by_numpy = lw.Dynamics(mech), lw.Dynamics(mech, compiled=False)
    q, v, tau, t = np.array([0.4]), np.array([-1.3]), np.array([0.2]), 0.6
    D = dyn.forward_derivatives(q, v, tau, t, parameters=("k",))
    close(D.by_position[0], difference(lambda s: by_numpy.forward(q + s, v, tau, t), 1e-2), 1e-10)
    close(D.by_velocity[0], difference(lambda s: by_numpy.forward(q, v + s, tau, t), 1e-2), 1e-10)
    # da/dk = -(q - rest) / I
    close(D.by_parameter, -q[:, None] / dyn.mass_matrix(q), 1e-14)


@pytest.mark.parametrize("name", ["pendulum", "puma560", "space_robot"])
def test_the_linearised_motion(name):
    """x' = A x + B u is what a small change of state and torque does."""
    mech = open_zoo()[name]
    dyn, (q, v, _, tau) = lw.Dynamics(mech, compiled=False), state_of(mech)
    n = mech.nv
    linear = dyn.linearize(q, v, tau)
    rng = np.random.default_rng(3)
    x, u = rng.normal(size=2 * n), rng.normal(size=mech.nu)

    def velocity(s):
        return dyn.forward(mech.integrate(q, s * x[:n]), v + s * x[n:], tau + s * u)

    close((linear.A @ x + linear.B @ u)[n:], difference(velocity, 1e-3), 1e-6, np.abs(velocity(0.0)).max())
    # positions: two motions side by side, a moment later
    h = 1e-3

    def apart(s):
        near = mech.integrate(q, s * x[:n])
        later = [mech.integrate(q, h * v), mech.integrate(near, h * (v + s * x[n:]))]
        return mech.difference(*later)

    close((linear.A @ x)[:n], (difference(apart, 1e-2) - x[:n]) / h, 1e-2, np.abs(linear.A @ x).max())


@pytest.mark.parametrize("name", ["planar_3r", "four_bar"])
def test_linearisations_of_many_states_are_those_of_each(name):
    """Whichever of q, v and tau has the leading axes."""
    mechanism = lw.zoo.MECHANISMS[name]()
    start = lw.zoo.start(name)
    given = [
        np.array([start[label] for label in mechanism.coordinates]),
        np.zeros(mechanism.nv),
        np.zeros(mechanism.nu),
    ]
    dyn = lw.Dynamics(mechanism)
    for k in range(3):
        many = [np.stack([x, x + (0.1 if k == 2 else 0.0)]) if i == k else x for i, x in enumerate(given)]
        found = dyn.linearize(*many)
        for n in range(2):
            alone = dyn.linearize(*(x[n] if i == k else x for i, x in enumerate(many)))
            np.testing.assert_allclose(found.A[n], alone.A, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(found.B[n], alone.B, rtol=1e-12, atol=1e-12)
