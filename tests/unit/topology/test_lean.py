"""The forest that programs are recorded from against the forest as the user said it."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

import loopwright as lw
from loopwright.dynamics import FORWARD, INVERSE, MASS, poses
from loopwright.dynamics.links import links_at
from loopwright.program import counted, tape_of
from loopwright.spatial import Pose, Screw, Symbol
from loopwright.testing import MOVING, random_tree
from loopwright.topology import BASE, forest, lean
from loopwright.verbs import quantities as ask
from tests.mechanisms import close, open_zoo, recorded

EPS = np.finfo(float).eps
ONE_AXIS = ("revolute", "prismatic", "screw", "cylindrical")


def with_welds(seed):
    """A tree in which bodies are welded to the ground, between joints and at the tips."""
    rng = np.random.default_rng(seed)
    b = lw.Builder("welded", gravity=(1.0, -2.0, -9.0))
    for i in range(8):
        b.body(f"b{i}", rng.uniform(0.5, 2.0), rng.normal(size=3) * 0.2, (0.3, 0.2, 0.25, 0.01, -0.02, 0.03))
    ends = [
        ("ground", "b0"),
        ("b0", "b1"),
        ("b1", "b2"),
        ("b3", "b2"),
        ("b3", "b4"),
        ("b5", "b1"),
        ("b5", "b6"),
        ("b6", "b7"),
    ]
    kinds = ["weld", "revolute", "weld", "universal", "weld", "planar", "cylindrical", "weld"]
    for i, (kind, (parent, child)) in enumerate(zip(kinds, ends, strict=True)):
        axis = {"revolute": "axis", "cylindrical": "axis", "planar": "normal"}.get(kind)
        how = {axis: rng.normal(size=3)} if axis else {"axes": rng.normal(size=(2, 3))} if kind == "universal" else {}
        b_joint = getattr(b, kind)
        b_joint(
            f"j{i}", parent, child, xyz=rng.normal(size=3), rpy=rng.normal(size=3), child_xyz=rng.normal(size=3), **how
        )
    return b.build()


def subjects():
    """Every kind of joint by itself and all together, forwards and backwards, loaded, floating, welded."""
    for kind in MOVING:
        for seed in range(6):
            yield f"{kind} {seed}", random_tree(seed, bodies=1 + seed % 4, kinds=(kind,), loads=seed % 2 == 0)
    for seed in range(25):
        yield f"all {seed}", random_tree(seed, bodies=1 + seed % 8, loads=True, floating=seed % 3 == 0)
    for seed in range(3):
        yield f"welded {seed}", with_welds(seed)
    for name, mech in open_zoo().items():
        if mech.nv <= 20:
            yield name, mech


SUBJECTS = [pytest.param(mech, id=label) for label, mech in subjects()]


def state_of(mech):
    q, v = mech.random_state(4)
    return q, v, np.linspace(-2.0, 1.0, mech.nv), np.linspace(-1.0, 1.0, mech.nu)


def inverse_scale(plain, q, v, a):
    """Forces that may cancel each other: those of the speeds, the accelerations and gravity one by one."""
    compute = ask.inverse(INVERSE[0]).compute
    still = 0.0 * v
    parts = [compute(plain, q, still, still, 0.0), compute(plain, q, v, still, 0.0), compute(plain, q, still, a, 0.0)]
    return max(np.abs(part).max() for part in parts)


@pytest.mark.parametrize("mech", SUBJECTS)
def test_equations_of_motion_are_the_same(mech):
    plain = forest(mech)
    q, v, a, tau = state_of(mech)
    I = ask.mass_matrix(MASS[0]).compute(plain, q)
    force, acceleration = ask.inverse(INVERSE[0]).compute, ask.forward(FORWARD[0]).compute
    scale = inverse_scale(plain, q, v, a)
    for other in (lean(plain), lean(plain, lump=False)):
        close(ask.mass_matrix(MASS[0]).compute(other, q), I, 1e-13)
        close(force(other, q, v, a, 0.3), force(plain, q, v, a, 0.3), 1e-12, scale)
        close(ask.bias(other, q, v, 0.3), ask.bias(plain, q, v, 0.3), 1e-12, scale)
        close(ask.gravity(other, q), ask.gravity(plain, q), 1e-12, scale)
        digits = max(1e-12, 20.0 * EPS * np.linalg.cond(I))
        close(acceleration(other, q, v, tau, 0.3), acceleration(plain, q, v, tau, 0.3), digits)


@pytest.mark.parametrize("mech", SUBJECTS[::3])
def test_masses_that_are_not_lumped_stay_with_their_bodies(mech):
    plain = forest(mech)
    other = lean(plain, lump=False)
    q, v, a, _ = state_of(mech)
    close(ask.energy(other, q, v), ask.energy(plain, q, v), 1e-13)
    close(ask.whole_momentum(other, q, v), ask.whole_momentum(plain, q, v), 1e-12)
    close(ask.mass_centre(other, q), ask.mass_centre(plain, q), 1e-13)
    by_centres = ask.inverse(INVERSE[1]).compute
    close(by_centres(other, q, v, a, 0.0), by_centres(plain, q, v, a, 0.0), 1e-12, inverse_scale(plain, q, v, a))


@pytest.mark.parametrize("mech", SUBJECTS[::3])
def test_bodies_ride_where_they_did(mech):
    plain = forest(mech)
    q, *_ = state_of(mech)
    X = poses(links_at(plain, q))
    for other in (lean(plain), lean(plain, lump=False)):
        Y = poses(links_at(other, q))
        assert other.seats.keys() == plain.seats.keys()
        for name, seat in plain.seats.items():
            here = X[seat.node] @ seat.X if seat.node != BASE else seat.X
            moved = other.seats[name]
            there = Y[moved.node] @ moved.X if moved.node != BASE else moved.X
            close(there.R, here.R, 1e-13)
            close(there.p, here.p, 1e-13, scale=max(1.0, np.abs(here.p).max()))


def test_universal_and_planar_joints_become_one_dof_joints():
    for seed in range(4):
        mech = random_tree(seed, bodies=3, kinds=("universal", "planar", "spherical"))
        nodes = lean(forest(mech)).nodes
        assert {node.kind.name for node in nodes} <= {"revolute", "prismatic", "spherical"}
        assert [node.index for node in nodes] == list(range(len(nodes)))
        assert all(node.parent < node.index for node in nodes)
        assert sorted(k for node in nodes for k in range(mech.nv)[node.v]) == list(range(mech.nv))


# frames


@pytest.mark.parametrize("mech", SUBJECTS[::2])
def test_the_way_to_every_joint_is_steps_along_z_x_and_z(mech):
    other = lean(forest(mech))
    for node in other.nodes:
        assert [k for k, *_ in node.lead] in ([], [0], [2], [2, 0])
        assert node.trail[0] == 2
        X = Pose()
        for step in (*node.lead, node.trail):
            X = X @ Screw.of(*step).pose
        close(X.R, node.X_tree.R, 1e-13)
        close(X.p, node.X_tree.p, 1e-13, scale=max(1.0, np.abs(node.X_tree.p).max()))


def test_the_common_normal_is_x_from_an_axis_to_the_next():
    """Modified Denavit-Hartenberg axes: between two joints of one axis there is one screw, along x."""
    for seed in range(8):
        mech = random_tree(seed, bodies=6, kinds=ONE_AXIS, branching=1)
        nodes = lean(forest(mech)).nodes
        assert [k for k, *_ in nodes[0].lead] == [2, 0]  # the ground's frame stands where it stands
        for node in nodes[1:]:
            assert [k for k, *_ in node.lead] == [0]
        # the tip's frame takes up the last slide, and the last turn or, where it turns anyway, an entry of its moment
        k, theta, d = nodes[-1].trail
        assert (k, d) == (2, 0.0)
        assert theta == 0.0 or (nodes[-1].kind.name != "prismatic" and nodes[-1].inertia.moment[1] == 0.0)


def test_axes_that_are_parallel_or_coincide():
    b = lw.Builder("folded")
    for name in "abcde":
        b.body(name, 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    b.revolute("first", "ground", "a", axis=(0, 0, 1))
    b.revolute("parallel", "a", "b", axis=(0, 0, 1), xyz=(0.3, 0.4, 0.7))
    b.revolute("same", "b", "c", axis=(0, 0, 1), xyz=(0.0, 0.0, 0.2))
    b.prismatic("along", "c", "d", axis=(0, 0, -1), rpy=(0.0, 0.0, 0.4))
    b.revolute("across", "d", "e", axis=(1, 0, 0))
    mech = b.build()
    _, parallel, same, along, across = lean(forest(mech)).nodes
    assert [(k, turn) for k, turn, _ in parallel.lead if k == 0] == [(0, 0.0)]
    assert not any(k == 0 for k, *_ in same.lead)
    assert [(k, round(turn, 12), slide) for k, turn, slide in along.lead if k == 0] == [(0, round(np.pi, 12), 0.0)]
    assert [(k, round(abs(turn), 12)) for k, turn, _ in across.lead if k == 0] == [(0, round(np.pi / 2, 12))]
    plain, q, v, a = forest(mech), *state_of(mech)[:3]
    compute = ask.inverse(INVERSE[0]).compute
    close(compute(lean(plain), q, v, a, 0.0), compute(plain, q, v, a, 0.0), 1e-13, inverse_scale(plain, q, v, a))


@pytest.mark.parametrize("angle", [1e-3, 1e-6, 1e-9, 1e-11, 1e-13, 1e-15])
def test_axes_that_are_nearly_parallel(angle):
    """Their common normal may run off to where digits are lost; the answers must keep theirs."""
    b = lw.Builder("nearly")
    for name in "abc":
        b.body(name, 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    b.revolute("first", "ground", "a", axis=(0, 0, 1))
    b.revolute("second", "a", "b", axis=(np.sin(angle), 0, np.cos(angle)), xyz=(0.3, 0.4, 0.7))
    b.revolute("third", "b", "c", axis=(0, np.sin(angle), np.cos(angle)), xyz=(0.3, 0.4, 0.7))
    mech = b.build()
    plain, q, v, a = forest(mech), *state_of(mech)[:3]
    compute = ask.inverse(INVERSE[0]).compute
    for other in (lean(plain), lean(plain, lump=False)):
        close(ask.mass_matrix(MASS[0]).compute(other, q), ask.mass_matrix(MASS[0]).compute(plain, q), 1e-12)
        close(compute(other, q, v, a, 0.0), compute(plain, q, v, a, 0.0), 1e-12, inverse_scale(plain, q, v, a))


# masses


def test_the_first_axis_keeps_only_what_it_turns():
    """Mass on the axis and inertia round about it never enter."""
    mech = random_tree(0, bodies=1, kinds=("revolute",), backwards=False)
    (node,) = lean(forest(mech)).nodes
    assert node.inertia.mass == 0.0
    assert node.inertia.moment[2] == 0.0


def test_lumping_and_frames_save_operations():
    """For a general arm with six revolute joints, by recursive Newton-Euler and articulated bodies."""
    mech = random_tree(5, bodies=6, kinds=("revolute",), branching=1, backwards=False)
    plain = forest(mech)

    def operations(quantity, some):
        sizes = {"q": 6, "v": 6, "a": 6, "tau": 6, "t": 0}
        f = recorded(quantity.compute, some, **{name: sizes[name] for name in quantity.inputs})
        inputs = f.sx_in()
        return counted(tape_of(casadi.Function("f", inputs, [casadi.cse(f(*inputs))]))).total

    for quantity in (ask.inverse(INVERSE[0]), ask.forward(FORWARD[0]), ask.mass_matrix(MASS[0])):
        as_said, unlumped, least = (operations(quantity, f) for f in (plain, lean(plain, lump=False), lean(plain)))
        assert least < unlumped < 0.85 * as_said


# numbers that are not known yet


def pendulums():
    b = lw.Builder("pendulums", gravity=(0, 0, -9.81))
    length, mass = b.parameter("length", 0.7), b.parameter("mass", 2.0)
    for name in "ab":
        b.body(name, mass=mass, com=(length / 2, 0.1, 0), inertia=(0.04, 0.02 * mass, 0.03, 0.001, 0, 0))
    b.revolute("first", "ground", "a", axis=(0, 1, 0))
    b.universal("second", "a", "b", axes=((0, 1, 0), (1, 0, 1)), xyz=(length, 0, 0.2))
    return b.build()


def free(mech, names):
    inputs = [casadi.SX.sym(name) for name in names]
    return inputs, forest(mech, {name: Symbol(x) for name, x in zip(names, inputs, strict=True)})


def test_symbols_in_placements_leave_frames_alone():
    _, some = free(pendulums(), ["length", "mass"])
    other = lean(some)
    assert all(node.lead is None for node in other.nodes)
    assert len(other.nodes) == 3  # the universal joint is taken apart all the same


def test_symbols_in_masses_do_not():
    _, some = free(pendulums(), ["mass"])
    assert all(node.lead is not None for node in lean(some).nodes)


@pytest.mark.parametrize("names", [["length"], ["mass"], ["length", "mass"]])
def test_symbols_give_what_numbers_give(names):
    from loopwright.spatial import expression, symbols

    mech = pendulums()
    inputs, some = free(mech, names)
    q, v, a = (casadi.SX.sym(name, 3) for name in "qva")
    values = {"length": 0.5, "mass": 3.0}
    state = (np.array([0.3, -0.4, 0.9]), np.array([1.0, -2.0, 0.5]), np.array([0.2, 0.1, -0.7]))
    exact = mech.with_parameters(**{name: values[name] for name in names})
    expected = ask.inverse(INVERSE[0]).compute(forest(exact), *state, 0.0)
    for lump in (True, False):
        answer = ask.inverse(INVERSE[0]).compute(lean(some, lump), *map(symbols, (q, v, a)), 0.0)
        f = casadi.Function("f", [q, v, a, *inputs], [expression(answer)])
        close(np.array(f(*state, *(values[name] for name in names))).ravel(), expected, 1e-13)
