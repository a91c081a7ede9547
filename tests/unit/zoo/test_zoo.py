"""Every ready mechanism: that it builds, says where it comes from, and closes where it starts."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import loopwright as lw
from loopwright import LoopwrightError, zoo
from loopwright.zoo.three_rrr import PAPER_CUTS

from .closing import body_poses, closed, freedoms, gap_rates, gaps, position

NAMES = tuple(zoo.MECHANISMS)
BIBLIOGRAPHY = Path(zoo.__file__).parents[1] / "references.bib"


def around(*corners):
    """Length of the bars of a polygon."""
    return sum(math.dist(p, q) for p, q in zip(corners, [*corners[1:], corners[0]], strict=True))


EXCAVATOR = (
    20 * 1.5
    + 30 * around((0, 0), (0.3, -0.3), (0.4, -0.6), (0.6, 0))
    + 70 * around((0, 0), (1.5, 0), (3, 0), (1.2, 0.35))
    + 40 * around((0, 0), (2, 0), (-0.4, 0))
    + 60 * around((0, 0), (0, 0.35), (0.9, 0.3), (0.8, -0.2))
    + 3 * (40 + 25)
)

#                         bodies, joints, loops, nq, nv, actuators; mass of all bodies
COUNTS = {
    "pendulum": (1, 1, 0, 1, 1, 1, 1.0),
    "n_pendulum": (3, 3, 0, 3, 3, 3, 3.0),
    "planar_3r": (3, 3, 0, 3, 3, 3, 1.2),
    "chain": (6, 6, 0, 6, 6, 6, sum(1 / (1 + k / 6) for k in range(6))),
    "puma560": (6, 6, 0, 6, 6, 6, 23.45),
    "puma560_mdh": (6, 6, 0, 6, 6, 6, 23.45),
    "stanford_arm": (6, 6, 0, 6, 6, 6, 20.77),
    "kuka_kr5": (6, 6, 0, 6, 6, 6, 39.869),
    "gripper_tree": (4, 4, 0, 4, 4, 4, 1.0),
    "flyball": (6, 6, 0, 4, 4, 4, 13.9),
    "space_robot": (4, 4, 0, 6, 6, 3, 530.0),
    "dual_arm_space_robot": (7, 7, 0, 9, 9, 6, 560.0),
    "spatial_biped": (12, 12, 0, 12, 12, 12, 9.2),
    "quadruped": (9, 9, 0, 19, 18, 12, 12.0),
    "hexapod": (13, 13, 0, 25, 24, 18, 4.4),
    "four_bar": (3, 4, 1, 3, 3, 1, 9.5),
    "hoeken": (3, 4, 1, 3, 3, 1, 9.5),
    "redysim_four_bar": (3, 4, 1, 3, 3, 1, 9.5),
    "wang_four_bar": (3, 4, 1, 3, 3, 1, 3.0),
    "spring_four_bar": (3, 4, 1, 3, 3, 3, 3.0),
    "n_four_bar": (5, 7, 2, 5, 5, 5, 5.0),
    "slider_crank": (3, 4, 1, 3, 3, 1, 0.586656),
    "five_bar": (4, 5, 1, 4, 4, 2, 7.7),
    "three_rrr": (7, 9, 2, 7, 7, 3, 29.0),
    "stewart": (13, 18, 5, 22, 21, 6, 2.7),
    "carpet_scraper": (7, 10, 3, 7, 7, 1, 30.2),
    "robotic_leg": (7, 10, 3, 7, 7, 1, 0.1755),
    "andrews": (7, 10, 3, 7, 7, 1, 0.21023),
    "watt_six_bar": (5, 7, 2, 5, 5, 1, 2 * (0.12 + around((0, 0), (0.35, 0), (0.2, 0.2)) + 0.45 + 0.42)),
    "stephenson_six_bar": (
        5,
        7,
        2,
        5,
        5,
        1,
        2 * (0.12 + around((0, 0), (0.35, 0), (0.2, 0.25)) + 0.3 + 1),
    ),
    "peaucellier": (7, 10, 3, 7, 7, 1, 2 * (0.2 + 2 * 0.5 + 4 * 0.2)),
    "jansen_leg": (7, 10, 3, 7, 7, 1, 0.01 * (41.5 + 39.3 + 40.1 + 55.8 + 39.4 + 36.7 + 65.7 + 49 + 50 + 61.9 + 15)),
    "scissor_lift": (9, 13, 4, 9, 9, 1, 6 * 4.0 + 2 * 0.4 + 50.0),
    "excavator": (11, 15, 4, 11, 11, 3, EXCAVATOR),
    "delta": (10, 15, 5, 19, 18, 3, 0.5 + 3 * 0.5 + 6 * 0.1),
    "cassie_leg": (9, 11, 2, 11, 11, 3, 7.09),
    "digit_leg": (11, 14, 3, 15, 15, 4, 7.75),
    "rssr": (3, 4, 1, 6, 5, 1, 2 * 0.85),
    "rsur": (3, 4, 1, 4, 4, 1, 2 * 0.85),
    "bennett": (3, 4, 1, 3, 3, 3, 4.0),
    "bricard": (5, 6, 1, 5, 5, 5, 5.0),
    "schatz": (5, 6, 1, 5, 5, 1, 4.0),
}

# Where the loops open when the rules choose.
CUTS = {
    "four_bar": {"rocker_pin"},
    "hoeken": {"crank_pin"},
    "redysim_four_bar": {"crank_pin"},
    "wang_four_bar": {"rocker_pin"},
    "spring_four_bar": {"right_pin"},
    "n_four_bar": {"right_1", "right_2"},
    "slider_crank": {"wrist_pin"},
    "five_bar": {"tip"},
    "three_rrr": {"wrist_2", "wrist_3"},
    "stewart": {"ball_2", "ball_3", "ball_4", "ball_5", "ball_6"},
    "carpet_scraper": {"joint_8", "joint_9", "joint_10"},
    "robotic_leg": {"joint_8", "joint_9", "joint_10"},
    "andrews": {"E_K3", "E_K4", "E_K6"},
    "watt_six_bar": {"rocker_pin", "tip_pin"},
    "stephenson_six_bar": {"rocker_pin", "coupler_tip"},
    "peaucellier": {"B", "C", "P"},
    "jansen_leg": {"top", "ankle_k", "heel"},
    "scissor_lift": {"left_2", "right_3", "slider_pin", "deck_slide"},
    "excavator": {"joint_5", "joint_11", "joint_14", "joint_15"},
    "delta": {"ball_1b", "ball_2a", "ball_2b", "ball_3a", "ball_3b"},
    "cassie_leg": {"achilles_ball", "plantar_ball"},
    "digit_leg": {"achilles_ball", "toe_1_ball", "toe_2_ball"},
    "rssr": {"rocker_pin"},
    "rsur": {"crank_pin"},
    "bennett": {"joint_3"},
    "bricard": {"hinge_3"},
    "schatz": {"joint_4"},
}

# Freedoms with all loops closed; where it is not 1. Of the RSSR's two, one is the idle spin of its coupler.
FREEDOMS = dict.fromkeys(CUTS, 1) | {
    "five_bar": 2,
    "three_rrr": 3,
    "stewart": 6,
    "excavator": 3,
    "delta": 3,
    "cassie_leg": 5,
    "digit_leg": 6,
    "rssr": 2,
}

REFUSED = [
    ("pendulum", {"length": -1.0}),
    ("pendulum", {"mass": 0.0}),
    ("pendulum", {"mass": math.nan}),
    ("pendulum", {"length": "long"}),
    ("n_pendulum", {"n": 0}),
    ("n_pendulum", {"n": 2.5}),
    ("n_pendulum", {"n": True}),
    ("n_pendulum", {"length": math.inf}),
    ("chain", {"n": -3}),
    ("chain", {"length": 0}),
    ("planar_3r", {"lengths": (1, 1)}),
    ("planar_3r", {"masses": (1, -1, 1)}),
    ("stanford_arm", {"table": "craig"}),
    ("gripper_tree", {"jaws": "magnetic"}),
    ("space_robot", {"base": "fixed"}),
    ("dual_arm_space_robot", {"base": ""}),
    ("four_bar", {"lengths": (1, 1, 1, 3)}),
    ("four_bar", {"lengths": (0.3, -1, 0.6, 1)}),
    ("four_bar", {"masses": 1.0}),
    ("five_bar", {"lengths": (0.1, 0.1, 0.1, 0.1, 1.2)}),
    ("five_bar", {"masses": (1, 1, 1)}),
    ("n_four_bar", {"n": 0}),
    ("bennett", {"length": -0.3}),
    ("slider_crank", {"gravity": (0, -9.81)}),
    ("watt_six_bar", {"lengths": (1, 1, 1, 3)}),
    ("watt_six_bar", {"outer": (1,)}),
    ("stephenson_six_bar", {"per_metre": 0}),
    ("stephenson_six_bar", {"lengths": (0.1, 0.1, 0.1, 0.4)}),
    ("peaucellier", {"crank": 0.1}),
    ("peaucellier", {"long": "long"}),
    ("jansen_leg", {"unit": -1}),
    ("scissor_lift", {"n": 0}),
    ("scissor_lift", {"load": 0}),
    ("delta", {"elbows": "revolute"}),
    ("delta", {"rod": math.nan}),
    ("rssr", {"lengths": (0.1, 0.4)}),
    ("rsur", {"per_metre": -2}),
    ("schatz", {"shaft": 0}),
]

VARIANTS = [
    ("n_pendulum", {"n": 1}, 1),
    ("n_pendulum", {"n": 40}, 40),
    ("chain", {"n": 1}, 1),
    ("chain", {"n": 50, "twist": 0.7}, 50),
    ("stanford_arm", {"table": "saha"}, 6),
    ("gripper_tree", {"jaws": "prismatic"}, 3),
    ("space_robot", {"base": "free"}, 9),
    ("dual_arm_space_robot", {"base": "free"}, 12),
    ("four_bar", {"lengths": (1, 1, 1, 1)}, 3),
    ("n_four_bar", {"n": 6}, 13),
    ("stewart", {"floating": True}, 24),
    ("watt_six_bar", {"per_metre": 3.0}, 5),
    ("peaucellier", {"long": 0.6, "short": 0.25}, 7),
    ("jansen_leg", {"unit": 0.02}, 7),
    ("scissor_lift", {"n": 1}, 5),
    ("scissor_lift", {"n": 50}, 103),
    ("delta", {"elbows": "spherical"}, 24),
    ("rsur", {"lengths": (0.1, 0.5, 0.3)}, 4),
    ("schatz", {"length": 0.3}, 5),
]


def made(name, **keywords):
    return zoo.MECHANISMS[name](**keywords)


def drawing(text):
    """The lines of the literal block of a docstring."""
    _, _, after = text.partition("::\n")
    indented = re.match(r"(?:[ ]{8}.*\n|[ ]*\n)*", after)
    return [line for line in indented.group().splitlines() if line.strip()]


def test_the_registry_names_what_the_package_offers():
    for name, member in zoo.MECHANISMS.items():
        assert member.__name__ == name
        assert getattr(zoo, name) is member
        assert made(name).name == name
    assert set(zoo.__all__) == {*NAMES, "CLOSED", "MECHANISMS", "OPEN", "describe", "rates", "start"}
    assert set(COUNTS) == set(NAMES)
    assert {member.__name__ for member in zoo.CLOSED} == set(CUTS)


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_is_and_where_it_comes_from(name):
    text, source = zoo.MECHANISMS[name].__doc__, made(name).source
    assert zoo.describe(name).endswith(".")
    assert "Source: " in text
    assert len(drawing(text)) >= 2, "no drawing"
    assert re.search(r"[-=_/|\\]{2}", "".join(drawing(text)))
    cited = re.findall(r"\[([A-Z]\w+?\d{4})", source)
    known = set(re.findall(r"^@\w+\{(\w+),", BIBLIOGRAPHY.read_text(encoding="utf-8"), re.MULTILINE))
    assert cited, "no entry of the bibliography"
    assert set(cited) <= known
    assert set(re.findall(r"\[([A-Z]\w+?\d{4})", text)) <= known


@pytest.mark.parametrize("name", NAMES)
def test_counts_and_masses(name):
    mech = made(name)
    *counts, mass = COUNTS[name]
    found = [len(mech.bodies), len(mech.joints), len(mech.tree.cuts), mech.nq, mech.nv, mech.nu]
    assert found == counts
    assert sum(body.mass for body in mech.bodies) == pytest.approx(mass, rel=1e-12)
    assert mech.notes == ()


def test_no_two_are_alike():
    bare = [replace(made(name), name="", source="") for name in NAMES]
    assert len(set(bare)) == len(bare)


@pytest.mark.parametrize("name, keywords, nv", VARIANTS)
def test_variants(name, keywords, nv):
    mech = made(name, **keywords)
    assert mech.nv == nv
    assert mech != made(name)


def test_numbers_of_numpy_are_numbers():
    assert zoo.n_pendulum(n=np.int64(3), length=np.float32(0.5)) == zoo.n_pendulum(n=3, length=0.5)


@pytest.mark.parametrize("name, keywords", REFUSED)
def test_refuses_what_makes_no_sense(name, keywords):
    with pytest.raises(LoopwrightError, match=next(iter(keywords)).rstrip("s") + f"|{name}"):
        made(name, **keywords)


@pytest.mark.parametrize("ask", [zoo.describe, zoo.start, zoo.rates])
def test_unknown_names_are_answered_with_the_nearest(ask):
    with pytest.raises(LoopwrightError, match="stewart"):
        ask("stewert")


@pytest.mark.parametrize("name", CUTS)
def test_the_rules_open_the_loops_where_the_literature_does(name):
    mech = made(name)
    assert {joint.name for joint in mech.tree.cuts} == CUTS[name]
    assert mech.cuts is None


@pytest.mark.parametrize("name", NAMES)
def test_loops_close_at_the_start(name):
    mech = made(name)
    q = position(mech, zoo.start(name))
    # the numbers are written with 16 digits, so only their rounding remains
    assert np.abs(gaps(mech, q)).max(initial=0.0) < 5e-15
    for k, label in enumerate(mech.coordinates):
        if label.endswith(".qw"):
            assert np.linalg.norm(q[k - 3 : k + 1]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", [name for name in NAMES if zoo.rates(name)])
def test_loops_stay_closed_at_the_starting_rates(name):
    mech = made(name)
    q, v = position(mech, zoo.start(name)), position(mech, zoo.rates(name))
    J = gap_rates(mech, q)
    assert J @ v == pytest.approx(np.zeros(len(J)), abs=1e-8 * np.abs(v).max())  # 1e-8: the difference quotient


@pytest.mark.parametrize("n", [1, 3])
def test_row_of_four_bars_starts_closed_at_any_number(n):
    from loopwright.zoo.n_four_bar import rates, start

    mech = zoo.n_four_bar(n)
    q, v = position(mech, start(n)), position(mech, rates(n))
    assert np.abs(gaps(mech, q)).max() < 1e-15
    assert np.abs(gap_rates(mech, q) @ v).max() < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_the_mass_matrix_at_the_start_is_positive(name):
    mech = made(name)
    q = position(mech, zoo.start(name))
    assert np.linalg.eigvalsh(lw.mass_matrix(mech, q)).min() > 0.0


# What else is printed of the starting positions, and what the drawings promise.


def test_subsystems_of_the_carpet_scraper_are_the_papers():
    """[Koul2014, 4.1]"""
    for name in ("carpet_scraper", "robotic_leg"):
        topology = lw.Topology.of(made(name))
        groups = [{int(body[-1]) for body in group} for group in topology.subsystems]
        assert groups == [{1}, {2, 3}, {4, 5, 6, 7}]
        assert topology.loop_subsystems == ((0, 1), (1, 2), (2,))


def test_subsystems_of_the_3rrr_are_the_papers_at_its_cuts():
    """[Koul2014, 4.2]"""
    groups = lw.Topology.of(zoo.three_rrr(), PAPER_CUTS).subsystems
    assert sorted(map(len, groups)) == [1, 1, 5]
    assert ("upper_2",) in groups
    assert ("upper_3",) in groups


def test_wang_four_bar_starts_at_the_printed_angles():
    """[Wang2002, 3.1]: theta pi/2, alpha .353281, phi 1.26486"""
    start = zoo.start("wang_four_bar")
    assert start["crank_joint"] == math.pi / 2
    assert start["crank_joint"] + start["crank_pin"] == pytest.approx(0.353281, abs=5e-7)
    assert start["rocker_joint"] == pytest.approx(1.26486, abs=5e-6)


@pytest.mark.parametrize(
    "name, printed",
    [
        ("redysim_four_bar", {"crank_joint": 0.0, "rocker_joint": 2.2783808, "rocker_pin": -4.0048045}),
        ("hoeken", {"crank_joint": 0.0, "rocker_joint": 0.9844, "rocker_pin": 4.3144}),
        (
            "robotic_leg",
            {
                "joint_1": 0.0,
                "joint_2": 4.5110,
                "joint_3": -2.7389,
                "joint_4": -0.8764,
                "joint_5": -1.4604,
                "joint_6": -1.4604,
                "joint_7": -1.6812,
            },
        ),
    ],
)
def test_starts_of_redysims_examples(name, printed):
    """Initial positions of ReDySim's examples, 4 digits (the four-bar: computed, 7 digits)."""
    half = 5e-8 if name == "redysim_four_bar" else 5e-5
    assert zoo.start(name) == pytest.approx(printed, abs=half)


