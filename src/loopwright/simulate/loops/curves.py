"""Values over time in native loops: [values, rates, accelerations] of every kind of trajectory."""

from __future__ import annotations

from typing import Any

from ...program.memory import floats, flow, grid, run, wholes

_HEAD = 3


def pieces(t: float, out_at: int, unused: int, table: int) -> int:
    """Polynomials one after the other. Table: pieces, width, terms; knots; coefficients, the highest first."""
    head = floats(table, _HEAD)
    count, width, terms = int(head[0]), int(head[1]), int(head[2])
    knots = floats(table + 8 * _HEAD, count + 1)
    out = grid(out_at, 3, width)
    now = min(max(t, knots[0]), knots[count])
    k = _piece(knots, count, now)
    x = now - knots[k]
    c = grid(table + 8 * (_HEAD + count + 1 + k * width * terms), width, terms)
    outside = t < knots[0] or t > knots[count]
    for n in range(width):
        value, rate, half = 0.0, 0.0, 0.0
        for j in range(terms):
            half = half * x + rate
            rate = rate * x + value
            value = value * x + c[n, j]
        out[0, n] = value
        out[1, n] = 0.0 if outside else rate
        out[2, n] = 0.0 if outside else 2.0 * half
    return 0


def _piece(knots: Any, count: int, t: float) -> int:
    """The last piece that begins at t or before, by halving."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if knots[middle] <= t:
            low = middle
        else:
            high = middle
    return low


def recorded(t: float, out: int, unused: int, table: int) -> int:
    """A program of t. Table: its address, and room for the time."""
    c = wholes(table, 2)
    floats(c[1], 1)[0] = t
    run(c[0], (c[1], out))
    return 0


def joined(t: float, out_at: int, unused: int, table: int) -> int:
    """Several side by side. Table: how many, width of all; for each: text, table, room, width, first place."""
    head = wholes(table, 2)
    width = head[1]
    out = grid(out_at, 3, width)
    for k in range(head[0]):
        part = wholes(table + 8 * (2 + 5 * k), 5)
        flow(part[0], t, part[2], 0, part[1])
        own = grid(part[2], 3, part[3])
        for i in range(3):
            for n in range(part[3]):
                out[i, part[4] + n] = own[i, n]
    return 0
