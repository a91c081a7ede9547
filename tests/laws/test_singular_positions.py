"""Where loops lose rows or chosen coordinates fail: right answers, marked, and none that poisons others."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure import FORMULATIONS, rank
from loopwright.closure import close as closed
from loopwright.closure.rows import rows
from loopwright.verbs.closed import REGULAR, loaded
from loopwright.zoo.n_four_bar import n_four_bar
from tests.mechanisms import FULL, close, rocker_at_its_dead_point

G = 9.81
COUNTS = (1, 2, 3, 5, 10, 20, 40) if FULL else (1, 2, 6)


def parallel(mechanism, angle, rate):
    """Uprights of the row of four-bars turned by this angle from the vertical, couplers level."""
    signs = np.array([1.0 if name.startswith("pivot") else -1.0 for name in mechanism.coordinates])
    return -angle * signs, -rate * signs


def fall(n, angle):
    """Of the parallelogram: n + 1 uprights turn, n couplers are carried along."""
    # ((n + 1) / 3 + n) th'' = ((n + 1) / 2 + n) g sin th
    return ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * G * np.sin(angle)


def least_constraint(dyn, q, v, tau):
    """Of all accelerations that the rows allow as they stand, those nearest to the free ones in the mass's measure."""
    at = loaded(dyn.topology.forest, dyn.loops, q, v, tau, 0.0)
    every = rows(at.links, at.cuts, at.nv)
    free = np.linalg.solve(at.I, at.phi)
    root = np.linalg.cholesky(at.I).T
    # minimise |root (a - free)| with J a = -d,  by the pseudo-inverse of J root^-1
    return free + np.linalg.solve(
        root, np.linalg.pinv(every.J @ np.linalg.inv(root), 1e-6) @ -(every.drift + every.J @ free)
    )


@pytest.mark.parametrize("n", COUNTS)
def test_momentum_decides_where_all_bars_lie_in_one_line(n):
    mechanism = n_four_bar(n)
    dyn = lw.Dynamics(mechanism, compiled=False)
    for angle in (np.pi / 2, -np.pi / 2, np.pi / 2 + 1e-7, np.pi / 2 - 1e-3):
        q, v = parallel(mechanism, angle, 1.0)
        expected = parallel(mechanism, 0.0, fall(n, angle))[1]
        found = dyn.forward(q, v, details=True)
        # extrapolated over steps of 0.01: 1e-12 of sixth derivatives, and rounding by the step and the pivots
        close(found.a, expected, 1e-8)
        assert bool(found.singular) == (abs(abs(angle) - np.pi / 2) < 1e-5)
        assert found.standing.regular == (abs(abs(angle) - np.pi / 2) > 1e-4)
        close(dyn.inverse(q, v, expected), np.zeros(mechanism.nu), 1e-8, scale=G * n)


def test_on_the_other_branch_the_other_motion_goes_on():
    """A rhombus folded flat: the coupler lies on the far upright and turns with it about its pivot."""
    mechanism = n_four_bar(1)
    dyn = lw.Dynamics(mechanism)
    q, _ = parallel(mechanism, np.pi / 2, 0.0)
    names = list(mechanism.coordinates)
    v = np.zeros(3)
    v[[names.index("left_1"), names.index("pivot_1")]] = -1.0
    a = dyn.forward(q, v)
    # two bars of a length and a mass about the pivot: 2/3 th'' = 2 g / 2
    close(a[names.index("pivot_1")], -1.5 * G, 1e-9)
    close(a[names.index("left_1")], -1.5 * G, 1e-9)
    close(a[names.index("pivot_0")], 0.0, 1e-9, scale=G)


@pytest.mark.parametrize("n", COUNTS)
def test_at_rest_nothing_decides_and_the_accelerations_are_those_of_least_constraint(n):
    mechanism = n_four_bar(n)
    dyn = lw.Dynamics(mechanism, compiled=False)
    q, v = parallel(mechanism, np.pi / 2, 0.0)
    tau = np.random.default_rng(n).normal(size=mechanism.nu)
    found = dyn.forward(q, v, tau, details=True)
    assert found.singular
    close(found.a, least_constraint(dyn, q, v, tau), 1e-10)
    # to hold still what has n freedoms more
    held = dyn.inverse(q, v, np.zeros(mechanism.nv), details=True)
    assert held.singular
    lacking = np.zeros(mechanism.nv)
    for name, force in held.unmet.items():
        lacking[mechanism.velocities.index(name)] = force
    # as every coordinate has a motor, none lacks anything
    close(lacking, np.zeros(mechanism.nv), 1e-10, scale=G)
    close(dyn.forward(q, v, held.tau), np.zeros(mechanism.nv), 1e-10, scale=G)