def test_stewart_starts_at_the_printed_pose():
    """[Wang2002, 3.2.3]: pose (-1.5, .1, 1.5), Euler angles (0, .1, 0); the leg lengths agree to 3e-4"""
    mech = zoo.stewart()
    start = zoo.start("stewart")
    platform = body_poses(mech, position(mech, start))["platform"]
    c, s = math.cos(0.1), math.sin(0.1)
    assert platform.p == pytest.approx([-1.5, 0.1, 1.5], abs=1e-14)
    assert np.abs(platform.R - [[c, 0, s], [0, 1, 0], [-s, 0, c]]).max() < 1e-14
    printed = [1.48341, 1.53551, 1.66955, 1.58501, 1.54805, 1.58566]
    # the paper's own six lengths do not belong to exactly this pose: 3.2e-4 apart at worst
    assert [start[f"slide_{k}"] for k in range(1, 7)] == pytest.approx(printed, abs=3.3e-4)


def test_stewart_with_a_platform_of_its_own_is_the_same_machine():
    tied, floating = zoo.stewart(), zoo.stewart(floating=True)
    assert tied.joints == floating.joints[:-1]
    assert {joint.name for joint in floating.tree.cuts} == {f"ball_{k}" for k in range(1, 7)}


def test_spring_four_bar_starts_in_equilibrium():
    """The right bar at 2.23433101898: the potential energy is least to the digits given."""
    mech = zoo.spring_four_bar()
    along = position(mech, {"left_joint": 1.0, "left_pin": -1.0, "right_joint": 1.0})
    q = position(mech, zoo.start("spring_four_bar"))
    dynamics, h = lw.Dynamics(mech), 1e-4

    def potential(turn):
        return dynamics.energy(q + turn * along, 0 * q).potential

    slope = (potential(h) - potential(-h)) / (2 * h)
    bend = (potential(h) - 2 * potential(0.0) + potential(-h)) / h**2
    # h^2 times the third derivative, which is of the size of the bend, remains of the difference quotient
    assert abs(slope / bend) < h**2
    assert bend > 0.0


