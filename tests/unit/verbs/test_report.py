import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright import zoo
from loopwright.closure import rank
from loopwright.mechanism import GROUND
from loopwright.testing import random_loops, random_tree
from tests.unit.topology.graphs import carpet_scraper, made, stewart
from tests.unit.topology.test_loops import looped


def crank():
    b = lw.Builder("crank_slider", gravity=(0, -9.81, 0), source="a drawing")
    b.parameter("l", 0.3)
    b.rod("crank", 1.5, to=(b["l"], 0, 0))
    b.rod("rod", 2.0, to=(1.0, 0.5, 0))
    b.body("slider", 3.0, inertia=(1, 2, 2.5))
    b.revolute("crank_joint", GROUND, "crank", actuated=True, damping=0.1, rotor_inertia=0.01)
    b.revolute("crank_pin", "crank", "rod", xyz=(b["l"], 0, 0), friction=0.2)
    b.prismatic("slide", GROUND, "slider", axis=(1, 0, 0), limits=(0, 2), stiffness=5.0)
    b.revolute("wrist_pin", "rod", "slider", xyz=(1, 0, 0))
    b.note("the wrist pin is thin")
    return b.build()


CRANK = """\
crank_slider: 3 bodies, 4 joints, 1 loop
source: a drawing
gravity (0, -9.81, 0) m/s²
parameters: l = 0.3

body    mass kg  centre m        inertia about it kg m²
------  -------  --------------  ---------------------------------------
crank   1.5      (0.15, 0, 0)    0, 0.01125, 0.01125
rod     2        (0.5, 0.25, 0)  0.04167, 0.1667, 0.2083; -0.08333, 0, 0
slider  3        (0, 0, 0)       1, 2, 2.5

joint        kind       from    to      freedoms
-----------  ---------  ------  ------  --------  ------------------------
crank_joint  revolute   ground  crank   1         actuated, damping, rotor
crank_pin    revolute   crank   rod     1         friction
slide        prismatic  ground  slider  1         spring, limits
wrist_pin    revolute   rod     slider  1         cut

3 tree coordinates: crank_joint, crank_pin, slide
1 actuator: crank_joint

loops, each opened at the joint in brackets:
  rod - crank - ground - slider - [wrist_pin]   5 rows, subsystems 1, 2
5 closure rows on 3 tree coordinates

subsystems: {crank, rod}, {slider}
modules: {crank, rod}, {slider}

mobility: 1, by the rank of the closure rows at 5 closed positions
Grübler–Kutzbach counts -2 in space, 1 in the plane across z
3 closure rows repeat the others:
  wrist_pin: shift along z, turn about its x, turn about its y
so these reactions depend on how stiff the parts are:
  moments about x, y and force along z in crank_joint, crank_pin, slide, wrist_pin
they would not with crank_pin spherical instead of revolute, and slide cylindrical instead of prismatic
note: the wrist pin is thin"""


def test_a_report_says_it_all_in_words_and_tables():
    assert str(lw.report(crank())) == CRANK


def test_a_report_is_data_too():
    data = lw.report(crank()).data
    assert json.loads(json.dumps(data, allow_nan=False))["joints"][0] == {
        "name": "crank_joint",
        "kind": "revolute",
        "parent": "ground",
        "child": "crank",
        "freedoms": 1,
        "actuated": True,
        "cut": False,
        "with": ["damping", "rotor"],
    }
    assert [joint["name"] for joint in data["joints"] if joint["cut"]] == ["wrist_pin"]
    assert data["bodies"][0]["com"] == [0.15, 0.0, 0.0]
    assert data["parameters"] == {"l": 0.3}
    assert data["loops"] == [
        {
            "name": "wrist_pin",
            "bodies": ["rod", "crank", "ground", "slider"],
            "joints": ["crank_pin", "crank_joint", "slide", "wrist_pin"],
            "rows": 5,
            "subsystems": [1, 2],
        }
    ]
    assert data["mobility"] == {"spatial": -2, "planar": 1, "normal": (0.0, 0.0, 1.0)}
    assert data["coordinates"] == data["velocities"] == ["crank_joint", "crank_pin", "slide"]
    assert (data["actuators"], data["notes"]) == (["crank_joint"], ["the wrist pin is thin"])


