"""Polynomials in sines and cosines written another way: without squares of one of them, or in multiples of angles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from .algebra import sympy_package

Wave = tuple[bool, tuple[int, ...]]  # whether it is a sine (else a cosine), and of which multiples of the angles


def without_squares(polynomial: Any, of: int, by: int) -> Any:
    """x^2 -> 1 - y^2 for generators number `of` and `by`: cosine and sine of an angle, or the other way round."""
    ring = polynomial.ring
    total, replacement = ring.zero, 1 - ring.gens[by] ** 2
    for monomial, coefficient in polynomial.terms():
        squares, odd = divmod(monomial[of], 2)
        total += ring({(*monomial[:of], odd, *monomial[of + 1 :]): coefficient}) * replacement**squares
    return total


def in_waves(polynomial: Any, places: Sequence[tuple[int, int]], angles: Sequence[Any]) -> tuple[list[Any], Any]:
    """Letters and terms of the polynomial in sines and cosines of whole combinations of angles.

    `places` are the generators that are the sine and cosine of every angle.
    """
    sympy = sympy_package()
    taken = {k for pair in places for k in pair}
    others = [k for k in range(len(polynomial.ring.symbols)) if k not in taken]
    found: dict[Wave, dict[Any, Any]] = defaultdict(lambda: defaultdict(lambda: sympy.QQ(0)))
    for monomial, coefficient in polynomial.terms():
        product: dict[Wave, Any] = {(False, (0,) * len(places)): coefficient}
        for k, (s, c) in enumerate(places):
            for is_sine, times in ((True, monomial[s]), (False, monomial[c])):
                for _ in range(times):
                    product = _times(product, k, is_sine)
        for wave, share in product.items():
            found[wave][tuple(monomial[k] for k in others)] += share
    waves = [wave for wave, terms in found.items() if any(wave[1]) and any(terms.values())]
    letters = [(sympy.sin if is_sine else sympy.cos)(_sum(multiples, angles)) for is_sine, multiples in waves]
    terms = {
        (*(int(wave == name) for name in waves), *rest): x
        for wave, parts in found.items()
        for rest, x in parts.items()
        if x
    }
    return [*letters, *(polynomial.ring.symbols[k] for k in others)], terms


def _sum(multiples: Sequence[int], angles: Sequence[Any]) -> Any:
    return sum(n * angle for n, angle in zip(multiples, angles, strict=True))


def _times(product: dict[Wave, Any], k: int, by_sine: bool) -> dict[Wave, Any]:
    """Times the sine or cosine of angle k; the first multiple of every wave is kept positive."""
    result: dict[Wave, Any] = defaultdict(int)
    for (is_sine, multiples), share in product.items():
        up, down = (tuple(m + step * (i == k) for i, m in enumerate(multiples)) for step in (1, -1))
        # 2 cos a cos b = cos(a+b) + cos(a-b),  2 sin a sin b = -cos(a+b) + cos(a-b)
        # 2 sin a cos b = sin(a+b) + sin(a-b),  2 cos a sin b =  sin(a+b) - sin(a-b)
        for m, sign in ((up, -1 if is_sine and by_sine else 1), (down, -1 if by_sine and not is_sine else 1)):
            first = next((x for x in m if x), 0)
            sine = is_sine != by_sine
            if sine and first < 0:
                sign = -sign
            if not sine or first:
                result[sine, tuple(-x for x in m) if first < 0 else m] += share * sign / 2
    return {wave: share for wave, share in result.items() if share}
