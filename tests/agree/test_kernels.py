"""Compiled kernels give what NumPy gives when it runs the same text, in every width, over the zoo and random trees."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright import program
from loopwright.dynamics import FORWARD, INVERSE, MASS
from loopwright.testing import MOVING, random_tree
from loopwright.verbs.answering import PATIENCE
from loopwright.verbs.record import face_of, tape
from tests.mechanisms import FULL, close, forces, open_zoo

WIDTHS = (1, 2, 4, 8)
TREES = range(300 if FULL else 60)
EPS = np.finfo(float).eps
POINT = (0.1, -0.2, 0.3)
STATES = 5  # more than some widths, fewer than others


def state_of(mech, seed=3):
    """A few states at once: q, v, a, tau."""
    some = [mech.random_state(seed + n) for n in range(STATES)]
    rng = np.random.default_rng(seed)
    q, v = (np.array([state[k] for state in some]) for k in (0, 1))
    return q, v, rng.uniform(-2.0, 2.0, (STATES, mech.nv)), rng.uniform(-3.0, 3.0, (STATES, mech.nu))


def usable(registry, mech):
    kinds = {node.kind.name for node in lw.Dynamics(mech).topology.forest.nodes}
    return [algorithm.name for algorithm in registry if kinds <= set(algorithm.joints or kinds)]


def questions(mech):
    """(how to ask for the kernel, names of its inputs, the same by NumPy)"""
    dyn = lw.Dynamics(mech, compiled=False)
    body = mech.bodies[-1].name

    def by_forces(algorithm):
        return lambda q, v, a: forces(mech, q, v, a, algorithm)

    for name in usable(FORWARD, mech):
        yield {"name": "forward", "algorithm": name}, "q v tau", lambda *x, name=name: dyn.forward(*x, algorithm=name)
    for name in usable(INVERSE, mech):
        yield {"name": "inverse", "algorithm": name}, "q v a", by_forces(name)
    for name in usable(MASS, mech):
        yield {"name": "mass_matrix", "algorithm": name}, "q", lambda q, name=name: dyn.mass_matrix(q, name)
    yield {"name": "bias"}, "q v", dyn.bias
    yield {"name": "gravity"}, "q", dyn.gravity
    yield {"name": "energy"}, "q v", lambda *x: np.stack([dyn.energy(*x).kinetic, dyn.energy(*x).potential], axis=-1)
    yield {"name": "momentum"}, "q v", lambda *x: all_of(dyn.momentum(*x))
    yield {"name": "pose", "body": body}, "q", lambda q: rows(dyn.pose(body, q))
    yield {"name": "jacobian", "body": body, "point": POINT}, "q", lambda q: dyn.jacobian(body, q, POINT)
    yield {"name": "twist", "body": body, "point": POINT}, "q v", lambda *x: dyn.twist(body, *x, POINT)
    yield {"name": "twist_rate", "body": body, "point": POINT}, "q v a", lambda *x: dyn.twist_rate(body, *x, POINT)
    for form in ("skew", "papers"):
        yield {"name": "convective", "form": form}, "q v", lambda *x, form=form: dyn.convective(*x, form=form)
    yield {"name": "rates"}, "q v", dyn.rates


def all_of(p):
    return np.concatenate([p.linear, p.angular, p.centre, p.about_centre], axis=-1)


def rows(X):
    return np.concatenate([X.R, X.p[..., None]], axis=-1).reshape((*X.p.shape[:-1], 12))


def scale_of(name, mech, given, expected):
    """How large the parts are that an answer is summed from: they may cancel each other."""
    dyn = lw.Dynamics(mech, compiled=False)
    q, v, a = (given.get(key, np.zeros((STATES, mech.nv))) for key in ("q", "v", "a"))
    parts = [expected]
    if name in ("inverse", "bias", "gravity"):
        parts += [dyn.gravity(q), dyn.bias(q, v), forces(mech, q, 0 * v, a)]
    if name == "convective":
        parts += [dyn.mass_matrix(q)]
    if name == "energy":
        parts += [sum(body.mass for body in mech.bodies) * np.linalg.norm(mech.gravity) * np.ones(1)]
    return max(np.abs(part).max(initial=0.0) for part in parts)


def check(mech, which=slice(None), width=None):
    """Some of the questions, compiled for some number of lanes."""
    q, v, a, tau = state_of(mech)
    values = {"q": q, "v": v, "a": a, "tau": tau}
    dyn = lw.Dynamics(mech)
    worst = max(np.linalg.cond(I) for I in lw.Dynamics(mech, compiled=False).mass_matrix(q)) if mech.nv else 1.0
    for how, inputs, by_numpy in list(questions(mech))[which]:
        given = {key: values[key] for key in inputs.split()}
        found = dyn.kernel(**how, width=width)(*given.values())
        expected = by_numpy(*given.values())
        # solving I a = f loses cond(I) of the rounding whatever the order of sums
        digits = max(1e-12, 20.0 * EPS * worst) if how["name"] == "forward" else 1e-12
        close(found, expected, digits, scale_of(how["name"], mech, given, expected))


@pytest.mark.parametrize("seed", TREES)
def test_random_trees(seed):
    """Every question comes up for some trees, and for some with every width."""
    mech = random_tree(seed, bodies=1 + seed % (4 if FULL else 3), loads=seed % 2 == 0, floating=seed % 5 == 4)
    count = len(list(questions(mech)))
    check(mech, slice(None) if FULL else slice(seed % 6, count, 6), WIDTHS[seed % 4])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", MOVING)
def test_every_kind_of_joint(kind, width):
    """By itself, a quarter of all there is to ask in each width."""
    mech = random_tree(7, bodies=2, kinds=(kind,), loads=True, backwards=True)
    chosen = slice(None) if FULL else slice(WIDTHS.index(width), None, 4)
    check(mech, chosen, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_algorithm_on_revolute_trees(width):
    check(random_tree(11, bodies=3, kinds=("revolute",)), slice(0, 11), width)


def large(name):
    return open_zoo()[name].nv > 9


@pytest.mark.parametrize("name", [name for name in open_zoo() if FULL or not large(name)])
def test_the_zoo(name):
    mech, order = open_zoo()[name], list(open_zoo()).index(name)
    check(mech, slice(None) if FULL else slice(order % 4, None, 4))


@pytest.mark.parametrize("name", [name for name in open_zoo() if large(name) and not FULL])
def test_the_large_ones_of_the_zoo(name):
    """Their common questions only: forward dynamics alone takes a second to compile."""
    mech = open_zoo()[name]
    wanted = {("forward", "aba"), ("inverse", "rnea"), ("mass_matrix", "crba"), ("jacobian", None)}
    chosen = [n for n, (how, *_) in enumerate(questions(mech)) if (how["name"], how.get("algorithm")) in wanted]
    for n in chosen:
        check(mech, slice(n, n + 1))


@pytest.mark.parametrize("how", [{"name": "forward"}, {"name": "inverse"}, {"name": "mass_matrix"}, {"name": "energy"}])
def test_every_width_gives_the_same_bits(how):
    mech = random_tree(21, bodies=3, loads=True, floating=True)
    some = [mech.random_state(n) for n in range(37)]
    values = {"q": np.array([s[0] for s in some]), "v": np.array([s[1] for s in some])}
    values |= {"a": values["v"][::-1], "tau": np.linspace(-1.0, 1.0, mech.nu)}
    dyn = lw.Dynamics(mech)
    made = {width: dyn.kernel(**how, width=width) for width in WIDTHS}
    given = [values[name] for name, _ in made[1].face.inputs]
    expected = made[1](*given)
    for width in WIDTHS[1:]:
        np.testing.assert_array_equal(made[width](*given), expected)
        np.testing.assert_array_equal(made[width](*given, threads=3), expected)
        for n in (0, 5, 36):
            alone = [x if x.ndim == 1 else x[n] for x in given]
            np.testing.assert_array_equal(made[width](*alone), expected[n])


@pytest.mark.parametrize("width", WIDTHS[1:])
@pytest.mark.parametrize("name", [*open_zoo()] if FULL else ["quadruped"])
def test_every_length_of_a_batch(name, width, monkeypatch):
    """Cut into more parts than usual, so that batches fill some of the tiles that go together and not others."""
    monkeypatch.setattr(program.parts, "LENGTH", 700)
    mech = open_zoo()[name]
    rng = np.random.default_rng(width)
    q = np.array([mech.random_state(n)[0] for n in range(1003)])
    v, a, tau = (rng.uniform(-2.0, 2.0, (1003, size)) for size in (mech.nv, mech.nv, mech.nu))
    values = {"q": q, "v": v, "a": a, "tau": tau}
    counts = range(1, 1004) if FULL else (1, width - 1, width, 4 * width + 1, 6 * width, 8 * width + 1, 1003)
    for question in ("forward", "inverse", "mass_matrix") if FULL or width == 8 else ("inverse",):
        made, alone = (kernel_of(mech, question, lanes) for lanes in (width, 1))
        given = [values[key] for key, _ in made.face.inputs]
        expected = alone(*given)
        for count in counts:
            np.testing.assert_array_equal(made(*(x[:count] for x in given)), expected[:count])


def kernel_of(mech, question, width):
    """Made here and now: what is kept is cut as usual."""
    wanted = lw.Dynamics(mech)._quantity(question)
    return program.compiled(face_of(mech, wanted), "", lambda: tape(mech, wanted), width)


# switching from NumPy to a kernel


def test_many_states_are_worth_a_compilation(monkeypatch):
    mech = lw.zoo.planar_3r()
    q, v, _, tau = state_of(mech)
    by_numpy = lw.Dynamics(mech, compiled=False)
    dyn = lw.Dynamics(mech)
    made = []
    kernel = type(dyn._answers).kernel
    monkeypatch.setattr(type(dyn._answers), "kernel", lambda *given: made.append(given[1].label) or kernel(*given))
    for asked in range(STATES, 2 * PATIENCE, STATES):
        close(dyn.forward(q, v, tau), by_numpy.forward(q, v, tau), 1e-12)
        assert bool(made) == (asked > PATIENCE)
        close(dyn.mass_matrix(q[0]), by_numpy.mass_matrix(q[0]), 1e-12)
    assert set(made) == {"forward crba"}  # every question has its own patience
    many = np.repeat(q, PATIENCE, axis=0)
    close(dyn.energy(many, 0.0 * many).total, by_numpy.energy(many, 0.0 * many).total, 1e-12)
    assert set(made) == {"forward crba", "energy"}


def test_broadcasting_counts_every_state():
    mech = lw.zoo.planar_3r()
    q, v, a, tau = state_of(mech)
    by_numpy, dyn = lw.Dynamics(mech, compiled=False), lw.Dynamics(mech, compiled=True)
    for call in (
        lambda d: d.forward(q, v[0], tau[:, None, :]),
        lambda d: d.inverse(q[:, None], v, a[0]),
        lambda d: d.mass_matrix(q[:0]),
        lambda d: d.mass_matrix(q.reshape(5, 1, 3)),
        lambda d: d.pose("link3", q[None]).R if "link3" in d.topology.forest.seats else d.rates(q, v),
    ):
        close(call(dyn), call(by_numpy), 1e-12)


def test_leading_axes_that_do_not_broadcast_are_named():
    mech = lw.zoo.planar_3r()
    q, v, _, tau = state_of(mech)
    for compiled in (True, False):
        with pytest.raises(lw.LoopwrightError, match="do not broadcast together"):
            lw.Dynamics(mech, compiled=compiled).forward(q, v[:3], tau)


def test_no_warning_from_kernels_that_divide_by_nothing():
    """At a spring of no length and with a state that is not finite."""
    mech = random_tree(2, bodies=3, loads=True)
    dyn = lw.Dynamics(mech, compiled=True)
    q, v, _, tau = state_of(mech)
    v[2, 0] = np.nan
    with np.errstate(all="raise"):
        found = dyn.forward(q, v, tau)
        assert np.isnan(found[2]).any()
        assert np.isfinite(found[[0, 1, 3, 4]]).all()


# asked again, once there is a kernel


def verbs(dyn, q, v, a, tau):
    """Four questions, twice each: the second time there is no more to look at than numbers."""
    for _ in range(2):
        found = dyn.forward(q, v, tau), dyn.inverse(q, v, a), dyn.mass_matrix(q), dyn.bias(q, v)
    return found


@pytest.mark.parametrize("kinds, floating", [(("revolute", "prismatic"), False), (("revolute", "spherical"), True)])
def test_the_second_answer_is_the_first(kinds, floating):
    mech = random_tree(5, bodies=4, kinds=kinds, floating=floating, loads=True)
    by_numpy, dyn = lw.Dynamics(mech, compiled=False), lw.Dynamics(mech, compiled=True)
    q, v, a, _ = state_of(mech)
    tau = np.linspace(-1.0, 1.0, mech.nu)
    if mech.nu < mech.nv:
        a = by_numpy.forward(q, v, tau)  # which the motors can make
    digits = 20.0 * EPS * max(np.linalg.cond(I) for I in by_numpy.mass_matrix(q))
    for state in ((q[0], v[0], a[0], tau), (q, v, a, tau), (q.tolist(), v[0], a, tau), (q[:0], v[:0], a[:0], tau)):
        scale = max(np.abs(by_numpy.bias(q, v)).max(), 1.0)
        for found, expected in zip(verbs(dyn, *state), verbs(by_numpy, *state), strict=True):
            close(found, expected, max(digits, 1e-12), max(scale, np.abs(expected).max(initial=0.0)))


def test_the_second_answer_is_as_careful_as_the_first():
    mech = random_tree(5, bodies=3, kinds=("revolute", "spherical"), floating=True)
    dyn = lw.Dynamics(mech, compiled=True)
    q, v, a, tau = (x[0] for x in state_of(mech))
    verbs(dyn, q, v, a, tau)
    with pytest.raises(lw.LoopwrightError, match="the quaternion of joint"):
        dyn.mass_matrix(2.0 * q)
    with pytest.raises(lw.LoopwrightError, match="q has"):
        dyn.mass_matrix(q[:-1])
    with pytest.raises(lw.LoopwrightError, match="q must"):
        dyn.mass_matrix(q * 1j)
    with pytest.raises(lw.LoopwrightError, match="t must"):
        dyn.forward(q, v, tau, t="now")
    with pytest.raises(lw.LoopwrightError, match="tau has"):
        dyn.forward(q, v, tau[1:])
    with pytest.raises(lw.LoopwrightError, match="do not broadcast"):
        dyn.forward(q, np.tile(v, (2, 1)), np.tile(tau, (3, 1)))
    assert np.isnan(dyn.forward(q, np.nan * v, tau)).all()
    assert dyn.forward(q, v).shape == v.shape
    assert set(dyn.forward(q, v, tau, details=True).reactions) == {joint.name for joint in mech.joints}


def test_a_singular_mass_matrix_is_told_every_time():
    b = lw.Builder("aloft", gravity=(0, 0, -9.81))
    b.body("ring")
    b.body("bob", mass=1.0, com=(0, 0, 0.5))
    b.revolute("outer", "ground", "ring", axis=(0, 0, 1))
    b.revolute("middle", "ring", "bob", axis=(0, 1, 0))
    dyn = lw.Dynamics(b.build(), compiled=True)
    still = np.zeros(2)
    for _ in range(3):
        assert np.isfinite(dyn.forward(np.array([0.1, 0.4]), still, still)).all()
        with pytest.raises(lw.LoopwrightError, match="mass matrix of 'aloft' is singular"):
            dyn.forward(still, still, still)  # the bob on the outer axis


@pytest.mark.parametrize(
    "make", [lambda: open_zoo()["puma560"], lambda: random_tree(1, 3, ("revolute", "screw", "universal"))]
)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_spreads_no_further_than_in_numpy(make, bad):
    """NumPy also spreads it by products with the zeros that are folded away; the rest are the same numbers."""
    mech = make()
    by_numpy, dyn = lw.Dynamics(mech, compiled=False), lw.Dynamics(mech)
    q, v, _, tau = (x[0] for x in state_of(mech))
    for name, usual in (("forward", (q, v, tau)), ("bias", (q, v)), ("mass_matrix", (q,))):
        kernel, program = dyn.kernel(name), dyn.casadi(name)
        size = np.abs(kernel(*usual)).max()
        for argument, entry in [(n, k) for n, x in enumerate(usual) for k in range(len(x))]:
            given = [x.copy() for x in usual]
            given[argument][entry] = bad
            found, expected = kernel(*given), np.asarray(getattr(by_numpy, name)(*given))
            same = np.isfinite(expected)
            assert np.isfinite(found[same]).all()
            close(found[same], expected[same], 1e-9, max(size, np.abs(found[same]).max(initial=0.0)))
            recorded = np.array(program(*given), dtype=float).reshape(found.shape)
            np.testing.assert_array_equal(np.isfinite(found), np.isfinite(recorded))


# loads that are Python functions


def pushed(force):
    b = lw.Builder("pushed", gravity=(0, 0, -9.81))
    b.body("bob", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.02, 0.02))
    b.revolute("hinge", "ground", "bob", axis=(0, 1, 0))
    b.wrench("push", "bob", force=force, xyz=(0.5, 0, 0))
    return b.build()


def test_a_load_that_depends_on_time_and_state_is_recorded():
    mech = pushed(lambda t, q, v: (np.sin(3.0 * t) * q[0], 0.0, -v[0]))
    q, v, _, tau = state_of(mech)
    t = np.linspace(0.0, 1.0, STATES)
    compiled, by_numpy = lw.Dynamics(mech, compiled=True), lw.Dynamics(mech, compiled=False)
    close(compiled.forward(q, v, tau, t), by_numpy.forward(q, v, tau, t), 1e-12)
    close(compiled.forward(q[0], v[0], tau[0], 0.3), by_numpy.forward(q[0], v[0], tau[0], 0.3), 1e-12)
    close(compiled.inverse(q, v, v, 0.7), by_numpy.inverse(q, v, v, 0.7), 1e-12)
    made = compiled.kernel("forward")
    assert [name for name, _ in made.face.inputs] == ["q", "v", "tau", "t"]
    for width in WIDTHS:
        close(compiled.kernel("forward", width=width)(q, v, tau, t), by_numpy.forward(q, v, tau, t), 1e-12)


def table(t):
    """A load that symbols cannot run through."""
    return (1.0, 0.0, 0.0) if float(t) < 0.5 else (-1.0, 0.0, 0.0)


def test_a_load_that_cannot_be_recorded_stays_with_numpy():
    mech = pushed(table)
    dyn, by_numpy = lw.Dynamics(mech), lw.Dynamics(mech, compiled=False)
    q, v, _, tau = (np.repeat(x, 100, axis=0) for x in state_of(mech))
    t = np.linspace(0.0, 1.0, len(q))
    assert len(q) > PATIENCE
    for _ in range(2):
        np.testing.assert_array_equal(dyn.forward(q, v, tau, t), by_numpy.forward(q, v, tau, t))
    assert dyn.forward(q[0], v[0], tau[0], 0.0)[0] != dyn.forward(q[0], v[0], tau[0], 1.0)[0]
    close(dyn.mass_matrix(q), by_numpy.mass_matrix(q), 1e-12)  # which the load has no part in


def test_a_load_that_cannot_be_recorded_cannot_be_compiled_either():
    message = r"wrench 'push': its force cannot be recorded: it is a Python function that does not work on symbols \("
    dyn = lw.Dynamics(pushed(table), compiled=True)
    with pytest.raises(lw.LoopwrightError, match=message + r".*\)\. Write it with \+ - \* / and np\.sin"):
        dyn.forward([0.1], [0.0])
    with pytest.raises(lw.LoopwrightError, match=message):
        lw.Dynamics(pushed(table)).kernel("forward")


# free parameters


def crane():
    b = lw.Builder("crane", gravity=(0, 0, -9.81))
    length, mass, stiffness = b.parameter("length", 0.7), b.parameter("mass", 2.0), b.parameter("stiffness", 3.0)
    b.body("boom", mass=mass, com=(length / 2, 0, 0.1), inertia=(0.03, 0.02 * mass, 0.04))
    b.body("load", mass=1.5, com=(0, 0.1, -0.3), inertia=(0.05, 0.06, 0.07))
    b.revolute("hinge", "ground", "boom", axis=(0, 1, 0), stiffness=stiffness, damping=0.1 * mass)
    b.universal("hook", "boom", "load", axes=((0, 1, 0), (1, 0, 0)), xyz=(length, 0, 0))
    return b.build()


@pytest.mark.parametrize("names", [("length",), ("mass", "stiffness"), ("stiffness", "length", "mass")])
@pytest.mark.parametrize("width", WIDTHS)
def test_free_parameters_are_inputs(names, width):
    mech = crane()
    dyn = lw.Dynamics(mech)
    q, v, a, tau = state_of(mech)
    values = {"length": np.linspace(0.4, 1.2, STATES), "mass": np.linspace(1.0, 3.0, STATES), "stiffness": 4.0}
    forward = dyn.kernel("forward", parameters=names, width=width)
    inverse = dyn.kernel("inverse", parameters=names, width=width)
    assert [name for name, _ in forward.face.inputs] == ["q", "v", "tau", *names]
    given = [values[name] for name in names]
    found, forces = forward(q, v, tau, *given), inverse(q, v, a, *given)
    for n in range(STATES):
        here = {name: float(np.broadcast_to(values[name], STATES)[n]) for name in names}
        other = lw.Dynamics(mech.with_parameters(**here), compiled=False)
        close(found[n], other.forward(q[n], v[n], tau[n]), 1e-11)
        close(forces[n], other.inverse(q[n], v[n], a[n]), 1e-12, np.abs(forces).max())
    # at their present values they are what the mechanism has
    present = [mech.values[name] for name in names]
    close(forward(q, v, tau, *present), lw.Dynamics(mech, compiled=False).forward(q, v, tau), 1e-11)


def test_a_free_parameter_that_does_not_exist_is_named():
    with pytest.raises(lw.LoopwrightError, match="lenght"):
        lw.Dynamics(crane()).kernel("forward", parameters=("lenght",))


def test_a_mechanism_with_nothing_to_move():
    b = lw.Builder("statue")
    b.body("stone", 3.0, (0, 0, 1.0), (1.0, 1.0, 1.0))
    b.weld("glue", "ground", "stone", xyz=(1.0, 2.0, 3.0))
    mech = b.build()
    assert mech.nv == 0
    for compiled in (True, False):
        dyn = lw.Dynamics(mech, compiled=compiled)
        nothing = np.zeros((4, 0))
        assert dyn.forward(nothing, nothing, nothing).shape == (4, 0)
        assert dyn.mass_matrix(nothing).shape == (4, 0, 0)
        assert dyn.jacobian("stone", nothing).shape == (4, 6, 0)
        close(dyn.pose("stone", nothing).p, np.tile([1.0, 2.0, 3.0], (4, 1)))


@pytest.mark.parametrize("width", WIDTHS)
def test_angles_beyond_the_inline_functions(width):
    """A state in doubt is asked again by itself: the same bits, written over an input too, and no other state moves."""
    mech = open_zoo()["puma560"]
    made = lw.Dynamics(mech).kernel("forward", width=width)
    q, v, _, tau = (np.tile(x, (8, 1))[:37] for x in state_of(mech))
    usual = made(q, v, tau)
    q[5, 2], q[6, 0], q[36, 4], q[20, 1] = 1e12, -3e10, 2e9, np.inf
    odd = [5, 6, 20, 36]
    found = made(q, v, tau)
    rest = np.setdiff1d(np.arange(37), odd)
    np.testing.assert_array_equal(found[rest], usual[rest])
    program = lw.Dynamics(mech).casadi("forward")  # adds the same constants to the angles
    for n in (5, 6, 36):
        close(found[n], np.array(program(q[n], v[n], tau[n])).ravel(), 1e-11)
    assert np.isnan(found[20]).all()
    for n in odd:
        np.testing.assert_array_equal(made(q[n], v[n], tau[n]), found[n])
    over = q.copy()
    np.testing.assert_array_equal(made(over, v, tau, out=over), found)
    np.testing.assert_array_equal(made(q[::-1], v[::-1], tau[::-1])[::-1], found)