@pytest.mark.parametrize("compiled", [False, True])
def test_in_a_batch_only_the_singular_states_are_marked_and_none_poisons_another(compiled):
    mechanism = n_four_bar(2)
    dyn = lw.Dynamics(mechanism, compiled=compiled)
    angles = np.array([[0.3, np.pi / 2, 1.0], [-np.pi / 2, 2.0, 0.0]])
    states = [[parallel(mechanism, angle, 1.0) for angle in row] for row in angles]
    q, v = (np.array([[state[k] for state in row] for row in states]) for k in (0, 1))
    a = dyn.forward(q, v)
    close(a, [[parallel(mechanism, 0.0, fall(2, angle))[1] for angle in row] for row in angles], 1e-8)
    for name in ("forward", "inverse"):
        given = (q, v, np.zeros(mechanism.nu)) if name == "forward" else (q, v, a)
        rough = dyn.kernel(name)(*given)
        # a kernel by itself marks those states by what is no number, and no others
        assert (~np.isfinite(rough)).all(axis=-1).tolist() == [[False, True, False], [True, False, False]]
        alone = np.stack(
            [dyn.kernel(name)(*(x[0, 0] for x in given[:2]), given[2][0, 0] if name == "inverse" else given[2])]
        )
        close(rough[0, 0], alone[0], 1e-14)
    found = dyn.forward(q, v, details=True)
    assert found.singular.tolist() == [[False, True, False], [True, False, False]]
    assert [[one.branching for one in row] for row in found.standing] == found.singular.tolist()
    assert np.isfinite(dyn.inverse(q, v, a)).all()


@pytest.mark.parametrize("one", FORMULATIONS, ids=lambda one: one.name)
def test_every_formulation_says_that_rows_are_lost(one):
    """Whole rows vanish where the bars lie along x, and depend on each other where they lie along another line."""
    for slope in (0.0, 0.4):
        b = lw.Builder("leaning", gravity=(0, -G, 0))
        along = np.array([np.cos(slope), np.sin(slope), 0.0])
        for body in ("left", "level", "right"):
            b.rod(body, 1.0, to=tuple(along))
        b.revolute("a", "ground", "left")
        b.revolute("b", "left", "level", xyz=tuple(along))
        b.revolute("c", "ground", "right", xyz=tuple(along))
        b.revolute("d", "level", "right", xyz=tuple(along), child_xyz=tuple(along))
        dyn = lw.Dynamics(b.build(), formulation=one.name)
        for off, regular in ((0.0, False), (0.5, True)):
            q = np.array([off, -off, off])
            at = loaded(dyn.topology.forest, dyn.loops, q, np.array([1.0, -1.0, 1.0]), np.zeros(3), 0.0)
            with np.errstate(all="ignore"):
                assert (one.forward_dynamics(at).health > REGULAR) == regular


def at_angle(dyn, joint, angle, start):
    """The closed position near `start` with one coordinate given."""
    k = dyn.mechanism.coordinates.index(joint)
    q = np.array(start, dtype=float)
    q[k] = angle
    ended = closed(dyn.loops.closing, q, fixed=np.array([k]))
    assert ended.left < 1e-12
    return ended.q


