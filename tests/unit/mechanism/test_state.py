import numpy as np
import pytest

import loopwright as lw

from .test_noun import every_kind


def arm():
    return lw.zoo.planar_3r()


def test_positions_and_velocities_are_read_by_name():
    mechanism = arm()
    state = lw.State(mechanism, [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], 4.0)
    second = mechanism.coordinates[1]
    assert (state[second], state.rate(second), state.t) == (0.2, 2.0, 4.0)
    assert second in repr(state)


def test_a_joint_of_several_coordinates_is_read_as_an_array():
    mechanism = every_kind()
    q, v = mechanism.random_state(seed=3)
    state = lw.State(mechanism, q, v)
    assert np.array_equal(state["free"], q[:7]) or np.allclose(state["free"], q[:7], rtol=0, atol=1e-15)
    assert state["free.x"] == q[0]
    assert np.array_equal(state.rate("free"), v[:6])
    assert state.rate("free.wz") == v[5]


def test_what_is_not_given_is_neutral_and_at_rest():
    mechanism = every_kind()
    state = lw.State.of(mechanism, {"revolute": 0.5, "cylindrical": [0.1, 0.2]}, v={"free.wx": 2.0})
    expected = mechanism.neutral()
    expected[list(mechanism.coordinates).index("revolute")] = 0.5
    expected[list(mechanism.coordinates).index("cylindrical.angle")] = 0.1
    expected[list(mechanism.coordinates).index("cylindrical.slide")] = 0.2
    assert np.array_equal(state.q, expected)
    assert state.rate("free.wx") == 2.0
    assert np.count_nonzero(state.v) == 1


@pytest.mark.parametrize("given", [([0.1, 0.2, 0.3], [1, 2, 3]), (np.array([0.1, 0.2, 0.3]), np.array([1.0, 2, 3]))])
def test_a_pair_is_positions_and_velocities(given):
    state = lw.State.of(arm(), given)
    assert np.array_equal(state.q, [0.1, 0.2, 0.3])
    assert np.array_equal(state.v, [1, 2, 3])


def test_a_state_is_a_state_and_may_get_other_velocities():
    mechanism = arm()
    state = lw.State(mechanism, [0.1, 0.2, 0.3], [1, 2, 3], 5.0)
    assert lw.State.of(mechanism, state) is state
    moved = lw.State.of(mechanism, state, v=[0, 0, 1])
    assert (moved.t, moved.v[2], moved.q[2]) == (5.0, 1.0, 0.3)
    assert np.array_equal(lw.State.of(mechanism, np.array([1.0, 2.0, 3.0])).q, [1, 2, 3])


def test_nothing_changes_a_state():
    state = lw.State.of(arm())
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1.0
    given = np.zeros(3)
    state = lw.State(arm(), given, given)
    given[0] = 1.0
    assert state.q[0] == 0.0


def test_rounding_is_taken_off_quaternions():
    mechanism = every_kind()
    q = mechanism.neutral()
    q[6] += 1e-9
    assert lw.State(mechanism, q, np.zeros(mechanism.nv)).q[6] == 1.0


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: lw.State.of(arm(), {"elbw": 1.0}), "no coordinate 'elbw'"),
        (lambda: lw.State.of(arm(), {}, v={"elbw": 1.0}), "no velocity 'elbw'"),
        (lambda: lw.State.of(arm(), [1.0, 2.0]), r"shape \(2,\); 'planar_3r' needs 3 numbers"),
        (lambda: lw.State.of(arm(), "upright"), "must be an array of numbers"),
        (lambda: lw.State.of(every_kind(), {"cylindrical": 1.0}), "has 2 entries, got 1"),
        (lambda: lw.State.of(every_kind(), {"free.qx": 1.0}), "quaternion of joint 'free' has length 1.41"),
        (lambda: lw.State.of(arm(), lw.State.of(lw.zoo.chain(2))), "not those of 'planar_3r'"),
        (lambda: lw.State(arm(), [0, 0, 0], [0, 0, 0], np.nan), "t is nan|t .*finite|nan"),
        (lambda: lw.State.of(lw.zoo.four_bar(), {"rocker_pin": 1.0}), "'rocker_pin' .* is cut to open a loop"),
    ],
)
def test_what_is_no_state_is_said_in_the_mechanism_s_words(make, words):
    with pytest.raises(lw.LoopwrightError, match=words):
        make()
