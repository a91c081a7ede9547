from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.view.layers import crossings, heights, ordered


def test_crossings_are_counted():
    layers = [["a", "b"], ["c", "d"]]
    assert crossings(layers, [("a", "c"), ("b", "d")]) == 0
    assert crossings(layers, [("a", "d"), ("b", "c")]) == 1
    assert crossings(layers, [("a", "d"), ("c", "b"), ("a", "c")]) == 1
    assert crossings([["a", "b", "c"]], [("a", "c")]) == 2  # it must go around b


def test_a_crossing_that_can_be_avoided_is():
    edges = [("g", "a"), ("g", "b"), ("a", "d"), ("b", "c")]
    layers = ordered([["g"], ["a", "b"], ["c", "d"]], edges)
    assert crossings(layers, edges) == 0


def test_without_crossings_the_order_given_is_kept():
    layers = [["g"], ["b", "a"], ["c", "d"]]
    assert ordered(layers, [("g", "a"), ("g", "b"), ("b", "c"), ("a", "d")]) == layers


@st.composite
def graphs(draw):
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    layers = [[f"{k}.{i}" for i in range(size)] for k, size in enumerate(sizes)]
    pairs = [(a, b) for one, two in pairwise(layers) for a in one for b in two]
    pairs += [(a, b) for layer in layers for a in layer for b in layer if a < b]
    return layers, draw(st.lists(st.sampled_from(pairs), max_size=12)) if pairs else []


@given(graphs())
def test_ordering_only_permutes_and_never_makes_more_crossings(graph):
    layers, edges = graph
    found = ordered(layers, edges)
    assert [sorted(layer) for layer in found] == [sorted(layer) for layer in layers]
    assert crossings(found, edges) <= crossings(layers, edges)


@given(graphs())
def test_heights_keep_their_distances_and_their_order(graph):
    layers, edges = graph
    y = heights(layers, edges, lambda a, b: 10.0)
    for layer in layers:
        for a, b in pairwise(layer):
            assert y[b] - y[a] >= 10.0 - 1e-9


def test_a_chain_is_straight():
    layers = [["a"], ["b"], ["c", "x"], ["d"]]
    y = heights(layers, [("a", "b"), ("b", "c"), ("b", "x"), ("c", "d")], lambda a, b: 30.0)
    assert y["c"] == pytest.approx(y["d"], abs=1.0)
