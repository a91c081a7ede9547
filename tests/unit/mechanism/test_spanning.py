import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.mechanism import BY_NAME, GROUND, KINDS, Joint, Placement, neighbours, spanning_tree
from loopwright.mechanism.spanning import distances


def joint(name, parent, child, kind="revolute", actuated=False):
    return Joint(name, kind, parent, child, Placement(), Placement(), actuated=(actuated,) * BY_NAME[kind].nv)


def ring(*kinds, actuated=()):
    """Bodies 1, 2 … between the ground and the ground; joint j<k> leads to body k + 1, the last to the ground."""
    stops = [GROUND, *(str(k) for k in range(1, len(kinds))), GROUND]
    return [joint(f"j{k}", stops[k], stops[k + 1], kind, k in actuated) for k, kind in enumerate(kinds)]


def cut(joints, cuts=None):
    return [j.name for j in spanning_tree(joints, cuts).cuts]


def test_an_open_chain_has_no_cuts():
    tree = spanning_tree([joint("a", GROUND, "1"), joint("b", "1", "2")])
    assert tree.cuts == ()
    assert [(b.joint.name, b.inner, b.outer, b.backwards) for b in tree.branches] == [
        ("a", GROUND, "1", False),
        ("b", "1", "2", False),
    ]


def test_the_joint_furthest_from_the_ground_is_cut():
    assert cut(ring("revolute", "revolute", "revolute", "revolute")) == ["j2"]
    assert cut(ring(*["revolute"] * 6)) == ["j3"]


def test_of_equals_the_one_named_last_is_cut():
    joints = ring("revolute", "revolute", "revolute", "revolute", "revolute")
    assert cut(joints) == ["j2"]
    assert cut([joints[k] for k in (0, 2, 1, 3, 4)]) == ["j2"]
    two = [joint("left", GROUND, "1"), joint("right", GROUND, "1")]
    assert cut(two) == ["right"]
    assert cut(two[::-1]) == ["left"]


@pytest.mark.parametrize("where", range(5))
@pytest.mark.parametrize("kind", ["cylindrical", "universal", "spherical", "planar", "free"])
def test_the_cut_brings_the_fewest_rows(kind, where):
    kinds = ["revolute"] * 5
    kinds[where] = kind
    assert cut(ring(*kinds)) == [f"j{where}"]


def test_welds_stay():
    assert cut(ring("revolute", "revolute", "weld", "revolute", "revolute")) in (["j1"], ["j3"])
    assert cut(ring("weld", "weld", "weld")) == ["j1"]


def test_actuated_joints_stay():
    assert cut(ring("revolute", "revolute", "revolute", "revolute", actuated=(2,))) == ["j1"]
    assert cut(ring("revolute", "spherical", "revolute", "revolute", actuated=(1,))) == ["j2"]
    assert cut(ring("revolute", "revolute", "revolute", actuated=(0, 1, 2))) == ["j1"]


def test_a_joint_actuated_in_one_of_its_freedoms_stays():
    joints = ring("revolute", "revolute", "revolute", "revolute")
    joints[2] = Joint("j2", "cylindrical", "2", "3", Placement(), Placement(), actuated=(False, True))
    assert cut(joints) == ["j1"]


def test_branches_walk_from_the_ground_whoever_is_called_the_parent():
    joints = [joint("a", "1", GROUND), joint("b", "1", "2"), joint("c", "3", "2")]
    assert [(b.joint.name, b.inner, b.outer, b.backwards) for b in spanning_tree(joints).branches] == [
        ("a", GROUND, "1", True),
        ("b", "1", "2", False),
        ("c", "2", "3", True),
    ]


def test_a_branch_is_numbered_through_before_the_next():
    joints = [joint("a", GROUND, "1"), joint("b", GROUND, "2"), joint("c", "1", "3"), joint("d", "2", "4")]
    assert [b.outer for b in spanning_tree(joints).branches] == ["1", "3", "2", "4"]


def test_the_user_may_cut_elsewhere():
    joints = ring("revolute", "revolute", "revolute", "revolute", actuated=(0,))
    for name in ("j0", "j1", "j2", "j3"):
        tree = spanning_tree(joints, [name])
        assert [j.name for j in tree.cuts] == [name]
        assert {b.outer for b in tree.branches} == {"1", "2", "3"}
    assert cut(joints, {"j1"}) == ["j1"]
    assert cut(joints[:3], []) == []


def test_cuts_are_told_in_the_order_of_the_joints():
    joints = [*ring("revolute", "revolute"), joint("k", GROUND, "1"), joint("l", "1", GROUND)]
    assert cut(joints, ["l", "j0", "k"]) == ["j0", "k", "l"]