def test_flyballs_springs_are_slack_at_the_start():
    mech = zoo.flyball()
    poses = body_poses(mech, position(mech, zoo.start("flyball")))
    for spring in mech.springs:
        one, other = (poses[spring.parent].point(spring.in_parent), poses[spring.child].point(spring.in_child))
        assert np.linalg.norm(other - one) == pytest.approx(spring.length, abs=1e-15)


def test_the_pantograph_of_the_carpet_scraper_enlarges_three_and_a_half_times():
    """What fixes the lengths that the paper does not print: .3346/.0956 = .8365/.239 = 3.5"""
    mech = zoo.carpet_scraper()
    poses = body_poses(mech, position(mech, zoo.start("carpet_scraper")))
    pivot = poses["link_4"].p
    drawn, enlarged = poses["link_5"].point([0.239, 0, 0]) - pivot, poses["link_6"].point([0.8365, 0, 0]) - pivot
    assert enlarged == pytest.approx(3.5 * drawn, abs=1e-14)


def test_the_biped_stands_as_designed():
    """Trunk height .92, half a stride forward of the stance foot, the feet .1 apart and .3 behind [Shah2013]."""
    mech = zoo.spatial_biped()
    poses = body_poses(mech, position(mech, zoo.start("spatial_biped")))
    # four digits of four angles, on a leg of 1 m
    assert poses["trunk"].p == pytest.approx([0.92, 0.15, 0.0], abs=2e-4)
    assert poses["swing_foot"].p == pytest.approx([0.0, 0.3, -0.1], abs=4e-4)


