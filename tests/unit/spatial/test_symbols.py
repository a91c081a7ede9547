"""Every public function of the room computes the same numbers on floats and on CasADi symbols."""

from __future__ import annotations

import dataclasses
import inspect

import casadi
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from loopwright import spatial
from loopwright.spatial import Chain, Inertia, Pose, Propagation, Screw

RANDOM = np.random.default_rng(20130131)


def vector(n=3):
    return RANDOM.uniform(-1.0, 1.0, n)


def matrix(n=3, m=3):
    return RANDOM.uniform(-1.0, 1.0, (n, m))


def turn():
    return Rotation.from_quat(vector(4)).as_matrix()


def quaternion():
    return Rotation.from_quat(vector(4)).as_quat()


def positive(n):
    A = matrix(n, n)
    return A @ A.T + 0.1 * np.eye(n)


def tensor(n=3):
    A = matrix(n, n)
    return A + A.T


AXIS = np.array([2.0, -1.0, 2.0]) / 3.0
EULER = [
    (s, a) for s in spatial.EULER_SEQUENCES for a in (vector(), np.array([0.4, 0.0, 0.3]), np.array([0.4, 9.0, 0.3]))
]
TURNS = [turn(), np.eye(3), *(spatial.about(a, 3.0) for a in (*np.eye(3), AXIS)), spatial.about(AXIS, 1e-7)]
BODY = (0.7, vector(), tensor())
PLACE = (turn(), vector())


def of_body(method):
    return lambda mass, moment, tensor, *rest: method(Inertia(mass, moment, tensor), *rest)


def of_pose(method):
    return lambda R, p, *rest: method(Pose(R, p), *rest)


STEP = (np.cos(0.7), np.sin(0.7), -0.3)
TWO_STEPS = (0.7, -0.3, 0.4, 0.2, *PLACE)


def of_screw(method):
    return lambda c, s, d, *rest: [method(Screw(k, c, s, d), *rest) for k in range(3)]


def of_chain(method):
    """A turn and slide along x, one along z, and a general step."""

    def call(a, b, c, d, R, p, *rest):
        return method(Chain((Screw.of(0, a, b), Screw.of(2, c, d), Propagation(R, p))), *rest)

    return call