def test_a_bad_choice_of_coordinates_is_no_singular_position():
    """The rocker drives; where crank and coupler are in line it cannot turn, though the loop is as regular as ever."""
    mechanism, q = rocker_at_its_dead_point()
    dyn = lw.Dynamics(mechanism)
    assert np.abs(dyn.closure(q)).max() < 1e-14
    J = dyn.closure_jacobian(q)
    v = 2.0 * np.linalg.svd(J)[2][rank(J)]
    assert abs(v[mechanism.coordinates.index("rocker_joint")]) < 1e-12
    assert not np.isfinite(dyn.kernel("inverse")(q, v, np.zeros(3))).all()
    found = dyn.forward(q, v, [1.0], details=True)
    assert not found.singular
    # the motor stands still whatever moves, and the others move without it
    assert found.standing.type == "output"
    assert found.standing.still == ("rocker_joint",)
    assert found.standing.joints == ("crank_joint", "crank_pin")
    assert found.standing.distance < 1e-12
    close(found.a, least_constraint(dyn, q, v, np.array([1.0])), 1e-11)
    # the rocker's torque does nothing here, and so cannot make another motion
    close(dyn.forward(q, v, [5.0]), found.a, 1e-10)
    close(dyn.inverse(q, v, found.a), [0.0], 1e-9, scale=5.0)
    with pytest.raises(lw.LoopwrightError, match="cannot make this motion"):
        dyn.inverse(q, v, found.a + v)


def test_motors_that_lose_their_grip_are_told():
    """Five bars with the two lower ones in line: the tip can give way along a line that no motor reaches."""
    mechanism = lw.zoo.five_bar()
    dyn = lw.Dynamics(mechanism)
    names = list(mechanism.coordinates)
    # elbows of both legs 1.9 m apart: from the start, open shoulder 1 until they are
    q = np.array([lw.zoo.start("five_bar")[name] for name in names])
    shoulder = {name: q[names.index(name)] for name in names}

    def elbows(first):
        one = 0.6 * np.array([np.cos(first), np.sin(first)])
        other = np.array([1.2, 0]) + 0.7 * np.array([np.cos(shoulder["shoulder_2"]), np.sin(shoulder["shoulder_2"])])
        return one, other

    low, high = shoulder["shoulder_1"], 3.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.linalg.norm(np.subtract(*elbows(middle))) < 1.9 else (low, middle)
    one, other = elbows(low)
    line = np.arctan2(*(other - one)[::-1])
    q = np.array(
        [
            {
                "shoulder_1": low,
                "elbow_1": line - low,
                "shoulder_2": shoulder["shoulder_2"],
                "elbow_2": line + np.pi - shoulder["shoulder_2"],
            }[n]
            for n in names
        ]
    )
    assert np.abs(dyn.closure(q)).max() < 1e-14
    J = dyn.closure_jacobian(q)
    N = np.linalg.svd(J)[2][rank(J) :].T
    v = N @ [1.0, -0.5]
    tau = np.array([2.0, -3.0])
    a = dyn.forward(q, v, tau)
    close(a, least_constraint(dyn, q, v, tau), 1e-10)
    # of all torques that make this motion the least ones; they make it
    least = dyn.inverse(q, v, a)
    assert np.linalg.norm(least) <= np.linalg.norm(tau) + 1e-9
    close(dyn.forward(q, v, least), a, 1e-8)
    loose = N @ np.linalg.svd(N[[names.index(m) for m in mechanism.actuators]])[2][-1]
    with pytest.raises(lw.LoopwrightError, match=r"cannot make this motion: .* lacks"):
        dyn.inverse(q, v, a + loose)


@pytest.mark.parametrize("name", ["bricard", "bennett", "four_bar", "wang_four_bar", "andrews", "n_four_bar"])
def test_repeated_rows_are_no_singular_positions(name):
    mechanism = lw.zoo.MECHANISMS[name]()
    dyn = lw.Dynamics(mechanism, compiled=False)
    start = lw.zoo.start(name)
    q = np.array([start[c] for c in mechanism.coordinates])
    J = dyn.closure_jacobian(q)
    v = np.linalg.svd(J)[2][rank(J) :].T.sum(axis=1)
    assert rank(J) < len(J)
    found = dyn.forward(q, v, details=True)
    assert not found.singular
    close(found.a, least_constraint(dyn, q, v, np.zeros(mechanism.nu)), 1e-9, scale=G)


def test_links_at_singular_positions_have_reactions_that_are_said_to_be_open():
    mechanism = n_four_bar(1)
    dyn = lw.Dynamics(mechanism)
    q, v = parallel(mechanism, np.pi / 2, 1.0)
    found = dyn.forward(q, v, details=True)
    assert all(np.isfinite(w).all() for w in found.reactions.values())
    # the bars may press against each other along their line with any force
    assert not any(flags[3] for flags in found.determinate.values())
    regular = dyn.forward(*parallel(mechanism, 1.0, 1.0), details=True)
    assert all(flags[3] and flags[4] for flags in regular.determinate.values())


