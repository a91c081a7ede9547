"""Whatever is said to the Builder, it answers with a mechanism that can be computed or with a LoopwrightError."""

import json
import os

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import BY_NAME, KINDS, Shape

FULL = os.environ.get("LOOPWRIGHT_FULL") == "1"

ordinary = st.floats(0.1, 3.0) | st.floats(-3.0, -0.1) | st.sampled_from([0.0, 1.0])
extreme = st.floats(-1e50, 1e50) | st.sampled_from([1e50, -1e50, 1e49, 5e-324, -5e-324, 1e-300, 1e-50, 0.0, -0.0])
no_numbers = st.one_of(
    st.floats(),
    st.sampled_from([1e51, 1e300, -1e300, float("nan"), float("inf"), 10**400, 1j, np.float32(2.0), np.complex128(1j)]),
    st.text(max_size=3),
    st.booleans(),
    st.none(),
    st.binary(max_size=2),
    st.sampled_from([np.array(1.0), np.array("1"), np.array(None), np.ones(1), np.ones((2, 2)), np.datetime64("nat")]),
    st.sampled_from([{}, set(), object(), float, len, np.sin, lambda: 1.0, lambda t: "x", Ellipsis, range(3)]),
    st.recursive(ordinary, lambda items: st.lists(items, max_size=4) | st.lists(items, max_size=3).map(tuple)),
)
names = st.one_of(
    st.sampled_from(["a", "b", "c", "ground", "a.qw", "a.x", "ä", "", " ", "\n"]), st.text(max_size=4), no_numbers
)
KIND_NAMES = [kind.name for kind in KINDS]


def seldom(draw, odd, usual, one_in=300):
    """`usual`, but now and then `odd`."""
    return draw(odd if rolled(draw, one_in) else usual)


def rolled(draw, one_in):
    """True now and then; not at an end of the range, which is tried more often than the rest."""
    return draw(st.integers(0, one_in - 1)) == one_in // 2


@st.composite
def expressions(draw, b):
    """Something computed from the parameters declared so far, zero divisions and roots of negatives among it."""
    value = lw.mechanism.Expression(seldom(draw, st.text(max_size=3), st.sampled_from(["p", "r"])))
    for _ in range(draw(st.integers(0, 3))):
        other = seldom(draw, no_numbers, extreme | ordinary, 20)
        how = draw(st.sampled_from(["+", "-", "*", "/", "**", "r/", "r**", "sin", "sqrt", "neg"]))
        value = {
            "+": lambda v, o: v + o,
            "-": lambda v, o: o - v,
            "*": lambda v, o: o * v,
            "/": lambda v, o: v / o,
            "**": lambda v, o: v**o,
            "r/": lambda v, o: o / v,
            "r**": lambda v, o: o**v,
            "sin": lambda v, o: np.sin(v),
            "sqrt": lambda v, o: np.sqrt(v),
            "neg": lambda v, o: -v,
        }[how](value, other)
    return value


def number(draw, b, positive=False):
    usual = ordinary.map(abs) if positive else ordinary
    usual = (extreme.map(abs) if positive else extreme) if rolled(draw, 20) else usual
    return draw(expressions(b)) if rolled(draw, 50) else seldom(draw, no_numbers, usual)


def triple(draw, b):
    if draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from([(0, 0, 1), [1, 0, 0], (0.0, -1.0, 0.0), (1, 1, 1)]))
    count = draw(st.integers(0, 5)) if rolled(draw, 300) else 3
    items = [number(draw, b) for _ in range(count)]
    return items if draw(st.booleans()) else tuple(items)


def body(draw, b, name):
    """A cloud of three points, or anything."""
    mass = number(draw, b, positive=True)
    if draw(st.integers(0, 3)):
        points = np.array([[draw(ordinary) for _ in range(3)] for _ in range(3)])
        points -= points.mean(axis=0)
        b.body(name, 3.0, triple(draw, b), np.eye(3) * (points**2).sum() - points.T @ points)
    elif draw(st.booleans()):
        b.rod(name, mass, to=triple(draw, b), start=triple(draw, b))
    else:
        inertia = [number(draw, b, positive=True) for _ in range(draw(st.sampled_from([3, 6])))]
        b.body(name, mass, triple(draw, b), inertia, shapes=seldom(draw, no_numbers, st.just([Shape("sphere")])))


def joint(draw, b, name, parent, child):
    kind = draw(st.sampled_from(KIND_NAMES))
    given = {"revolute": ["axis"], "prismatic": ["axis"], "screw": ["axis"], "cylindrical": ["axis"]}.get(kind, [])
    options = {option: triple(draw, b) for option in given if draw(st.booleans())}
    if kind == "screw":
        options["pitch"] = number(draw, b)
    if kind == "universal" and draw(st.booleans()):
        options["axes"] = [triple(draw, b), triple(draw, b)]
    if kind == "planar" and draw(st.booleans()):
        options["normal"] = triple(draw, b)
    for option in ("xyz", "rpy", "child_xyz", "child_rpy"):
        if rolled(draw, 3):
            options[option] = triple(draw, b)
    moving = BY_NAME[kind]
    for option in ("damping", "friction", "stiffness", "rotor_inertia"):
        if rolled(draw, 9) and (moving.nv or rolled(draw, 9)):
            options[option] = number(draw, b, positive=True)
    if rolled(draw, 9) and (moving.flat or rolled(draw, 9)):
        options["rest"] = number(draw, b)
    if rolled(draw, 9) and (moving.flat or rolled(draw, 9)):
        pair = (-1.0, number(draw, b, positive=True))
        options["limits"] = seldom(draw, no_numbers, st.just(pair if moving.nq == 1 else [pair] * moving.nq))
    if rolled(draw, 9) and (moving.nv or rolled(draw, 9)):
        options["actuated"] = seldom(draw, no_numbers, st.just([True] * moving.nv) | st.booleans())
    getattr(b, kind)(name, parent, child, **options)


