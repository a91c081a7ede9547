"""Somebody who carries a mechanism through time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)

Poses = dict[str, tuple[np.ndarray, np.ndarray]]  # R and p of every body in the ground


@dataclass(frozen=True)
class Contestant:
    """`ready(setting)` prepares a run and returns the call to be timed, which gives its last state.

    `settings`, loosest first, are tolerances or steps, as `setting` says. A method is one contestant, and contestants
    of one `library` share its honours: at every error the quickest counts.
    """

    library: str
    method: str
    setting: str
    settings: tuple[float, ...]
    ready: Callable[[float], Callable[[], Any]]
    poses: Callable[[Any], Poses]
    note: str = ""
