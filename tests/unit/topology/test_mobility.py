import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import GROUND
from loopwright.spatial import from_rpy
from loopwright.topology import Topology, mobility

from ..spatial.samples import assert_close, vectors
from .graphs import carpet_scraper, excavator, four_bar, made, planar, stewart, three_rrr

Z = (0.0, 0.0, 1.0)


def counted(mechanism):
    m = mobility(mechanism)
    return m.spatial, m.planar, m.normal


def ring(kinds, axes=None, **options):
    """A single loop of joints of these kinds, with axes along random directions when none are given."""
    rng = np.random.default_rng(len(kinds))
    b = lw.Builder("ring")
    stops = [GROUND, *(f"b{k}" for k in range(1, len(kinds))), GROUND]
    for body in stops[1:-1]:
        b.body(body, 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    for k, kind in enumerate(kinds):
        axis = rng.normal(size=3) if axes is None else axes[k]
        given = {} if kind in ("universal", "spherical", "weld") else {"normal" if kind == "planar" else "axis": axis}
        getattr(b, kind)(f"j{k}", stops[k], stops[k + 1], xyz=rng.normal(size=3), **given, **options.get(f"j{k}", {}))
    return b.build()


@pytest.mark.parametrize(
    "mechanism, spatial, flat",
    [
        (four_bar(), -2, 1),
        (carpet_scraper(), -8, 1),
        (excavator(), 6 * (8 - 12) + 12, 3 * (8 - 12) + 12),
        (three_rrr(), -3, 3),
        (planar("five_bar", {"a": "ground 1", "b": "1 2", "c": "2 3", "d": "3 4", "e": "4 ground"}), -1, 2),
        (ring(["revolute", "revolute", "revolute", "prismatic"], [Z, Z, Z, (1, 1, 0)]), -2, 1),
        (ring(["prismatic", "revolute", "prismatic", "revolute"], [(1, 0, 0), Z, (0, 1, 0), Z]), -2, 1),
        (ring(["planar", "weld"], [Z, Z]), -3, 0),
    ],
    ids=["four-bar", "carpet scraper", "excavator", "3-RRR", "five-bar", "slider-crank", "trammel", "stuck"],
)
def test_counted_in_the_plane(mechanism, spatial, flat):
    assert counted(mechanism) == (spatial, flat, Z)
    assert mobility(mechanism).expected == flat


@pytest.mark.parametrize(
    "mechanism, freedoms",
    [
        (stewart(), 6),
        (ring(["revolute"] * 6), 0),  # Bricard's linkage moves all the same
        (ring(["revolute"] * 4), -2),  # and Bennett's
        (ring(["revolute"] * 7), 1),
        (ring(["revolute", "spherical", "spherical", "revolute"]), 2),  # the coupler turns about itself
        (ring(["revolute", "universal", "spherical", "revolute"]), 1),
        (ring(["prismatic", "prismatic", "prismatic"], [(1, 0, 0), (0, 1, 0), (1, 1, 0)]), -3),
        (made("bird", {"flight": ("free", GROUND, "bird")}), 6),
        (made("hung", {"flight": ("free", GROUND, "bird"), "string": ("spherical", GROUND, "bird")}), 3),
        (made("plinth", {"mortar": ("weld", GROUND, "stone")}), 0),
    ],
    ids=["Stewart", "6R", "4R", "7R", "RSSR", "RUSR", "PPP", "free", "hung", "weld"],
)
def test_counted_in_space(mechanism, freedoms):
    assert counted(mechanism) == (freedoms, None, None)
    assert mobility(mechanism).expected == freedoms


def test_an_open_tree_has_the_freedoms_of_its_joints():
    mechanism = made("tree", {"a": ("universal", GROUND, "1"), "b": ("spherical", "1", "2"), "c": ("screw", "1", "3")})
    assert mobility(mechanism).spatial == mechanism.nv == 6
    flat = planar("chain", {"a": "ground 1", "b": "1 2"})
    assert counted(flat) == (2, 2, Z)


def test_welds_do_not_count():
    joints = {"a": "ground 1", "b": "1 2", "c": "2 3", "d": "3 ground"}
    with_weld = {name: ("revolute", *ends.split()) for name, ends in joints.items()} | {"w": ("weld", "2", "tool")}
    assert counted(made("m", with_weld, flat=True)) == counted(planar("m", joints))


@pytest.mark.parametrize("axis", [(0, 1e-6, 1), (1, 0, 0)])
def test_one_axis_askew_is_no_plane(axis):
    axes = [Z, Z, axis, Z]
    assert mobility(ring(["revolute"] * 4, axes)).planar is None
    assert mobility(ring(["revolute"] * 3 + ["prismatic"], [Z, Z, Z, (1, 0, 1e-6)])).planar is None


def test_the_ends_of_a_cut_joint_must_both_lie_in_the_plane():
    tilted = {"child_rpy": (0.1, 0.0, 0.0)}
    mechanism = ring(["revolute"] * 4, [Z] * 4, j2=tilted)
    assert [joint.name for joint in mechanism.tree.cuts] == ["j2"]
    assert mobility(mechanism).planar is None


@given(vectors(3.0), st.integers(0, 7))
def test_the_plane_may_stand_anyhow(rpy, signs):
    R = from_rpy(rpy)
    axes = [R[:, 2] * (-1.0 if signs >> k & 1 else 1.0) * (k + 1) for k in range(3)]
    m = mobility(ring(["revolute", "revolute", "revolute", "prismatic"], [*axes, 5.0 * R[:, 0]]))
    assert (m.spatial, m.planar) == (-2, 1)
    normal = np.array(m.normal)
    assert_close(np.cross(normal, R[:, 2]), np.zeros(3))
    assert normal[np.argmax(np.abs(normal))] > 0.0
    assert_close(np.linalg.norm(normal), 1.0)


@given(vectors(3.0), vectors(3.0))
def test_frames_may_be_turned_about_the_normal_and_bodies_anyhow(rpy, other):
    """A pair of links whose own axes point elsewhere, on joints that are parallel in space."""
    b = lw.Builder("pair")
    b.body("1", 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    b.body("2", 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1))
    b.revolute("a", GROUND, "1", child_rpy=rpy)
    b.revolute("b", "2", "1", rpy=other, child_rpy=rpy, xyz=(1, 2, 3))
    m = mobility(b.build())
    assert m.planar == 2
    assert_close(m.normal, Z)


def test_parameters_count_at_their_values():
    b = lw.Builder("m")
    b.rod("1", 1.0, (1, 0, 0))
    b.rod("2", 1.0, (1, 0, 0))
    b.revolute("a", GROUND, "1")
    b.revolute("b", "1", "2", axis=(0, b.parameter("tilt", 0.0), 1.0))
    mechanism = b.build()
    assert Topology.of(mechanism).mobility.planar == 2
    assert Topology.of(mechanism.with_parameters(tilt=0.1)).mobility.planar is None
