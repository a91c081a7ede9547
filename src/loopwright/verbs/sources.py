"""Whose work an answer stands on: the sources of a mechanism and of what computes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from ..closure import inverse as loop_forces
from ..dynamics import FORWARD, INVERSE, MASS, named
from .dynamics import Dynamics

_KEY = re.compile(r"\[([A-Z][A-Za-z]*\d{4})")


@dataclass(frozen=True)
class Source:
    """What was used, its name, and where it is from, with keys of `references.bib` in brackets."""

    what: str
    name: str
    source: str

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_KEY.findall(self.source)))


def sources(dynamics: Dynamics) -> list[Source]:
    """Of the mechanism, and of what answers `inverse`, `mass_matrix` and `forward` unless told otherwise."""
    mechanism, rnea, mass = dynamics.mechanism, INVERSE[0], MASS[0]
    found = [Source("mechanism", mechanism.name, mechanism.source)]
    if dynamics.formulation is None:
        forward = named(FORWARD, dynamics.usual_forward, "forward dynamics")
        found.append(Source("forward dynamics", forward.name, forward.source))
        found.append(Source("inverse dynamics", rnea.name, rnea.source))
    else:
        found.append(Source("forward dynamics", dynamics.formulation.name, dynamics.formulation.source))
        found.append(Source("inverse dynamics", "closed loops", loop_forces.source))
        found.append(Source("forces on the open tree", rnea.name, rnea.source))
    found.append(Source("mass matrix", mass.name, mass.source))
    return [one for one in found if one.source]


def bibliography() -> dict[str, str]:
    """Every entry of `references.bib`, as BibTeX, by its key."""
    text = files("loopwright").joinpath("references.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{.*?^\}", text, re.MULTILINE | re.DOTALL)
    return {entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in entries}
