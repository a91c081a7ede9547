"""Operations over the number of freedoms."""

from __future__ import annotations

import pytest

from loopwright.verbs.growth import MIXES, growth
from loopwright.verbs.tally import general_chain, tally


def test_lines_over_the_freedoms_that_a_mix_can_have():
    lines = {(line.algorithm, line.source): line for line in growth("mass_matrix", (1,), most=4)}
    ours = lines["crba", ""]
    assert ours.freedoms[-1] == 4
    for n, total in zip(ours.freedoms, ours.operations, strict=True):
        counts = tally(general_chain((1,) * n), "mass_matrix", "crba").counts
        assert total == counts.multiplications + counts.divisions + counts.additions
    theirs = lines["gah", "Provenzano et al. 2002"]
    assert theirs.operations[theirs.freedoms.index(3)] == 11.5 * 9 + 19.5 * 3 - 49 + 8.5 * 9 + 31.5 * 3 - 69


def test_several_freedoms_come_in_steps():
    found = growth("forward", MIXES["joints of three freedoms"], most=7)
    assert {line.freedoms for line in found if not line.source} == {(3, 6)}
    # gah treats revolute joints only: it has a formula and no line of ours
    assert [line.source for line in found if line.algorithm == "gah"] == ["Provenzano et al. 2002 + rnea + solve"]
    by_joints = next(line for line in found if "Euler" in line.source)
    assert by_joints.operations == (358 - 124 + 299 - 120, 592 + 478)


@pytest.mark.parametrize("mix", MIXES.values())
def test_formulas_are_left_out_where_they_are_no_numbers_of_operations(mix):
    assert all(value > 0 for line in growth("inverse", mix, most=6) for value in line.operations)
