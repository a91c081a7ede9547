"""How operations grow with the freedoms of a chain, ours beside the literature's: [Saha2013, figs. 19-20]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .literature import Formula, formulas
from .tally import ALGORITHMS, general_chain, tally

# freedoms of the joints, over and over
MIXES = {
    "joints of one freedom": (1,),
    "joints of two freedoms": (2,),
    "joints of three freedoms": (3,),
    "joints of one, two and three freedoms in turn": (1, 2, 3),
}


@dataclass(frozen=True)
class Line:
    """Multiplications, divisions and additions together, over the number of freedoms."""

    algorithm: str
    source: str  # "" for our own
    freedoms: tuple[int, ...]
    operations: tuple[float, ...]


def growth(quantity: str, mix: Sequence[int], most: int = 12) -> list[Line]:
    """Every algorithm of a quantity that treats such joints, then every formula.

    A formula in n stands for joints of several freedoms too: as so many joints of one, with nothing between them.
    """
    sizes = range(sum(mix), most + 1, sum(mix))
    chains = {n: tuple(mix) * (n // sum(mix)) for n in sizes}
    named = [name for of, name in ALGORITHMS if of == quantity]
    ours = [_line(name, "", [(n, _ours(quantity, name, chain)) for n, chain in chains.items()]) for name in named]
    theirs = [
        _line(name, formula.name, [(n, _theirs(formula, chain)) for n, chain in chains.items()])
        for name in named
        for formula in formulas(quantity, name)
    ]
    return [line for line in (*ours, *theirs) if line.freedoms]


def _line(algorithm: str, source: str, points: Sequence[tuple[int, float]]) -> Line:
    """Formulas become negative where they no longer hold; such points are left out."""
    kept = [(n, value) for n, value in points if value > 0.0]
    return Line(algorithm, source, tuple(n for n, _ in kept), tuple(value for _, value in kept))


def _ours(quantity: str, algorithm: str, chain: Sequence[int]) -> float:
    counts = tally(general_chain(chain), quantity, algorithm).counts
    return 0.0 if counts is None else float(counts.multiplications + counts.divisions + counts.additions)


def _theirs(formula: Formula, chain: Sequence[int]) -> float:
    return sum(formula.at((chain.count(1), chain.count(2), chain.count(3))))
