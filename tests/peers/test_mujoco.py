"""Random trees give MuJoCo's answers. MuJoCo has no screws, so these trees have none: 300 seeds all the same."""

from loopwright.mechanism import Branch
from loopwright.testing import EVERY

from .mujoco_model import MujocoModel
from .trees import TreesAgree


class TestTrees(TreesAgree):
    model = MujocoModel
    kinds = tuple(kind for kind in EVERY if kind != "screw")

    @staticmethod
    def knows_no_rotor(branch: Branch) -> bool:
        """A free joint takes its rotor inertia along the axes of its child, MuJoCo along those of its parent."""
        return branch.joint.kind == "free"