def parallelogram():
    """Two cranks of .4 m, 1.2 m apart: folded flat it may go on as a parallelogram or crossed."""
    b = lw.Builder("parallelogram", gravity=(0, -9.81, 0))
    b.rod("a", 1.0, to=(0.4, 0, 0))
    b.rod("c", 2.0, to=(1.2, 0, 0))
    b.rod("d", 1.5, to=(0.4, 0, 0))
    b.revolute("p1", "ground", "a", actuated=True)
    b.revolute("p2", "a", "c", xyz=(0.4, 0, 0))
    b.revolute("p3", "ground", "d", xyz=(1.2, 0, 0))
    b.revolute("p4", "c", "d", xyz=(1.2, 0, 0), child_xyz=(0.4, 0, 0))
    return b.build()


def test_where_branches_meet_a_velocity_leads_along_one_of_them():
    mechanism = parallelogram()
    dyn, flat = lw.Dynamics(mechanism), np.zeros(3)
    for name in ("p1", "p2", "p3"):
        v, a = dyn.complete(flat, {name: 1.0}, {name: 0.0})
        # parallel, or crossed: the coupler then turns about a point of the line where both cranks' ends move alike
        ratio = v[2] / v[0]
        assert min(abs(ratio - r) for r in (1.0, -2.0, -0.5)) < 1e-9
        assert v[mechanism.velocities.index(name)] == pytest.approx(1.0)
        # both are what a little further on, closed and driven alike, the loop does
        gap = np.abs(dyn.closure(mechanism.integrate(flat, 1e-3 * v + 5e-7 * a))).max()
        assert gap < 1e-8
        lw.assemble(mechanism, {"p1": 0.0}, v={name: 1.0}, a={name: 0.0})


def test_a_motion_that_one_singular_state_forbids_is_refused_there_only():
    mechanism = parallelogram()
    dyn = lw.Dynamics(mechanism)
    angles = np.array([0.5, 0.0, 1.0, np.pi])
    q = np.stack([angles, -angles, angles], axis=1)
    for name in ("p1", "p3"):
        tau = dyn.inverse(q, {name: np.ones(4)}, {name: np.zeros(4)})
        assert np.isfinite(tau).all()
        for k in (0, 2):
            close(tau[k], dyn.inverse(q[k], {name: 1.0}, {name: 0.0}), 1e-12)


def test_at_dead_points_only_states_among_many_are_no_numbers():
    """A piston that drives its crank does nothing where crank and rod are in line, nor can it move there."""
    b = lw.Builder("engine", gravity=(0, -9.81, 0))
    b.rod("crank", 1.0, to=(0.3, 0, 0))
    b.rod("rod", 1.0, to=(0.8, 0, 0))
    b.body("piston", 2.0, inertia=(0.1, 0.1, 0.1))
    b.revolute("main", "ground", "crank")
    b.revolute("pin", "crank", "rod", xyz=(0.3, 0, 0))
    b.revolute("wrist", "rod", "piston", xyz=(0.8, 0, 0))
    b.prismatic("slide", "ground", "piston", axis=(1, 0, 0), actuated=True)
    mechanism = b.build()
    dyn = lw.Dynamics(mechanism)
    q = np.array([lw.assemble(mechanism, {"main": angle})[0].q for angle in (0.0, 0.5, 1.0, np.pi)])
    for name in ("main", "slide"):
        tau = dyn.inverse(q, {name: np.ones(4)}, {name: np.full(4, 0.5)})
        assert np.isfinite(tau).all(axis=1).tolist() == [False, True, True, False]
        for k in (1, 2):
            close(tau[k], dyn.inverse(q[k], {name: 1.0}, {name: 0.5}), 1e-12)
    with pytest.raises(lw.LoopwrightError, match="'slide' of 'engine' cannot have the velocity 1"):
        dyn.inverse(q[0], {"slide": 1.0}, {"slide": 0.5})
    with pytest.raises(lw.LoopwrightError, match="the actuators of 'engine' cannot make this motion"):
        dyn.inverse(q[0], {"main": 1.0}, {"main": 0.5})
    assert dyn.inverse(q[0], {"main": 1.0}, {"main": 0.5}, details=True).standing.type == "output"
