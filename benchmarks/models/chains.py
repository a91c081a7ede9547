"""Chains of any length, nothing special about them."""

from __future__ import annotations

from loopwright import Mechanism, zoo


def chain(n: int) -> Mechanism:
    """The general chain of n revolute joints whose operations are counted."""
    return zoo.chain(n)
