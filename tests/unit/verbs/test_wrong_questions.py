"""Questions to Dynamics that have no answer, and what the user is told."""

import numpy as np
import pytest

import loopwright as lw
from loopwright.mechanism import GROUND, Expression

from ..mechanism.wrong import arm, four_bar

STILL = [0.0, 0.0]


def top():
    """A body on a ball joint."""
    b = lw.Builder("top")
    b.body("top", 1.0, (0.0, 0.0, 0.1), (0.02, 0.02, 0.03))
    b.spherical("ball", GROUND, "top")
    return lw.Dynamics(b.build())


def cart():
    """A pole on a cart that alone is driven."""
    b = lw.Builder("cart")
    b.body("cart", 1.0)
    b.rod("pole", 1.0, to=(0.0, 0.0, 1.0))
    b.prismatic("rail", GROUND, "cart", axis=(1, 0, 0), actuated=True)
    b.revolute("pivot", "cart", "pole", axis=(0, 1, 0))
    return lw.Dynamics(b.build())


def gimbal():
    """A body in two rings without mass, the outer and the inner axis in line at zero."""
    b = lw.Builder("gimbal")
    b.body("outer")
    b.body("inner")
    b.body("camera", 1.0, inertia=(1.0, 1.0, 1.0))
    b.revolute("yaw", GROUND, "outer", axis=(0, 0, 1))
    b.revolute("pitch", "outer", "inner", axis=(0, 1, 0))
    b.revolute("roll", "inner", "camera", axis=(0, 0, 1))
    return lw.Dynamics(b.build())


def dynamics():
    return lw.Dynamics(arm().build())


