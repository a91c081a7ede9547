"""Loads given as functions: what they may return, and what the user is told when they go wrong."""

import math

import numpy as np
import pytest

import loopwright as lw

from .wrong import arm

STILL = [0.0, 0.0]


def accelerations(add, t=0.0, **options):
    b = arm()
    add(b)
    return lw.Dynamics(b.build(), **options).forward(STILL, STILL, t=t)


def force(function):
    return lambda b: b.wrench("push", "lower", force=function)


def effort(function):
    return lambda b: b.effort("motor", "elbow", function)


def spoil(t, q, v):
    q[0] = 9.0
    return 0.0


def tuned(t):
    return (0, math.sqrt(t), 0)


WRONG = {
    "fails": (force(lambda t: (math.log(t), 0, 0)), "push': its force failed at t = 0: ValueError: math domain error"),
    "state_out_of_range": (force(lambda t, q, v: (q[7], 0, 0)), "force failed at t = 0: IndexError: index 7 is out of"),
    "state_by_name": (effort(lambda t, q, v: q["elbow"]), "effort 'motor': its value failed at t = 0: IndexError"),
    "state_changed": (effort(spoil), "its value failed at t = 0: ValueError: assignment destination is read-only"),
    "two_numbers": (force(lambda t: (1, 2)), "its force must be 3 numbers, and its function returned (1, 2)"),
    "one_number": (force(lambda t: 3.0), "its force must be 3 numbers, and its function returned 3.0"),
    "matrix": (force(lambda t: np.eye(3)), "its force must be 3 numbers, and its function returned [[1. 0. 0.]"),
    "nothing": (force(lambda t: None), "its force must be 3 numbers, and its function returned None"),
    "words": (force(lambda t: "abc"), "its force must be 3 numbers, and its function returned abc"),
    "words_in_a_list": (
        force(lambda t: ["a", "b", "c"]),
        "must be 3 numbers, and its function returned ['a', 'b', 'c']",
    ),
    "dict": (force(lambda t: {"x": 1}), "its force must be 3 numbers, and its function returned {'x': 1}"),
    "complex_numbers": (
        force(lambda t: (1j, 0, 0)),
        "its force must be 3 numbers, and its function returned (1j, 0, 0)",
    ),
    "ragged": (
        force(lambda t: (1, (2, 3), 4)),
        "its force must be 3 numbers, and its function returned (1, (2, 3), 4)",
    ),
    "effort_of_two": (effort(lambda t: (1, 2)), "its value must be 1 number, and its function returned (1, 2)"),
    "long_answer": (
        effort(lambda t: np.arange(500.0)),
        "its value must be 1 number, and its function returned ndarray",
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("compiled", [False, None])
def test_a_function_that_goes_wrong_is_told_by_name(case, compiled):
    add, message = WRONG[case]
    with pytest.raises(lw.LoopwrightError) as raised:
        accelerations(add, compiled=compiled)
    assert message in str(raised.value)


def test_the_cause_is_kept():
    with pytest.raises(lw.LoopwrightError) as raised:
        accelerations(force(lambda t: (math.log(t), 0, 0)))
    assert isinstance(raised.value.__cause__, ValueError)


@pytest.mark.parametrize("shape", [list, tuple, np.array, iter])
def test_three_numbers_in_any_form(shape):
    np.testing.assert_array_equal(
        accelerations(force(lambda t: shape([t, 2.0, 0.0])), t=0.5),
        accelerations(lambda b: b.wrench("push", "lower", force=(0.5, 2.0, 0.0))),
    )


@pytest.mark.parametrize("value", [2.0, (2.0,), np.float64(2.0), np.array(2.0), [2.0, 2.0]])
def test_one_number_serves_all_coordinates_of_an_effort(value):
    def made(effort):
        b = lw.Builder("drawer")
        b.body("nut", 1.0, inertia=(1.0, 1.0, 1.0))
        b.cylindrical("sleeve", "ground", "nut")
        b.effort("motor", "sleeve", effort)
        return lw.Dynamics(b.build(), compiled=False).forward(STILL, STILL)

    np.testing.assert_array_equal(made(lambda t: value), made((2.0, 2.0)))


def test_a_load_that_is_not_a_number_is_seen_in_the_answer():
    """As with states; the mass matrix is not to blame."""
    assert np.isnan(accelerations(force(lambda t: (math.nan, 0.0, 0.0)))).all()
    assert np.isnan(accelerations(force(lambda t: (math.nan * t, 0.0, 0.0)), compiled=True)).all()


def test_a_function_of_the_math_module_stays_with_numpy():
    assert accelerations(force(tuned), t=4.0)[0] != accelerations(force(tuned), t=1.0)[0]
    with pytest.raises(lw.LoopwrightError, match=r"wrench 'push': its force cannot be recorded.*compiled=False"):
        accelerations(force(tuned), compiled=True)
