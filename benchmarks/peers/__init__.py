"""The same questions asked of Pinocchio and MuJoCo, in their own fastest ways on one thread."""

from __future__ import annotations

from importlib.util import find_spec

from ..states import Subject
from .rival import Rival

__all__ = ["Rival", "rivals"]


def rivals(subject: Subject, quantity: str) -> list[Rival]:
    """Those whose libraries are installed."""
    found: list[Rival] = []
    if find_spec("pinocchio"):
        from . import pinocchio

        found += pinocchio.rivals(subject, quantity)
    if find_spec("mujoco"):
        from . import mujoco

        found += mujoco.rivals(subject, quantity)
    return found
