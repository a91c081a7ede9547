"""Random trees give Pinocchio's answers."""

import numpy as np
import pytest

from loopwright.mechanism import Branch
from loopwright.testing import random_tree
from tests.mechanisms import open_zoo

from .agreement import bare, cases, energies, forces, positions, require
from .pinocchio_model import PinocchioModel
from .trees import TreesAgree


class TestTrees(TreesAgree):
    model = PinocchioModel

    @staticmethod
    def knows_no_rotor(branch: Branch) -> bool:
        """A free joint takes its rotor inertia along the axes of its child: Pinocchio's body, unless walked back."""
        return branch.joint.kind == "free" and branch.backwards

    def test_twists_and_their_rates(self, some):
        for case in some:
            q, v, a, point = case.q, case.v, case.a, case.point
            for body in case.bodies:
                twist, rate = case.peer.twists(body, q, v, a, point)
                ours = case.dynamics.twist(body, q, v, point), case.dynamics.twist_rate(body, q, v, a, point)
                require(case, [(f"twist of {body}", ours[0], twist), (f"twist rate of {body}", ours[1], rate)])


@pytest.mark.parametrize("seed", range(12))
def test_derivatives(seed):
    """Analytic derivatives of Pinocchio; its coordinates of the other joints turn against ours as they move."""
    kinds = ("revolute", "prismatic", "screw", "spherical")
    mechanism = random_tree(seed, bodies=1 + seed % 6, kinds=kinds, floating=seed % 3 == 1, backwards=False)
    (case, *_) = cases([mechanism], PinocchioModel)
    assert not np.any(case.peer.drift(case.q, case.v))
    ours = case.dynamics.forward_derivatives(case.q, case.v, case.tau)
    by_q, by_v, by_tau = case.peer.forward_derivatives(case.q, case.v, case.tau)
    # together: one of two may be zero but for rounding
    require(case, [("da/d(q, v)", [ours.by_position, ours.by_velocity], [by_q, by_v])])
    require(case, [("da/dtau", ours.by_force, by_tau)])
    ours = case.dynamics.inverse_derivatives(case.q, case.v, case.a)
    by_q, by_v, by_a = case.peer.inverse_derivatives(case.q, case.v, case.a)
    require(case, [("dtau/d(q, v)", [ours.by_position, ours.by_velocity], [by_q, by_v])])
    require(case, [("dtau/da", ours.by_acceleration, by_a)])


@pytest.mark.parametrize("name", open_zoo())
def test_the_open_zoo(name):
    """Its bodies and joints, without what else acts on them."""
    for case in cases([bare(open_zoo()[name])], PinocchioModel):
        require(case, positions(case))
        require(case, forces(case))
        require(case, energies(case))
