"""The rolled form gives what NumPy gives when it runs the same text, in every width and batch, over zoo and trees."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import loopwright as lw
from loopwright.program.native import call_once
from loopwright.testing import MOVING, random_tree
from tests.agree.test_kernels import EPS, scale_of
from tests.mechanisms import FULL, close, forces, open_zoo

WIDTHS = (1, 2, 4, 8)
BATCHES = (1, 2, 7, 8, 9, 64, 1003)
TREES = range(300 if FULL else 40)
ASKED = (
    {"name": "forward", "algorithm": "aba"},
    {"name": "forward", "algorithm": "denoc"},
    {"name": "inverse", "algorithm": "rnea"},
    {"name": "inverse", "algorithm": "gibbs_appell"},
    {"name": "bias"},
    {"name": "gravity"},
)


def states(mech, count, seed=5):
    some = [mech.random_state(seed + n) for n in range(min(count, 5))]
    rng = np.random.default_rng(seed)
    q, v = (np.resize(np.array([state[k] for state in some]), (count, len(some[0][k]))) for k in (0, 1))
    v = v * rng.uniform(0.5, 1.5, (count, 1))
    return {"q": q, "v": v, "a": rng.uniform(-2, 2, (count, mech.nv)), "tau": rng.uniform(-3, 3, (count, mech.nu))}


def by_numpy(mech, how, given):
    dyn = lw.Dynamics(mech, compiled=False)
    if how["name"] == "inverse":
        return forces(mech, *given.values(), how["algorithm"])
    if how["name"] == "forward":
        return dyn.forward(*given.values(), algorithm=how["algorithm"])
    return getattr(dyn, how["name"])(*given.values())


def check(mech, asked=ASKED, width=None, count=5):
    """Rolled kernels against NumPy."""
    values, dyn = states(mech, count), lw.Dynamics(mech)
    I = lw.Dynamics(mech, compiled=False).mass_matrix(values["q"][:5])
    worst = max(np.linalg.cond(one) for one in I) if mech.nv else 1.0
    for how in asked:
        made = dyn.kernel(**how, width=width, rolled=True)
        given = {name: values[name] for name, _ in made.face.inputs}
        expected = by_numpy(mech, how, given)
        digits = max(1e-12, 20.0 * EPS * worst) if how["name"] == "forward" else 1e-12
        first = {name: x[:5] for name, x in given.items()}
        close(made(*given.values()), expected, digits, scale_of(how["name"], mech, first, expected))


@pytest.mark.parametrize("seed", TREES)
def test_random_trees(seed):
    """Of every algorithm, in every width; half of them with loads."""
    mech = random_tree(seed, bodies=None if FULL else 1 + seed % 9, loads=seed % 2 == 0, floating=seed % 5 == 4)
    if lw.Dynamics(mech).topology.forest.point_springs and seed % 2:
        pytest.fail("loads are for even seeds")
    check(mech, ASKED if FULL else ASKED[seed % 6 :: 6], WIDTHS[seed % 4])


@pytest.mark.parametrize("kind", MOVING)
def test_every_kind_of_joint(kind):
    """From either end, with loads, the same kind several times over with other numbers."""
    mech = random_tree(8, bodies=5, kinds=(kind,), loads=True)
    check(mech, ASKED if FULL else (ASKED[0], ASKED[2]), 8)


def can_be_rolled(mech):
    """Not where a spring joins two bodies that move: no sweep meets both."""
    ground = -1
    springs = lw.Dynamics(mech).topology.forest.point_springs
    return all(ground in (spring.a.node, spring.b.node) for spring in springs)


@pytest.mark.parametrize("name", [name for name in open_zoo() if FULL or open_zoo()[name].nv > 5])
def test_the_zoo(name):
    if not can_be_rolled(open_zoo()[name]):
        with pytest.raises(lw.LoopwrightError, match="between two bodies that move"):
            lw.Dynamics(open_zoo()[name]).kernel("forward", rolled=True)
        return
    check(open_zoo()[name], ASKED if FULL else (ASKED[0], ASKED[2], ASKED[4]))


@pytest.mark.parametrize("width", WIDTHS)
def test_batches_of_any_length_and_the_same_bits_in_every_width(width):
    mech = random_tree(21, bodies=4, loads=True, floating=True)
    values, dyn = states(mech, max(BATCHES)), lw.Dynamics(mech)
    for name in ("forward", "inverse"):
        alone, wide = (dyn.kernel(name, width=w, rolled=True) for w in (1, width))
        given = [values[key] for key, _ in alone.face.inputs]
        expected = alone(*given)
        for count in BATCHES:
            np.testing.assert_array_equal(wide(*(x[:count] for x in given)), expected[:count])
        np.testing.assert_array_equal(wide(*given, threads=3), expected)
        # any strides, and into an array that is there
        out = np.full((7, 2 * mech.nv), np.nan)
        strided = [np.repeat(x[:7], 2, axis=1)[:, ::2] for x in given]
        wide(*strided, out=out[:, ::2])
        np.testing.assert_array_equal(out[:, ::2], expected[:7])
        assert np.isnan(out[:, 1::2]).all()


def test_what_is_not_finite_stays_in_its_state_and_its_tree():
    b = lw.Builder("two", gravity=(0, 0, -9.81))
    for name in ("left", "right"):
        b.rod(name, 1.0, (0.3, 0.1, -0.5))
        b.revolute(f"{name}_hinge", "ground", name, axis=(0, 1, 0))
    mech = b.build()
    q = np.zeros((9, 2))
    q[4, 1] = np.nan
    found = lw.Dynamics(mech).kernel("forward", rolled=True)(q, q * 0.0, q * 0.0)
    assert np.isnan(found[4, 1])
    assert np.isfinite(np.delete(found, 4, axis=0)).all()
    assert np.isfinite(found[4, 0])


def test_a_branching_tree_of_many_bodies():
    """Of all kinds: what forward dynamics gives fulfils the equations of motion to the rounding of their terms."""
    mech = random_tree(2, bodies=300 if FULL else 60)
    values, dyn = states(mech, 3), lw.Dynamics(mech)
    q, v, tau = values["q"], values["v"], values["tau"]
    a = dyn.kernel("forward", rolled=True)(q, v, tau)
    inverse = dyn.kernel("inverse", rolled=True)
    I = lw.Dynamics(mech, compiled=False).mass_matrix(q)
    # the sums that must come to tau
    scale = np.abs(dyn.kernel("bias", rolled=True)(q, v)).max() + (np.abs(I) @ np.abs(a)[..., None]).max()
    close(inverse(q, v, a), forces(mech, q, v, a), 1e-13, scale)
    close(inverse(q, v, a), tau, 1e-13, scale)


# choosing


def test_long_programs_are_rolled_and_short_ones_are_not(monkeypatch):
    from loopwright.verbs import record

    made = []
    for name in ("compiled", "compiled_rolled"):
        monkeypatch.setattr(record, name, lambda *given, name=name: made.append(name) or SimpleNamespace())
    short, long = lw.zoo.chain(6), lw.zoo.n_pendulum(n=130)
    for mech, rolled in ((short, None), (short, True), (long, None), (long, False)):
        lw.Dynamics(mech).kernel("inverse", rolled=rolled)
    assert made == ["compiled", "compiled_rolled", "compiled_rolled", "compiled"]
    lw.Dynamics(long).kernel("energy")
    assert made[-1] == "compiled"


def test_many_coordinates_are_worth_a_compilation_sooner():
    mech = lw.zoo.n_pendulum(n=130)
    dyn = lw.Dynamics(mech)
    q, v = mech.random_state()
    for _ in range(45):
        tau = dyn.bias(q, v)
    assert any(label.startswith("bias") for label in dyn._answers._kernels)
    close(tau, lw.Dynamics(mech, compiled=False).bias(q, v), 1e-12)


def hanging():
    b = lw.Builder("hanging", gravity=(0, 0, -9.81))
    mass = b.parameter("mass", 1.0)
    for k in range(2):
        b.body(f"rod{k}", mass, (0, 0, -0.5), (0.1, 0.1, 0.01))
        b.spherical(f"ball{k}", "ground" if k == 0 else "rod0", f"rod{k}", xyz=(0, 0, -k))
    return b


def refused(b, name, reason, **which):
    with pytest.raises(lw.LoopwrightError, match=reason):
        lw.Dynamics(b.build()).kernel(name, rolled=True, **which)


def test_what_cannot_be_rolled_is_said():
    refused(
        hanging(), "energy", "'hanging' has no rolled form here: 'energy' is not made of sweeps alone; leave rolled"
    )
    refused(hanging(), "forward", "'forward crba' is not made of sweeps alone", algorithm="crba")
    refused(hanging(), "bias", "free parameters", parameters=("mass",))
    with pytest.raises(lw.LoopwrightError, match="'four_bar' has no rolled form here"):
        lw.Dynamics(lw.zoo.four_bar()).kernel("forward", rolled=True)
    b = hanging()
    b.spring("rope", "rod0", "rod1", stiffness=3.0)
    refused(b, "bias", "spring 'rope' is between two bodies that move")
    b = hanging()
    b.effort("wind", "ball1", lambda t: (t, 0.0, 0.0))
    refused(b, "bias", "effort 'wind': its value is a Python function")
    b = hanging()
    b.wrench("gust", "rod1", force=lambda t: (t, 0.0, 0.0))
    refused(b, "bias", "wrench 'gust': its force is a Python function")


def test_what_cannot_be_rolled_is_written_out():
    """With nobody asking for a form, however long it is."""
    b = hanging()
    b.spring("rope", "rod0", "rod1", stiffness=3.0)
    mech = b.build()
    values = states(mech, 3)
    found = lw.Dynamics(mech).kernel("bias")(values["q"], values["v"])
    close(found, lw.Dynamics(mech, compiled=False).bias(values["q"], values["v"]), 1e-12)


def test_loops_of_native_code_can_call_it_for_one_state():
    mech = random_tree(3, bodies=4)
    made = lw.Dynamics(mech).kernel("forward", rolled=True)
    given = [states(mech, 1)[name][0].copy() for name, _ in made.face.inputs]
    out = np.empty(mech.nv)
    call_once(made.single, [*given, out])
    np.testing.assert_array_equal(out, made(*given))
