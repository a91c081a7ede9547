"""Operation counts beside the literature's formulas, for chains in which no number is special."""

from __future__ import annotations

import re

import numpy as np
import pytest

import loopwright as lw
from loopwright.dynamics import FORWARD
from loopwright.topology import forest, lean
from loopwright.verbs.literature import FORMULAS, SOLVE, formulas, freedoms
from loopwright.verbs.sources import bibliography
from loopwright.verbs.tally import ALGORITHMS, chain_joints, general_chain, tally

BY_NAME = {formula.name: formula for formula in FORMULAS}

# (name of the formula, mixes of joints by their freedoms) where our counts are at or below it
HELD = [
    *((name, (1,) * n) for n in (2, 3, 6, 8) for name in ("Balafoutis, Patel 1991", "RIDIM, Saha 1999")),
    *((name, (1,) * n) for n in (2, 3, 6, 8) for name in ("Featherstone 2005", "Walker, Orin 1982")),
    *((name, (1,) * n) for n in (2, 3, 6, 8) for name in ("Provenzano et al. 2002", "Angeles, Ma 1988")),
    *((name, (1,) * n) for n in (2, 3, 6, 9) for name in ("Featherstone 1983", "McMillan et al.")),
    *(("RFDSIM, Saha 2003", (1,) * n) for n in (3, 6, 9)),
    *(("Euler-angle joints, Shah et al. 2013", mix) for mix in ((3,), (3, 3), (3, 3, 3, 3), (1, 2, 3), (1, 1, 1))),
]


def _products(counts):
    """As the literature counts: divisions are products."""
    return counts.multiplications + counts.divisions


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name, mix", HELD)
def test_counts_are_at_or_below_the_formula(name, mix, seed):
    formula = BY_NAME[name]
    told = tally(general_chain(mix, seed), formula.quantity, formula.algorithm)
    assert told.counts is not None
    assert formula in told.formulas
    multiplications, additions = formula.at(told.joints)
    assert _products(told.counts) <= multiplications
    assert told.counts.additions <= additions


@pytest.mark.parametrize("quantity, algorithm", ALGORITHMS)
def test_counts_do_not_depend_on_the_numbers(quantity, algorithm):
    # a zero that is exact in one chain and a rounding in another would cost dozens; how subexpressions meet, two
    totals = [tally(general_chain((1,) * 5, seed), quantity, algorithm).counts.total for seed in (1, 2, 3, 4)]
    assert max(totals) - min(totals) <= 4


@pytest.mark.parametrize(
    "name, quantity, algorithm, at_six",
    [
        ("Walker, Orin 1982", "mass_matrix", "crba", (741, 601)),
        ("Angeles, Ma 1988", "mass_matrix", "noc", (710, 629)),
        ("Provenzano et al. 2002", "mass_matrix", "gah", (482, 426)),
        ("Balafoutis, Patel 1991", "inverse", "rnea", (450, 386)),
        ("RIDIM, Saha 1999", "inverse", "rnea", (676, 527)),
        ("Featherstone 2005", "mass_matrix", "crba", (460, 395)),
        ("McMillan et al.", "forward", "aba", (1085, 982)),
        ("Featherstone 1983", "forward", "aba", (996, 871)),
        ("RFDSIM, Saha 2003", "forward", "denoc", (862, 797)),
        ("Euler-angle joints, Shah et al. 2013", "forward", "denoc", (728, 714)),
    ],
)
def test_the_formulas_give_what_their_sources_print_for_six_joints(name, quantity, algorithm, at_six):
    # [Provenzano2002, table 1] for the first three, the surveys' tables for the others
    assert BY_NAME[name].at((6, 0, 0)) == at_six
    assert BY_NAME[name] in formulas(quantity, algorithm)