def load(draw, b, name, bodies, joints):
    what = draw(st.sampled_from(["spring", "wrench", "effort"]))
    if what == "spring":
        ends = ["ground", seldom(draw, names, st.sampled_from(["ground", *bodies]), 20)]
        amounts = {option: number(draw, b, positive=True) for option in ("stiffness", "damping", "length")}
        b.spring(name, *ends, xyz=triple(draw, b), child_xyz=triple(draw, b), **amounts)
    elif what == "wrench":
        force = draw(st.sampled_from([lambda t: (t, 0, 1), lambda t, q, v: (0, 0, 0), lambda t, q: (0, 0, 0)]))
        force = triple(draw, b) if draw(st.integers(0, 3)) else force
        on = seldom(draw, names, st.sampled_from(bodies), 20)
        b.wrench(name, on, force, triple(draw, b), triple(draw, b), axes=seldom(draw, names, st.just("body")))
    else:
        value = number(draw, b) if draw(st.booleans()) else triple(draw, b)
        b.effort(name, seldom(draw, names, st.sampled_from(joints), 20), value)


@st.composite
def builders(draw):
    """A tree of a few bodies with a loop now and then, said by someone who is often mistaken; or the error."""
    b = lw.Builder(seldom(draw, names, st.just("m")), gravity=seldom(draw, no_numbers, st.just((0, 0, -9.81))))
    b.parameter("p", seldom(draw, no_numbers, extreme | ordinary))
    b.parameter("r", seldom(draw, no_numbers, ordinary))
    bodies = [seldom(draw, names, st.just(f"b{k}")) for k in range(draw(st.integers(1, 4)))]
    joints = [seldom(draw, names, st.just(f"j{k}")) for k in range(len(bodies))]
    stops = ["ground", *bodies]
    for k, name in enumerate(bodies):
        body(draw, b, name)
        inner = seldom(draw, names, st.sampled_from(stops[: k + 1]))
        joint(draw, b, joints[k], *((inner, name) if draw(st.booleans()) else (name, inner)))
    for k in range(draw(st.sampled_from([0, 0, 0, 0, 1, 2]))):
        joint(draw, b, f"loop{k}", "ground", draw(st.sampled_from(stops)))
    for k in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        load(draw, b, f"load{k}", bodies, joints)
    return b


@st.composite
def attempts(draw):
    try:
        b = draw(builders())
        cuts = draw(st.lists(names, max_size=2) | names) if rolled(draw, 50) else None
        return b.build(cuts), None
    except lw.LoopwrightError as error:
        return None, error


def use(mechanism):
    """Ask what can be asked without knowing anything about it."""
    text = str(lw.report(mechanism))
    assert repr(mechanism).split("'")[1] in text
    json.dumps(lw.report(mechanism).data, allow_nan=False)
    q, v = mechanism.neutral(), np.zeros(mechanism.nv)
    np.testing.assert_allclose(mechanism.difference(q, mechanism.integrate(q, v)), v)
    if mechanism.tree.cuts:
        return
    dynamics = lw.Dynamics(mechanism)
    M = dynamics.mass_matrix(q)
    assert np.all(np.isfinite(M))
    np.testing.assert_allclose(M, M.T, rtol=1e-9, atol=1e-9 * np.abs(M).max(initial=0.0))
    dynamics.energy(q, v)
    dynamics.forward(q, v)


def outcome(attempt):
    """What came of it, in a word."""
    mechanism, error = attempt
    try:
        if error is not None:
            raise error
        use(mechanism)
    except lw.LoopwrightError as told:
        return "told" if len(str(told)) > 20 else f"told too little: {told}"
    return f"made, {len(mechanism.tree.cuts)} loops"


@settings(max_examples=4000 if FULL else 400)
@given(attempts())
def test_anything_said_to_the_builder_ends_in_a_mechanism_or_an_error_in_words(attempt):
    came_of_it = outcome(attempt)
    event(came_of_it)
    assert "too little" not in came_of_it


columns = st.sampled_from(["alpha", "a", "d", "theta", "gamma", "epsilon", "mass", "com", "parent", "prismatic"])
cells = st.one_of(ordinary, no_numbers, st.integers(-1, 5), extreme, st.just({"damping": 0.1}), names)
odd_columns = st.sampled_from(["options", "joint", "body", "beta", 3])
heavy = {"mass": 1.0, "com": (0.1, 0.2, 0.3)}
table_rows = st.dictionaries(columns | odd_columns, cells, max_size=3).map(lambda row: {**heavy, **row})


@given(st.lists(table_rows, min_size=1, max_size=3) | no_numbers, st.sampled_from([lw.standard_dh, lw.modified_dh]))
def test_any_table_ends_in_a_mechanism_or_an_error_in_words(rows, make):
    try:
        use(make("table", rows))
    except lw.LoopwrightError as told:
        event(str(told)[:20])


@given(attempts(), st.dictionaries(st.sampled_from(["p", "r", "s"]), no_numbers | extreme | ordinary))
def test_any_change_of_parameters_ends_in_a_mechanism_or_an_error_in_words(attempt, values):
    mechanism, _ = attempt
    try:
        if mechanism is not None:
            use(mechanism.with_parameters(**values))
    except lw.LoopwrightError as told:
        event(str(told)[:20])
