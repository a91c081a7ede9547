"""When four numbers are a turn: a quaternion of unit length, but for rounding."""

from __future__ import annotations

from ..errors import LoopwrightError

NEARLY = 1e-6  # how far from 1 the length of a rounded one may be


def require_turn(joint: str, length: float) -> None:
    """Refuse a quaternion of another length; what is not a number goes through."""
    if abs(length - 1.0) > NEARLY:
        raise LoopwrightError(
            f"the quaternion of joint '{joint}' has length {length:.6g}; normalise it, or start from mech.neutral() "
            "and mech.integrate(q, dv)"
        )