def test_other_values_of_the_formulas():
    assert SOLVE.at((6, 0, 0)) == (86, 65)
    assert BY_NAME["Euler-angle joints, Shah et al. 2013"].at((0, 0, 2)) == (592, 478)
    assert freedoms((1, 1, 1)) == 6
    # forward dynamics by a mass matrix is the sum of its three parts
    (whole, _) = formulas("forward", "crba")
    assert whole.at((6, 0, 0)) == (460 + 450 + 86, 395 + 386 + 65)


def test_formulas_read_like_the_tables_they_are_from():
    assert BY_NAME["Provenzano et al. 2002"].text("multiplications") == "11.5n² + 19.5n - 49"
    assert BY_NAME["Angeles, Ma 1988"].text("additions") == "n³ + 14n² - 16n + 5"
    assert BY_NAME["Euler-angle joints, Shah et al. 2013"].text("multiplications") == "142n₁ + 250n₂ + 358n₃ - 124"


@pytest.mark.parametrize("seed", range(1, 6))
def test_nothing_is_special_in_a_general_chain(seed):
    chain = forest(general_chain((1,) * 6, seed))
    for node in lean(chain).nodes[1:]:
        (_, alpha, a), (_, _, d) = *node.lead, node.trail
        # no axes parallel, perpendicular or meeting
        assert min(abs(np.sin(alpha)), abs(np.cos(alpha)), abs(a)) > 1e-4
        assert abs(d) > 1e-4 or node.index == 5  # the last slide is taken up by where its frame may stand
    for node in chain.nodes:
        assert np.abs(node.inertia.tensor).min() > 1e-4
        assert np.abs(node.inertia.moment).min() > 1e-4
    assert np.abs(chain.gravity).min() > 1e-4


def test_recording_leaves_a_link_seven_of_its_ten_numbers_and_the_tip_six():
    links = lean(forest(general_chain((1,) * 6))).nodes
    for link in links:
        M = link.inertia
        assert M.mass == 0.0
        assert M.moment[2] == 0.0
        np.testing.assert_allclose(M.tensor[0, 0] + M.tensor[1, 1], M.tensor[2, 2], rtol=1e-12)
    # the tip's frame is turned so that x goes through its mass centre
    assert links[-1].inertia.moment[1] == 0.0


def test_sources_in_brackets_are_in_the_list_of_references():
    known = set(bibliography())
    for formula in (*FORMULAS, SOLVE):
        assert set(re.findall(r"\[(\w+)\]", formula.source)) <= known, formula.name


def test_mechanisms_that_the_formulas_are_not_about_have_none():
    assert chain_joints(lw.zoo.four_bar()) is None
    assert chain_joints(lw.zoo.quadruped()) is None
    assert chain_joints(lw.zoo.stanford_arm()) is None  # it slides
    assert chain_joints(lw.zoo.puma560()) == (6, 0, 0)
    assert tally(lw.zoo.quadruped(), "forward", "aba").formulas == ()
    # formulas in n treat one freedom per joint
    assert {f.per_joint for f in tally(general_chain((1, 2, 3)), "forward", "denoc").formulas} == {True}


def test_an_algorithm_that_cannot_treat_a_mechanism_says_why():
    told = tally(general_chain((3,)), "mass_matrix", "gah")
    assert told.counts is None
    assert "spherical" in told.why_not
    looped = tally(lw.zoo.four_bar(), "forward", "aba")
    assert looped.counts is None
    assert "has loops" in looped.why_not


def test_every_algorithm_is_in_the_list():
    assert {name for quantity, name in ALGORITHMS if quantity == "forward"} == {a.name for a in FORWARD}


def test_special_parameters_cost_less_than_general_ones():
    # zero twists and diagonal inertias fold away: that is the point of compiling the mechanism
    special, general = lw.zoo.puma560_mdh(), general_chain((1,) * 6)
    for quantity, algorithm in ALGORITHMS:
        ours, theirs = (tally(mech, quantity, algorithm).counts for mech in (special, general))
        assert ours.total < 0.75 * theirs.total, (quantity, algorithm)