@pytest.mark.parametrize("name, height", [("quadruped", "z"), ("hexapod", "y")])
def test_walkers_stand_on_level_ground(name, height):
    mech = made(name)
    poses = body_poses(mech, position(mech, zoo.start(name)))
    knee_to_foot = np.array(mech.joint(f"{'left_rear'}_knee").in_parent.xyz)
    feet = [poses[body.name].point(knee_to_foot) for body in mech.bodies if body.name.endswith("shank")]
    assert [foot["xyz".index(height)] for foot in feet] == pytest.approx([0.0] * len(feet), abs=1e-15)


@pytest.mark.parametrize("name", CUTS)
def test_freedoms_are_as_many_as_said_and_lead_to_neighbouring_closed_positions(name):
    mech = made(name)
    q = position(mech, zoo.start(name))
    count, moves = freedoms(mech, q)
    assert count == FREEDOMS[name]
    step = 0.02
    for direction in moves.T:
        for way in (-step, step):
            there = closed(mech, mech.integrate(q, way * direction))
            assert np.abs(gaps(mech, there)).max() < 1e-13
            # a motion, not only a direction in which the loops give way a little: the step is kept but for its square
            assert np.linalg.norm(mech.difference(q, there) - way * direction) < step / 4
            assert freedoms(mech, there)[0] == count


