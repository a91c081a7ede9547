"""Writing a quotient of polynomials as briefly as a person would: many ways are tried, the shortest is taken.

Terms are sorted by the letters of some families (angles, speeds, parameters …) or by a single letter, and what
multiplies them is factored; sines and cosines may change into those of sums of angles (`waves.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from .algebra import Algebra, TooLarge, algebra_of, sympy_package
from .tape import Tape
from .waves import in_waves, without_squares

_MOST_TERMS = 150  # of one result multiplied out
_MOST_SIGNS = 1000  # of all results
_FACTORED = 16  # terms; factoring more takes longer than a reader waits
_TRIED = (3, 2, 2)  # plans carried out at each depth, of those that promise most


def expressions(tape: Tape, arguments: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
    """What a tape computes, as short SymPy expressions; `arguments` give a family and the symbols of each input.

    Raises `TooLarge` where they would fill more than a page.
    """
    algebra = algebra_of(tape, arguments, written)
    results = [algebra.results[k] for k in range(len(algebra.results))]
    if max(len(value.numer) for value in results) > _MOST_TERMS:
        raise TooLarge
    writer = Writer(algebra)
    found = [writer.quotient(_cancelled(algebra, value)) for value in results]
    if sum(map(cost, set(found))) > _MOST_SIGNS:
        raise TooLarge
    return found


def written(algebra: Algebra, value: Any) -> Any:
    """One quotient as a short SymPy expression."""
    return Writer(algebra).quotient(_cancelled(algebra, value))


def cost(expression: Any) -> int:
    """How long an expression is to read: its names, numbers and signs."""
    return 1 + sum(map(cost, expression.args))


def _cancelled(algebra: Algebra, value: Any) -> Any:
    """The quotient with squares of cosines replaced where that cancels something."""
    for sine, cosine, _ in algebra.angles:
        s, c = (value.numer.ring.gens.index(letter.numer) for letter in (sine, cosine))
        top, bottom = (without_squares(part, c, s) for part in (value.numer, value.denom))
        other = algebra.field.field_new(top) / algebra.field.field_new(bottom)
        if len(other.numer) + len(other.denom) < len(value.numer) + len(value.denom):
            value = other
    return value


class Writer:
    """Writes polynomials whose generators are SymPy expressions; keeps what it has written for when it comes again."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self._meanings = [algebra.means.get(letter, sympy_package().S.One) for letter in algebra.field.gens]
        self._families = {algebra.means[letter]: family for letter, family in algebra.families.items()}
        self._angles = [(algebra.means[s], algebra.means[c], angle) for s, c, angle in algebra.angles]
        self._written: dict[Any, Any] = {}

    def quotient(self, value: Any) -> Any:
        """One quotient, with the number that makes most others 1 taken out above and below."""
        top, bottom = value.numer, value.denom
        if (sum(bottom.coeffs()), bottom.LC) < (0, 0):
            top, bottom = -top, -bottom
        numbers = [abs(x) for x in (*top.coeffs(), *bottom.coeffs())]
        by = 1 if all(map(_is_plain, numbers)) else max(map(abs, bottom.coeffs()), key=numbers.count)
        above, below = (_of(self._meanings, {m: x / by for m, x in part.terms()}) for part in (top, bottom))
        return self.shortest(above) / self.shortest(below)

    def shortest(self, polynomial: Any, depth: int = 0) -> Any:
        """The shortest of the most promising plans, after what is common to all terms."""
        if len(polynomial) < 2:
            return _expanded(polynomial)
        if polynomial not in self._written:
            common, rest = _common(polynomial)
            if common == 1:
                self._written[polynomial] = self._best(polynomial, depth)
            else:
                self._written[polynomial] = _expanded(common) * self.shortest(rest, depth)
        return self._written[polynomial]

    def _best(self, polynomial: Any, depth: int) -> Any:
        sympy = sympy_package()
        others = list(self._other_forms(polynomial))
        for other in others:
            if len(other) == 1:
                return _expanded(other)
        tried = [_expanded(polynomial)]
        factors = _factors(polynomial) if len(polynomial) <= _FACTORED else [polynomial]
        if len(factors) > 1:
            tried.append(sympy.Mul(*(self.shortest(factor, depth + 1) for factor in factors)))
        else:
            one = polynomial.ring.one
            plans = [*self._plans(polynomial), *([(one, other)] for other in others)]
            plans.sort(key=lambda plan: sum(_size(part) for product in plan for part in product))
            for plan in plans[: _TRIED[depth] if depth < len(_TRIED) else 1]:
                products = [self.shortest(left, depth + 1) * self.shortest(right, depth + 1) for left, right in plan]
                tried.append(sympy.Add(*products))
        return min(tried, key=cost)

    def _plans(self, polynomial: Any) -> Iterator[list[tuple[Any, Any]]]:
        """Sums of products that all make the polynomial."""
        one = polynomial.ring.one
        families = [self._families.get(letter, "angles") for letter in polynomial.ring.symbols]
        present = sorted(set(families))
        for count in range(1, len(present)):
            for chosen in combinations(present, count):
                yield _sorted(polynomial, [family in chosen for family in families])
        for k in range(len(families)):
            having = {m: x for m, x in polynomial.terms() if m[k]}
            if 1 < len(having) < len(polynomial):
                rest = {m: x for m, x in polynomial.terms() if not m[k]}
                yield [(one, _of(polynomial.ring.symbols, part)) for part in (having, rest)]

    def _other_forms(self, polynomial: Any) -> Iterator[Any]:
        """With squares of cosines replaced, and in sines and cosines of sums of angles."""
        angles = [entry for entry in self._angles if not {*entry[:2]}.isdisjoint(polynomial.ring.symbols)]
        if not angles:
            return
        wide, places = _with_both(polynomial, angles)
        other = wide
        for s, c in places:
            for of, by in ((c, s), (s, c)):
                replaced = without_squares(other, of, by)
                other = replaced if len(replaced) < len(other) else other
        waves = _of(*in_waves(wide, places, [angle for _, _, angle in angles]))
        for form in (_of(other.ring.symbols, dict(other)), waves):
            if form != polynomial:
                yield form