# What to call, and the numbers to call it with, several sets where the function takes one of several ways.
CASES = {
    "about": (spatial.about, [(AXIS, 0.3)]),
    "about_x": (spatial.about_x, [(0.3,)]),
    "about_y": (spatial.about_y, [(0.3,)]),
    "about_z": (spatial.about_z, [(0.3,)]),
    "absolute": (spatial.absolute, [(-0.3,), (vector(),)]),
    "angular": (spatial.angular, [(vector(6),)]),
    "arctan2": (spatial.arctan2, [(0.3, -0.2), (-0.3, -0.2), (0.3, 0.2)]),
    "block": (spatial.block, [(matrix(), matrix(), matrix(), matrix())]),
    "blockwise": (
        lambda A, v: spatial.blockwise(4, 5, [(slice(0, 3), slice(1, 4), A), (3, slice(0, 3), v)]),
        [(matrix(), vector())],
    ),
    "congruence": (spatial.congruence, [(turn(), tensor())]),
    "cos": (spatial.cos, [(0.3,), (vector(),)]),
    "cross": (spatial.cross, [(vector(), vector())]),
    "cross_cross": (spatial.cross_cross, [(vector(), vector())]),
    "entries": (spatial.entries, [(tensor(),)]),
    "force_at": (spatial.force_at, [(vector(), vector())]),
    "from_quaternion": (spatial.from_quaternion, [(quaternion(),)]),
    "from_rotation_vector": (spatial.from_rotation_vector, [(vector(),), (1e-5 * vector(),), (np.zeros(3),)]),
    "from_rpy": (spatial.from_rpy, [(vector(),)]),
    "ldl": (spatial.ldl, [(positive(1),), (positive(4),)]),
    "linear": (spatial.linear, [(vector(6),)]),
    "accelerating": (spatial.accelerating, [(vector(), vector())]),
    "with_rows": (lambda S, rows: spatial.with_rows(S, {0: 1, 2: 0}, rows), [(matrix(4, 3), matrix(2, 3))]),
    "mirrored": (spatial.mirrored, [(matrix(4, 4),)]),
    "norm": (spatial.norm, [(vector(),)]),
    "power": (spatial.power, [(vector(6), vector(6))]),
    "quaternion_exp": (spatial.quaternion_exp, [(vector(),), (1e-5 * vector(),), (np.zeros(3),)]),
    "quaternion_inverse": (spatial.quaternion_inverse, [(quaternion(),)]),
    "quaternion_log": (
        spatial.quaternion_log,
        [(quaternion(),), (-quaternion(),), (np.array([0.0, 0, 0, 1]),), (np.array([0.6, 0, -0.8, 0]),)],
    ),
    "quaternion_product": (spatial.quaternion_product, [(quaternion(), quaternion())]),
    "quaternion_rate": (spatial.quaternion_rate, [(quaternion(), vector())]),
    "sign": (spatial.sign, [(-0.3,), (0.0,), (vector(),)]),
    "sin": (spatial.sin, [(0.3,), (vector(),)]),
    "skew": (spatial.skew, [(vector(),)]),
    "substituted": (lambda S, b: spatial.substituted(*spatial.ldl(S), b), [(positive(4), matrix(4, 2))]),
    "solve": (spatial.solve, [(positive(1), vector(1)), (positive(4), vector(4)), (positive(3), matrix(3, 2))]),
    "sqrt": (spatial.sqrt, [(0.3,), (np.abs(vector()),)]),
    "symmetric": (spatial.symmetric, [(vector(6),)]),
    "to_axis_angle": (spatial.to_axis_angle, [(R,) for R in TURNS]),
    "to_quaternion": (spatial.to_quaternion, [(R,) for R in TURNS]),
    "to_rotation_vector": (spatial.to_rotation_vector, [(R,) for R in TURNS]),
    "turn_between": (spatial.turn_between, [(turn(), turn())]),
    "twist": (spatial.twist, [(vector(), vector())]),
    "unskew": (spatial.unskew, [(matrix(),)]),
    "where": (lambda x: spatial.where(x < 0.5, x, 2.0 * x), [(0.3,), (0.7,)]),
    "wrench": (spatial.wrench, [(vector(), vector())]),
    "Pose.at": (Pose.at, [(vector(), vector())]),
    "Pose.__matmul__": (of_pose(lambda X, R, p: X @ Pose(R, p)), [(*PLACE, turn(), vector())]),
    "Pose.inverse": (of_pose(Pose.inverse), [PLACE]),
    "Pose.point": (of_pose(Pose.point), [(*PLACE, vector())]),
    "Pose.matrix": (of_pose(Pose.matrix), [PLACE]),
    "Propagation.of": (of_pose(Propagation.of), [PLACE]),
    "Propagation.__matmul__": (lambda R, a, t: Propagation(R, a) @ t, [(*PLACE, vector(6)), (*PLACE, matrix(6, 2))]),
    "Propagation.T": (lambda R, a: Propagation(R, a).T, [PLACE]),
    "Propagation.matrix": (lambda R, a: Propagation(R, a).matrix(), [PLACE]),
    "Propagation.gathered": (lambda R, a, M: Propagation(R, a).gathered(M), [(*PLACE, tensor(6))]),
    "Propagation.gathered of a body": (
        lambda R, a, *body: Propagation(R, a).gathered(Inertia(*body)),
        [(*PLACE, *BODY)],
    ),
    "Gathering.__matmul__": (lambda R, a, w: Propagation(R, a).T @ w, [(*PLACE, vector(6)), (*PLACE, matrix(6, 2))]),
    "Propagation.pose": (lambda R, a: Propagation(R, a).pose, [PLACE]),
    "Propagation.turned": (lambda R, a, v: Propagation(R, a).turned(v), [(*PLACE, vector())]),
    "Propagation.returned": (lambda R, a, v: Propagation(R, a).returned(v), [(*PLACE, vector())]),
    "Propagation.congruence": (lambda R, a, S: Propagation(R, a).congruence(S), [(*PLACE, tensor())]),
    "Screw.of": (lambda angle, slide: [Screw.of(k, angle, slide) for k in range(3)], [(0.7, -0.3)]),
    "Screw.pose": (of_screw(lambda A: A.pose), [STEP]),
    "Screw.turned": (of_screw(Screw.turned), [(*STEP, vector())]),
    "Screw.returned": (of_screw(Screw.returned), [(*STEP, vector())]),
    "Screw.congruence": (of_screw(Screw.congruence), [(*STEP, tensor())]),
    "Screw.__matmul__": (of_screw(Screw.__matmul__), [(*STEP, vector(6))]),
    "Screw.gather": (of_screw(Screw.gather), [(*STEP, vector(6))]),
    "Screw.gathered": (of_screw(Screw.gathered), [(*STEP, tensor(6))]),
    "Screw.gathered of a body": (of_screw(lambda A, *body: A.gathered(Inertia(*body))), [(*STEP, *BODY)]),
    "Chain.pose": (of_chain(lambda A: A.pose), [TWO_STEPS]),
    "Chain.R": (of_chain(lambda A: A.R), [TWO_STEPS]),
    "Chain.a": (of_chain(lambda A: A.a), [TWO_STEPS]),
    "Chain.turned": (of_chain(Chain.turned), [(*TWO_STEPS, vector())]),
    "Chain.returned": (of_chain(Chain.returned), [(*TWO_STEPS, vector())]),
    "Chain.congruence": (of_chain(Chain.congruence), [(*TWO_STEPS, tensor())]),
    "Chain.__matmul__": (of_chain(Chain.__matmul__), [(*TWO_STEPS, vector(6)), (*TWO_STEPS, matrix(6, 2))]),
    "Chain.T": (of_chain(lambda A, w: A.T @ w), [(*TWO_STEPS, vector(6)), (*TWO_STEPS, matrix(6, 2))]),
    "Chain.matrix": (of_chain(Chain.matrix), [TWO_STEPS]),
    "Chain.gathered": (of_chain(Chain.gathered), [(*TWO_STEPS, tensor(6))]),
    "Chain.gathered of a body": (of_chain(lambda A, *body: A.gathered(Inertia(*body))), [(*TWO_STEPS, *BODY)]),
    "Inertia.of": (Inertia.of, [(0.7, vector(), tensor())]),
    "Inertia.zero": (lambda x: [Inertia.zero(), x], [(0.3,)]),
    "Inertia.__add__": (of_body(lambda M, *other: M + Inertia(*other)), [(*BODY, 0.2, vector(), tensor())]),
    "Inertia.__matmul__": (of_body(Inertia.__matmul__), [(*BODY, vector(6)), (*BODY, matrix(6, 2))]),
    "Inertia.wrench": (of_body(Inertia.wrench), [(*BODY, vector(), matrix())]),
    "Inertia.gyroscopic": (of_body(Inertia.gyroscopic), [(*BODY, vector())]),
    "Inertia.gathered": (of_body(lambda M, R, p: M.gathered(Pose(R, p))), [(*BODY, turn(), vector())]),
    "Inertia.shifted": (of_body(Inertia.shifted), [(*BODY, vector())]),
    "Inertia.rotated": (of_body(Inertia.rotated), [(*BODY, turn())]),
    "Inertia.matrix": (of_body(Inertia.matrix), [BODY]),
    "Inertia.centre": (of_body(lambda M: M.centre), [BODY]),
    "Inertia.tensor_at_centre": (of_body(lambda M: M.tensor_at_centre), [BODY]),
}
for sequence, three in EULER:
    CASES[f"from_euler {sequence} {three[1]:.2g}"] = (lambda a, s=sequence: spatial.from_euler(s, a), [(three,)])
    CASES[f"euler_rates {sequence} {three[1]:.2g}"] = (lambda a, s=sequence: spatial.euler_rates(s, a), [(three,)])
    R = spatial.from_euler(sequence, three)
    CASES[f"to_euler {sequence} {three[1]:.2g}"] = (lambda R, s=sequence: spatial.to_euler(s, R), [(R,)])