@pytest.mark.parametrize("name, redundant", [("bricard", 1), ("bennett", 3), ("schatz", 1)])
def test_overconstrained_linkages_move(name, redundant):
    mech = made(name)
    q = position(mech, zoo.start(name))
    rows = 5
    rank = np.linalg.matrix_rank(gap_rates(mech, q), tol=1e-6)
    assert rank == rows - redundant
    assert mech.nv - rank == 1


@pytest.mark.parametrize(
    "name", ["hoeken", "watt_six_bar", "stephenson_six_bar", "jansen_leg", "rssr", "rsur", "schatz"]
)
def test_cranks_turn_all_the_way_round(name):
    mech = made(name)
    at, crank = position(mech, zoo.start(name)), mech.velocities.index(mech.actuators[0])
    follow, turns = np.delete(np.eye(mech.nv), crank, axis=1), 36
    for _ in range(turns):
        at = mech.integrate(at, np.eye(mech.nv)[crank] * 2 * math.pi / turns)
        at = closed(mech, at, along=follow)
        assert np.abs(gaps(mech, at)).max() < 1e-13
    turned = mech.difference(position(mech, zoo.start(name)), at)
    assert turned[crank] == pytest.approx(2 * math.pi)


def test_bennetts_linkage_closes_all_the_way_round():
    mech = zoo.bennett()
    for q1 in np.linspace(-3.0, 3.0, 12):
        q2 = 2 * math.atan2(math.sqrt(3), math.tan(q1 / 2))
        q = position(mech, {"joint_1": q1, "joint_2": q2, "joint_4": -q2})
        assert np.abs(gaps(mech, q)).max() < 1e-14


