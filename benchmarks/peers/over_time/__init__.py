"""The same motions by Pinocchio, MuJoCo, Exudyn, and SciPy with our own kernels, each on one core."""

from __future__ import annotations

from importlib.util import find_spec

from ...models.swinging import Case
from .contestant import Contestant, Poses

__all__ = ["PEERS", "Contestant", "Poses", "ours", "peers"]

PEERS = {"scipy": "kernels", "pinocchio": "pinocchio", "mujoco": "mujoco", "exudyn": "exudyn"}  # library and file here


def ours(case: Case) -> list[Contestant]:
    """Loopwright's methods."""
    from . import loopwright

    return loopwright.contestants(case)


def peers(case: Case) -> list[Contestant]:
    """Those whose libraries are installed."""
    from importlib import import_module

    found: list[Contestant] = []
    for library, file in PEERS.items():
        if find_spec(library):
            found += import_module(f".{file}", __name__).contestants(case)
    return found