# Not functions, or functions that make or tell apart numbers and symbols, or that decide about numbers.
ELSEWHERE = {"Array", "Number", "EULER_SEQUENCES"}
ELSEWHERE |= {"Symbol", "array", "expression", "is_nothing", "is_symbolic", "numbers", "symbols"}
ELSEWHERE |= {"is_rotation", "single_axes", "singular_values", "svd", "why_impossible"}


def public_names():
    for name in spatial.__all__:
        thing = getattr(spatial, name)
        if name in ELSEWHERE or not inspect.isclass(thing):
            yield name
            continue
        for member in vars(thing):
            if member in ("__matmul__", "__add__") or not member.startswith("_"):
                yield f"{name}.{member}"


def is_stored(name):
    kind, _, member = name.partition(".")
    return bool(member) and member in {f.name for f in dataclasses.fields(getattr(spatial, kind))}


def parts(result):
    """What a result is made of: its fields or its elements; none when it is one number."""
    if dataclasses.is_dataclass(result):
        return [getattr(result, f.name) for f in dataclasses.fields(result)]
    return list(result) if isinstance(result, (list, tuple, np.ndarray)) else []


def flat(result):
    """All its numbers in one list."""
    if is_number(result):
        return [result]
    return [x for part in parts(result) for x in flat(part)]