def test_puma_without_friction_and_rotors():
    plain = zoo.puma560(rotors=False, friction=False)
    assert all(joint.damping == (0.0,) and joint.friction == ((0.0, 0.0),) for joint in plain.joints)
    assert [joint.rotor_inertia[0] for joint in plain.joints] == [0.35, 0, 0, 0, 0, 0]
    assert plain.bodies == zoo.puma560().bodies


def test_closed_loops_are_refused_a_polygon_that_cannot_close():
    with pytest.raises(LoopwrightError, match=r"ground, 3 m, is as long as all the other sides together, 3 m"):
        zoo.four_bar(lengths=(1, 1, 1, 3))


@pytest.mark.parametrize("degrees", [-75, -40, 0, 20, 60, 80])
def test_peaucelliers_linkage_draws_a_straight_line(degrees):
    """x = (long^2 - short^2) / (2 crank) for any angle of the crank."""
    from loopwright.zoo.peaucellier import start

    mech = zoo.peaucellier()
    q = position(mech, start(math.radians(degrees)))
    assert np.abs(gaps(mech, q)).max() < 5e-16
    drawn = body_poses(mech, q)["side_3"].point([0.2, 0, 0])
    assert drawn[0] == pytest.approx((0.5**2 - 0.2**2) / 0.4, abs=5e-16)