def test_the_carpet_scraper_in_words():
    text = str(lw.report(carpet_scraper()))
    assert "carpet_scraper: 7 bodies, 10 joints, 3 loops" in text
    assert "  #1 - ground - #2 - #3 - [8]   5 rows, subsystems 1, 2\n" in text
    assert "  #5 - #4 - #6 - #7 - [10]   5 rows, subsystem 3\n" in text
    assert "subsystems: {#1}, {#2, #3}, {#4, #5, #6, #7}" in text
    assert "15 closure rows on 7 tree coordinates" in text
    assert "no joint is declared actuated, so every tree coordinate takes a force" in text


def test_a_platform_in_words():
    text = str(lw.report(stewart()))
    assert "stewart: 13 bodies, 18 joints, 5 loops" in text
    assert "q has 22 numbers, v has 21: orientations are quaternions (x, y, z, w)" in text
    assert "15 closure rows on 21 tree coordinates" in text
    assert "Grübler–Kutzbach counts 6 in space" in text


def test_a_pendulum_in_words():
    text = str(lw.report(made("pendulum", {"pin": ("revolute", GROUND, "bob")})))
    assert "pendulum: 1 body, 1 joint, 0 loops" in text
    assert "no loops: an open tree" in text
    assert text.endswith("mobility: 1")
    assert "Grübler" not in text
    assert "source" not in text
    assert "parameters" not in text


def test_a_plane_that_stands_askew_is_told_by_its_normal():
    b = lw.Builder("door")
    b.rod("leaf", 1.0, (1, 0, 0))
    b.revolute("upper", GROUND, "leaf", axis=(0, 3, 4))
    b.revolute("lower", GROUND, "leaf", axis=(0, 3, 4), xyz=(0, -0.6, -0.8), child_xyz=(0, -0.6, -0.8))
    text = str(lw.report(b.build()))
    assert "Grübler–Kutzbach counts -4 in space, -1 in the plane across (0, 0.6, 0.8)" in text
    assert "mobility: 1, by the rank" in text
    assert "5 closure rows repeat the others" in text


def test_other_cuts_may_be_reported():
    data = lw.report(crank(), cuts=["slide"]).data
    assert data["coordinates"] == ["crank_joint", "crank_pin", "wrist_pin"]
    assert data["loops"][0]["name"] == "slide"


def test_long_mechanisms_are_shortened():
    b = lw.Builder("rope")
    for k in range(60):
        b.rod(f"rod{k}", 1.0, (1, 0, 0))
        b.revolute(f"pin{k}", f"rod{k - 1}" if k else GROUND, f"rod{k}", axis=(0, 1, 0), xyz=(1, 0, 0))
    lines = str(lw.report(b.build())).splitlines()
    assert len(lines) < 100
    assert "rod29  1" in "\n".join(lines)
    assert "rod30  1" not in "\n".join(lines)
    assert sum(line.startswith("rod59") for line in lines) == 1
    assert "60 tree coordinates: pin0, pin1, pin2, pin3, pin4, pin5, pin6, pin7, pin8, pin9, pin10, … pin59" in lines
    assert all(len(line) < 200 for line in lines)


@pytest.mark.parametrize("floating", [False, True])
@given(st.integers(0, 10**6))
def test_every_tree_has_a_report(floating, seed):
    mechanism = random_tree(seed, floating=floating, loads=True)
    report = lw.report(mechanism)
    json.dumps(report.data, allow_nan=False)
    text = str(report)
    for part in (*mechanism.bodies, *mechanism.joints):
        assert part.name in text
    assert not any(line.endswith(" ") for line in text.splitlines())


@given(looped())
@settings(max_examples=12)
def test_every_looped_mechanism_has_a_report(mechanism):
    report = lw.report(mechanism)
    json.dumps(report.data, allow_nan=False)
    assert str(report).count(" rows, subsystem") == len(mechanism.tree.cuts)


@given(st.integers(0, 30), st.booleans())
@settings(max_examples=8)
def test_reports_of_random_loops_agree_with_the_rank_at_a_position_known_to_be_closed(seed, planar):
    mechanism, q = random_loops(seed, planar=planar)
    found = lw.report(mechanism).data["freedoms"]
    J = lw.Dynamics(mechanism, compiled=False).closure_jacobian(q)
    assert found["mobility"] == mechanism.nv - rank(J)
    assert sum(map(len, found["redundant"].values())) == len(J) - rank(J)


