"""The sentence for a name that is not there."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable
from typing import Any

_SHOWN = 12


def unknown(name: Any, what: str, known: Iterable[str], mechanism: str) -> str:
    """`mechanism` has no `what` of that name; the nearest that it has, or all of them."""
    return f"mechanism '{mechanism}' has no {what} '{name}'; {suggestion(name, known)}"


def known(name: Any, names: Container[str]) -> bool:
    """Whether it is one of the names; what is no word never is."""
    return isinstance(name, str) and name in names


def suggestion(name: Any, known: Iterable[str], otherwise: str = "it has") -> str:
    """The known name that was probably meant, or the known names."""
    names = list(known)
    by_lower_case = {known_name.casefold(): known_name for known_name in names}
    near = difflib.get_close_matches(str(name).casefold(), by_lower_case, n=1)
    if near:
        return f"did you mean '{by_lower_case[near[0]]}'?"
    more = f" … ({len(names)} in all)" if len(names) > _SHOWN else ""
    return f"{otherwise} {', '.join(names[:_SHOWN]) or 'none'}{more}"