def test_peaucelliers_linkage_draws_it_when_the_closure_is_solved_too():
    mech = zoo.peaucellier()
    q, crank = position(mech, zoo.start("peaucellier")), np.eye(7)[0]
    for _ in range(20):
        q = closed(mech, q + math.radians(2) * crank, along=np.eye(7)[:, 1:])
        assert body_poses(mech, q)["side_4"].point([0.2, 0, 0])[0] == pytest.approx(0.525, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_scissor_lifts_start_closed_at_any_number_and_height(n):
    from loopwright.zoo.scissor_lift import START, start

    assert start(3) == pytest.approx(START, abs=1e-15)
    for angle in (0.1, 0.6, 1.2):
        mech = zoo.scissor_lift(n, length=0.8)
        q = position(mech, start(n, angle, 0.8))
        assert np.abs(gaps(mech, q)).max() < 1e-14
        assert freedoms(mech, q)[0] == 1 == lw.Topology.of(mech).mobility.planar
        deck = body_poses(mech, q)["deck"]
        assert deck.p == pytest.approx([0, n * 0.8 * math.sin(angle), 0], abs=1e-14)
        assert np.abs(deck.R - np.eye(3)).max() < 1e-14


def test_jansens_foot_is_flat_on_the_ground_for_a_third_of_a_turn():
    """What the leg is known for: a stride of half its height that rises by a hundredth of it."""
    from loopwright.zoo.jansen_leg import FOOT

    mech = zoo.jansen_leg()
    q, path, follow = position(mech, zoo.start("jansen_leg")), [], np.eye(7)[:, 1:]
    for _ in range(36):
        q = closed(mech, q + math.radians(10) * np.eye(7)[0], along=follow)
        path.append(body_poses(mech, q)["shank"].point([0.01 * FOOT[0], 0.01 * FOOT[1], 0.0]))
    x, y, _ = np.transpose(path)
    standing = y < y.min() + 0.01
    assert standing.sum() >= 12
    assert np.ptp(x[standing]) > 0.45
    assert np.ptp(y) > 0.2


def test_the_excavator_has_the_loops_and_subsystems_of_the_paper():
    """[Koul2014, 2]: its loops by their joints, three driven slides; J_11 J_12, J_22, J_31 J_32, J_41 J_43 (14)."""
    mech = zoo.excavator()
    assert mech.actuators == ("joint_4", "joint_13", "joint_10")
    touching = {joint.name: {joint.parent, joint.child} for joint in mech.joints}
    for loop in ([1, 2, 15, 6], [7, 14, 13, 12], [3, 4, 5, 8, 7, 15], [9, 10, 11, 2, 1]):
        # walked round, neighbouring joints share a body, and so do the last and the first
        pairs = zip(loop, [*loop[1:], loop[0]], strict=True)
        shared = [touching[f"joint_{a}"] & touching[f"joint_{b}"] for a, b in pairs]
        assert all(len(bodies) == 1 for bodies in shared)
        assert len(set.union(*shared)) == len(loop)
    topology = lw.Topology.of(mech)
    boxes = [set(group) for group in topology.subsystems]
    first, second, third = (
        next(k for k, box in enumerate(boxes) if body in box) for body in ("guide", "boom", "boom_rod")
    )
    assert [len(boxes[k]) for k in (first, second, third)] == [4, 5, 2]
    by_cut = {loop.cut.name: set(of) for loop, of in zip(topology.loops, topology.loop_subsystems, strict=True)}
    assert by_cut == {
        "joint_15": {first, second},
        "joint_14": {second},
        "joint_5": {first, second},
        "joint_11": {first, third},
    }


def test_the_delta_holds_its_platform_level():
    mech = zoo.delta()
    q = position(mech, zoo.start("delta"))
    assert body_poses(mech, q)["platform"].p == pytest.approx([0.08, -0.05, -0.62], abs=1e-15)
    for direction in freedoms(mech, q)[1].T:
        there = closed(mech, mech.integrate(q, 0.2 * direction))
        assert np.abs(body_poses(mech, there)["platform"].R - np.eye(3)).max() < 1e-12


def test_rods_of_the_delta_with_balls_at_both_ends_spin_idly():
    """Its start is that of universal elbows, turned into quaternions by Newton's method."""
    mech = zoo.delta(elbows="spherical")
    named = zoo.start("delta")
    q = mech.neutral()
    for k, name in enumerate(mech.coordinates):
        q[k] = named.get(name, q[k])
    q = closed(mech, q)
    assert np.abs(gaps(mech, q)).max() < 1e-13
    assert freedoms(mech, q)[0] == 3 + 6


@pytest.mark.parametrize("name, foot, sole", [("cassie_leg", "toe", (0.12, 0, -0.1)), ("digit_leg", "foot", (1, 0, 0))])
def test_legs_start_with_slack_springs_and_a_level_sole(name, foot, sole):
    mech, start = made(name), zoo.start(name)
    assert start["shin_spring"] == start["heel_spring"] == 0.0
    along = body_poses(mech, position(mech, start))[foot].R @ sole / np.linalg.norm(sole)
    assert abs(along[2]) < 0.01


def test_cassies_ankle_follows_the_knee():
    """With hip and springs held the achilles rod makes a four-bar: as the knee bends, the ankle straightens as much."""
    mech = zoo.cassie_leg()
    q = position(mech, zoo.start("cassie_leg"))
    knee, ankle = (mech.velocities.index(name) for name in ("knee_joint", "ankle_joint"))
    held = [
        mech.velocities.index(name) for name in ("hip_joint", "knee_joint", "shin_spring", "heel_spring", "toe_joint")
    ]
    rest = [k for k in range(mech.nv) if k not in held]
    J = gap_rates(mech, q)
    ratio = np.linalg.solve(J[:, rest], -J[:, knee])[rest.index(ankle)]
    assert ratio == pytest.approx(-1.0, abs=0.15)


def test_digits_foot_rolls_when_its_cranks_part():
    mech = zoo.digit_leg()
    q = position(mech, zoo.start("digit_leg"))
    J = gap_rates(mech, q)
    cranks = [mech.velocities.index(f"crank_{k}_joint") for k in (1, 2)]
    tip, roll = (mech.velocities.index(f"foot_joint.{k}") for k in (1, 2))
    # hip, knee and springs held: the cranks' velocities tell the rest
    held = [mech.velocities.index(name) for name in ("hip_joint", "knee_joint", "shin_spring", "heel_spring")]
    rest = [k for k in range(mech.nv) if k not in (*held, *cranks)]

    def foot(first, second):
        answer = np.linalg.solve(J[:, rest], -J[:, cranks] @ [first, second])
        return answer[rest.index(tip)], answer[rest.index(roll)]

    together, apart = foot(1.0, 1.0), foot(1.0, -1.0)
    assert abs(together[0]) > 0.5 > 0.2 > abs(together[1])
    assert abs(apart[1]) > 0.5 > 0.2 > abs(apart[0])


def test_a_polygon_weighs_and_turns_like_its_bars():
    """Three bars built one by one and welded: the same mass, centre and inertia."""
    from loopwright.zoo.polygon import polygon

    corners = [(0.0, 0.0), (0.7, 0.1), (0.2, 0.5)]
    b = lw.Builder("both")
    polygon(b, "whole", corners, 3.0)
    b.revolute("hinge", "ground", "whole", axis=(1, 2, 3))
    whole = b.build()
    c = lw.Builder("parts")
    for k, (p, q) in enumerate(zip(corners, [*corners[1:], corners[0]], strict=True)):
        c.rod(f"bar_{k}", 3.0 * math.dist(p, q), start=(*p, 0), to=(*q, 0))
        if k:
            c.weld(f"weld_{k}", "bar_0", f"bar_{k}")
    c.revolute("hinge", "ground", "bar_0", axis=(1, 2, 3))
    parts = c.build()
    for q in ([0.3], [2.0]):
        assert lw.mass_matrix(whole, q) == pytest.approx(lw.mass_matrix(parts, q), rel=1e-14)
        assert lw.Dynamics(whole).gravity(q) == pytest.approx(lw.Dynamics(parts).gravity(q), rel=1e-14)
