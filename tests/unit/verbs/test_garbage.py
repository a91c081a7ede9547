"""Whatever is handed to the verbs, they answer, or say in words what is wrong."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw

NAN, INF = float("nan"), float("inf")
GARBAGE = [
    *(None, True, "x", "", b"x", 1j, 10**400, object(), len, {}, {"a": 1.0}, set(), (), [[1.0], [1.0, 2.0]]),
    *(["1", "2", "3"], [None] * 3, [1j, 0, 0], np.array([1j, 0, 0]), np.array(["1"] * 3), np.zeros(3, dtype=bool)),
    *(np.zeros(3, dtype="datetime64[s]"), np.ma.masked, np.zeros(0), np.zeros((2, 0)), np.zeros((0, 3)), range(3)),
    *(NAN, INF, [NAN] * 3, [INF, 0.0, 0.0], -1, 1e300, np.zeros((3, 3)), (x for x in (1, 2, 3)), slice(1), float),
]


def swing():
    """A body on a ball joint."""
    b = lw.Builder("swing")
    b.body("seat", 1.0, (0.0, 0.1, 0.2), (1.0, 1.0, 1.0))
    b.spherical("ball", "ground", "seat")
    return b.build()


def closed(name):
    mechanism = lw.zoo.MECHANISMS[name]()
    return mechanism, np.array([lw.zoo.start(name)[label] for label in mechanism.coordinates])


SUBJECTS = {
    "arm": lambda: (lw.zoo.planar_3r(), np.zeros(3)),
    "ball": lambda: (swing(), np.array([0.0, 0.0, 0.0, 1.0])),
    "loop": lambda: closed("four_bar"),
}


def garbled(dynamics, q):
    """Every verb with one of its arguments in turn left open: (name, argument, call)."""
    mechanism = dynamics.mechanism
    still = np.zeros(mechanism.nv)
    right = {"q": q, "v": still, "a": still, "body": mechanism.bodies[0].name, "name": "bias"}
    for name, verb in inspect.getmembers(dynamics, inspect.ismethod):
        parameters = inspect.signature(verb).parameters
        if name.startswith("_") or name in ("equations", "kernel_of"):  # kernel_of is for other rooms
            continue
        given = {key: right[key] for key in parameters if key in right}
        for key, parameter in parameters.items():
            if parameter.kind is not parameter.VAR_KEYWORD and key not in ("details", "rolled"):
                yield name, key, lambda x, verb=verb, given=given, key=key: verb(**{**given, key: x})


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered:RuntimeWarning")
@pytest.mark.parametrize("subject", SUBJECTS)
def test_garbage_is_answered_or_told_about(subject):
    mechanism, q = SUBJECTS[subject]()
    told = 0
    for name, key, call in garbled(lw.Dynamics(mechanism, compiled=False), q):
        for garbage in GARBAGE:
            try:
                call(garbage)
            except lw.LoopwrightError as error:
                told += len(str(error)) > 15
            except Exception as error:
                raise AssertionError(f"{name}({key}={garbage!r}): {error!r}") from error
    assert told > 500


ALONG_LOOPS = {
    "assemble": lambda x: lw.assemble(x[0], x[2]),
    "assemble(value)": lambda x: lw.assemble(x[0], {"crank_joint": x[2]}),
    "assemble(v)": lambda x: lw.assemble(x[0], {"crank_joint": 0.5}, v=x[2]),
    "assemble(near)": lambda x: lw.assemble(x[0], {"crank_joint": 0.5}, near=x[2]),
    "assemble(poses)": lambda x: lw.assemble(x[0], {"crank_joint": 0.5}, poses=x[2]),
    "assemble(most)": lambda x: lw.assemble(x[0], {"crank_joint": 0.5}, most=x[2]),
    "follow(state)": lambda x: lw.follow(x[0], x[2], {"crank_joint": 0.5}),
    "follow(to)": lambda x: lw.follow(x[0], x[1], x[2]),
    "follow(value)": lambda x: lw.follow(x[0], x[1], {"crank_joint": x[2]}),
    "reach(joint)": lambda x: lw.reach(x[0], x[2]),
    "reach(state)": lambda x: lw.reach(x[0], "crank_joint", x[2]),
    "singularities": lambda x: lw.singularities(x[0], x[2]),
    "singularities(range)": lambda x: lw.singularities(x[0], {"crank_joint": x[2]}),
}


@pytest.mark.parametrize("question", ALONG_LOOPS)
def test_garbage_about_positions_is_answered_or_told_about(question):
    linkage, q = closed("four_bar")
    state = lw.State(linkage, q, np.zeros(3))
    told = 0
    for garbage in GARBAGE:
        try:
            ALONG_LOOPS[question]((linkage, state, garbage))
        except lw.LoopwrightError as error:
            told += len(str(error)) > 15
        except Exception as error:
            raise AssertionError(f"{question} with {garbage!r}: {error!r}") from error
    assert told > 10


@pytest.mark.parametrize("of", [lw.report, lw.Dynamics, lw.Topology.of, lw.as_one_dof_joints, lw.simulate, lw.assemble])
def test_what_is_no_mechanism_is_told_so(of):
    for garbage in GARBAGE:
        with pytest.raises(lw.LoopwrightError, match="needs a Mechanism"):
            of(garbage)


@pytest.mark.parametrize("of", [lw.bias, lw.energy, lw.follow, lw.mass_matrix, lw.forward_dynamics])
def test_questions_to_what_is_no_mechanism(of):
    for garbage in GARBAGE:
        with pytest.raises(lw.LoopwrightError, match="needs a Mechanism"):
            of(garbage, *[np.zeros(3)] * (1 if of is lw.mass_matrix else 2))


def test_names_that_are_no_words():
    arm = lw.zoo.planar_3r()
    for garbage in (["hand"], {}, np.array(["hand", "wrist"]), None, 3):
        for ask in (arm.body, arm.joint, lw.zoo.start, lw.zoo.describe):
            with pytest.raises(lw.LoopwrightError, match="has no"):
                ask(garbage)


@pytest.mark.parametrize("seed", [-1, 0.5, "x", {}, len])
def test_seeds_that_are_none(seed):
    with pytest.raises(lw.LoopwrightError, match="the seed of a random state is a whole number from zero up"):
        lw.zoo.planar_3r().random_state(seed)


def test_numbers_of_other_kinds_are_numbers():
    dynamics = lw.Dynamics(lw.zoo.planar_3r())
    expected = dynamics.gravity([1.0, 0.0, 0.5])
    for given in ([1, 0, Fraction(1, 2)], np.array([1.0, 0.0, 0.5], dtype=np.float32), (np.int8(1), 0, 0.5)):
        np.testing.assert_allclose(dynamics.gravity(given), expected, rtol=1e-15)


def test_what_is_no_number_shows_in_the_answer_and_blames_nothing():
    linkage, q = closed("four_bar")
    dynamics, still = lw.Dynamics(linkage), np.zeros(3)
    assert np.isnan(dynamics.forward(q, still, [NAN])).all()
    assert np.isnan(dynamics.inverse(q * NAN, [0.0], [0.0])).all()
    assert np.isnan(dynamics.linearize(q * NAN, still).A[1]).all()


def test_loads_that_cannot_be_keys():
    class Wind(list):
        def __call__(self, t):
            return 0.0, 0.0, 1.0 + t

    b = lw.Builder("pole")
    b.rod("pole", 1.0, to=(1.0, 0.0, 0.0))
    b.revolute("pin", "ground", "pole", axis=(0, 1, 0))
    b.wrench("wind", "pole", force=Wind(), xyz=(1.0, 0.0, 0.0))
    pole = b.build()
    assert lw.bias(pole, [0.0], [0.0], t=1.0) == pytest.approx(2.0 - 9.81 / 2.0)
    assert pole in {pole}