def _sorted(polynomial: Any, chosen: list[bool]) -> list[tuple[Any, Any]]:
    """Terms sorted by the chosen letters; groups that agree in the rest are put together."""
    groups: dict[Any, dict[Any, Any]] = defaultdict(dict)
    for monomial, coefficient in polynomial.terms():
        key = tuple(e if here else 0 for e, here in zip(monomial, chosen, strict=True))
        groups[key][tuple(e - h for e, h in zip(monomial, key, strict=True))] = coefficient
    symbols = polynomial.ring.symbols
    merged: dict[Any, dict[Any, Any]] = defaultdict(dict)
    for key, terms in groups.items():
        number, rest = _without_number(_of(symbols, terms))
        merged[rest][key] = number
    return [(_of(symbols, left), right) for right, left in merged.items()]


def _of(symbols: Any, terms: dict[Any, Any]) -> Any:
    """The polynomial with these terms, in the generators that it uses."""
    sympy = sympy_package()
    used = [k for k in range(len(symbols)) if any(monomial[k] for monomial in terms)]
    ring = sympy.polys.rings.PolyRing([symbols[k] for k in used], sympy.QQ, sympy.polys.orderings.lex)
    return ring({tuple(monomial[k] for k in used): x for monomial, x in terms.items() if x})


def _with_both(polynomial: Any, angles: list[tuple[Any, Any, Any]]) -> tuple[Any, list[tuple[int, int]]]:
    """The polynomial in a ring that has both sine and cosine of every angle, and where they are."""
    sympy = sympy_package()
    symbols = list(polynomial.ring.symbols)
    symbols += [letter for s, c, _ in angles for letter in (s, c) if letter not in symbols]
    ring = sympy.polys.rings.PolyRing(symbols, sympy.QQ, sympy.polys.orderings.lex)
    padding = (0,) * (len(symbols) - len(polynomial.ring.symbols))
    wide = ring({(*monomial, *padding): x for monomial, x in polynomial.terms()})
    return wide, [(symbols.index(s), symbols.index(c)) for s, c, _ in angles]


def _without_number(polynomial: Any) -> tuple[Any, Any]:
    """(a number, the rest), the number 1 or -1 where taking it out would leave numbers that mean nothing."""
    number, rest = polynomial.primitive()
    if not (_is_plain(number) or max(map(abs, rest.coeffs())) == 1):
        number = polynomial.ring.domain.one
    number = -number if polynomial.LC < 0 else number
    return number, polynomial.quo_ground(number)


def _common(polynomial: Any) -> tuple[Any, Any]:
    """What all terms share: letters, and a number."""
    least = tuple(map(min, zip(*polynomial.monoms(), strict=True)))
    number, _ = _without_number(polynomial)
    if any(x > 0 for x in polynomial.coeffs()):
        number = abs(number)
    common = polynomial.ring({least: number})
    return common, polynomial.quo(common)


def _factors(polynomial: Any) -> list[Any]:
    """Factors with their powers written out; a number that is no plain fraction goes into a sum."""
    number, factors = polynomial.factor_list()
    found = [factor for factor, power in factors for _ in range(power)]
    numbered = [max(map(abs, factor.coeffs())) > 1 for factor in found]
    longest = max(range(len(found)), key=lambda k: (numbered[k], len(found[k])))
    if not _is_plain(number) and numbered[longest]:
        found[longest], number = found[longest] * number, 1
    return found if number == 1 else [polynomial.ring(number), *found]


def _size(polynomial: Any) -> int:
    """About how long it will be, common letters pulled out."""
    if not polynomial.ring.ngens or not polynomial:
        return 1
    monomials = polynomial.monoms()
    least = tuple(map(min, zip(*monomials, strict=True)))
    letters = sum(1 + (e > 1) for e in least if e)
    return letters + sum(1 + sum(1 + (e - h > 1) for e, h in zip(m, least, strict=True) if e > h) for m in monomials)


def _expanded(polynomial: Any) -> Any:
    sympy = sympy_package()
    letters = polynomial.ring.symbols
    return sympy.Add(
        *(
            sympy.Mul(_number(x), *(letter**e for letter, e in zip(letters, monomial, strict=True) if e))
            for monomial, x in polynomial.terms()
        )
    )


def _is_plain(value: Any) -> bool:
    """1/2 and 3/4 are read as fractions, 0.981 is not."""
    return value.denominator in (1, 2, 3, 4, 6, 8, 9, 12, 18, 24, 36) and abs(value.numerator) <= 24


def _number(value: Any) -> Any:
    sympy = sympy_package()
    p, q = int(value.numerator), int(value.denominator)
    return sympy.Rational(p, q) if q == 1 or _is_plain(value) else sympy.Float(p / q, 15)