# the question, and what the message must hold
QUESTIONS = {
    "no_mechanism": (lambda: lw.Dynamics("puma560"), ["Dynamics needs a Mechanism", "got str"]),
    "no_such_formulation": (
        lambda: lw.Dynamics(arm().build(), formulation="subsytem"),
        ["no formulation 'subsytem'", "'tree'"],
    ),
    "no_such_cut": (
        lambda: lw.Dynamics(four_bar().build(), cuts=["crank_pn"]),
        ["cannot cut 'crank_pn'", "did you mean 'crank_pin'?"],
    ),
    "position_too_short": (
        lambda: dynamics().mass_matrix([0.0]),
        ["q has 1 number", "'arm' needs 2: shoulder, elbow"],
    ),
    "position_a_number": (lambda: dynamics().mass_matrix(0.0), ["q has a single number", "shoulder, elbow"]),
    "position_none": (lambda: dynamics().mass_matrix(None), ["q must be an array of numbers, got None"]),
    "position_a_word": (lambda: dynamics().mass_matrix("ab"), ["q must be an array of numbers, got 'ab'"]),
    "position_by_name": (lambda: dynamics().mass_matrix({"elbow": 1.0}), ["q must be an array of numbers"]),
    "position_complex": (lambda: dynamics().mass_matrix([1j, 0]), ["q must be an array of numbers, got [1j, 0]"]),
    "position_ragged": (lambda: dynamics().mass_matrix([[1, 2], [3]]), ["q must be an array of numbers"]),
    "position_a_parameter": (lambda: dynamics().mass_matrix([Expression("l2"), 0]), ["'l2' has no value of its own"]),
    "velocity_too_long": (
        lambda: dynamics().forward(STILL, [0.0] * 3),
        ["v has 3 numbers", "needs 2: shoulder, elbow"],
    ),
    "acceleration_too_long": (lambda: dynamics().inverse(STILL, STILL, [0.0] * 3), ["a has 3 numbers"]),
    "too_many_forces": (lambda: cart().forward(STILL, STILL, STILL), ["tau has 2 numbers", "'cart' needs 1: rail"]),
    "time_a_word": (lambda: dynamics().forward(STILL, STILL, t="now"), ["t must be an array of numbers, got 'now'"]),
    "batches_that_differ": (
        lambda: dynamics().forward(np.zeros((3, 2)), np.zeros((4, 2))),
        ["the leading axes", "(3,), (4,)", "do not broadcast together"],
    ),
    "quaternion_not_unit": (
        lambda: top().mass_matrix([0.0, 0.0, 1.0, 1.0]),
        ["the quaternion of joint 'ball' has length 1.41421", "normalise it", "mech.neutral()"],
    ),
    "quaternion_not_unit_among_some_that_are_not_numbers": (
        lambda: top().mass_matrix([[np.nan, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 2.0]]),
        ["the quaternion of joint 'ball' has length 2;"],
    ),
    "quaternion_zero": (lambda: top().mass_matrix(np.zeros(4)), ["the quaternion of joint 'ball' has length 0"]),
    "no_such_forward_algorithm": (
        lambda: dynamics().forward(STILL, STILL, algorithm="abba"),
        ["no algorithm 'abba' for forward dynamics", "aba, denoc, crba, gah, noc"],
    ),
    "no_such_inverse_algorithm": (
        lambda: dynamics().inverse(STILL, STILL, STILL, algorithm="crba"),
        ["no algorithm 'crba' for inverse dynamics", "rnea, gibbs_appell"],
    ),
    "no_such_mass_algorithm": (
        lambda: dynamics().mass_matrix(STILL, algorithm="rnea"),
        ["no algorithm 'rnea' for the mass matrix", "crba, gah, noc, denoc"],
    ),
    "algorithm_for_other_joints": (
        lambda: top().mass_matrix([0, 0, 0, 1], algorithm="gah"),
        ["algorithm 'gah'", "not 'ball' (spherical)", "use another algorithm"],
    ),
    "no_such_body": (
        lambda: dynamics().pose("lowr", STILL),
        ["mechanism 'arm' has no body 'lowr'", "did you mean 'lower'?"],
    ),
    "body_none": (lambda: dynamics().twist(None, STILL, STILL), ["no body 'None'", "it has ground, upper, lower"]),
    "point_of_two_numbers": (
        lambda: dynamics().jacobian("lower", STILL, point=(0, 0)),
        ["a point of a body has 3 numbers, got (0, 0)"],
    ),
    "loops": (
        lambda: lw.Dynamics(four_bar().build()).forward(np.zeros(3), np.zeros(3)),
        ["loop 'closing' is open by", "between 'coupler' and 'rocker'", "lw.assemble"],
    ),
    "loops_at_once": (
        lambda: lw.inverse_dynamics(four_bar().build(), *np.zeros((3, 3))),
        ["loop 'closing' is open by"],
    ),
    "no_such_form": (lambda: dynamics().convective(STILL, STILL, form="x"), ["no form 'x'", "skew, papers"]),
    "no_such_place": (lambda: dynamics().denoc(STILL, at="tips"), ["'joints' or 'centres', not 'tips'"]),
    "motion_without_its_actuators": (
        lambda: cart().inverse([0.0, 0.5], STILL, STILL),
        ["the actuators of 'cart' cannot make this motion", "pivot lacks 2.352", "details=True"],
    ),
    "singular_position": (
        lambda: gimbal().forward(np.zeros(3), np.zeros(3)),
        ["the mass matrix of 'gimbal' is singular at this position", "rotor_inertia"],
    ),
    "no_such_quantity": (lambda: dynamics().kernel("forwrd"), ["no quantity 'forwrd'", "forward"]),
    "quantity_of_a_body": (lambda: dynamics().kernel("pose"), ["'pose' is of a body: name it with body="]),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_without_an_answer_is_told_why(question):
    ask, parts = QUESTIONS[question]
    with pytest.raises(lw.LoopwrightError) as raised:
        ask()
    for part in parts:
        assert part in str(raised.value)


def test_not_a_number_goes_through():
    """A controller that has lost itself should be seen in the answer, not stopped by it."""
    assert np.isnan(dynamics().forward([np.nan, 0.0], STILL)).all()


def test_one_number_serves_one_coordinate():
    b = lw.Builder("pendulum")
    b.rod("bob", 1.0, to=(1.0, 0.0, 0.0))
    b.revolute("pin", GROUND, "bob", axis=(0, 1, 0))
    pendulum = lw.Dynamics(b.build())
    np.testing.assert_allclose(pendulum.forward(0.0, 0.0, 0.0), [1.5 * 9.81])
