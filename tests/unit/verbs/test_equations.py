"""Equations one can read: the textbook's, equal to the numbers, short, and refused when they would not be short."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import sympy

import loopwright as lw
from tests.mechanisms import close


def double_pendulum():
    b = lw.Builder("double_pendulum")
    m1, m2, l1, l2, g = (
        b.parameter(name, value) for name, value in {"m1": 1.0, "m2": 2.0, "l1": 0.7, "l2": 0.5, "g": 9.81}.items()
    )
    b.gravity = (0, -g, 0)
    b.body("bob_1", mass=m1, com=(l1, 0, 0))
    b.body("bob_2", mass=m2, com=(l2, 0, 0))
    b.revolute("theta_1", "ground", "bob_1")
    b.revolute("theta_2", "bob_1", "bob_2", xyz=(l1, 0, 0))
    return b.build()


def cart_pole():
    b = lw.Builder("cart_pole")
    M, m, l, g = (b.parameter(name, value) for name, value in {"M": 2.0, "m": 0.5, "l": 0.8, "g": 9.81}.items())
    b.gravity = (0, -g, 0)
    b.body("cart", mass=M)
    b.body("pole", mass=m, com=(0, l, 0))
    b.prismatic("x", "ground", "cart", axis=(1, 0, 0), actuated=True)
    b.revolute("theta", "cart", "pole")
    return b.build()


def top():
    b = lw.Builder("top", gravity=(0, 0, -9.81))
    m, l = b.parameter("m", 1.3), b.parameter("l", 0.4)
    b.body("top", mass=m, com=(0, 0, l), inertia=(0.1, 0.1, 0.02))
    b.spherical("tip", "ground", "top")
    return b.build()


def sprung():
    b = lw.Builder("sprung", gravity=(0, -9.81, 0))
    m, k = b.parameter("m", 1.3), b.parameter("k", 40.0)
    b.body("bob", mass=m, com=(0.5, 0, 0))
    b.revolute("hinge", "ground", "bob", damping=0.3, friction=0.1)
    b.spring("coil", "ground", "bob", xyz=(0, 1, 0), child_xyz=(0.5, 0, 0), stiffness=k, length=0.4)
    return b.build()


m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g")
q1, q2, v1, v2, a1, a2, f1, f2 = sympy.symbols(
    "theta_1 theta_2 theta_1_dot theta_2_dot theta_1_ddot theta_2_ddot tau_1 tau_2"
)


def lagrange():
    """tau = d/dt dL/dv - dL/dq of two point masses, from their positions alone."""
    t = sympy.Symbol("t")
    x1, x2 = sympy.Function("x1")(t), sympy.Function("x2")(t)
    p1 = sympy.Matrix([l1 * sympy.cos(x1), l1 * sympy.sin(x1)])
    p2 = p1 + sympy.Matrix([l2 * sympy.cos(x1 + x2), l2 * sympy.sin(x1 + x2)])
    kinetic = sum(m * p.diff(t).dot(p.diff(t)) / 2 for m, p in ((m1, p1), (m2, p2)))
    potential = g * (m1 * p1[1] + m2 * p2[1])
    L = kinetic - potential
    forces = [L.diff(x.diff(t)).diff(t) - L.diff(x) for x in (x1, x2)]
    plain = [(x1.diff(t, 2), a1), (x2.diff(t, 2), a2), (x1.diff(t), v1), (x2.diff(t), v2), (x1, q1), (x2, q2)]
    return [one.subs(plain) for one in (*forces, kinetic, potential)]


def same(ours, theirs):
    """Equal for all values: with the tangents of half the angles for letters the difference is rational, and zero."""
    difference = sympy.expand_trig(ours - theirs)
    for angle in (q1, q2):
        t = sympy.Symbol(f"half_{angle}")
        difference = difference.subs({sympy.sin(angle): 2 * t / (1 + t**2), sympy.cos(angle): (1 - t**2) / (1 + t**2)})
    assert sympy.cancel(sympy.together(difference)) == 0


def test_the_double_pendulum_is_the_textbooks():
    dyn = lw.Dynamics(double_pendulum())
    tau_1, tau_2, kinetic, potential = lagrange()
    ours = dyn.equations("inverse", form="sympy")
    same(ours[0], tau_1)
    same(ours[1], tau_2)
    T, V = dyn.equations("energy", form="sympy")
    same(T, kinetic)
    same(V, potential)
    I = dyn.equations("mass_matrix", form="sympy")
    same(I[0, 0], m1 * l1**2 + m2 * (l1**2 + l2**2 + 2 * l1 * l2 * sympy.cos(q2)))
    same(I[0, 1], m2 * (l2**2 + l1 * l2 * sympy.cos(q2)))
    same(I[1, 0], I[0, 1])
    same(I[1, 1], m2 * l2**2)


@pytest.mark.parametrize("algorithm", ["aba", "denoc", "crba", "gah"])
def test_its_accelerations_by_every_algorithm(algorithm):
    ours = lw.Dynamics(double_pendulum()).equations("forward", form="sympy", algorithm=algorithm)
    forces = lagrange()[:2]
    for force, actuator in zip(forces, (f1, f2), strict=True):
        same(force.subs({a1: ours[0], a2: ours[1]}), actuator)


def test_it_fits_on_a_page():
    dyn = lw.Dynamics(double_pendulum())
    lengths = {"mass_matrix": 60, "gravity": 70, "bias": 130, "energy": 130, "inverse": 260, "forward": 450}
    for name, most in lengths.items():
        for line in dyn.equations(name, form="text").splitlines():
            assert len(line) <= most, f"{name}: {line}"
        assert len(dyn.equations(name, form="latex").splitlines()) <= 14


def test_as_text():
    dyn = lw.Dynamics(double_pendulum())
    assert dyn.equations("gravity", form="text").splitlines() == [
        "G_1 = g*(l1*(m1 + m2)*cos(theta_1) + l2*m2*cos(theta_1 + theta_2))",
        "G_2 = g*l2*m2*cos(theta_1 + theta_2)",
    ]
    assert "theta_2'" in dyn.equations("bias", form="text")
    assert dyn.equations("mass_matrix", form="text").splitlines()[-1] == "I_22 = l2^2*m2"


def test_as_latex():
    text = lw.Dynamics(cart_pole()).equations("mass_matrix")
    assert text == (
        "\\begin{aligned}\n"
        "I_{11} &= M + m \\\\\n"
        "I_{12} &= - l m \\cos{\\left(\\theta \\right)} \\\\\n"
        "I_{22} &= l^{2} m\n"
        "\\end{aligned}"
    )
    assert r"\ddot{\theta} &= " in lw.Dynamics(cart_pole()).equations("forward")
    forward = lw.Dynamics(double_pendulum()).equations("forward")
    assert forward.count("{") == forward.count("}")
    assert forward.count(r"\bigl[") == forward.count(r"\bigr]") == forward.count(r"\frac{1}")


SMALL = [double_pendulum, cart_pole, top, sprung, lw.zoo.four_bar, lw.zoo.planar_3r, lw.zoo.flyball]


@pytest.mark.parametrize("make", SMALL, ids=lambda make: make.__name__)
def test_the_numbers_are_those_of_the_kernel(make):
    mech = make()
    dyn = lw.Dynamics(mech, compiled=False)
    q, v = mech.random_state(4)
    given = {"q": q, "v": v, "a": v[::-1].copy(), "tau": np.linspace(-1.0, 1.0, mech.nu)}
    for name in ("mass_matrix", "bias", "gravity", "inverse", "forward"):
        if name in ("inverse", "forward") and (dyn.topology.loops or len(mech.joints) > 2):
            continue
        program = dyn.casadi(name, parameters=tuple(mech.values))
        inputs = {key: given[key] for key in program.name_in() if key in given}
        expected = np.array(program(*inputs.values(), *mech.values.values()), dtype=float)
        ours = dyn.equations(name, form="sympy")
        values = np.array(_evaluated(ours, mech, inputs), dtype=float)
        close(values.reshape(-1), expected.reshape(-1), 1e-11)


def _evaluated(ours, mech, inputs):
    from loopwright.verbs.equations import symbols_of

    symbols = symbols_of(mech, tuple(mech.values))
    by_name = {
        "q": symbols.q,
        "v": [c.speed for c in symbols.coordinates],
        "a": [c.acceleration for c in symbols.coordinates],
        "tau": [symbols.coordinates[k].force for k in mech.actuated],
    }
    values = {sympy.Symbol(name): value for name, value in mech.values.items()}
    for key, numbers in inputs.items():
        values |= dict(zip(by_name[key], map(float, numbers), strict=True))
    return ours.subs(values)


def test_chosen_parameters_are_letters_and_the_others_numbers():
    G = lw.Dynamics(double_pendulum()).equations("gravity", form="sympy", parameters=["l1"])
    assert {str(letter) for letter in G.free_symbols} == {"l1", "theta_1", "theta_2"}
    with pytest.raises(lw.LoopwrightError, match="no parameter 'mass'"):
        lw.Dynamics(double_pendulum()).equations("gravity", parameters=["mass"])


def test_symbols_that_are_not_called_like_their_joints_are_explained():
    text = lw.Dynamics(lw.zoo.four_bar()).equations("gravity", form="text")
    assert text.splitlines()[0] == "# theta_1: crank_joint, theta_2: crank_pin, theta_3: rocker_joint"
    assert "% q_{x1}: tip.qx" in lw.Dynamics(top()).equations("forward")


def test_no_two_things_share_a_symbol():
    b = lw.Builder("clash", gravity=(0, -9.81, 0))
    b.parameter("theta_1", 2.0)
    b.parameter("tau_2", 2.0)
    b.body("a", mass=b["theta_1"], com=(1, 0, 0))
    b.body("b", mass=b["tau_2"], com=(1, 0, 0))
    b.revolute("shoulder", "ground", "a")
    b.revolute("elbow", "a", "b", xyz=(1, 0, 0))
    letters = lw.Dynamics(b.build()).equations("forward", form="sympy").free_symbols
    assert {"theta_1", "theta_1_", "theta_2", "tau_2", "tau_2_", "theta_1__dot"} <= {str(letter) for letter in letters}


def test_what_nobody_would_read_is_refused_with_what_to_do():
    with pytest.raises(lw.LoopwrightError, match=r"'forward' of 'puma560' take \d+ operations.*dyn.c_source"):
        lw.Dynamics(lw.zoo.puma560()).equations("forward")
    b = lw.Builder("three")
    inner, at = "ground", 0.0
    for k in (1, 2, 3):
        m, l = b.parameter(f"m{k}", 1.0), b.parameter(f"l{k}", 1.0)
        b.rod(f"rod_{k}", mass=m, to=(l, 0, 0))
        b.revolute(f"theta_{k}", inner, f"rod_{k}", axis=(0, 1, 0), xyz=(at, 0, 0))
        inner, at = f"rod_{k}", l
    with pytest.raises(lw.LoopwrightError, match="more than a page, which nobody would read; ask for its parts"):
        lw.Dynamics(b.build()).equations("forward")
    assert lw.Dynamics(b.build()).equations("bias", form="text").count("\n") == 2


def test_an_unknown_form():
    with pytest.raises(lw.LoopwrightError, match="no form 'word' of equations; there are latex, sympy, text"):
        lw.Dynamics(double_pendulum()).equations("gravity", form="word")


def test_without_sympy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(lw.LoopwrightError, match=r'pip install "loopwright\[equations\]"'):
        lw.Dynamics(double_pendulum()).equations("gravity")


def test_what_loops_mark_at_singular_positions_has_no_equations():
    dyn = lw.Dynamics(lw.zoo.four_bar())
    for name in ("forward", "inverse"):
        with pytest.raises(lw.LoopwrightError, match=r"ask for its parts|would read"):
            dyn.equations(name)
