"""Operation counts that the literature gives for serial arms in general position, as data.

Only multiplications and additions are counted there; divisions are among the multiplications, sines and cosines are
left out. `confirmed` says whether the formula was seen in the work that it is from or in one of the five papers;
the others are copies of copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Coefficients = tuple[Fraction | int, ...]


@dataclass(frozen=True)
class Formula:
    """Polynomials in the number n of freedoms, highest power first; or `per_joint`: linear in the numbers of joints.

    A per-joint formula has a coefficient for joints of 1, 2 and 3 freedoms each, and a constant.
    """

    quantity: str
    algorithm: str
    name: str
    multiplications: Coefficients
    additions: Coefficients
    source: str
    per_joint: bool = False
    confirmed: bool = True

    def at(self, joints: Sequence[int]) -> tuple[float, float]:
        """(multiplications, additions) for so many joints of 1, 2 and 3 freedoms."""
        return self._value(self.multiplications, joints), self._value(self.additions, joints)

    def _value(self, coefficients: Coefficients, joints: Sequence[int]) -> float:
        if self.per_joint:
            *each, constant = coefficients
            return float(sum(c * k for c, k in zip(each, joints, strict=True)) + constant)
        n, total = freedoms(joints), Fraction(0)
        for coefficient in coefficients:
            total = total * n + coefficient
        return float(total)

    def text(self, which: str) -> str:
        """The polynomial of the "multiplications" or "additions", as it is printed."""
        coefficients: Coefficients = getattr(self, which)
        last = len(coefficients) - 1
        powers = ["n₁", "n₂", "n₃", ""] if self.per_joint else [_POWERS[last - k] for k in range(last + 1)]
        terms = [_term(c, power) for c, power in zip(coefficients, powers, strict=True) if c]
        return terms[0].removeprefix("+ ") + "".join(f" {term}" for term in terms[1:])


_POWERS = ("", "n", "n²", "n³")


def _term(coefficient: Fraction | int, power: str) -> str:
    size = abs(Fraction(coefficient))
    plain = "" if size == 1 and power else f"{float(size):g}" if size.denominator in (1, 2) else f"{size}·"
    return f"{'-' if coefficient < 0 else '+'} {plain}{power}"


def freedoms(joints: Sequence[int]) -> int:
    """Of so many joints of 1, 2 and 3 freedoms."""
    return sum(k * count for k, count in enumerate(joints, start=1))


_HALF, _SIXTH = Fraction(1, 2), Fraction(1, 6)

FORMULAS = (
    Formula("inverse", "rnea", "Balafoutis, Patel 1991", (93, -108), (81, -100), "[Balafoutis1991]"),
    Formula("inverse", "rnea", "RIDIM, Saha 1999", (120, -44), (97, -55), "[Saha1999]", confirmed=False),
    Formula("mass_matrix", "crba", "Featherstone 2005", (10, 22, -32), (6, 37, -43), "[Featherstone2005]"),
    Formula(
        "mass_matrix", "crba", "Walker, Orin 1982", (12, 56, -27), (7, 67, -53), "[WalkerOrin1982], [Provenzano2002]"
    ),
    Formula(
        "mass_matrix",
        "gah",
        "Provenzano et al. 2002",
        (Fraction(23, 2), Fraction(39, 2), -49),
        (Fraction(17, 2), Fraction(63, 2), -69),
        "[Provenzano2002]",
    ),
    Formula(
        "mass_matrix",
        "noc",
        "Angeles, Ma 1988",
        (1, 17, -21, 8),
        (1, 14, -16, 5),
        "[AngelesMa1988], [Provenzano2002]",
    ),
    Formula("forward", "aba", "Featherstone 1983", (199, -198), (174, -173), "[Featherstone1983]"),
    Formula("forward", "aba", "McMillan et al.", (224, -259), (205, -248), "quoted in surveys of forward dynamics"),
    Formula("forward", "denoc", "RFDSIM, Saha 2003", (191, -284), (187, -325), "[Saha2003]", confirmed=False),
    Formula(
        "forward",
        "denoc",
        "Euler-angle joints, Shah et al. 2013",
        (142, 250, 358, -124),
        (139, 219, 299, -120),
        "[Shah2013]",
        per_joint=True,
    ),
)

# L D L^T and both substitutions, for forward dynamics from a mass matrix and inverse dynamics   [Featherstone2005]
SOLVE = Formula(
    "solve",
    "",
    "factor and solve",
    (_SIXTH, 3 * _HALF, -4 * _SIXTH, 0),
    (_SIXTH, 1, -7 * _SIXTH, 0),
    "[Featherstone2005]",
)


def formulas(quantity: str, algorithm: str) -> tuple[Formula, ...]:
    """Those given for an algorithm."""
    given = tuple(f for f in FORMULAS if (f.quantity, f.algorithm) == (quantity, algorithm))
    if quantity == "forward" and not given:
        return tuple(_by_mass_matrix(mass) for mass in formulas("mass_matrix", algorithm))
    return given


def _by_mass_matrix(mass: Formula) -> Formula:
    """Walker and Orin's way to accelerations: inverse dynamics, the mass matrix, factor and solve."""
    parts = (formulas("inverse", "rnea")[0], mass, SOLVE)
    return Formula(
        "forward",
        mass.algorithm,
        f"{mass.name} + rnea + solve",
        _sum([part.multiplications for part in parts]),
        _sum([part.additions for part in parts]),
        ", ".join(dict.fromkeys(part.source for part in parts)),
    )


def _sum(polynomials: Sequence[Coefficients]) -> Coefficients:
    longest = max(map(len, polynomials))
    padded = [(0,) * (longest - len(p)) + p for p in polynomials]
    return tuple(sum(column, Fraction(0)) for column in zip(*padded, strict=True))