@pytest.mark.parametrize(
    "cuts, message",
    [
        (["j9"], "cannot cut 'j9': there is no joint of that name; it has j0, j1, j2, j3"),
        ([], "with no cut there is a loop through '.': cut one joint more in it"),
        (["j0", "j1"], "the cuts j0, j1 leave 1 with no joint to the tree: cut fewer joints"),
        (["j0", "j3"], "the cuts j0, j3 leave 1, 2, 3 with no joint to the tree"),
    ],
)
def test_cuts_that_leave_no_tree_are_refused(cuts, message):
    with pytest.raises(lw.LoopwrightError, match=message):
        spanning_tree(ring("revolute", "revolute", "revolute", "revolute"), cuts)


def test_one_cut_in_two_loops_is_refused():
    joints = [*ring("revolute", "revolute", "revolute"), joint("k", "1", "2")]
    with pytest.raises(lw.LoopwrightError, match=r"with the cuts k there is still a loop through '.': cut one"):
        spanning_tree(joints, ["k"])


def test_neighbours_and_distances():
    joints = [joint("a", GROUND, "1"), joint("b", "1", "2"), joint("c", "2", GROUND), joint("d", "8", "9")]
    assert [(j.name, other) for j, other in neighbours(joints)["1"]] == [("a", GROUND), ("b", "2")]
    assert distances(joints) == {GROUND: 0, "1": 1, "2": 1}
    assert distances(joints, "9") == {"9": 0, "8": 1}


@st.composite
def graphs(draw, most=60):
    """A connected graph of bodies and joints of any kind, joints in any order and direction."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count, extra = draw(st.integers(1, most)), draw(st.integers(0, most // 2))
    stops = [GROUND, *(f"b{k}" for k in range(count))]
    ends = [(stops[int(rng.integers(k + 1))], stops[k + 1]) for k in range(count)]
    ends += [tuple(rng.choice(stops, 2, replace=False)) for _ in range(extra)]
    kinds = rng.choice([kind.name for kind in KINDS], len(ends))
    flip = rng.random(len(ends)) < 0.5
    joints = [
        joint(f"j{k}", *(pair[::-1] if flip[k] else pair), str(kinds[k]), bool(rng.random() < 0.2))
        for k, pair in enumerate(ends)
    ]
    return [joints[k] for k in rng.permutation(len(joints))]


def bodies_of(joints):
    return {body for j in joints for body in (j.parent, j.child)} - {GROUND}


@given(graphs())
def test_the_tree_spans_with_parents_first(joints):
    tree, bodies = spanning_tree(joints), bodies_of(joints)
    assert len(tree.cuts) == len(joints) - len(bodies)
    assert {b.joint.name for b in tree.branches} | {j.name for j in tree.cuts} == {j.name for j in joints}
    reached = {GROUND}
    for branch in tree.branches:
        assert branch.inner in reached
        assert branch.outer not in reached
        assert {branch.inner, branch.outer} == {branch.joint.parent, branch.joint.child}
        reached.add(branch.outer)
    assert reached == bodies | {GROUND}


@given(graphs(most=25))
def test_no_choice_of_cuts_is_preferred_to_the_one_made(joints):
    """Against networkx: what must stay first, then the fewest rows, then the shortest way to the ground."""
    far = distances(joints)

    def cost(j):
        stays = j.kind == "weld" or any(j.actuated)
        return (not stays) * 10**6 + BY_NAME[j.kind].nv * 10**4 + min(far[j.parent], far[j.child])

    graph = nx.MultiGraph()
    graph.add_edges_from((j.parent, j.child, j.name, {"cost": cost(j)}) for j in joints)
    least = nx.minimum_spanning_tree(graph, weight="cost").size(weight="cost")
    assert sum(cost(b.joint) for b in spanning_tree(joints).branches) == least


@given(graphs())
def test_the_tree_is_the_same_every_time(joints):
    assert spanning_tree(joints) == spanning_tree(list(joints))


@given(graphs(), st.randoms(use_true_random=False))
def test_any_tree_may_be_chosen(joints, random):
    """Cutting all that some other spanning tree leaves out gives that tree."""
    shuffled = list(joints)
    random.shuffle(shuffled)
    graph, kept = nx.Graph(), set()
    graph.add_nodes_from(bodies_of(joints) | {GROUND})
    for j in shuffled:
        if not nx.has_path(graph, j.parent, j.child):
            graph.add_edge(j.parent, j.child)
            kept.add(j.name)
    cuts = [j.name for j in joints if j.name not in kept]
    tree = spanning_tree(joints, cuts)
    assert {b.joint.name for b in tree.branches} == kept
    assert [j.name for j in tree.cuts] == cuts


def test_a_thousand_bodies():
    joints = [joint(f"j{k}", GROUND if k == 0 else f"b{k - 1}", f"b{k}") for k in range(1000)]
    joints += [joint(f"c{k}", f"b{k}", f"b{k + 5}", "spherical") for k in range(0, 990, 10)]
    tree = spanning_tree(joints)
    assert [b.outer for b in tree.branches] == [f"b{k}" for k in range(1000)]
    assert len(tree.cuts) == 99