def test_a_linkage_that_closes_nowhere_has_a_report_that_says_so():
    b = lw.Builder("apart")
    for name in ("left", "right"):
        b.rod(name, 1.0, (1, 0, 0))
    b.revolute("left_pivot", GROUND, "left")
    b.revolute("right_pivot", GROUND, "right", xyz=(5, 0, 0))
    b.revolute("tip", "left", "right", xyz=(1, 0, 0), child_xyz=(1, 0, 0))
    text = str(lw.report(b.build()))
    assert "the loops of 'apart' (tip) close nowhere that was tried: the nearest gap is 3" in text


MOBILITY = {"bricard": (0, 1, 1), "bennett": (-2, 1, 3), "schatz": (0, 1, 1), "four_bar": (-2, 1, 3), "rssr": (2, 2, 0)}


@pytest.mark.parametrize("name", MOBILITY)
def test_mobility_beside_the_count(name):
    counted, mobility, repeated = MOBILITY[name]
    data = lw.report(zoo.MECHANISMS[name]()).data
    assert data["mobility"]["spatial"] == counted
    assert data["freedoms"]["mobility"] == mobility
    assert sum(map(len, data["freedoms"]["redundant"].values())) == repeated


def test_idle_spins_and_freedoms_without_motor():
    found = lw.report(zoo.rssr()).data["freedoms"]
    assert (found["idle"], found["undriven"]) == (["coupler"], 1)
    text = str(lw.report(zoo.rssr()))
    assert "idle: coupler may spin and moves nothing else" in text
    assert "1 freedom has no motor: crank_pin.wx move" in text
    assert lw.report(zoo.delta(elbows="spherical")).data["freedoms"]["idle"] == [
        f"rod_{k}{side}" for k in (1, 2, 3) for side in "ab"
    ]
    assert lw.report(zoo.stewart()).data["freedoms"]["idle"] == []
    assert lw.report(zoo.cassie_leg()).data["freedoms"]["undriven"] == 2


@pytest.mark.parametrize(
    "name", ["four_bar", "slider_crank", "bricard", "bennett", "schatz", "three_rrr", "scissor_lift"]
)
def test_the_remedy_leaves_nothing_redundant_and_the_mobility_as_it_was(name):
    mechanism = zoo.MECHANISMS[name]()
    found = lw.report(mechanism).data["freedoms"]
    changed = replaced(mechanism, {joint: by for joint, _, by in found["remedy"]})
    after = lw.report(changed).data["freedoms"]
    assert after["redundant"] == {}
    assert after["open_forces"] == {}
    assert after["mobility"] == found["mobility"]


def replaced(mechanism, kinds):
    """The same mechanism with joints of other kinds on the same axes; a universal's second axis lies across."""
    b = lw.Builder(mechanism.name)
    for body in mechanism.bodies:
        b.body(body.name, body.mass, body.com, body.inertia)
    for joint in mechanism.joints:
        kind = kinds.get(joint.name, joint.kind)
        geometry = dict(joint.geometry) if kind == joint.kind else {}
        if kind in ("universal", "cylindrical") and kind != joint.kind:
            axis = np.array(joint.shape("axis"), dtype=float)
            across = np.cross(axis, np.roll(axis, 1) + np.array([0.1, 0.2, 0.3]))
            geometry = {"axis": axis} if kind == "cylindrical" else {"axes": (axis, across)}
        placed = {"xyz": joint.in_parent.xyz, "rpy": joint.in_parent.rpy}
        placed |= {"child_xyz": joint.in_child.xyz, "child_rpy": joint.in_child.rpy}
        getattr(b, kind)(joint.name, joint.parent, joint.child, **placed, **geometry)
    return b.build()


@pytest.mark.parametrize("name", ["four_bar", "bricard", "bennett", "three_rrr", "scissor_lift", "stewart"])
def test_reactions_left_open_are_those_that_inverse_dynamics_finds_indeterminate(name):
    mechanism = zoo.MECHANISMS[name]()
    start = zoo.start(name)
    q = np.array([start[label] for label in mechanism.coordinates])
    still = np.zeros(mechanism.nv)
    determinate = lw.Dynamics(mechanism, compiled=False).inverse(q, still, still, details=True).determinate
    found = lw.report(mechanism).data["freedoms"]["open_forces"]
    names = [f"{what} {axis}" for what in ("moment", "force") for axis in "xyz"]
    for joint, known in determinate.items():
        left_open = {name for name, sure in zip(names, known, strict=True) if not sure}
        # at one position an entry may vanish that does not elsewhere
        assert left_open <= set(found.get(joint, [])), joint
    assert set(found) == {joint for joint, known in determinate.items() if not all(known)}