def is_number(result):
    return not dataclasses.is_dataclass(result) and not isinstance(result, (list, tuple, np.ndarray))


def form(result):
    """How its numbers are held, which must not depend on what they are."""
    if isinstance(result, np.ndarray):
        return result.shape
    if is_number(result):
        return "number"
    return (type(result), [form(part) for part in parts(result)])


def as_symbols(value):
    s = casadi.SX.sym("s", *np.shape(value))
    scalars = spatial.symbols(s)
    return s, scalars.reshape(np.shape(value)) if np.ndim(value) else scalars[0]


def test_no_public_function_is_left_out():
    covered = {key.split(" ")[0] for key in CASES}
    assert covered == {name for name in public_names() if name not in ELSEWHERE and not is_stored(name)}


@pytest.mark.parametrize("name", CASES)
def test_symbols_give_the_numbers_that_floats_give(name):
    function, argument_sets = CASES[name]
    for arguments in argument_sets:
        by_floats = function(*arguments)
        inputs, given = zip(*map(as_symbols, arguments), strict=True)
        by_symbols = function(*given)
        assert form(by_symbols) == form(by_floats)
        expected = np.array(flat(by_floats), dtype=float)
        recorded = casadi.Function("recorded", inputs, [spatial.expression(flat(by_symbols))])
        found = np.array(recorded(*arguments)).ravel()
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("size", [0.0, 1e-9, 0.9e-4, 1.1e-4, 1.0])
def test_the_exponential_has_its_derivative_at_zero_too(size):
    # d quaternion_exp / dr at r, against the exponential by a power series, exact at these sizes
    s = casadi.SX.sym("r", 3)
    derivative = casadi.Function(
        "d", [s], [casadi.jacobian(spatial.expression(spatial.quaternion_exp(spatial.symbols(s))), s)]
    )
    r = size * AXIS
    step = 1e-100
    expected = [quaternion_by_series(r + 1j * step * e).imag / step for e in np.eye(3)]
    # Next to the switch the series of the value is exact, that of its slope only to (1e-4)^3 / 960.
    np.testing.assert_allclose(np.array(derivative(r)), np.array(expected).T, atol=2e-15)


def quaternion_by_series(r, terms=12):
    """(sin(x/2)/x r, cos(x/2)) for x = |r|, by powers of x^2."""
    square, scale, real, power = r @ r, 0.0, 0.0, 1.0
    for k in range(terms):
        real = real + power
        scale = scale + power * 0.5 / (2 * k + 1)
        power = -power * square / 4.0 / ((2 * k + 1) * (2 * k + 2))
    return np.array([*(scale * r), real])


def test_the_logarithm_has_its_derivative_at_zero_too():
    s = casadi.SX.sym("q", 4)
    derivative = casadi.Function(
        "d", [s], [casadi.jacobian(spatial.expression(spatial.quaternion_log(spatial.symbols(s))), s)]
    )
    expected = np.hstack([2.0 * np.eye(3), np.zeros((3, 1))])
    np.testing.assert_allclose(np.array(derivative([0.0, 0.0, 0.0, 1.0])), expected, atol=1e-15)
