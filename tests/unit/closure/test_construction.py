"""Closed forms against a search from many starts, and triangles against their own joints."""

import numpy as np
import pytest

import loopwright as lw
from loopwright.closure.triangles import Corner, triangle
from loopwright.spatial import Pose, about
from loopwright.verbs.assembly import Request
from tests.unit.verbs.test_assembly import driven, made

RINGS = ("RRR", "RRP", "RPR", "PRR", "RPP", "PRP", "PPR", "SSR", "SRS", "RSS", "SUR", "URS", "USP", "PSU", "SPS")


def ring(kinds, rng):
    """Corners of three bodies that stand in random places, every joint just closed there."""
    X = [Pose(), *(Pose(random_turn(rng, flat(kinds)), random_point(rng, flat(kinds))) for _ in range(2))]
    corners = []
    for k, kind in enumerate(kinds):
        here = Pose(frame(kind, kinds, rng), random_point(rng, flat(kinds)))
        there = X[(k + 1) % 3].inverse() @ X[k] @ here
        if kind == "P":
            there = there @ Pose(np.eye(3), np.array([0.0, 0.0, rng.normal()]))
        if kind in "RS":
            there = there @ Pose(about(np.array([0.0, 0.0, 1.0]), rng.normal()), np.zeros(3))
        cosine = 0.0
        if kind == "U":
            there = there @ Pose(random_turn(rng, False), np.zeros(3))
            cosine = (X[k].R @ here.R)[:, 2] @ (X[(k + 1) % 3].R @ there.R)[:, 2]
        corners.append(Corner(kind, here, there, cosine))
    return corners, X


def flat(kinds):
    return set(kinds) <= set("RP")


def random_turn(rng, plane):
    axis = np.array([0.0, 0.0, 1.0]) if plane else rng.normal(size=3)
    return about(axis / np.linalg.norm(axis), rng.uniform(-3.0, 3.0))


def random_point(rng, plane):
    return rng.normal(size=3) * (1.0, 1.0, 0.0 if plane else 1.0)


def frame(kind, kinds, rng):
    """Slides of a plane lie in it: z of their frame is level."""
    if not flat(kinds):
        return random_turn(rng, False)
    level = about(np.array([1.0, 0.0, 0.0]), np.pi / 2) if kind == "P" else np.eye(3)
    return random_turn(rng, True) @ level


def holds(corner, one, other):
    """What is left to close of a joint between two bodies."""
    a, b = one @ corner.here, other @ corner.there
    apart, z = b.p - a.p, a.R[:, 2]
    if corner.kind == "P":
        return np.concatenate([apart - z * (z @ apart), (a.R.T @ b.R - np.eye(3)).ravel()])
    if corner.kind == "R":
        return np.concatenate([apart, z - b.R[:, 2]])
    return np.append(apart, z @ b.R[:, 2] - corner.cosine if corner.kind == "U" else 0.0)


@pytest.mark.parametrize("kinds", RINGS)
def test_every_way_to_close_a_ring_closes_it_and_the_known_one_is_among_them(kinds):
    for seed in range(20):
        corners, X = ring(kinds, np.random.default_rng(seed))
        if "P" in kinds and flat(kinds):
            # the slides' orientations must add up to where the bodies stand
            assert all(np.abs(holds(c, X[k], X[(k + 1) % 3])).max() < 1e-12 for k, c in enumerate(corners))
        ways = triangle(*corners, (X[1], X[2]))
        assert ways is not None
        assert 1 <= len(ways) <= 4
        for B, C in ways:
            stands = [Pose(), B, C]
            for k, corner in enumerate(corners):
                assert np.abs(holds(corner, stands[k], stands[(k + 1) % 3])).max() < 1e-9
        assert min(np.abs(B.p - X[1].p).max() + np.abs(C.p - X[2].p).max() for B, C in ways) < 1e-8


@pytest.mark.parametrize(
    "name", ["five_bar", "carpet_scraper", "andrews", "watt_six_bar", "stephenson_six_bar", "slider_crank", "rsur"]
)
def test_closed_forms_find_what_a_search_finds(name):
    mechanism, q = made(name)
    request = Request.of(mechanism, lw.mechanism.named(mechanism, driven(mechanism, q)))
    built = request._constructed(request.closing, 64)
    sought = list(request._searched(request.closing, 64))
    assert built is not None
    prints = np.stack([mechanism.fingerprint(one) for one in built])
    for one in sought:
        assert np.abs(prints - mechanism.fingerprint(one)).max(axis=1).min() < 1e-6
    assert len(built) >= len(sought)
