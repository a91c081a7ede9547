"""What the keywords of a ready mechanism must be, with a sentence in its own words when they are not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real

from ..errors import LoopwrightError
from ..mechanism import known


def positive(mechanism: str, name: str, given: float) -> float:
    """A finite number above zero."""
    if isinstance(given, bool) or not isinstance(given, Real) or not 0.0 < given < math.inf:
        raise LoopwrightError(f"zoo.{mechanism}: {name} must be a positive number, got {given!r}")
    return float(given)


def positives(mechanism: str, name: str, given: Sequence[float], count: int) -> tuple[float, ...]:
    """`count` of them."""
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != count:
        raise LoopwrightError(f"zoo.{mechanism}: {name} needs {count} numbers, got {given!r}")
    return tuple(positive(mechanism, f"{name}[{k}]", value) for k, value in enumerate(given))


def whole(mechanism: str, name: str, given: int, least: int = 1) -> int:
    """A whole number, `least` or more."""
    if isinstance(given, bool) or not isinstance(given, Integral) or given < least:
        raise LoopwrightError(f"zoo.{mechanism}: {name} must be a whole number, {least} or more, got {given!r}")
    return int(given)


def one_of(mechanism: str, name: str, given: str, choices: Sequence[str]) -> str:
    """One of the words that a keyword takes."""
    if not known(given, choices):
        raise LoopwrightError(f"zoo.{mechanism}: {name} is one of {', '.join(choices)}, got {given!r}")
    return given


def closable(mechanism: str, sides: dict[str, float]) -> None:
    """Bars close into a polygon when none is longer than all the others together."""
    longest = max(sides, key=lambda name: sides[name])
    others = sum(sides.values()) - sides[longest]
    if sides[longest] >= others:
        raise LoopwrightError(
            f"zoo.{mechanism}: the loop cannot close: the {longest}, {sides[longest]:g} m, is as long as all the other "
            f"sides together, {others:g} m"
        )
