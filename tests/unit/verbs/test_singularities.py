"""Singular positions against where geometry puts them, and one position classified in every way."""

import math

import numpy as np
import pytest

import loopwright as lw
from loopwright import LoopwrightError
from loopwright.closure import classified
from tests.unit.verbs.test_assembly import made
from tests.unit.verbs.test_following import in_line


def values(found, joint):
    return sorted(one.values[joint] % (2 * math.pi) for one in found)


def test_a_position_far_from_singular_ones():
    J, E = np.array([[0.0, 3.0, 0.0], [0.0, 0.0, 2.0]]), np.array([[1.0, 0.0, 0.0]])
    found = classified(J, E, ("a", "b", "c"), ("a",), 2)
    assert found.regular
    assert (found.of_driven, found.of_loops, found.distance) == pytest.approx((1.0, 2.0 / 3.0, 2.0 / 3.0))
    assert (found.joints, found.still) == ((), ())


def test_a_dead_point_names_what_moves_and_what_stands_still():
    # c stands still, a and b move against each other
    J, E = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 1.0]])
    found = classified(J, E, ("a", "b", "c"), ("c",), 2)
    assert (found.type, found.branching, found.joints, found.still) == ("output", False, ("a", "b"), ("c",))
    assert found.distance == pytest.approx(0.0, abs=1e-15)
    assert np.abs(J @ found.motion).max() < 1e-15


def test_branches_that_meet_are_not_determined_by_what_drives():
    J, E = np.array([[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])
    found = classified(J, E, ("a", "b", "c"), ("a",), 2)
    assert (found.type, found.branching, found.joints, found.still) == ("actuator", True, ("c",), ())


def test_redundant_rows_are_not_singular():
    J, E = np.array([[0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]), np.array([[1.0, 0.0, 0.0]])
    assert classified(J, E, ("a", "b", "c"), ("a",), 2).regular


def test_more_motors_than_freedoms_and_fewer():
    J = np.array([[0.0, 1.0, -1.0, 0.0]])
    names = ("a", "b", "c", "d")
    assert classified(J, np.eye(4), names, names, 1).regular
    few = classified(J, np.eye(4)[:1], names, ("a",), 1)
    assert few.regular
    assert classified(J, np.array([[0.0, 1.0, -1.0, 0.0]]), names, ("x",), 1).type == "output"


def test_a_swinging_crank_stands_still_where_coupler_and_rocker_are_in_line():
    lengths = crank, coupler, rocker, ground = 0.5, 0.7, 0.6, 1.0
    found = lw.singularities(lw.zoo.four_bar(lengths), "crank_joint")
    end = in_line(crank, ground, coupler + rocker)
    assert values(found, "crank_joint") == pytest.approx(sorted((end, 2 * math.pi - end)), abs=1e-9)
    for one in found:
        assert (one.type, one.standing.still, one.standing.branching) == ("output", ("crank_joint",), False)
        assert one.joints == ("crank_pin", "rocker_joint")
        assert one.standing.distance < 1e-6
        assert "dead point of crank_joint" in str(one)


def test_a_grashof_crank_has_none_but_its_rocker_rests():
    crank, coupler, rocker, ground = lengths = 0.3, 1.0, 0.6, 1.0
    mechanism = lw.zoo.four_bar(lengths)
    assert len(lw.singularities(mechanism, "crank_joint")) == 0
    found = lw.singularities(mechanism, "crank_joint", outputs=["rocker_joint"])
    # crank and coupler in line: the pin on the rocker is coupler -+ crank away from the crank's pivot
    ends = []
    for side in (1, -1):
        reach = coupler + side * crank
        angle = math.acos((reach**2 + ground**2 - rocker**2) / (2 * reach * ground)) + (math.pi if side < 0 else 0.0)
        ends += [angle % (2 * math.pi), (-angle if side > 0 else 2 * math.pi - angle) % (2 * math.pi)]
    assert values(found, "crank_joint") == pytest.approx(sorted(ends), abs=1e-9)
    assert {one.type for one in found} == {"rest"}
    distances = np.concatenate([one.distance for one in lw.singularities(mechanism, "crank_joint").branches])
    assert distances.min() > 0.1


def test_a_parallelogram_branches_where_it_folds():
    found = lw.singularities(lw.zoo.four_bar((0.3, 1.0, 0.3, 1.0)), "crank_joint")
    assert sorted(abs(math.remainder(one.values["crank_joint"], 2 * math.pi)) for one in found) == pytest.approx(
        [0.0, math.pi], abs=1e-5
    )
    for one in found:
        assert (one.type, one.standing.branching) == ("actuator", True)


@pytest.mark.parametrize("n", [1, 3])
def test_a_row_of_four_bars_branches_where_all_links_align(n):
    found = lw.singularities(lw.zoo.n_four_bar(n), {"pivot_0": (-3.0, 3.0)})
    assert sorted(one.values["pivot_0"] for one in found) == pytest.approx([-math.pi / 2, math.pi / 2], abs=1e-5)
    assert all(one.standing.branching for one in found)


def test_a_driven_slide_has_two_dead_centres_on_either_side():
    mechanism, _ = made("slider_crank")
    found = lw.singularities(mechanism, {"slide": (-0.5, 0.5)})
    assert sorted(one.values["slide"] for one in found) == pytest.approx([-0.45, -0.15, 0.15, 0.45], abs=1e-9)


def test_two_driven_cranks_are_mapped_line_by_line():
    mechanism, _ = made("five_bar")
    ranges = {"shoulder_1": (-3.0, 3.0), "shoulder_2": (-0.5, 0.5)}
    found = lw.singularities(mechanism, ranges, lines=3)
    assert {round(one.values["shoulder_2"], 9) for one in found} <= {-0.5, 0.0, 0.5}
    dyn = lw.Dynamics(mechanism)
    for one in found:
        # the two lower bars in line: the tip and the elbows on one line
        elbow_1, elbow_2 = (dyn.pose(body, one.state.q).p for body in ("lower_1", "lower_2"))
        tip = dyn.pose("lower_1", one.state.q).point(mechanism.joint("tip").in_parent.xyz)
        assert np.linalg.norm(np.cross(elbow_1 - tip, elbow_2 - tip)) < 1e-6
    assert len(found) >= 6


def test_wrong_questions():
    mechanism, _ = made("five_bar")
    with pytest.raises(LoopwrightError, match="shoulder_2 need ranges with two ends"):
        lw.singularities(mechanism, {"shoulder_1": (-1, 1), "shoulder_2": (-np.inf, 1)})
    with pytest.raises(LoopwrightError, match="no coordinate 'elbow'"):
        lw.singularities(mechanism, "elbow")
