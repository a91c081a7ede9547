"""Equations on a page: as plain text, or as an aligned block of LaTeX with long sums broken between their terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..program import sympy_package

_WIDE = 85  # characters that fit on one line of a page
_DIGITS = 6


@dataclass(frozen=True)
class Line:
    """left = right"""

    left: Any
    right: Any


def as_text(lines: Sequence[Line], legend: Sequence[tuple[Any, str]]) -> str:
    """One equation per line; a prime is a rate."""
    said = [f"{_text(line.left)} = {_text(_rounded(line.right))}" for line in lines]
    names = ", ".join(f"{_text(symbol)}: {label}" for symbol, label in legend)
    return "\n".join([f"# {' '.join(names.split())}", *said] if legend else said)


def _text(expression: Any) -> str:
    sympy = sympy_package()
    primes = {symbol: sympy.Symbol(_primed(symbol.name)) for symbol in expression.free_symbols}
    text: str = sympy.sstr(expression.xreplace(primes), full_prec=False)
    return text.replace("**", "^")


def _primed(name: str) -> str:
    for ending, primes in (("_ddot", "''"), ("_dot", "'")):
        if name.endswith(ending):
            return name.removesuffix(ending) + primes
    return name


def as_latex(lines: Sequence[Line], legend: Sequence[tuple[Any, str]]) -> str:
    """An `aligned` block, for use within an equation; what generated symbols stand for is in comments above it."""
    rows = [row for line in lines for row in _rows(line)]
    comments = [f"% {_latex(symbol)}: {' '.join(label.split())}" for symbol, label in legend]
    return "\n".join([*comments, r"\begin{aligned}", " \\\\\n".join(rows), r"\end{aligned}"])


def _rows(line: Line) -> list[str]:
    right = _rounded(line.right)
    head = f"{_latex(line.left)} &= "
    if _width(_latex(right)) <= _WIDE:
        return [head + _latex(right)]
    top, bottom = right.as_numer_denom()
    if not right.is_Mul or bottom.is_Number:
        return _broken(head, right, "", "")
    return _broken(head + rf"\frac{{1}}{{{_latex(bottom)}}} ", top, r"\bigl[", r"\bigr]")


def _broken(head: str, total: Any, opening: str, closing: str) -> list[str]:
    """A sum over several lines."""
    terms = [_latex(term) for term in total.as_ordered_terms()]
    rows = [f"{head}{opening}{terms[0]}"]
    for term in terms[1:]:
        signed = term if term.startswith("-") else f"+ {term}"
        if _width(rows[-1]) + _width(term) > _WIDE:
            rows.append(rf"&\quad {signed}")
        else:
            rows[-1] += f" {signed}"
    rows[-1] += closing
    return rows


def _width(latex: str) -> int:
    """About how many characters wide it is when printed."""
    seen = re.sub(r"\\(left|right|quad|bigl|bigr|d?dot|frac)\b", "", latex)
    seen = re.sub(r"\\(sin|cos|sqrt)", "fun", seen)
    return len(re.sub(r"[{}_^&\s]", "", re.sub(r"\\[a-z]+", "x", seen)))


def _rounded(expression: Any) -> Any:
    sympy = sympy_package()
    return expression.xreplace({x: sympy.Float(x, _DIGITS) for x in expression.atoms(sympy.Float)})


def _latex(expression: Any) -> str:
    sympy = sympy_package()
    dotted = {symbol: _dotted(symbol.name) for symbol in expression.free_symbols if symbol.name.endswith("dot")}
    text: str = sympy.latex(expression, symbol_names=dotted)
    return text


def _dotted(name: str) -> str:
    sympy = sympy_package()
    dot = "ddot" if name.endswith("_ddot") else "dot"
    stem: str = sympy.latex(sympy.Symbol(name.removesuffix(f"_{dot}")))
    letter, subscript, rest = stem.partition("_")
    return rf"\{dot}{{{letter}}}{subscript}{rest}"
