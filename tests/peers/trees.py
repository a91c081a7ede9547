"""What every peer is asked about the random trees."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from loopwright import Mechanism
from loopwright.mechanism import Branch
from loopwright.testing import EVERY

from .agreement import CHUNKS, TREES, cases, energies, forces, positions, pushed, require, seen, tree, without_rotors
from .translation import Peer


class TreesAgree:
    """The tests; a peer says how its model is made, which joints it has, and where it knows no rotor of ours."""

    model: type[Peer]
    kinds: Sequence[str] = EVERY

    @staticmethod
    def knows_no_rotor(branch: Branch) -> bool:
        raise NotImplementedError

    @classmethod
    def tree(cls, seed: int) -> Mechanism:
        return without_rotors(tree(seed, cls.kinds), cls.knows_no_rotor)

    @pytest.fixture(scope="class", params=CHUNKS, ids=lambda seeds: f"seeds {seeds.start} to {seeds[-1]}")
    @classmethod
    def some(cls, request):
        return list(cases(map(cls.tree, request.param), cls.model))

    def test_poses_and_jacobians(self, some):
        for case in some:
            require(case, positions(case))

    def test_forces_and_accelerations(self, some):
        for case in some:
            require(case, forces(case))

    def test_energies_and_momenta(self, some):
        for case in some:
            require(case, energies(case))

    def test_wrenches_on_bodies(self):
        for case in cases((pushed(self.tree(seed), seed) for seed in range(20)), self.model):
            require(case, forces(case))

    def test_the_trees_have_every_joint_both_ways_round(self):
        trees = [self.tree(seed) for seed in range(TREES)]
        assert seen(trees) == {(kind, backwards) for kind in self.kinds for backwards in (False, True)}
        assert {len(mechanism.bodies) for mechanism in trees} == set(range(1, 16))
